-- name: enqueue.open_work (sqlite)
select min(id) as id, principal, count(*) as jobs, cast(sum(wanted - made) as bigint) as puzzles
from jobs where state in ('queued', 'running') and principal in (select value from json_each($1))
group by principal;
-- name: enqueue.open_work (postgres)
select min(id) as id, principal, count(*) as jobs, cast(sum(wanted - made) as bigint) as puzzles
from jobs where state in ('queued', 'running') and principal = any($1) group by principal;

-- name: enqueue.open_jobs
select count(*) as number from jobs where state in ('queued', 'running');

-- name: enqueue.requests (sqlite)
select requests.fields, jobs.id, jobs.state, jobs.kind, jobs.variant, jobs.symmetry, jobs.level, jobs.rating_min, jobs.rating_max,
    jobs.givens_min, jobs.givens_max, jobs.technique, jobs.wanted, jobs.made, jobs.next_index, jobs.seed, jobs.priority, jobs.tries_max,
    jobs.needed_version, jobs.tries, jobs.repeats, jobs.unrated, jobs.off_target, jobs.givens_missed, jobs.unproven, jobs.solvers_disagreed,
    jobs.nearest_distance, jobs.nearest, jobs.work_ms, jobs.work_ms_max, jobs.failed_attempts, jobs.reclaimed_slices, jobs.error,
    jobs.error_reason, jobs.request_id, jobs.principal, jobs.holder, jobs.traceparent, jobs.labels, jobs.target_id, jobs.shortfall,
    jobs.not_before_at, jobs.not_after_at, jobs.created_at, jobs.started_at, jobs.ended_at, jobs.pruned_at
from json_each($1) as wanted join requests on requests.request_id = wanted.value
join jobs on jobs.id = requests.job_id;
-- name: enqueue.requests (postgres)
select requests.fields, jobs.id, jobs.state, jobs.kind, jobs.variant, jobs.symmetry, jobs.level, jobs.rating_min, jobs.rating_max,
    jobs.givens_min, jobs.givens_max, jobs.technique, jobs.wanted, jobs.made, jobs.next_index, jobs.seed, jobs.priority, jobs.tries_max,
    jobs.needed_version, jobs.tries, jobs.repeats, jobs.unrated, jobs.off_target, jobs.givens_missed, jobs.unproven, jobs.solvers_disagreed,
    jobs.nearest_distance, jobs.nearest, jobs.work_ms, jobs.work_ms_max, jobs.failed_attempts, jobs.reclaimed_slices, jobs.error,
    jobs.error_reason, jobs.request_id, jobs.principal, jobs.holder, jobs.traceparent, jobs.labels, jobs.target_id, jobs.shortfall,
    jobs.not_before_at, jobs.not_after_at, jobs.created_at, jobs.started_at, jobs.ended_at, jobs.pruned_at
from requests join jobs on jobs.id = requests.job_id where requests.request_id = any($1);

-- name: enqueue.shortfalls (sqlite)
select jobs.id, jobs.state, jobs.kind, jobs.variant, jobs.symmetry, jobs.level, jobs.rating_min, jobs.rating_max, jobs.givens_min,
    jobs.givens_max, jobs.technique, jobs.wanted, jobs.made, jobs.next_index, jobs.seed, jobs.priority, jobs.tries_max, jobs.needed_version,
    jobs.tries, jobs.repeats, jobs.unrated, jobs.off_target, jobs.givens_missed, jobs.unproven, jobs.solvers_disagreed,
    jobs.nearest_distance, jobs.nearest, jobs.work_ms, jobs.work_ms_max, jobs.failed_attempts, jobs.reclaimed_slices, jobs.error,
    jobs.error_reason, jobs.request_id, jobs.principal, jobs.holder, jobs.traceparent, jobs.labels, jobs.target_id, jobs.shortfall,
    jobs.not_before_at, jobs.not_after_at, jobs.created_at, jobs.started_at, jobs.ended_at, jobs.pruned_at
from json_each($1) as wanted
join jobs on jobs.shortfall = wanted.value and jobs.state in ('queued', 'running');
-- name: enqueue.shortfalls (postgres)
select id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index, seed,
    priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed, nearest_distance,
    nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder, traceparent,
    labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at
