-- name: held.find (sqlite)
select id, hex(repeat_hash) as repeat_hash from puzzles
where holder = $1 and position is null and withdrawn_at is null
  and shelf_id in (select value from json_each($2))
  and not exists (select 1 from deliveries where deliveries.audience_id = $3 and deliveries.repeat_hash = puzzles.repeat_hash)
limit $4;
-- name: held.find (postgres)
select id, encode(repeat_hash, 'hex') as repeat_hash from puzzles
where holder = $1 and position is null and withdrawn_at is null and shelf_id = any($2)
  and not exists (select from deliveries where deliveries.audience_id = $3 and deliveries.repeat_hash = puzzles.repeat_hash)
limit $4;

-- The lock keeps `WithdrawPuzzles` from deleting the puzzle until its delivery is committed.
-- name: held.lock (sqlite)
select id from puzzles where id = $1 and position is null and withdrawn_at is null;
-- name: held.lock (postgres)
select id from puzzles where id = $1 and position is null and withdrawn_at is null for key share;

-- name: held.lock_jobs (sqlite)
select id from jobs where holder = $1 and state in ('queued', 'running') order by id;
-- name: held.lock_jobs (postgres)
select id from jobs where holder = $1 and state in ('queued', 'running') order by id for no key update;

-- name: held.unname_jobs
update jobs set holder = null, shortfall = null where holder = $1;

-- name: held.withdraw (sqlite)
update puzzles
set withdrawn_at = coalesce(withdrawn_at, $1), withdrawn_reason = coalesce(withdrawn_reason, $2), barred = 1, holder = null
where holder = $3;
-- name: held.withdraw (postgres)
update puzzles
set withdrawn_at = coalesce(withdrawn_at, $1), withdrawn_reason = coalesce(withdrawn_reason, $2), barred = true, holder = null
where holder = $3;

-- name: held.count (sqlite)
select count(*) as number from puzzles
where position is null and withdrawn_at is null and ($1 is null or holder = $1) and shelf_id in (select value from json_each($2));
-- name: held.count (postgres)
select count(*) as number from puzzles
where position is null and withdrawn_at is null and ($1::text is null or holder = $1) and shelf_id = any($2);

-- A puzzle of a day that has not begun is not released. `$2` has the current day of each series.
-- name: held.releasable_of_holder (sqlite)
select id from puzzles
where position is null and withdrawn_at is null and holder = $1
  and not exists (
      select 1 from days
      where days.puzzle_id = puzzles.id
        and days.date > coalesce((select value ->> 1 from json_each($2) where value ->> 0 = days.series_id), ''))
order by id limit $3;
-- name: held.releasable_of_holder (postgres)
select id from puzzles
where position is null and withdrawn_at is null and holder = $1
  and not exists (
      select from days
      where days.puzzle_id = puzzles.id
        and days.date > coalesce(
            (select value ->> 1 from json_array_elements($2::json) as value where (value ->> 0)::bigint = days.series_id), ''))
order by id limit $3;

-- name: held.releasable_of_ids (sqlite)
select id from puzzles
where position is null and withdrawn_at is null and id in (select value from json_each($1))
  and not exists (
      select 1 from days
      where days.puzzle_id = puzzles.id
        and days.date > coalesce((select value ->> 1 from json_each($2) where value ->> 0 = days.series_id), ''))
order by id limit $3;
-- name: held.releasable_of_ids (postgres)
select id from puzzles
where position is null and withdrawn_at is null and id = any($1)
  and not exists (
      select from days
      where days.puzzle_id = puzzles.id
        and days.date > coalesce(
            (select value ->> 1 from json_array_elements($2::json) as value where (value ->> 0)::bigint = days.series_id), ''))
order by id limit $3;

-- name: held.count_releasable_of_holder (sqlite)
select count(*) as number from puzzles
where position is null and withdrawn_at is null and holder = $1
  and not exists (
      select 1 from days
      where days.puzzle_id = puzzles.id
        and days.date > coalesce((select value ->> 1 from json_each($2) where value ->> 0 = days.series_id), ''));
