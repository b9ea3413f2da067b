-- The days of a series may have different kinds and variants, and a claim finds its job by an index.

-- The kinds and the variants of the days, one pair for all days, or seven, Monday first, JSON: [["sudoku", "9x9"], ...]. If null, those of
-- the series. The kind of the series is 'several' while terms that hold today or later have different pairs. Programs of schema 1 know no
-- such kind: they serve the days that have a puzzle, and draw no others.
alter table series_terms add column puzzles text;

-- A claim tries the open jobs by priority or by turn. Without these indexes, it would read and sort all of them. `jobs_open` remains for
-- programs of schema 1. Jobs cannot be queued or claimed while the three are made, a second or so for each million jobs.
-- squawk-ignore-file require-concurrent-index-creation
create index jobs_by_priority on jobs (priority desc, turn, id) where state in ('queued', 'running');
create index jobs_by_turn on jobs (turn, id) where state in ('queued', 'running');
-- When the next job that has indices left is due.
create index jobs_by_start on jobs (not_before_at) where state in ('queued', 'running') and next_index < wanted;
