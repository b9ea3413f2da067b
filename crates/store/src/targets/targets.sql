-- name: target.of_spec
select id from targets where spec = $1;

-- name: target.count
select count(*) as number from targets;

-- name: target.by_id
select targets.id, targets.kind, targets.variant, targets.symmetry, targets.level, targets.rating_min, targets.rating_max,
    targets.givens_min, targets.givens_max, targets.technique, targets.low_water, targets.target, targets.priority, targets.cron,
    targets.time_zone, targets.window_minutes, targets.declared_by, targets.created_at, targets.updated_at
from targets
where id = $1;

-- name: target.list
select targets.id, targets.kind, targets.variant, targets.symmetry, targets.level, targets.rating_min, targets.rating_max,
    targets.givens_min, targets.givens_max, targets.technique, targets.low_water, targets.target, targets.priority, targets.cron,
    targets.time_zone, targets.window_minutes, targets.declared_by, targets.created_at, targets.updated_at
from targets
order by id;

-- name: target.page
select targets.id, targets.kind, targets.variant, targets.symmetry, targets.level, targets.rating_min, targets.rating_max,
    targets.givens_min, targets.givens_max, targets.technique, targets.low_water, targets.target, targets.priority, targets.cron,
    targets.time_zone, targets.window_minutes, targets.declared_by, targets.created_at, targets.updated_at
from targets
where id > $1
order by id limit $2;

-- name: target.delete_returning
delete from targets
where id = $1
returning targets.id, targets.kind, targets.variant, targets.symmetry, targets.level, targets.rating_min, targets.rating_max,
    targets.givens_min, targets.givens_max, targets.technique, targets.low_water, targets.target, targets.priority, targets.cron,
    targets.time_zone, targets.window_minutes, targets.declared_by, targets.created_at, targets.updated_at;

-- The key is the spec. An error about a broken value names a row id, which is 0 for all rows here.
-- name: target.rates (sqlite)
select cast(0 as bigint) as id, spec, tries, hits, work_ms from rates
where engine_version = $1 and spec in (select value from json_each($2));
-- name: target.rates (postgres)
select cast(0 as bigint) as id, spec, tries, hits, work_ms from rates where engine_version = $1 and spec = any($2);

-- name: target.delete
delete from targets where id = $1;

-- name: target.versions
select distinct version from processes where seen_at > $1;

-- name: target.lock_refills (sqlite)
select id from jobs where target_id = $1 and state in ('queued', 'running') order by id;
-- name: target.lock_refills (postgres)
select id from jobs where target_id = $1 and state in ('queued', 'running') order by id for update;

-- name: target.part_jobs
update jobs set target_id = null where target_id = $1;

-- name: target.insert
insert into targets (spec, kind, variant, symmetry, level, rating_min, rating_max, low_water, target, priority, cron, time_zone,
    window_minutes, declared_by, created_at, updated_at, technique, givens_min, givens_max)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16, $17, $18)
returning targets.id, targets.kind, targets.variant, targets.symmetry, targets.level, targets.rating_min, targets.rating_max,
    targets.givens_min, targets.givens_max, targets.technique, targets.low_water, targets.target, targets.priority, targets.cron,
    targets.time_zone, targets.window_minutes, targets.declared_by, targets.created_at, targets.updated_at;

-- name: target.update
update targets
set low_water = $1, target = $2, priority = $3, cron = $4, time_zone = $5, window_minutes = $6, declared_by = $7, updated_at = $8,
    spec = $9, symmetry = $10
where id = $11
returning targets.id, targets.kind, targets.variant, targets.symmetry, targets.level, targets.rating_min, targets.rating_max,
    targets.givens_min, targets.givens_max, targets.technique, targets.low_water, targets.target, targets.priority, targets.cron,
    targets.time_zone, targets.window_minutes, targets.declared_by, targets.created_at, targets.updated_at;

