-- No two puzzles of the stock have one solution up to symmetry, from engine 12 on; older ones may. There is one writer, who asks
-- before it adds a puzzle, so this only makes asking quick.

create index puzzles_grid on puzzles (grid) where withdrawn_at is null or barred = 1;
