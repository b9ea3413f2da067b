-- name: stock.shelves
select id, kind, variant, base, symmetry, rating, technique, givens, positions, empty from shelves;

-- name: stock.count_empty
update shelves set empty = empty + 1 where id = $1;

-- name: stock.shelves_by_id
select id, kind, variant, base, symmetry, rating, technique, givens, positions, empty from shelves order by id;

-- name: stock.live_position
select position as number from puzzles
where shelf_id = $1 and withdrawn_at is null and position is not null order by id limit 1 offset $2;

-- The columns of the shelf have other names where a puzzle has its own technique and givens.
-- name: stock.puzzle
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id where puzzles.id = $1;

-- name: stock.withdraw (sqlite)
update puzzles set withdrawn_at = $1, withdrawn_reason = $2, barred = 1 where id = $3 and withdrawn_at is null;
-- name: stock.withdraw (postgres)
update puzzles set withdrawn_at = $1, withdrawn_reason = $2, barred = true where id = $3 and withdrawn_at is null;

-- name: stock.lock_shelf (sqlite)
select shelf_id as id from puzzles where id = $1;
-- name: stock.lock_shelf (postgres)
select id from shelves where id = (select shelf_id from puzzles where id = $1) for no key update;

-- name: stock.lock_shelves (postgres)
select from shelves where id in (select shelf_id from puzzles where id = any($1)) order by id for no key update;

-- name: positions.one_with_record (postgres)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.shelf_id = $1 and puzzles.position = $2;

-- name: positions.one (postgres)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.shelf_id = $1 and puzzles.position = $2;

-- name: positions.several_with_record (postgres)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id
join unnest($1::bigint[], $2::bigint[]) as asked (shelf_id, position) on puzzles.shelf_id = asked.shelf_id
  and puzzles.position = asked.position;

-- name: positions.several (postgres)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens
from puzzles join shelves on shelves.id = puzzles.shelf_id
join unnest($1::bigint[], $2::bigint[]) as asked (shelf_id, position) on puzzles.shelf_id = asked.shelf_id
  and puzzles.position = asked.position;

-- Puzzles in circulation as one row of JSON. Each has its index among the positions asked for.
-- name: positions.cards (sqlite)
select '[' || coalesce(group_concat(
    '[' || asked.key || ',' || '[' || json_array(
        puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.text, puzzles.solution, puzzles.canonical, hex(puzzles.repeat_hash),
        puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.rater, puzzles.rater_version, puzzles.seed, puzzles.job_id, puzzles.job_index,
        puzzles.job_try, puzzles.import_id, puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at,
        shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique, shelves.givens)
      || ',' || 'null' || ']]'), '') || ']'
from jsonb_each(?) as asked
join puzzles on puzzles.shelf_id = asked.value ->> 0 and puzzles.position = asked.value ->> 1
join shelves on shelves.id = puzzles.shelf_id where puzzles.withdrawn_at is null;

-- The record is included as it is stored, because parsing it in SQLite would take longer than everything else.
-- name: positions.cards_with_record (sqlite)
select '[' || coalesce(group_concat(
    '[' || asked.key || ',' || '[' || json_array(
        puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.text, puzzles.solution, puzzles.canonical, hex(puzzles.repeat_hash),
        puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.rater, puzzles.rater_version, puzzles.seed, puzzles.job_id, puzzles.job_index,
        puzzles.job_try, puzzles.import_id, puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at,
        shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique, shelves.givens)
      || ',' || puzzles.record || ']]'), '') || ']'
from jsonb_each(?) as asked
join puzzles on puzzles.shelf_id = asked.value ->> 0 and puzzles.position = asked.value ->> 1
join shelves on shelves.id = puzzles.shelf_id where puzzles.withdrawn_at is null;

-- name: positions.live (sqlite)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.shelf_id = $1 and puzzles.position = $2 and puzzles.withdrawn_at is null;

-- name: shelve.count_shelves (postgres)
select count(*) as number from shelves;

-- name: shelve.add_shelves (postgres)
insert into shelves (kind, variant, symmetry, rating, technique, givens, base)
select *
from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::integer[], $7::text[]);

-- name: shelve.missing_shelves (postgres)
select rank - 1 as number
from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::integer[])
  with ordinality as asked (kind, variant, symmetry, rating, technique, givens, rank)
where not exists (
    select from shelves
    where (shelves.kind, shelves.variant, shelves.symmetry, shelves.rating, shelves.technique, shelves.givens)
      = (asked.kind, asked.variant, asked.symmetry, asked.rating, asked.technique, asked.givens))
order by rank;

-- name: shelve.lock_shelves (postgres)
select id, kind, variant, base, symmetry, rating, technique, givens, positions, empty from shelves
where id in (
    select shelves.id
    from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::integer[])
      as asked (kind, variant, symmetry, rating, technique, givens)
    join shelves using (kind, variant, symmetry, rating, technique, givens)
    union
    select unnest($7::bigint[]))
order by id for no key update;

-- Ids are in the order of the puzzles, so that pages list puzzles in this order. Rows are in the order of their repeat hashes, so that
-- two commits with the same hashes wait for each other in one direction. Forms need no order: isomorphs of one variant have the same
-- hash. Isomorphs of two variants have two hashes, and their waits can form a deadlock. The server then ends one of the two transactions
-- after a second, and the store repeats it.
-- name: shelve.insert_puzzles (postgres)
with made as materialized (
    select nextval('puzzles_id_seq') as id, made.*
    from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::text[], $8::bigint[], $9::text[],
        $10::bigint[], $11::text[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[], $16::bytea[], $17::text[], $18::bigint[],
        $19::text[], $20::text[])
      with ordinality as made (shelf_id, position, text, solution, canonical, givens, technique, predicted_seconds, rater, rater_version,
          record, seed, job_id, job_index, job_try, repeat_hash, import_id, import_line, import_note, holder, rank)
    order by rank)
