-- name: series.lock_by_id (postgres)
select id from series where id = $1 for update;

-- name: series.by_id
select series.id, series.name, series.kind, series.variant, series.declared_by, series.ended_at, series.created_at, series.updated_at,
    series_terms.effective_date, series_terms.time_zone, series_terms.criteria, series_terms.puzzles
from series join series_terms on series_terms.series_id = series.id where series.id = $1
order by series.id, series_terms.effective_date;

-- name: series.count
select count(*) as number from series;

-- A series has one row for each change of its terms.
-- name: series.all
select series.id, series.name, series.kind, series.variant, series.declared_by, series.ended_at, series.created_at, series.updated_at,
    series_terms.effective_date, series_terms.time_zone, series_terms.criteria, series_terms.puzzles
from series join series_terms on series_terms.series_id = series.id
order by series.id, series_terms.effective_date;

-- name: series.by_name
select series.id, series.name, series.kind, series.variant, series.declared_by, series.ended_at, series.created_at, series.updated_at,
    series_terms.effective_date, series_terms.time_zone, series_terms.criteria, series_terms.puzzles
from series join series_terms on series_terms.series_id = series.id where series.name = $1
order by series.id, series_terms.effective_date;

-- name: series.lock_all (postgres)
select id from series order by id for update;

-- name: series.lock (postgres)
select id from series where name = $1 for update;

-- name: series.last_date
select cast(0 as bigint) as id, max(date) as date from days where series_id = $1;

-- name: series.insert
insert into series (name, kind, variant, declared_by, created_at, updated_at) values ($1, $2, $3, $4, $5, $5);

-- name: series.delete_terms
delete from series_terms where series_id = $1 and effective_date >= $2;

-- name: series.update
update series set kind = $1, variant = $2, declared_by = $3, ended_at = null, updated_at = $4 where id = $5;

-- name: series.settle
update series set kind = $1, variant = $2 where id = $3;

-- name: series.state_puzzles
update series_terms set puzzles = $1 where series_id = $2 and puzzles is null;

-- name: series.insert_terms
insert into series_terms (series_id, effective_date, time_zone, criteria, puzzles)
select id, $2, $3, $4, $5 from series where name = $1;

-- name: series.end
update series set ended_at = $1, updated_at = $1, declared_by = null where id = $2;

-- name: days.list
select days.series_id as id, days.date, days.puzzle_id from days
join puzzles on puzzles.id = days.puzzle_id where days.date >= $1 and puzzles.withdrawn_at is null
order by days.series_id, days.date;

-- Held puzzles that no day has. Omits the puzzles of a job until the job has ended, so that all of them have the same probability.
-- name: days.free
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens
from puzzles join shelves on shelves.id = puzzles.shelf_id
left join jobs on jobs.id = puzzles.job_id
where puzzles.holder like 'series %' and puzzles.position is null and puzzles.withdrawn_at is null
  and (jobs.id is null or jobs.state not in ('queued', 'running'))
  and not exists (select 1 from days where days.puzzle_id = puzzles.id)
order by puzzles.id limit $1;

-- name: days.write
insert into days (series_id, date, puzzle_id, drawn_at)
values ($1, $2, $3, $4)
on conflict (series_id, date) do update set puzzle_id = excluded.puzzle_id, drawn_at = excluded.drawn_at;

-- name: days.of_puzzle
select series_id as id, date, puzzle_id from days where puzzle_id = $1;

-- name: days.puzzle
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id join days on days.puzzle_id = puzzles.id
where days.series_id = $1 and days.date = $2 and puzzles.withdrawn_at is null;

-- name: days.held
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens
from puzzles join shelves on shelves.id = puzzles.shelf_id
left join jobs on jobs.id = puzzles.job_id
where puzzles.holder = $1 and puzzles.position is null and puzzles.withdrawn_at is null
  and (jobs.id is null or jobs.state not in ('queued', 'running'))
  and not exists (select 1 from days where days.puzzle_id = puzzles.id)
order by puzzles.id limit $2;

-- name: days.at_position
select id from puzzles where shelf_id = $1 and position = $2 and withdrawn_at is null;

-- name: days.few (sqlite)
select id from puzzles
where withdrawn_at is null and position is not null and shelf_id in (select value from json_each($1))
order by id limit $2;
-- name: days.few (postgres)
select id from puzzles where withdrawn_at is null and position is not null and shelf_id = any($1) order by id limit $2;

-- name: days.lock_shelf (sqlite)
select shelf_id as id, position from puzzles where id = $1;
-- name: days.lock_shelf (postgres)
select shelves.id, (select position from puzzles where id = $1) as position from shelves
where id = (select shelf_id from puzzles where id = $1) for no key update;

-- name: days.take
update puzzles set position = null, holder = $1
where id = $2 and withdrawn_at is null and (position is not null or holder = $1)
  and not exists (select 1 from days where days.puzzle_id = puzzles.id);

-- name: days.delivered
select deliveries.id from audiences join deliveries on deliveries.audience_id = audiences.id
join puzzles on puzzles.repeat_hash = deliveries.repeat_hash
where audiences.name = $1 and puzzles.id = $2;

-- name: days.unname_delivery
update deliveries set name = null, fields = null where audience_id = $1 and name = $2;

-- name: days.deliver
insert into deliveries (audience_id, puzzle_id, repeat_hash, name, fields, created_at)
select $1, id, repeat_hash, $2, '{}', $3 from puzzles where id = $4;
