-- Finds the puzzles on shelves that an audience has not had.
-- name: deliver.left (sqlite)
select shelf_id as id, position as number from puzzles
where shelf_id in (select value from json_each($1)) and withdrawn_at is null and position is not null
  and not exists (select 1 from deliveries where deliveries.audience_id = $2 and deliveries.repeat_hash = puzzles.repeat_hash)
limit $3;
-- name: deliver.left (postgres)
select shelf_id as id, position as number from puzzles
where shelf_id = any($1) and withdrawn_at is null and position is not null
  and not exists (select from deliveries where deliveries.audience_id = $2 and deliveries.repeat_hash = puzzles.repeat_hash)
limit $3;

-- Reads all positions of an audience that differ from their draw indices.
-- name: deliver.all_swaps (sqlite)
select shelf_id as id, draw_index, position as number from swaps
where audience_id = $2 and shelf_id in (select value from json_each($1));
-- name: deliver.all_swaps (postgres)
select shelf_id as id, draw_index, position as number from swaps where audience_id = $2 and shelf_id = any($1);

-- name: deliver.states (sqlite)
select json_group_array(
    json_array(audiences.name, audiences.id,
        (select json_group_array(json_array(shelf_id, taken)) from cursors where audience_id = audiences.id)))
from json_each(?) as asked join audiences on audiences.name = asked.value;
-- name: deliver.states (postgres)
select audiences.name, audiences.id, cursors.shelf_id, cursors.taken from audiences
left join cursors on cursors.audience_id = audiences.id where audiences.name = any($1);

-- name: deliver.named (sqlite)
select json_group_array(json_array(asked.value ->> 0, deliveries.fields, deliveries.puzzle_id))
from jsonb_each(?) as asked
join deliveries on deliveries.audience_id = asked.value ->> 1 and deliveries.name = asked.value ->> 2;
-- name: deliver.named (postgres)
select asked.at, deliveries.fields, deliveries.puzzle_id
from unnest($1::bigint[], $2::bigint[], $3::text[]) as asked (at, audience_id, name)
join deliveries on deliveries.audience_id = asked.audience_id and deliveries.name = asked.name;

-- name: deliver.swaps (sqlite)
select json_group_array(json_array(asked.value ->> 0, swaps.shelf_id, swaps.draw_index, swaps.position))
from jsonb_each(?) as asked
join swaps on swaps.audience_id = asked.value ->> 1 and swaps.shelf_id = asked.value ->> 2 and swaps.draw_index = asked.value ->> 3;
-- name: deliver.swaps (postgres)
select asked.at, swaps.shelf_id, swaps.draw_index, swaps.position
from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) as asked (at, audience_id, shelf_id, draw_index)
join swaps on swaps.audience_id = asked.audience_id and swaps.shelf_id = asked.shelf_id and swaps.draw_index = asked.draw_index;

-- name: deliver.drawn (sqlite)
select '[' || coalesce(group_concat(
    '[' || asked.key || ',' || '"' || hex(puzzles.repeat_hash) || '",' || '[' || json_array(
        puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.text, puzzles.solution, puzzles.canonical, hex(puzzles.repeat_hash),
        puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.rater, puzzles.rater_version, puzzles.seed, puzzles.job_id, puzzles.job_index,
        puzzles.job_try, puzzles.import_id, puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at,
        shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique, shelves.givens)
      || ',' || 'null' || ']]'), '') || ']'
from jsonb_each(?) as asked
join puzzles on puzzles.shelf_id = asked.value ->> 0 and puzzles.position = asked.value ->> 1
join shelves on shelves.id = puzzles.shelf_id
where puzzles.withdrawn_at is null
  and not exists (
      select 1 from deliveries where deliveries.audience_id = asked.value ->> 2 and deliveries.repeat_hash = puzzles.repeat_hash);
