-- name: target.of_spec
select id from targets where spec = $1;

-- name: target.count
select count(*) as number from targets;

-- name: target.by_id
select id, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, low_water, target, priority, cron,
    time_zone, window_minutes, declared_by, created_at, updated_at
from targets where id = $1;

-- name: target.list
select id, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, low_water, target, priority, cron,
    time_zone, window_minutes, declared_by, created_at, updated_at
from targets order by id;

-- name: target.page
select id, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, low_water, target, priority, cron,
    time_zone, window_minutes, declared_by, created_at, updated_at
from targets where id > $1 order by id limit $2;

-- name: target.delete_returning
delete from targets where id = $1
returning id, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, low_water, target, priority, cron,
    time_zone, window_minutes, declared_by, created_at, updated_at;

-- The key is the spec. An error about a broken value names a row id, which is 0 for all rows here.
-- name: target.rates (sqlite)
select cast(0 as bigint) as id, spec, tries, hits, work_ms from rates
where engine_version = $1 and spec in (select value from json_each($2));
-- name: target.rates (postgres)
select cast(0 as bigint) as id, spec, tries, hits, work_ms from rates where engine_version = $1 and spec = any($2);

-- name: target.delete
delete from targets where id = $1;

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
returning id, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, low_water, target, priority, cron,
    time_zone, window_minutes, declared_by, created_at, updated_at;

-- name: target.update
update targets
set low_water = $1, target = $2, priority = $3, cron = $4, time_zone = $5, window_minutes = $6, declared_by = $7, updated_at = $8,
    spec = $9, symmetry = $10
where id = $11
returning id, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, low_water, target, priority, cron,
    time_zone, window_minutes, declared_by, created_at, updated_at;

-- The open job may be an earlier refill that was retried, so it need not be the last one.
-- name: refill.target (sqlite)
select id, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, low_water, target, priority, cron,
    time_zone, window_minutes, declared_by, created_at, updated_at
from targets where id = $1;
-- name: refill.target (postgres)
select id, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, low_water, target, priority, cron,
    time_zone, window_minutes, declared_by, created_at, updated_at
from targets where id = $1 for key share;

-- name: refill.count_open
select count(*) as number from jobs where target_id is not null and state in ('queued', 'running');
