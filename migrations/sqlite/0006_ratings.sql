-- What newer raters say of puzzles, beside the record on the puzzle's own row, which decided its shelf and stays.

create table ratings (
    puzzle_id     integer not null references puzzles (id),
    rater         text    not null,
    rater_version integer not null,
    -- 'rated', 'at_least' where the rater's budget ended before the puzzle's end, 'stuck' where its techniques did.
    outcome       text    not null check (outcome in ('rated', 'at_least', 'stuck')),
    rating        integer check ((rating is null) = (outcome = 'stuck')),
    record        text check ((record is null) = (outcome <> 'rated')), -- as puzzles.record
    created_at    integer not null,
    primary key (puzzle_id, rater, rater_version)
) without rowid;