-- The open job may be an earlier refill that was retried, so it need not be the last one.
-- name: refill.list
select jobs.id, jobs.state, jobs.kind, jobs.variant, jobs.symmetry, jobs.level, jobs.rating_min, jobs.rating_max, jobs.givens_min,
    jobs.givens_max, jobs.technique, jobs.wanted, jobs.made, jobs.next_index, jobs.seed, jobs.priority, jobs.tries_max, jobs.needed_version,
    jobs.tries, jobs.repeats, jobs.unrated, jobs.off_target, jobs.givens_missed, jobs.unproven, jobs.solvers_disagreed,
    jobs.nearest_distance, jobs.nearest, jobs.work_ms, jobs.work_ms_max, jobs.failed_attempts, jobs.reclaimed_slices, jobs.error,
    jobs.error_reason, jobs.request_id, jobs.principal, jobs.holder, jobs.traceparent, jobs.labels, jobs.target_id, jobs.shortfall,
    jobs.not_before_at, jobs.not_after_at, jobs.created_at, jobs.started_at, jobs.ended_at, jobs.pruned_at
from jobs
where id in (
    select coalesce((select max(id) from jobs where target_id = targets.id and state in ('queued', 'running')),
        (select max(id) from jobs where target_id = targets.id))
    from targets)
order by id;

-- name: refill.target (sqlite)
select targets.id, targets.kind, targets.variant, targets.symmetry, targets.level, targets.rating_min, targets.rating_max,
    targets.givens_min, targets.givens_max, targets.technique, targets.low_water, targets.target, targets.priority, targets.cron,
    targets.time_zone, targets.window_minutes, targets.declared_by, targets.created_at, targets.updated_at
from targets
where id = $1;
-- name: refill.target (postgres)
select targets.id, targets.kind, targets.variant, targets.symmetry, targets.level, targets.rating_min, targets.rating_max,
    targets.givens_min, targets.givens_max, targets.technique, targets.low_water, targets.target, targets.priority, targets.cron,
    targets.time_zone, targets.window_minutes, targets.declared_by, targets.created_at, targets.updated_at
from targets
where id = $1
for key share;

-- name: refill.last
select jobs.id, jobs.state, jobs.kind, jobs.variant, jobs.symmetry, jobs.level, jobs.rating_min, jobs.rating_max, jobs.givens_min,
    jobs.givens_max, jobs.technique, jobs.wanted, jobs.made, jobs.next_index, jobs.seed, jobs.priority, jobs.tries_max, jobs.needed_version,
    jobs.tries, jobs.repeats, jobs.unrated, jobs.off_target, jobs.givens_missed, jobs.unproven, jobs.solvers_disagreed,
    jobs.nearest_distance, jobs.nearest, jobs.work_ms, jobs.work_ms_max, jobs.failed_attempts, jobs.reclaimed_slices, jobs.error,
    jobs.error_reason, jobs.request_id, jobs.principal, jobs.holder, jobs.traceparent, jobs.labels, jobs.target_id, jobs.shortfall,
    jobs.not_before_at, jobs.not_after_at, jobs.created_at, jobs.started_at, jobs.ended_at, jobs.pruned_at
from jobs
where target_id = $1
order by state in ('queued', 'running') desc, id desc limit 1;

-- name: refill.count_open
select count(*) as number from jobs where target_id is not null and state in ('queued', 'running');

-- name: refill.mark
update jobs set target_id = $1, not_after_at = $2, traceparent = coalesce($3, traceparent)
where id = $4
returning jobs.id, jobs.state, jobs.kind, jobs.variant, jobs.symmetry, jobs.level, jobs.rating_min, jobs.rating_max, jobs.givens_min,
    jobs.givens_max, jobs.technique, jobs.wanted, jobs.made, jobs.next_index, jobs.seed, jobs.priority, jobs.tries_max, jobs.needed_version,
    jobs.tries, jobs.repeats, jobs.unrated, jobs.off_target, jobs.givens_missed, jobs.unproven, jobs.solvers_disagreed,
    jobs.nearest_distance, jobs.nearest, jobs.work_ms, jobs.work_ms_max, jobs.failed_attempts, jobs.reclaimed_slices, jobs.error,
    jobs.error_reason, jobs.request_id, jobs.principal, jobs.holder, jobs.traceparent, jobs.labels, jobs.target_id, jobs.shortfall,
    jobs.not_before_at, jobs.not_after_at, jobs.created_at, jobs.started_at, jobs.ended_at, jobs.pruned_at;
