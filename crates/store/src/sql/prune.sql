-- The last job of a target stays, because the target's forecast reads it.
-- name: prune.old_jobs
select id from jobs as old
where ended_at is not null and pruned_at is null and ended_at < $1
  and (target_id is null or exists (select 1 from jobs as later where later.target_id = old.target_id and later.id > old.id))
order by ended_at limit $2;

-- A job may have been retried meanwhile.
-- name: prune.jobs (sqlite)
update jobs set pruned_at = $1
where id in (select value from json_each($2)) and ended_at is not null and pruned_at is null and ended_at < $3
returning id;
-- name: prune.jobs (postgres)
update jobs set pruned_at = $1
from (select id from jobs where id = any($2) order by id for no key update) as old
where jobs.id = old.id and ended_at is not null and pruned_at is null and ended_at < $3
returning jobs.id;

-- Pruned jobs cannot be retried, so they need no slices.
-- name: prune.slices (sqlite)
delete from slices where job_id in (select value from json_each($1));
-- name: prune.slices (postgres)
delete from slices where job_id = any($1);

-- name: prune.forget_requests
update jobs set request_id = null
where id in (select id from jobs where pruned_at is not null and request_id is not null and pruned_at < $1 order by pruned_at limit $2)
returning id;

-- name: prune.requests (sqlite)
delete from requests where job_id in (select value from json_each($1));
-- name: prune.requests (postgres)
delete from requests where job_id = any($1);

-- name: prune.delete_jobs (sqlite)
delete from jobs
where id in (
    select id from jobs
    where pruned_at is not null and request_id is null and (made = 0 or forgotten = 1)
      and not exists (select 1 from puzzles where puzzles.job_id = jobs.id)
    order by pruned_at limit $1);
-- name: prune.delete_jobs (postgres)
delete from jobs
where id in (
    select id from jobs
    where pruned_at is not null and request_id is null and (made = 0 or forgotten)
      and not exists (select from puzzles where puzzles.job_id = jobs.id)
    order by pruned_at limit $1);

-- name: prune.deliveries_after
select id, created_at, name, recorded from deliveries
where id > (select seen_delivery_id from queue) order by id limit $1;

-- name: prune.deliveries (sqlite)
delete from deliveries where id in (select value from json_each($1));
-- name: prune.deliveries (postgres)
delete from deliveries where id = any($1);

-- name: prune.seen_delivery
update queue set seen_delivery_id = $1;

-- name: prune.processes
delete from processes
where id in (select id from processes where seen_at < $1 order by seen_at limit $2) and seen_at < $1;

-- name: prune.audit
delete from audit where id in (select id from audit where created_at < $1 order by created_at limit $2);
