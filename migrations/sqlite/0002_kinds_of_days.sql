-- The days of a series may have different kinds and variants.

-- The kinds and the variants of the days, one pair for all days, or seven, Monday first, JSON: [["sudoku", "9x9"], ...]. If null, those of
-- the series. The kind of the series is 'several' while terms that hold today or later have different pairs. Programs of schema 1 know no
-- such kind: they serve the days that have a puzzle, and draw no others.
alter table series_terms add column puzzles text;