insert into puzzles (id, shelf_id, position, text, solution, canonical, givens, technique, predicted_seconds, rater, rater_version, record,
    seed, job_id, job_index, job_try, repeat_hash, import_id, import_line, import_note, holder, engine_version, created_at)
select id, shelf_id, position, text, solution, canonical, givens, technique, predicted_seconds, rater, rater_version, record::json, seed,
    job_id, job_index, job_try, repeat_hash, import_id, import_line, import_note, holder, $21, $22
from made order by repeat_hash returning id;

-- One query per index: with "or", SQLite would check both conditions for every puzzle.
-- name: shelve.alike (sqlite)
select id, shelf_id, text, canonical, withdrawn_at is null as in_circulation, seed, job_id, job_index, job_try, import_id, import_line,
    import_note
from puzzles
where id in (
    select id from puzzles where canonical = ? and (withdrawn_at is null or barred = 1)
    union all
    select id from puzzles where repeat_hash = ? and (withdrawn_at is null or barred = 1))
order by id;
-- Unlike SQLite, the server uses both indexes even with "or".
-- name: shelve.alike (postgres)
select id, shelf_id, text, canonical, repeat_hash, withdrawn_at is null as in_circulation, seed, job_id, job_index, job_try, import_id,
    import_line, import_note
from puzzles
where (
    md5(canonical)::uuid = any(array(select md5(form)::uuid from unnest($1::text[]) as form)) and canonical = any($1)
    or repeat_hash = any($2))
  and (withdrawn_at is null or barred);

-- name: shelve.withdraw (sqlite)
update puzzles set withdrawn_at = $1, withdrawn_reason = $2 where id = $3 and withdrawn_at is null
returning shelf_id as id, position;
-- name: shelve.withdraw (postgres)
update puzzles set withdrawn_at = $1, withdrawn_reason = superseded.reason
from unnest($2::bigint[], $3::text[]) as superseded (id, reason)
where puzzles.id = superseded.id and withdrawn_at is null returning shelf_id as id, position;

-- name: shelve.grow_shelves (postgres)
update shelves set positions = positions + grown.added, empty = shelves.empty + grown.emptied
from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as grown (id, added, emptied)
where shelves.id = grown.id;

-- name: shelve.next_position (sqlite)
update shelves set positions = positions + $7
where kind = $1 and variant = $2 and symmetry = $3 and rating = $4 and technique = $5 and givens = $6
returning id, case when $7 = 1 then positions - 1 end as position;

-- name: shelve.add_shelf (sqlite)
insert into shelves (kind, variant, base, symmetry, rating, technique, givens, positions)
select $1, $2, $3, $4, $5, $6, $7, $9
where (select count(*) from shelves) < $8
returning id, case when $9 = 1 then positions - 1 end as position;

-- name: shelve.insert_puzzle (sqlite)
insert into puzzles (shelf_id, position, text, solution, canonical, givens, technique, predicted_seconds, rater, rater_version, record,
    seed, job_id, job_index, job_try, import_id, import_line, import_note, engine_version, created_at, repeat_hash, holder)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: import.insert
insert into imports (import_id, source, created_at) values ($1, $2, $3) on conflict (import_id) do nothing;

-- name: import.source
select 0 as id, source from imports where import_id = $1;

-- name: import.lines (sqlite)
select id, import_line, text from puzzles
where import_id = $1 and withdrawn_at is null and import_line in (select value from json_each($2));
-- name: import.lines (postgres)
select id, import_line, text from puzzles where import_id = $1 and withdrawn_at is null and import_line = any($2);

-- name: rating.unrated
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id > $1 and puzzles.withdrawn_at is null and shelves.kind = $2
  and not (puzzles.rater = $3 and puzzles.rater_version >= $4)
  and not exists (select 1 from ratings where puzzle_id = puzzles.id and ratings.rater = $3 and ratings.rater_version >= $4)
order by puzzles.id limit $5;

-- `where true` tells SQLite that the clause after the join is not a join condition. On PostgreSQL, the rows are sorted by key, so that two
-- calls that add the same records cannot deadlock. The puzzles are locked, so that `WithdrawPuzzles` does not delete them meanwhile.
-- name: rating.insert (sqlite)
insert into ratings (puzzle_id, rater, rater_version, outcome, rating, record, created_at)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, $2
from json_each($1) join puzzles on puzzles.id = value ->> 0 where true
on conflict (puzzle_id, rater, rater_version) do nothing;
-- name: rating.insert (postgres)
insert into ratings (puzzle_id, rater, rater_version, outcome, rating, record, created_at)
select puzzles.id as puzzle_id, value ->> 1 as rater, (value ->> 2)::bigint as version, value ->> 3, (value ->> 4)::smallint,
    (value ->> 5)::json, $2
from json_array_elements($1::json)
join (
    select id from puzzles
    where id in (select (value ->> 0)::bigint from json_array_elements($1::json)) order by id
    for key share) as puzzles
  on puzzles.id = (value ->> 0)::bigint
order by puzzle_id, rater, version on conflict (puzzle_id, rater, rater_version) do nothing;

-- name: rating.list (sqlite)
select puzzle_id as id, rater, rater_version, outcome, ratings.rating, record, created_at
from json_each($1) as asked join ratings on ratings.puzzle_id = asked.value
order by puzzle_id, created_at, rater, rater_version;
-- name: rating.list (postgres)
select puzzle_id as id, rater, rater_version, outcome, rating, record, created_at from ratings
where puzzle_id = any($1) order by puzzle_id, created_at, rater, rater_version;