from jobs where shortfall = any($1) and state in ('queued', 'running');

-- Inserts new jobs after all open jobs in turn order.
-- name: enqueue.insert_jobs (sqlite)
insert into jobs (state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, seed, priority,
    tries_max, work_ms_max, needed_version, request_id, principal, traceparent, shortfall, holder, labels, not_before_at, created_at, turn)
select 'queued', value ->> 'kind', value ->> 'variant', value ->> 'symmetry', value ->> 'level', value ->> 'rating_min',
    value ->> 'rating_max', value ->> 'givens_min', value ->> 'givens_max', value ->> 'technique', value ->> 'wanted', value ->> 'seed',
    value ->> 'priority', value ->> 'tries_max', value ->> 'work_ms_max', value ->> 'needed_version', value ->> 'request_id',
    value ->> 'principal', value ->> 'traceparent', value ->> 'shortfall', value ->> 'holder', value -> 'labels', value ->> 'not_before_at',
    $2, (select coalesce(max(turn), 0) from jobs where state in ('queued', 'running')) + 1 + key
from jsonb_each($1) order by key returning id;
-- name: enqueue.insert_jobs (postgres)
insert into jobs (state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, seed, priority,
    tries_max, work_ms_max, needed_version, request_id, principal, traceparent, shortfall, holder, labels, not_before_at, created_at, turn)
select 'queued', kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, seed, priority,
    tries_max, work_ms_max, needed_version, request_id, principal, traceparent, shortfall, holder, labels, not_before_at, $2,
    nextval('turns')
from json_populate_recordset(null::jobs, $1::json) with ordinality order by ordinality returning id;

-- name: enqueue.insert_requests (sqlite)
insert into requests (request_id, fields, job_id, created_at)
select value ->> 0, value ->> 1, value ->> 2, $2 from jsonb_each($1);
-- name: enqueue.insert_requests (postgres)
insert into requests (request_id, fields, job_id, created_at)
select value ->> 0, value ->> 1, (value ->> 2)::bigint, $2 from json_array_elements($1::json);

-- name: jobs.by_id
select id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index, seed,
    priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed, nearest_distance,
    nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder, traceparent,
    labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at
from jobs where id = $1;

-- name: jobs.list (sqlite)
select id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index, seed,
    priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed, nearest_distance,
    nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder, traceparent,
    labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at
from jobs
where id < $1 and pruned_at is null and ($2 is null or state in (select value from json_each($2)))
  and ($3 is null or kind = $3)
  and not exists (
      select 1 from json_each($4) as wanted
      where not exists (select 1 from json_each(jobs.labels) as own where own.key = wanted.key and own.value = wanted.value))
  and ($5 is null or target_id = $5)
order by id desc limit $6;
-- name: jobs.list (postgres)
select id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index, seed,
    priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed, nearest_distance,
    nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder, traceparent,
    labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at
from jobs
where id < $1 and pruned_at is null and ($2::text[] is null or state = any($2))
  and ($3::text is null or kind = $3) and labels::jsonb @> $4::jsonb
  and ($5::bigint is null or target_id = $5)
order by id desc limit $6;

-- name: refill.list
select id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index, seed,
    priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed, nearest_distance,
    nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder, traceparent,
    labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at
from jobs
where id in (
    select coalesce((select max(id) from jobs where target_id = targets.id and state in ('queued', 'running')),
        (select max(id) from jobs where target_id = targets.id))
    from targets)
order by id;

-- name: refill.mark
update jobs set target_id = $1, not_after_at = $2, traceparent = coalesce($3, traceparent)
where id = $4
returning id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index,
    seed, priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed,
    nearest_distance, nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder,
    traceparent, labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at;

-- name: refill.last
select id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index, seed,
    priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed, nearest_distance,
    nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder, traceparent,
    labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at
from jobs where target_id = $1 order by state in ('queued', 'running') desc, id desc limit 1;

-- name: days.jobs
select id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index, seed,
    priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed, nearest_distance,
    nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder, traceparent,
    labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at
from jobs where holder = $1 and shortfall is not null and pruned_at is null
order by id desc limit $2;

