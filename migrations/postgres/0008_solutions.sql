-- No two puzzles of the stock have one solution up to symmetry, from engine 12 on; older ones may, and their ids set them apart.
-- Unlike on SQLite two writers may add the same one at once, so this is unique; puzzles of any engine are looked up in it by
-- the solution alone, so that each stands in one index of solutions only. As an integer the second part fits in beside the
-- first one for nothing, 52 bytes a puzzle. The number is that of the same migration on SQLite.

create unique index puzzles_grid on puzzles (grid, (case when engine_version < 12 then id::integer else 0 end))
    where withdrawn_at is null or barred;