-- name: held.count_releasable_of_holder (postgres)
select count(*) as number from puzzles
where position is null and withdrawn_at is null and holder = $1
  and not exists (
      select from days
      where days.puzzle_id = puzzles.id
        and days.date > coalesce(
            (select value ->> 1 from json_array_elements($2::json) as value where (value ->> 0)::bigint = days.series_id), ''));

-- name: held.count_releasable_of_ids (sqlite)
select count(*) as number from puzzles
where position is null and withdrawn_at is null and id in (select value from json_each($1))
  and not exists (
      select 1 from days
      where days.puzzle_id = puzzles.id
        and days.date > coalesce((select value ->> 1 from json_each($2) where value ->> 0 = days.series_id), ''));
-- name: held.count_releasable_of_ids (postgres)
select count(*) as number from puzzles
where position is null and withdrawn_at is null and id = any($1)
  and not exists (
      select from days
      where days.puzzle_id = puzzles.id
        and days.date > coalesce(
            (select value ->> 1 from json_array_elements($2::json) as value where (value ->> 0)::bigint = days.series_id), ''));

-- name: held.count_kept_of_holder (sqlite)
select count(*) as number from puzzles
where position is null and withdrawn_at is null and holder = $1
  and exists (
      select 1 from days
      where days.puzzle_id = puzzles.id
        and days.date > coalesce((select value ->> 1 from json_each($2) where value ->> 0 = days.series_id), ''));
-- name: held.count_kept_of_holder (postgres)
select count(*) as number from puzzles
where position is null and withdrawn_at is null and holder = $1
  and exists (
      select from days
      where days.puzzle_id = puzzles.id
        and days.date > coalesce(
            (select value ->> 1 from json_array_elements($2::json) as value where (value ->> 0)::bigint = days.series_id), ''));

-- name: held.count_kept_of_ids (sqlite)
select count(*) as number from puzzles
where position is null and withdrawn_at is null and id in (select value from json_each($1))
  and exists (
      select 1 from days
      where days.puzzle_id = puzzles.id
        and days.date > coalesce((select value ->> 1 from json_each($2) where value ->> 0 = days.series_id), ''));
-- name: held.count_kept_of_ids (postgres)
select count(*) as number from puzzles
where position is null and withdrawn_at is null and id = any($1)
  and exists (
      select from days
      where days.puzzle_id = puzzles.id
        and days.date > coalesce(
            (select value ->> 1 from json_array_elements($2::json) as value where (value ->> 0)::bigint = days.series_id), ''));

-- Gives puzzles the next positions of their shelves, in the order of their ids.
-- name: held.release (sqlite)
update puzzles set position = placed.position, holder = null
from (
    select held.id, shelves.positions - 1 + row_number() over (partition by held.shelf_id order by held.id) as position
    from puzzles as held join shelves on shelves.id = held.shelf_id
    where held.id in (select value from json_each($1)) and held.position is null and held.withdrawn_at is null) as placed
where puzzles.id = placed.id returning puzzles.id, puzzles.shelf_id;
-- name: held.release (postgres)
update puzzles set position = placed.position, holder = null
from (
    select held.id, shelves.positions - 1 + row_number() over (partition by held.shelf_id order by held.id) as position
    from puzzles as held join shelves on shelves.id = held.shelf_id
    where held.id = any($1) and held.position is null and held.withdrawn_at is null) as placed
where puzzles.id = placed.id returning puzzles.id, puzzles.shelf_id;

-- name: held.grow_shelves (sqlite)
update shelves set positions = positions + grown.more
from (select value as shelf_id, count(*) as more from json_each($1) group by value) as grown
where shelves.id = grown.shelf_id;
-- name: held.grow_shelves (postgres)
update shelves set positions = positions + grown.more
from (select shelf_id, count(*) as more from unnest($1::bigint[]) as shelf_id group by shelf_id) as grown
where shelves.id = grown.shelf_id;