-- name: deliver.drawn (postgres)
select asked.at, encode(puzzles.repeat_hash, 'hex') as number, puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text,
    puzzles.solution, puzzles.canonical, puzzles.repeat_hash, puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id,
    puzzles.job_index, puzzles.job_try, puzzles.import_id, puzzles.import_line, puzzles.import_note, puzzles.engine_version,
    puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason, shelves.kind, shelves.variant, shelves.base, shelves.symmetry,
    shelves.rating, shelves.technique as shelf_technique, shelves.givens as shelf_givens
from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) as asked (at, audience_id, shelf_id, position)
join puzzles on puzzles.shelf_id = asked.shelf_id and puzzles.position = asked.position
join shelves on shelves.id = puzzles.shelf_id
where not exists (select from deliveries where deliveries.audience_id = asked.audience_id and deliveries.repeat_hash = puzzles.repeat_hash)
for key share of puzzles;

-- name: deliver.insert_deliveries (postgres)
insert into deliveries (audience_id, puzzle_id, repeat_hash, name, fields, created_at)
select new.audience_id, puzzles.id, puzzles.repeat_hash, new.name, new.fields, $5
from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) with ordinality as new (audience_id, puzzle_id, name, fields, rank)
join puzzles on puzzles.id = new.puzzle_id order by new.rank;

-- name: deliver.move_cursors (postgres)
insert into cursors (audience_id, shelf_id, taken)
select * from unnest($1::bigint[], $2::bigint[], $3::bigint[])
on conflict (audience_id, shelf_id) do update set taken = excluded.taken;

-- name: deliver.store_swaps (postgres)
insert into swaps (audience_id, shelf_id, draw_index, position)
select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
on conflict (audience_id, shelf_id, draw_index) do update set position = excluded.position;

-- name: deliver.delete_swaps (postgres)
delete from swaps using unnest($1::bigint[], $2::bigint[], $3::bigint[]) as gone (audience_id, shelf_id, draw_index)
where swaps.audience_id = gone.audience_id and swaps.shelf_id = gone.shelf_id and swaps.draw_index = gone.draw_index;

-- name: deliver.note (sqlite)
insert into deliveries (audience_id, puzzle_id, repeat_hash, name, fields, created_at)
select new.value ->> 0, puzzles.id, puzzles.repeat_hash, new.value ->> 2, new.value ->> 3, ?
from jsonb_each(?) as new join puzzles on puzzles.id = new.value ->> 1 order by new.key;
insert into cursors (audience_id, shelf_id, taken)
select value ->> 0, value ->> 1, value ->> 2 from jsonb_each(?) where true
on conflict (audience_id, shelf_id) do update set taken = excluded.taken;
insert into swaps (audience_id, shelf_id, draw_index, position)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from jsonb_each(?) where true
on conflict (audience_id, shelf_id, draw_index) do update set position = excluded.position;
delete from swaps
where (audience_id, shelf_id, draw_index) in (select value ->> 0, value ->> 1, value ->> 2 from jsonb_each(?));

-- name: deliver.broken (sqlite)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.shelf_id = ? and puzzles.position = ?;

-- name: audience.deliveries (sqlite)
select deliveries.id, deliveries.puzzle_id, lower(hex(repeat_hash)) as repeat_hash, deliveries.name, deliveries.created_at
from audiences join deliveries on deliveries.audience_id = audiences.id
where audiences.name = $1 and deliveries.id < $2 order by deliveries.id desc limit $3;
-- name: audience.deliveries (postgres)
select deliveries.id, deliveries.puzzle_id, encode(repeat_hash, 'hex') as repeat_hash, deliveries.name, deliveries.created_at
from audiences join deliveries on deliveries.audience_id = audiences.id
where audiences.name = $1 and deliveries.id < $2 order by deliveries.id desc limit $3;

-- name: audience.find
select id from audiences where name = $1;

-- name: audience.delete_swaps
delete from swaps where audience_id = $1;

-- name: audience.delete_cursors
delete from cursors where audience_id = $1;

-- name: audience.delete_deliveries
delete from deliveries where audience_id = $1;

-- name: audience.delete
delete from audiences where id = $1;

-- name: audience.insert
insert into audiences (name, created_at) values ($1, $2) returning id;