-- name: jobs.offer_slices
update slices set token = null, lease_expires_at = null, available_at = 0, failed_attempts = 0 where job_id = $1;

-- A retried job has no deadline and no limit of working time. If its target has another open job by now, the retried job no longer belongs
-- to the target. The job's shortfall is cleared, because another job may serve it now.
-- name: jobs.retry (sqlite)
update jobs
set state = 'queued', ended_at = null, error = null, error_reason = null, failed_attempts = 0, work_ms_max = null, not_after_at = null,
    shortfall = null,
    target_id = case when exists (
        select 1 from jobs as other
        where other.target_id = jobs.target_id and other.state in ('queued', 'running')) then null else target_id end,
    tries_max = min(tries_max + $1, $2), turn = (select coalesce(max(turn), 0) + 1 from jobs where state in ('queued', 'running'))
where id = $3
returning id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index,
    seed, priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed,
    nearest_distance, nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder,
    traceparent, labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at;
-- name: jobs.retry (postgres)
update jobs
set state = 'queued', ended_at = null, error = null, error_reason = null, failed_attempts = 0, work_ms_max = null, not_after_at = null,
    shortfall = null,
    target_id = case when exists (
        select from jobs as other
        where other.target_id = jobs.target_id and other.state in ('queued', 'running')) then null else target_id end,
    tries_max = least(tries_max + $1, $2), turn = nextval('turns')
where id = $3
returning id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index,
    seed, priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed,
    nearest_distance, nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder,
    traceparent, labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at;

-- name: jobs.lock_slices (postgres)
select from slices where job_id = any($1) order by id for update;

-- name: jobs.lock (sqlite)
select id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index, seed,
    priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed, nearest_distance,
    nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder, traceparent,
    labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at
from jobs where id = $1;
-- name: jobs.lock (postgres)
select id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index, seed,
    priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed, nearest_distance,
    nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder, traceparent,
    labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at
from jobs where id = $1 for no key update;

-- name: jobs.end
update jobs set state = $1, error = $2, error_reason = $3, ended_at = $4
where id = $5 and state in ('queued', 'running')
returning id, state, kind, variant, symmetry, level, rating_min, rating_max, givens_min, givens_max, technique, wanted, made, next_index,
    seed, priority, tries_max, needed_version, tries, repeats, unrated, off_target, givens_missed, unproven, solvers_disagreed,
    nearest_distance, nearest, work_ms, work_ms_max, failed_attempts, reclaimed_slices, error, error_reason, request_id, principal, holder,
    traceparent, labels, target_id, shortfall, not_before_at, not_after_at, created_at, started_at, ended_at, pruned_at;

-- A further pause without a reason keeps the current one.
-- name: queue.pause
update queue
set paused_at = case when cast($1 as text) is not null then coalesce(paused_at, $2) end,
    pause_reason = case when $1 = '' then coalesce(pause_reason, '') else $1 end
where case when cast($1 as text) is null then paused_at is not null
           when $1 = '' then paused_at is null
           else paused_at is null or pause_reason <> $1 end;

-- name: queue.stops
select id, paused_at, pause_reason, reclaimed_slices, puzzles_max, puzzles_full_at, bytes_max, bytes_full_at, bytes_used, bytes_read_at,
    (select cast(coalesce(sum(positions - empty), 0) as bigint) from shelves)
      + (select count(*) from puzzles where holder is not null and position is null and withdrawn_at is null) as puzzles
from queue
where (paused_at is not null or puzzles_full_at is not null or bytes_full_at is not null);

-- One statement, so that all values are from one moment. It counts open and finished jobs separately, because they have separate indexes.
-- name: queue.state (sqlite)
select id, paused_at, pause_reason, reclaimed_slices, puzzles_max, puzzles_full_at, bytes_max, bytes_full_at, bytes_used, bytes_read_at,
    (select cast(coalesce(sum(positions - empty), 0) as bigint) from shelves)
      + (select count(*) from puzzles where holder is not null and position is null and withdrawn_at is null) as puzzles,
    (
        select json_group_object(state, jobs)
        from (
            select state, count(*) as jobs from jobs where state in ('queued', 'running')
            group by state
            union all
            select state, count(*) from jobs where ended_at is not null and pruned_at is null
            group by state)) as jobs,
    (
        select count(*) from slices join jobs on jobs.id = slices.job_id
        where jobs.state in ('queued', 'running') and (slices.token is null or slices.lease_expires_at <= $1)) as waiting_slices,
    (
        select count(*) from slices join jobs on jobs.id = slices.job_id
        where jobs.state in ('queued', 'running') and slices.token is not null and slices.lease_expires_at > $1) as leased_slices,
    (
        select max($1 - case when not_before_at > created_at then not_before_at else created_at end)
        from jobs
        where state in ('queued', 'running') and state = 'queued' and not_before_at <= $1) as oldest_wait_ms,
    (select count(*) from reclaimed_slices where reclaimed_at > $1 - $2) as reclaimed_slices_last_hour
