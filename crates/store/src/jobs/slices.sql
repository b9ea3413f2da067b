-- name: claim.due (sqlite)
select $1 as now,
    (
        select min(due)
        from (
            select (
                select max(not_before_at, coalesce(slices.lease_expires_at, slices.available_at)) from jobs
                where id = slices.job_id and state in ('queued', 'running') and needed_version <= $2) as due
            from slices
            union all
            select min(not_before_at) from jobs
            where state in ('queued', 'running') and next_index < wanted and needed_version <= $2)
        where not exists (
            select 1 from queue where (paused_at is not null or puzzles_full_at is not null or bytes_full_at is not null))) as due,
    exists (select 1 from slices where token is not null and lease_expires_at <= $1) as has_expired;
-- name: claim.due (postgres)
with clock as (select coalesce($1, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now)
select now,
    (
        select min(due)
        from (
            select (
                select greatest(not_before_at, coalesce(slices.lease_expires_at, slices.available_at)) from jobs
                where id = slices.job_id and state in ('queued', 'running') and needed_version <= $2) as due
            from slices
            union all
            select min(not_before_at) from jobs
            where state in ('queued', 'running') and next_index < wanted and needed_version <= $2) as open
        where not exists (
            select from queue where (paused_at is not null or puzzles_full_at is not null or bytes_full_at is not null))) as due,
    exists (select from slices where token is not null and lease_expires_at <= now) as has_expired
from clock;

-- On PostgreSQL, the statement waits for a commit of the slice in progress, which removes the slice.
-- name: claim.reclaim (sqlite)
update slices
set token = null, lease_expires_at = null, available_at = 0, failed_attempts = failed_attempts + 1
where id in (select id from slices where token is not null and lease_expires_at <= $1 order by id limit $2)
returning id, job_id, first_index, end_index, first_try, token, lease_expires_at, worker, failed_attempts;
-- name: claim.reclaim (postgres)
with expired as (select id from slices where token is not null and lease_expires_at <= $1 order by id limit $2 for update)
update slices
set token = null, lease_expires_at = null, available_at = 0, failed_attempts = failed_attempts + 1
from expired where slices.id = expired.id
returning slices.id, slices.job_id, slices.first_index, slices.end_index, slices.first_try, slices.token, slices.lease_expires_at,
    slices.worker, slices.failed_attempts;

-- name: claim.count_on_jobs (sqlite)
update jobs set reclaimed_slices = reclaimed_slices + counted.more
from (select value as job_id, count(*) as more from json_each($1) group by value) as counted
where jobs.id = counted.job_id;
-- name: claim.count_on_jobs (postgres)
update jobs set reclaimed_slices = reclaimed_slices + counted.more
from (select job_id, count(*) as more from unnest($1::bigint[]) as job_id group by job_id) as counted
where jobs.id = counted.job_id;

-- name: claim.count_reclaimed
update queue set reclaimed_slices = reclaimed_slices + $1;

-- name: claim.note_reclaimed (sqlite)
insert into reclaimed_slices (reclaimed_at) select $1 from json_each($2);
-- name: claim.note_reclaimed (postgres)
insert into reclaimed_slices (reclaimed_at) select $1 from unnest($2::bigint[]);

-- No count includes older rows. If the clock was set back, some rows stay longer.
-- name: claim.forget_reclaimed
delete from reclaimed_slices where reclaimed_at <= $1;

-- A job has work to claim if it has indices left or offers a slice: `$1` is the time, and `$2` is the engine version. On PostgreSQL, the
-- statement returns no job if another transaction has taken the last work of the job since it was chosen.
-- name: claim.choose_job (sqlite)
with claimable as not materialized (
    select id, priority, turn, work_ms_max is not null as is_top_up from jobs
    where state in ('queued', 'running') and not_before_at <= $1 and needed_version <= $2
      and (next_index < wanted or exists (select 1 from slices where slices.job_id = jobs.id and token is null and available_at <= $1))),
urgent as (select id, $4 and is_top_up as is_avoided from claimable order by priority desc, turn, id limit 1)
select id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index, seed,
    priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed, nearest_distance,
    nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder, traceparent,
    labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at,
    exists (select 1 from slices where slices.job_id = jobs.id and token is null and available_at <= $1) as is_offering
from jobs
where id = (
    select coalesce(
        case when is_avoided then (select id from claimable where not is_top_up order by turn, id limit 1) end,
        case when $3 and not is_avoided then id end,
        (select id from claimable order by turn, id limit 1))
    from urgent)
  and state in ('queued', 'running')
  and (next_index < wanted or exists (select 1 from slices where slices.job_id = jobs.id and token is null and available_at <= $1));
-- name: claim.choose_job (postgres)
with claimable as not materialized (
    select id, priority, turn, work_ms_max is not null as is_top_up from jobs
    where state in ('queued', 'running') and not_before_at <= $1 and needed_version <= $2
      and (next_index < wanted or exists (select 1 from slices where slices.job_id = jobs.id and token is null and available_at <= $1))),
urgent as (select id, $4 and is_top_up as is_avoided from claimable order by priority desc, turn, id limit 1)
select id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index, seed,
    priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed, nearest_distance,
    nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder, traceparent,
    labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at,
    exists (select 1 from slices where slices.job_id = jobs.id and token is null and available_at <= $1) as is_offering
from jobs
where id = (
    select coalesce(
        case when is_avoided then (select id from claimable where not is_top_up order by turn, id limit 1) end,
        case when $3 and not is_avoided then id end,
        (select id from claimable order by turn, id limit 1))
    from urgent)
  and state in ('queued', 'running')
  and (next_index < wanted or exists (select 1 from slices where slices.job_id = jobs.id and token is null and available_at <= $1))
for no key update of jobs;

-- name: claim.lease_offered (sqlite)
update slices set token = $1, lease_expires_at = $2, worker = $3
where id = (select id from slices where job_id = $4 and token is null and available_at <= $5 order by first_index limit 1)
returning id, job_id, first_index, end_index, first_try, token, lease_expires_at, worker, failed_attempts;
-- Unlike everywhere else, the job is locked before the slices here, so this statement must not wait for slices.
-- name: claim.lease_offered (postgres)
with offered as materialized (
    select id, first_index from slices where job_id = $1 and token is null and available_at <= $2
    order by first_index limit $3 for update skip locked),
    started as (update jobs set state = 'running', started_at = coalesce(started_at, $2), turn = nextval('turns') where id = $1)
update slices
set token = claimed.token, lease_expires_at = claimed.expires_at, worker = claimed.worker
from (select id, row_number() over (order by first_index) as rank from offered) as free
join unnest($4::bigint[], $5::bigint[], $6::text[]) with ordinality as claimed (token, expires_at, worker, rank) using (rank)
where slices.id = free.id
returning slices.id, slices.job_id, slices.first_index, slices.end_index, slices.first_try, slices.token, slices.lease_expires_at,
    slices.worker, slices.failed_attempts;

-- name: claim.carve (sqlite)
insert into slices (job_id, first_index, end_index, token, lease_expires_at, worker, available_at)
values ($1, $2, $3, $4, $5, $6, 0)
returning id, job_id, first_index, end_index, first_try, token, lease_expires_at, worker, failed_attempts;
-- name: claim.carve (postgres)
with moved as (
    update jobs
    set next_index = $3, state = 'running', started_at = coalesce(started_at, $4), turn = nextval('turns')
    where id = $1 and next_index = $2 and state in ('queued', 'running') returning id)
insert into slices (job_id, first_index, end_index, token, lease_expires_at, worker, available_at)
select moved.id, claimed.first_index, claimed.end_index, claimed.token, claimed.expires_at, claimed.worker, 0
from moved
cross join unnest($5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[])
  as claimed (first_index, end_index, token, expires_at, worker)
returning id, job_id, first_index, end_index, first_try, token, lease_expires_at, worker, failed_attempts;

-- name: claim.start_job (sqlite)
update jobs
set state = 'running', started_at = coalesce(started_at, $1), turn = (select max(turn) from jobs where state in ('queued', 'running')) + 1,
    next_index = $2
where id = $3 and next_index = $4 and state in ('queued', 'running');

-- On PostgreSQL, slices are locked by ID first, so that two renewals cannot deadlock.
-- name: lease.renew (sqlite)
update slices set lease_expires_at = $2 from json_each($1) as held
where slices.id = held.value ->> 0 and slices.job_id = held.value ->> 1 and slices.token = held.value ->> 2
  and exists (select 1 from jobs where jobs.id = slices.job_id and state in ('queued', 'running'))
returning slices.id, slices.job_id, slices.first_index, slices.end_index, slices.first_try, slices.token, slices.lease_expires_at,
    slices.worker, slices.failed_attempts;
-- name: lease.renew (postgres)
with standing as (
    select slices.id from slices
    join json_array_elements($1::json) as held on slices.id = (held ->> 0)::bigint
      and slices.job_id = (held ->> 1)::bigint and slices.token = (held ->> 2)::bigint
    join jobs on jobs.id = slices.job_id and jobs.state in ('queued', 'running') order by slices.id
    for update of slices)
update slices set lease_expires_at = $2 from standing where slices.id = standing.id
returning slices.id, slices.job_id, slices.first_index, slices.end_index, slices.first_try, slices.token, slices.lease_expires_at,
    slices.worker, slices.failed_attempts;

-- name: lease.fail
update slices set token = null, lease_expires_at = null, available_at = $1, failed_attempts = $2 where id = $3;

-- name: lease.give_back
update slices set token = null, lease_expires_at = null, available_at = 0
where id = $1 and job_id = $2 and token = $3
  and exists (select 1 from jobs where jobs.id = slices.job_id and state in ('queued', 'running'));

-- name: lease.lock_slices (sqlite)
select slices.id, slices.job_id, slices.first_index, slices.end_index, slices.first_try, slices.token, slices.lease_expires_at,
    slices.worker, slices.failed_attempts
from json_each($1) as held
join slices on slices.id = held.value ->> 0 and slices.job_id = held.value ->> 1 and slices.token = held.value ->> 2;
-- name: lease.lock_slices (postgres)
select slices.id, slices.job_id, slices.first_index, slices.end_index, slices.first_try, slices.token, slices.lease_expires_at,
    slices.worker, slices.failed_attempts
from slices
join json_array_elements($1::json) as held on slices.id = (held ->> 0)::bigint
  and slices.job_id = (held ->> 1)::bigint and slices.token = (held ->> 2)::bigint
order by slices.id for update of slices;

-- name: lease.jobs (sqlite)
select id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index, seed,
    priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed, nearest_distance,
    nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder, traceparent,
    labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at
from jobs where id in (select value from json_each($1));
-- name: lease.jobs (postgres)
select id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index, seed,
    priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed, nearest_distance,
    nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder, traceparent,
    labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at
from jobs where id = any($1);

-- name: lease.count_failure
update jobs set failed_attempts = failed_attempts + 1, error = $1
where id = $2 and state in ('queued', 'running')
returning id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index,
    seed, priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed,
    nearest_distance, nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder,
    traceparent, labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at;

-- name: commit.offer_remainders (sqlite)
update slices
set first_index = remainder.value ->> 1, first_try = remainder.value ->> 2, token = null, lease_expires_at = null, available_at = 0,
    failed_attempts = 0
from json_each($1) as remainder where slices.id = remainder.value ->> 0;
-- name: commit.offer_remainders (postgres)
update slices
set first_index = (remainder ->> 1)::bigint, first_try = (remainder ->> 2)::bigint, token = null, lease_expires_at = null, available_at = 0,
    failed_attempts = 0
from json_array_elements($1::json) as remainder where slices.id = (remainder ->> 0)::bigint;

-- name: commit.delete_slices (sqlite)
delete from slices where id in (select value from json_each($1));
-- name: commit.delete_slices (postgres)
delete from slices where id = any($1);

-- name: commit.offer_again (sqlite)
insert into slices (job_id, first_index, end_index, first_try, available_at)
select value ->> 0, value ->> 1, (value ->> 1) + 1, value ->> 2, 0 from json_each($1);
-- name: commit.offer_again (postgres)
insert into slices (job_id, first_index, end_index, first_try, available_at)
select (value ->> 0)::bigint, (value ->> 1)::bigint, (value ->> 1)::bigint + 1, (value ->> 2)::bigint, 0
from json_array_elements($1::json);

-- The statement decides which miss is the nearest, because other writes may have updated the job since it was read.
-- name: commit.update_job
update jobs
set made = made + $1, tries = tries + $2, repeats = repeats + $3, unrated = unrated + $4, off_target = off_target + $5,
    givens_missed = givens_missed + $6, unproven = unproven + $7, solvers_disagreed = solvers_disagreed + $8,
    nearest = case when nearest_distance <= $9 or $9 is null then nearest else $10 end,
    nearest_distance = case when nearest_distance <= $9 or $9 is null then nearest_distance else $9 end, work_ms = work_ms + $11
where id = $12 and state in ('queued', 'running')
returning id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index,
    seed, priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed,
    nearest_distance, nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder,
    traceparent, labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at;

-- `where true` tells SQLite that the clause after the table is not a join condition.
-- name: commit.count_rates (sqlite)
insert into rates (spec, engine_version, tries, hits, work_ms)
select value ->> 0, $2, value ->> 1, value ->> 2, value ->> 3 from json_each($1) where true
on conflict (spec, engine_version) do update set tries = rates.tries + excluded.tries, hits = rates.hits + excluded.hits,
    work_ms = rates.work_ms + excluded.work_ms
returning cast(0 as bigint) as id, spec, tries, hits, work_ms;
-- name: commit.count_rates (postgres)
insert into rates (spec, engine_version, tries, hits, work_ms)
select value ->> 0, $2, (value ->> 1)::bigint, (value ->> 2)::bigint, (value ->> 3)::bigint
from json_array_elements($1::json) with ordinality as counted (value, rank) order by rank
on conflict (spec, engine_version) do update set tries = rates.tries + excluded.tries, hits = rates.hits + excluded.hits,
    work_ms = rates.work_ms + excluded.work_ms
returning cast(0 as bigint) as id, spec, tries, hits, work_ms;
