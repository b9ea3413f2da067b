-- A page of puzzles: the id after which it begins is `$1`, the shelves are `$2`, the newest shelf is `$3`, and the limit is `$4`.
--
-- By shelf: takes the first ids of each shelf that fits, then the lowest of these ids. So a rare level is as fast as a common one.
-- SQLite has no lateral join; `json_each` on an array of ids does the same.
-- name: page.by_shelf (sqlite)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select ids.value from shelves as fitting
    join json_each((
        select json_group_array(id)
        from (
            select id from puzzles
            where shelf_id = fitting.id and id > $1 and withdrawn_at is null and position is not null
            order by id limit $4))) as ids
    where fitting.id in (select value from json_each($2)) or fitting.id > $3
    order by ids.value limit $4)
order by puzzles.id;
-- name: page.by_shelf (postgres)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select ids.id from shelves as fitting
    cross join lateral (
        select id from puzzles
        where shelf_id = fitting.id and id > $1 and withdrawn_at is null and position is not null
        order by id limit $4) as ids
    where fitting.id = any($2) or fitting.id > $3 order by ids.id limit $4)
order by puzzles.id;

-- By id: reads all puzzles, and takes the first ones that fit. The expressions `+shelf_id` and `shelf_id + 0` keep the databases from
-- reading by shelf.
-- name: page.by_id (sqlite)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select id from puzzles
    where id > $1 and withdrawn_at is null and (+shelf_id in (select value from json_each($2)) or +shelf_id > $3) and position is not null
    order by id limit $4)
order by puzzles.id;
-- name: page.by_id (postgres)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select id from puzzles
    where id > $1 and coalesce(withdrawn_at, -1) = -1 and (shelf_id + 0 = any($2) or shelf_id + 0 > $3) and position is not null
    order by id limit $4)
order by puzzles.id;

-- Of a job or an import (`$5`): takes its first puzzles by id, which an index holds in order. Therefore a small job is fast in a large
-- stock. The comparison of pairs keeps PostgreSQL from reading all puzzles by id.
-- name: page.of_job (sqlite)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select id from puzzles
    where job_id = $5 and id > $1 and withdrawn_at is null
      and (+shelf_id in (select value from json_each($2)) or +shelf_id > $3) and position is not null
    order by id limit $4)
order by puzzles.id;
-- name: page.of_job (postgres)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select id from puzzles
    where (job_id, id) > ($5, $1) and job_id <= $5 and coalesce(withdrawn_at, -1) = -1
      and (shelf_id + 0 = any($2) or shelf_id + 0 > $3) and position is not null
    order by job_id, id limit $4)
order by puzzles.id;

-- name: page.of_import (sqlite)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select id from puzzles
    where import_id = $5 and id > $1 and withdrawn_at is null
      and (+shelf_id in (select value from json_each($2)) or +shelf_id > $3) and position is not null
    order by id limit $4)
order by puzzles.id;
-- name: page.of_import (postgres)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select id from puzzles
    where (import_id, id) > ($5, $1) and import_id <= $5 and coalesce(withdrawn_at, -1) = -1
      and (shelf_id + 0 = any($2) or shelf_id + 0 > $3) and position is not null
    order by import_id, id limit $4)
order by puzzles.id;

-- name: page.by_shelf_with_record (sqlite)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select ids.value from shelves as fitting
    join json_each((
        select json_group_array(id)
        from (
            select id from puzzles
            where shelf_id = fitting.id and id > $1 and withdrawn_at is null and position is not null
            order by id limit $4))) as ids
    where fitting.id in (select value from json_each($2)) or fitting.id > $3
    order by ids.value limit $4)
order by puzzles.id;
-- name: page.by_shelf_with_record (postgres)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select ids.id from shelves as fitting
    cross join lateral (
        select id from puzzles
        where shelf_id = fitting.id and id > $1 and withdrawn_at is null and position is not null
        order by id limit $4) as ids
    where fitting.id = any($2) or fitting.id > $3 order by ids.id limit $4)
order by puzzles.id;

-- name: page.by_id_with_record (sqlite)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select id from puzzles
    where id > $1 and withdrawn_at is null and (+shelf_id in (select value from json_each($2)) or +shelf_id > $3) and position is not null
    order by id limit $4)
order by puzzles.id;
-- name: page.by_id_with_record (postgres)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select id from puzzles
    where id > $1 and coalesce(withdrawn_at, -1) = -1 and (shelf_id + 0 = any($2) or shelf_id + 0 > $3) and position is not null
    order by id limit $4)
order by puzzles.id;

-- name: page.of_job_with_record (sqlite)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select id from puzzles
    where job_id = $5 and id > $1 and withdrawn_at is null
      and (+shelf_id in (select value from json_each($2)) or +shelf_id > $3) and position is not null
    order by id limit $4)
order by puzzles.id;
-- name: page.of_job_with_record (postgres)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select id from puzzles
    where (job_id, id) > ($5, $1) and job_id <= $5 and coalesce(withdrawn_at, -1) = -1
      and (shelf_id + 0 = any($2) or shelf_id + 0 > $3) and position is not null
    order by job_id, id limit $4)
order by puzzles.id;

-- name: page.of_import_with_record (sqlite)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select id from puzzles
    where import_id = $5 and id > $1 and withdrawn_at is null
      and (+shelf_id in (select value from json_each($2)) or +shelf_id > $3) and position is not null
    order by id limit $4)
order by puzzles.id;
-- name: page.of_import_with_record (postgres)
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id
where puzzles.id in (
    select id from puzzles
    where (import_id, id) > ($5, $1) and import_id <= $5 and coalesce(withdrawn_at, -1) = -1
      and (shelf_id + 0 = any($2) or shelf_id + 0 > $3) and position is not null
    order by import_id, id limit $4)
order by puzzles.id;
