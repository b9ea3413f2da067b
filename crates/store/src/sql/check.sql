-- Comparisons that run on both databases. Each returns a column of findings in words.
-- name: check.counts
select 'shelf ' || shelves.id || ': ' || positions || ' positions and ' || empty || ' of them empty, but '
    || count(puzzles.position) || ' puzzles at positions'
from shelves left join puzzles on puzzles.shelf_id = shelves.id and puzzles.withdrawn_at is null
group by shelves.id having positions - empty <> count(puzzles.position) limit $1;

-- name: check.positions
select 'shelf ' || shelves.id || ': ' || positions || ' positions, but a puzzle stands at ' || max(position)
from shelves join puzzles on puzzles.shelf_id = shelves.id group by shelves.id
having max(position) >= positions or min(position) < 0 limit $1;

-- name: check.cursors
select 'audience ' || audience_id || ', shelf ' || shelf_id || ': the cursor stands at ' || taken || ' of ' || positions || ' positions'
from cursors join shelves on shelves.id = shelf_id where taken > positions limit $1;

-- name: check.swaps
select 'audience ' || audience_id || ', shelf ' || shelf_id || ': draw index ' || draw_index || ' holds position ' || position
    || ', the cursor stands at ' || coalesce(cast(taken as text), 'none') || ' of ' || positions || ' positions'
from swaps join shelves on shelves.id = shelf_id left join cursors using (audience_id, shelf_id)
where taken is null or draw_index not between taken and positions - 1 or position not between 0 and positions - 1
limit $1;

-- Two draw indices hold the same position. Both have a row, or one has no row and therefore holds the position that equals its number.
-- name: check.doubled
select 'audience ' || one.audience_id || ', shelf ' || one.shelf_id || ': draw indices ' || one.draw_index || ' and '
    || coalesce(other.draw_index, one.position) || ' both hold position ' || one.position
from swaps as one join cursors using (audience_id, shelf_id)
left join swaps as other on other.audience_id = one.audience_id and other.shelf_id = one.shelf_id
  and other.position = one.position and other.draw_index > one.draw_index
where other.draw_index is not null
  or (
      one.position >= taken and one.position <> one.draw_index
      and not exists (
          select 1 from swaps as own
          where own.audience_id = one.audience_id and own.shelf_id = one.shelf_id and own.draw_index = one.position))
limit $1;

-- name: check.deliveries
select 'delivery ' || deliveries.id || ': another repeat hash than puzzle-' || puzzle_id from deliveries
left join puzzles on puzzles.id = puzzle_id
where puzzle_id is not null and deliveries.repeat_hash is distinct from puzzles.repeat_hash
limit $1;

-- name: check.solutions
select 'puzzle-' || min(id) || ' and puzzle-' || max(id) || ': both are in circulation, and have the same repeat hash'
from puzzles where withdrawn_at is null group by repeat_hash having count(*) > 1 limit $1;

-- name: check.days
select 'day ' || days.date || ' of the series ' || series.name || ': the series does not hold puzzle-' || puzzles.id
from days join series on series.id = days.series_id join puzzles on puzzles.id = days.puzzle_id
where puzzles.withdrawn_at is null and puzzles.position is null and puzzles.holder is distinct from 'series ' || series.name
limit $1;

-- name: check.all_puzzles
select puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.holder, puzzles.text, puzzles.solution, puzzles.canonical, puzzles.repeat_hash,
    puzzles.givens, puzzles.technique, puzzles.predicted_seconds, puzzles.seed, puzzles.job_id, puzzles.job_index, puzzles.job_try, puzzles.import_id,
    puzzles.import_line, puzzles.import_note, puzzles.engine_version, puzzles.created_at, puzzles.withdrawn_at, puzzles.withdrawn_reason,
    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique as shelf_technique,
    shelves.givens as shelf_givens, puzzles.rater, puzzles.rater_version, puzzles.record
from puzzles join shelves on shelves.id = puzzles.shelf_id where puzzles.id > $1
order by puzzles.id limit $2;

-- name: check.all_ratings
select puzzle_id as id, rater, rater_version, outcome, rating, record, created_at from ratings
where puzzle_id > $1 and puzzle_id <= $2 order by puzzle_id, rater, rater_version;

-- A page of all deliveries: first the rest of the audience at which the last page ended, then the next audiences. To compare pairs,
-- SQLite would read all deliveries of that audience.
-- name: check.all_deliveries (sqlite)
select page.id, page.audience_id, audiences.name, lower(hex(page.repeat_hash)) as repeat_hash, page.created_at
from (
    select rest.id, rest.audience_id, rest.repeat_hash, rest.created_at
    from (select id, audience_id, repeat_hash, created_at from deliveries where audience_id = $1 and id > $2 order by id limit $3) as rest
    union all
    select next.id, next.audience_id, next.repeat_hash, next.created_at
    from (
        select id, audience_id, repeat_hash, created_at from deliveries where audience_id > $1
        order by audience_id, id limit $3) as next) as page
join audiences on audiences.id = page.audience_id order by page.audience_id, page.id limit $3;
-- name: check.all_deliveries (postgres)
select page.id, page.audience_id, audiences.name, encode(page.repeat_hash, 'hex') as repeat_hash, page.created_at
from (
    select rest.id, rest.audience_id, rest.repeat_hash, rest.created_at
    from (select id, audience_id, repeat_hash, created_at from deliveries where audience_id = $1 and id > $2 order by id limit $3) as rest
    union all
    select next.id, next.audience_id, next.repeat_hash, next.created_at
    from (
        select id, audience_id, repeat_hash, created_at from deliveries where audience_id > $1
        order by audience_id, id limit $3) as next) as page
join audiences on audiences.id = page.audience_id order by page.audience_id, page.id limit $3;