-- Searches with each index separately, because one search with "or" would not use all indexes.
-- name: history.stocked (sqlite)
select id, canonical, lower(hex(repeat_hash)) as repeat_hash, withdrawn_at is null or barred = 1 as is_kept
from puzzles
where id in (
    select value from json_each($1)
    union all
    select id from puzzles
    where canonical in (select value from json_each($2)) and (withdrawn_at is null or barred = 1)
    union all
    select id from puzzles
    where repeat_hash in (select unhex(value) from json_each($3)) and (withdrawn_at is null or barred = 1));
-- The lock keeps `WithdrawPuzzles` from deleting a puzzle until its delivery is committed.
-- name: history.stocked (postgres)
select id, canonical, encode(repeat_hash, 'hex') as repeat_hash, withdrawn_at is null or barred as is_kept
from puzzles
where id in (
    select unnest($1::bigint[])
    union all
    select id from puzzles
    where md5(canonical)::uuid = any(array(select md5(form)::uuid from unnest($2::text[]) as form))
      and canonical = any($2) and (withdrawn_at is null or barred)
    union all
    select id from puzzles
    where repeat_hash = any(array(select decode(hash, 'hex') from unnest($3::text[]) as hash)) and (withdrawn_at is null or barred))
for key share of puzzles;

-- name: history.had (sqlite)
select id, lower(hex(repeat_hash)) as repeat_hash from deliveries
where audience_id = $1 and repeat_hash in (select unhex(value) from json_each($2));
-- name: history.had (postgres)
select id, encode(repeat_hash, 'hex') as repeat_hash from deliveries
where audience_id = $1 and repeat_hash = any(array(select decode(hash, 'hex') from unnest($2::text[]) as hash));

-- name: history.insert (sqlite)
insert into deliveries (audience_id, puzzle_id, repeat_hash, recorded, created_at)
select $1, value ->> 0, unhex(value ->> 1), 1, $3 from jsonb_each($2) order by key;
-- name: history.insert (postgres)
insert into deliveries (audience_id, puzzle_id, repeat_hash, recorded, created_at)
select $1, (value ->> 0)::bigint, decode(value ->> 1, 'hex'), true, $3
from json_array_elements($2::json) with ordinality as new (value, rank) order by rank;

-- One search for each index.
-- name: find.alike (sqlite)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select id from puzzles where canonical = $1 and (withdrawn_at is null or barred = 1)
    union all
    select id from puzzles where repeat_hash = unhex($2) and (withdrawn_at is null or barred = 1))
order by puzzles.canonical <> $1, puzzles.id limit 1;
-- name: find.alike (postgres)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select id from puzzles
    where md5(canonical)::uuid = md5($1)::uuid and canonical = $1 and (withdrawn_at is null or barred)
    union all
    select id from puzzles
    where repeat_hash = decode($2, 'hex') and (withdrawn_at is null or barred))
order by puzzles.canonical <> $1, puzzles.id limit 1;

-- The inner statement limits the number of rows that are read, even if few of them fit.
-- name: find.of_audience
select newest.id, newest.puzzle_id, case when shelves.kind = $4 and shelves.base = $5 then puzzles.text end as text
from (
    select deliveries.id, deliveries.puzzle_id from audiences
    join deliveries on deliveries.audience_id = audiences.id
    where audiences.name = $1 and deliveries.id < $2 order by deliveries.id desc limit $3) as newest
left join puzzles on puzzles.id = newest.puzzle_id
left join shelves on shelves.id = puzzles.shelf_id order by newest.id desc;

-- The puzzles of days by their ids. A puzzle that was stored later has a higher id.
-- name: find.of_series
select newest.puzzle_id as id, newest.puzzle_id, case when shelves.kind = $4 and shelves.base = $5 then puzzles.text end as text
from (
    select days.puzzle_id from days join series on series.id = days.series_id
    where (cast($1 as text) is null or series.name = $1) and days.puzzle_id < $2
    order by days.puzzle_id desc limit $3) as newest
join puzzles on puzzles.id = newest.puzzle_id join shelves on shelves.id = puzzles.shelf_id
order by newest.puzzle_id desc;
