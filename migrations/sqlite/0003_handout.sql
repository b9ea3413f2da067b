-- Hand-out without repeats: what each audience was given, and how far it has come through each shelf.

-- Which solution a puzzle has, up to symmetry: 16 bytes, the hash of the solution's form with its kind and variant. Null
-- only between this migration and the end of the same transaction, which fills it in for puzzles that were there before.
alter table puzzles add column grid blob;

-- Withdrawn by hand: neither it nor an isomorph comes back.
alter table puzzles add column barred integer not null default 0 check (barred in (0, 1));

drop index puzzles_canonical;
create unique index puzzles_canonical on puzzles (canonical) where withdrawn_at is null or barred = 1;

create table audiences (
    id         integer primary key autoincrement,
    name       text    not null unique,
    created_at integer not null
);

-- What was handed out to whom: the truth, of which cursors and swaps only make the next draw quick.
create table deliveries (
    id          integer primary key,
    audience_id integer not null references audiences (id),
    puzzle_id   integer not null references puzzles (id),
    grid        blob    not null, -- the puzzle's
    -- 'request ' and the id of the request, or 'daily ' and date, kind and level; a delivery without a name is not asked
    -- for again.
    name        text,
    body        blob, -- the request as sent, so that another one under its name is known
    created_at  integer not null,
    check ((name is null) = (body is null))
);

-- No audience gets a solution twice, and so no puzzle and no isomorph of it.
create unique index deliveries_grid on deliveries (audience_id, grid);
create unique index deliveries_name on deliveries (audience_id, name) where name is not null;
create index deliveries_of_audience on deliveries (audience_id, id);

-- Each audience takes the positions of a shelf in an order of its own, which is drawn as it goes (Fisher and Yates): of the
-- slots 0 to positions - 1 those below `taken` are done with. The next one is drawn from the others, and what stands in the
-- first of them takes its place. A slot without a row in `swaps` holds the position of its own number, so a puzzle that is
-- shelved meanwhile is among the others at once.
create table cursors (
    audience_id integer not null references audiences (id),
    shelf_id    integer not null references shelves (id),
    taken       integer not null check (taken > 0),
    primary key (audience_id, shelf_id)
) without rowid;

create table swaps (
    audience_id integer not null references audiences (id),
    shelf_id    integer not null references shelves (id),
    slot        integer not null,
    position    integer not null,
    primary key (audience_id, shelf_id, slot)
) without rowid;

-- What an open job is to make up for. Two open jobs never make up for the same.
alter table jobs add column shortfall text;
create unique index jobs_shortfall on jobs (shortfall) where state in ('queued', 'running');
