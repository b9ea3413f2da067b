-- What newer raters say of puzzles, beside the record on the puzzle's own row, which decided its shelf and stays. The number
-- is that of the same migration on SQLite.

create table ratings (
    puzzle_id     bigint not null references puzzles (id),
    rater         text   not null,
    rater_version bigint not null,
    -- 'rated', 'at_least' where the rater's budget ended before the puzzle's end, 'stuck' where its techniques did.
    outcome       text   not null check (outcome in ('rated', 'at_least', 'stuck')),
    rating        smallint check ((rating is null) = (outcome = 'stuck')),
    record        json check ((record is null) = (outcome <> 'rated')), -- as puzzles.record
    created_at    bigint not null,
    primary key (puzzle_id, rater, rater_version)
);
