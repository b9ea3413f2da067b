-- The puzzles that a withdrawal would change: pages like those of `pages.sql`, with more conditions.
-- name: withdrawal.by_shelf (sqlite)
select puzzles.id from puzzles
where puzzles.id in (
    select ids.value from shelves as fitting
    join json_each((
        select json_group_array(id)
        from (
            select id from puzzles
            where shelf_id = fitting.id and id > $1 and withdrawn_at is null and created_at >= $5
              and created_at < $6
              and not ($7 and exists (select 1 from jobs where jobs.id = job_id and jobs.state in ('queued', 'running')))
            order by id limit $4))) as ids
    where fitting.id in (select value from json_each($2)) or fitting.id > $3
    order by ids.value limit $4)
order by puzzles.id;
-- name: withdrawal.by_shelf (postgres)
select puzzles.id from puzzles
where puzzles.id in (
    select ids.id from shelves as fitting
    cross join lateral (
        select id from puzzles
        where shelf_id = fitting.id and id > $1 and withdrawn_at is null and created_at >= $5
          and created_at < $6
          and not ($7 and exists (select 1 from jobs where jobs.id = job_id and jobs.state in ('queued', 'running')))
        order by id limit $4) as ids
    where fitting.id = any($2) or fitting.id > $3 order by ids.id limit $4)
order by puzzles.id;

-- name: withdrawal.by_id (sqlite)
select puzzles.id from puzzles
where puzzles.id in (
    select id from puzzles
    where id > $1 and withdrawn_at is null
      and (+shelf_id in (select value from json_each($2)) or +shelf_id > $3) and created_at >= $5
      and created_at < $6
      and not ($7 and exists (select 1 from jobs where jobs.id = job_id and jobs.state in ('queued', 'running')))
    order by id limit $4)
order by puzzles.id;
-- name: withdrawal.by_id (postgres)
select puzzles.id from puzzles
where puzzles.id in (
    select id from puzzles
    where id > $1 and coalesce(withdrawn_at, -1) = -1 and (shelf_id + 0 = any($2) or shelf_id + 0 > $3)
      and created_at >= $5 and created_at < $6
      and not ($7 and exists (select 1 from jobs where jobs.id = job_id and jobs.state in ('queued', 'running')))
    order by id limit $4)
order by puzzles.id;

-- name: withdrawal.of_job (sqlite)
select puzzles.id from puzzles
where puzzles.id in (
    select id from puzzles
    where job_id = $8 and id > $1 and withdrawn_at is null
      and (+shelf_id in (select value from json_each($2)) or +shelf_id > $3) and created_at >= $5
      and created_at < $6
      and not ($7 and exists (select 1 from jobs where jobs.id = job_id and jobs.state in ('queued', 'running')))
    order by id limit $4)
order by puzzles.id;
-- name: withdrawal.of_job (postgres)
select puzzles.id from puzzles
where puzzles.id in (
    select id from puzzles
    where (job_id, id) > ($8, $1) and job_id <= $8 and coalesce(withdrawn_at, -1) = -1
      and (shelf_id + 0 = any($2) or shelf_id + 0 > $3) and created_at >= $5 and created_at < $6
      and not ($7 and exists (select 1 from jobs where jobs.id = job_id and jobs.state in ('queued', 'running')))
    order by job_id, id limit $4)
order by puzzles.id;

-- name: withdrawal.of_import (sqlite)
select puzzles.id from puzzles
where puzzles.id in (
    select id from puzzles
    where import_id = $8 and id > $1 and withdrawn_at is null
      and (+shelf_id in (select value from json_each($2)) or +shelf_id > $3) and created_at >= $5
      and created_at < $6
      and not ($7 and exists (select 1 from jobs where jobs.id = job_id and jobs.state in ('queued', 'running')))
    order by id limit $4)