from queue;
-- name: queue.state (postgres)
with clock as (select coalesce($1, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now),
    counted as (
        select state, count(*) as jobs from jobs where state in ('queued', 'running') group by state
        union all
        select state, count(*) from jobs where ended_at is not null and pruned_at is null
        group by state)
select id, paused_at, pause_reason, reclaimed_slices, puzzles_max, puzzles_full_at, bytes_max, bytes_full_at, bytes_used, bytes_read_at,
    (select cast(coalesce(sum(positions - empty), 0) as bigint) from shelves)
      + (select count(*) from puzzles where holder is not null and position is null and withdrawn_at is null) as puzzles,
    coalesce((select json_object_agg(state, jobs) from counted), '{}') as jobs,
    (
        select count(*) from slices join jobs on jobs.id = slices.job_id
        where jobs.state in ('queued', 'running') and (slices.token is null or slices.lease_expires_at <= now)) as waiting_slices,
    (
        select count(*) from slices join jobs on jobs.id = slices.job_id
        where jobs.state in ('queued', 'running') and slices.token is not null and slices.lease_expires_at > now) as leased_slices,
    (
        select max(now - greatest(not_before_at, created_at)) from jobs
        where state in ('queued', 'running') and state = 'queued' and not_before_at <= now) as oldest_wait_ms,
    (select count(*) from reclaimed_slices where reclaimed_at > now - $2) as reclaimed_slices_last_hour
from queue cross join clock;

-- name: queue.is_paused
select paused_at is not null as is_paused from queue;

-- What stops all claims.
-- name: queue.is_stopped
select (paused_at is not null or puzzles_full_at is not null or bytes_full_at is not null) as is_stopped from queue;

-- name: queue.growth_now (sqlite)
select id, paused_at, pause_reason, reclaimed_slices, puzzles_max, puzzles_full_at, bytes_max, bytes_full_at, bytes_used, bytes_read_at,
    (select cast(coalesce(sum(positions - empty), 0) as bigint) from shelves)
      + (select count(*) from puzzles where holder is not null and position is null and withdrawn_at is null) as puzzles,
    $1 as now
from queue;
-- name: queue.growth_now (postgres)
select id, paused_at, pause_reason, reclaimed_slices, puzzles_max, puzzles_full_at, bytes_max, bytes_full_at, bytes_used, bytes_read_at,
    (select cast(coalesce(sum(positions - empty), 0) as bigint) from shelves)
      + (select count(*) from puzzles where holder is not null and position is null and withdrawn_at is null) as puzzles,
    coalesce($1, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now
from queue;

-- name: queue.lock_growth (sqlite)
select id, paused_at, pause_reason, reclaimed_slices, puzzles_max, puzzles_full_at, bytes_max, bytes_full_at, bytes_used, bytes_read_at,
    (select cast(coalesce(sum(positions - empty), 0) as bigint) from shelves)
      + (select count(*) from puzzles where holder is not null and position is null and withdrawn_at is null) as puzzles
from queue;
-- name: queue.lock_growth (postgres)
select id, paused_at, pause_reason, reclaimed_slices, puzzles_max, puzzles_full_at, bytes_max, bytes_full_at, bytes_used, bytes_read_at,
    (select cast(coalesce(sum(positions - empty), 0) as bigint) from shelves)
      + (select count(*) from puzzles where holder is not null and position is null and withdrawn_at is null) as puzzles
from queue for no key update of queue;

-- Finds the row, and counts the puzzles on the shelves, only while the stock is full.
-- name: queue.growth_while_full
select id, paused_at, pause_reason, reclaimed_slices, puzzles_max, puzzles_full_at, bytes_max, bytes_full_at, bytes_used, bytes_read_at,
    (select cast(coalesce(sum(positions - empty), 0) as bigint) from shelves)
      + (select count(*) from puzzles where holder is not null and position is null and withdrawn_at is null) as puzzles
from queue where puzzles_full_at is not null or bytes_full_at is not null;

-- name: queue.bytes (sqlite)
select (pages.page_count - free.freelist_count) * size.page_size as number
from pragma_page_count() as pages, pragma_freelist_count() as free, pragma_page_size() as size;
-- name: queue.bytes (postgres)
select pg_database_size(current_database()) as number;

-- name: queue.put_growth
update queue
set puzzles_max = $1, puzzles_full_at = $2, bytes_max = $3, bytes_full_at = $4, bytes_used = $5, bytes_read_at = $6;

-- Whether the queue is stopped and how full the stock is, with the number of puzzles in stock: the positions of all shelves that are not
-- empty, plus the held puzzles. A database has a few thousand shelves at most, and an index has only the held puzzles. SQLite uses this index
-- only if the statement names its first column, `holder`.
-- name: queue.growth
select id, paused_at, pause_reason, reclaimed_slices, puzzles_max, puzzles_full_at, bytes_max, bytes_full_at, bytes_used, bytes_read_at,
    (select cast(coalesce(sum(positions - empty), 0) as bigint) from shelves)
      + (select count(*) from puzzles where holder is not null and position is null and withdrawn_at is null) as puzzles
from queue;

-- Adds the row of a process, or renews it. If the row was pruned, it is added again.
-- name: process.keep
insert into processes (name, host, pid, role, version, workers, started_at, seen_at)
values ($1, $2, $3, $4, $5, $6, $7, $7)
on conflict (name) do update set seen_at = excluded.seen_at;

-- name: process.remove
delete from processes where name = $1;

-- name: process.list
select id, name, host, pid, role, version, workers, started_at, seen_at from processes where id > $1
order by id limit $2;

-- name: process.running
select id, host, version from processes where seen_at > $1 order by id;

-- The workers of processes whose rows were renewed within `RUNNING_MS`.
-- name: process.running_workers (sqlite)
select coalesce(sum(workers), 0) as number from processes where seen_at > $1 - $2;
-- name: process.running_workers (postgres)
select coalesce(sum(workers), 0)::bigint as number from processes
where seen_at > coalesce($1, (extract(epoch from clock_timestamp()) * 1000)::bigint) - $2;

-- The slices with valid leases, by the process whose worker holds the slice. The statement is fast: each busy worker has one lease, and an
-- index lists the leases.
-- name: process.held_slices (sqlite)
select *
from (
    select slices.id, slices.job_id, slices.first_index, slices.end_index, slices.first_try, slices.token, slices.lease_expires_at,
        slices.worker, slices.failed_attempts, processes.id as process_id,
        row_number() over (partition by processes.id order by slices.id) as place, count(*) over (partition by processes.id) as of_process
    from slices
    join processes on substr(slices.worker, 1, length(processes.name) + 1) = processes.name || '-'
    join jobs on jobs.id = slices.job_id
    where processes.id in (select value from json_each($2)) and slices.token is not null
      and slices.lease_expires_at > $1 and jobs.state in ('queued', 'running')) as held
where place <= $3 order by process_id, place;
-- name: process.held_slices (postgres)
with clock as (select coalesce($1, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now)
select *
from (
    select slices.id, slices.job_id, slices.first_index, slices.end_index, slices.first_try, slices.token, slices.lease_expires_at,
        slices.worker, slices.failed_attempts, processes.id as process_id,
        row_number() over (partition by processes.id order by slices.id) as place, count(*) over (partition by processes.id) as of_process
    from slices
    join processes on substr(slices.worker, 1, length(processes.name) + 1) = processes.name || '-'
    join jobs on jobs.id = slices.job_id cross join clock
    where processes.id = any($2) and slices.token is not null and slices.lease_expires_at > clock.now
      and jobs.state in ('queued', 'running')) as held
where place <= $3 order by process_id, place;