order by puzzles.id;
-- name: withdrawal.of_import (postgres)
select puzzles.id from puzzles
where puzzles.id in (
    select id from puzzles
    where (import_id, id) > ($8, $1) and import_id <= $8 and coalesce(withdrawn_at, -1) = -1
      and (shelf_id + 0 = any($2) or shelf_id + 0 > $3) and created_at >= $5 and created_at < $6
      and not ($7 and exists (select 1 from jobs where jobs.id = job_id and jobs.state in ('queued', 'running')))
    order by import_id, id limit $4)
order by puzzles.id;

-- With `$4` (forget), the puzzles of open jobs stay and count apart.
-- name: withdrawal.count (sqlite)
select count(*) filter (where not is_open) as number, count(*) filter (where is_open) as of_open_jobs,
    count(*) filter (where $4 and not is_open and not is_delivered) as forgettable
from (
    select $4 and exists (select 1 from jobs where jobs.id = job_id and jobs.state in ('queued', 'running')) as is_open,
        $4 and exists (
            select 1 from deliveries where puzzle_id = puzzles.id union all select 1 from days where puzzle_id = puzzles.id) as is_delivered
    from puzzles
    where withdrawn_at is null and shelf_id in (select value from json_each($1)) and created_at >= $2 and created_at < $3);
-- name: withdrawal.count (postgres)
select count(*) filter (where not is_open) as number, count(*) filter (where is_open) as of_open_jobs,
    count(*) filter (where $4 and not is_open and not is_delivered) as forgettable
from (
    select $4 and exists (select from jobs where jobs.id = job_id and jobs.state in ('queued', 'running')) as is_open,
        $4 and exists (
            select from deliveries where puzzle_id = puzzles.id union all select from days where puzzle_id = puzzles.id) as is_delivered
    from puzzles
    where withdrawn_at is null and shelf_id = any($1) and created_at >= $2 and created_at < $3) as matching;

-- name: withdrawal.count_of_job (sqlite)
select count(*) filter (where not is_open) as number, count(*) filter (where is_open) as of_open_jobs,
    count(*) filter (where $4 and not is_open and not is_delivered) as forgettable
from (
    select $4 and exists (select 1 from jobs where jobs.id = job_id and jobs.state in ('queued', 'running')) as is_open,
        $4 and exists (
            select 1 from deliveries where puzzle_id = puzzles.id union all select 1 from days where puzzle_id = puzzles.id) as is_delivered
    from puzzles
    where withdrawn_at is null and shelf_id in (select value from json_each($1)) and created_at >= $2 and created_at < $3 and job_id = $5);
-- name: withdrawal.count_of_job (postgres)
select count(*) filter (where not is_open) as number, count(*) filter (where is_open) as of_open_jobs,
    count(*) filter (where $4 and not is_open and not is_delivered) as forgettable
from (
    select $4 and exists (select from jobs where jobs.id = job_id and jobs.state in ('queued', 'running')) as is_open,
        $4 and exists (
            select from deliveries where puzzle_id = puzzles.id union all select from days where puzzle_id = puzzles.id) as is_delivered
    from puzzles
    where withdrawn_at is null and shelf_id = any($1) and created_at >= $2 and created_at < $3 and job_id = $5) as matching;

-- name: withdrawal.count_of_import (sqlite)
select count(*) filter (where not is_open) as number, count(*) filter (where is_open) as of_open_jobs,
    count(*) filter (where $4 and not is_open and not is_delivered) as forgettable
from (
    select $4 and exists (select 1 from jobs where jobs.id = job_id and jobs.state in ('queued', 'running')) as is_open,
        $4 and exists (
            select 1 from deliveries where puzzle_id = puzzles.id union all select 1 from days where puzzle_id = puzzles.id) as is_delivered
    from puzzles
    where withdrawn_at is null and shelf_id in (select value from json_each($1)) and created_at >= $2
      and created_at < $3 and import_id = $5);
-- name: withdrawal.count_of_import (postgres)
select count(*) filter (where not is_open) as number, count(*) filter (where is_open) as of_open_jobs,
    count(*) filter (where $4 and not is_open and not is_delivered) as forgettable
from (
    select $4 and exists (select from jobs where jobs.id = job_id and jobs.state in ('queued', 'running')) as is_open,
        $4 and exists (
            select from deliveries where puzzle_id = puzzles.id union all select from days where puzzle_id = puzzles.id) as is_delivered
    from puzzles
    where withdrawn_at is null and shelf_id = any($1) and created_at >= $2 and created_at < $3 and import_id = $5) as matching;

-- A delivery in progress holds a lock on its puzzle. If this write waited for it, each could wait for the other.
-- name: withdrawal.lock (sqlite)
select id from puzzles
where id in (select value from json_each($1)) and withdrawn_at is null
  and not exists (select 1 from jobs where jobs.id = job_id and jobs.state in ('queued', 'running'));
-- name: withdrawal.lock (postgres)
select id from puzzles
where id = any($1) and withdrawn_at is null and not exists (select from jobs where jobs.id = job_id and jobs.state in ('queued', 'running'))
order by id for update of puzzles skip locked;

-- This statement comes after the locks, so that it sees all deliveries of the locked puzzles.
-- name: withdrawal.undelivered (sqlite)
select id from puzzles
where not exists (select 1 from deliveries where puzzle_id = puzzles.id)
  and not exists (select 1 from days where puzzle_id = puzzles.id) and id in (select value from json_each($1));
-- name: withdrawal.undelivered (postgres)
select id from puzzles
where not exists (select 1 from deliveries where puzzle_id = puzzles.id)
  and not exists (select 1 from days where puzzle_id = puzzles.id) and id = any($1);

-- name: withdrawal.delete_ratings (sqlite)
delete from ratings where puzzle_id in (select value from json_each($1));
-- name: withdrawal.delete_ratings (postgres)
delete from ratings where puzzle_id = any($1);

-- name: withdrawal.delete (sqlite)
delete from puzzles where id in (select value from json_each($1)) returning id, shelf_id, job_id, position;
-- name: withdrawal.delete (postgres)
delete from puzzles where id = any($1) returning id, shelf_id, job_id, position;

-- name: withdrawal.withdraw (sqlite)
update puzzles set withdrawn_at = $1, withdrawn_reason = $2, barred = 1
where id in (select value from json_each($3)) and withdrawn_at is null
  and not (
      $4
      and (
          exists (select 1 from jobs where jobs.id = job_id and jobs.state in ('queued', 'running'))
          or not exists (select 1 from deliveries where puzzle_id = puzzles.id union all select 1 from days where puzzle_id = puzzles.id)))
returning id, shelf_id, job_id, position;
-- name: withdrawal.withdraw (postgres)
update puzzles set withdrawn_at = $1, withdrawn_reason = $2, barred = true
where id = any($3) and withdrawn_at is null
  and not (
      $4
      and (exists (select from jobs where jobs.id = job_id and jobs.state in ('queued', 'running'))
          or not exists (select from deliveries where puzzle_id = puzzles.id union all select from days where puzzle_id = puzzles.id)))
returning id, shelf_id, job_id, position;

-- name: withdrawal.count_empty (sqlite)
update shelves set empty = empty + gone.more
from (select value as shelf_id, count(*) as more from json_each($1) group by value) as gone
where shelves.id = gone.shelf_id;
-- name: withdrawal.count_empty (postgres)
update shelves set empty = empty + gone.more
from (select shelf_id, count(*) as more from unnest($1::bigint[]) as shelf_id group by shelf_id) as gone
where shelves.id = gone.shelf_id;

-- name: withdrawal.note_jobs (sqlite)
update jobs set forgotten = 1
where id in (select value from json_each($1)) and not exists (select 1 from puzzles where puzzles.job_id = jobs.id);
-- name: withdrawal.note_jobs (postgres)
update jobs set forgotten = true
from (select id from jobs where id = any($1) order by id for no key update) as emptied
where jobs.id = emptied.id and not exists (select from puzzles where puzzles.job_id = jobs.id);
