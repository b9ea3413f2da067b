-- All tables. Times are milliseconds since 1970 UTC; ratings are tenths. migrations/postgres has the same tables.

-- Stock targets: how many puzzles of a spec are kept in stock.
create table targets (
    id             integer primary key autoincrement,
    -- The whole spec in one line, so that a spec has one target; then its parts, as in `jobs`.
    spec           text    not null unique,
    kind           text    not null,
    variant        text    not null,
    symmetry       text    not null,
    level          text,
    rating_min     integer,
    rating_max     integer,
    clues          integer,
    technique      text,
    -- Once fewer than `low_water` are in stock, it is filled up to `target`; null stands for `target`, whatever that is.
    low_water      integer check (low_water between 1 and target),
    target         integer not null check (target > 0),
    priority       integer not null,
    -- When it may be filled: always, or for `window_minutes` after each time of the cron expression in that time zone.
    cron           text,
    time_zone      text,
    window_minutes integer,
    -- Whether surplus puzzles are thrown away, unfinished.
    no_surplus     integer not null default 0 check (no_surplus in (0, 1)),
    -- The name of the configuration that declares it, which deletes it when it no longer does; null if a call created it.
    declared_by    text,
    created_at     integer not null,
    updated_at     integer not null,
    check ((cron is null) = (time_zone is null) and (cron is null) = (window_minutes is null))
);

create table jobs (
    id               integer primary key autoincrement,
    state            text    not null check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'ended')),
    kind             text    not null,
    variant          text    not null,
    symmetry         text    not null,
    -- How hard: a level (a word), a range (both bounds), or neither.
    level            text,
    rating_min       integer,
    rating_max       integer,
    clues            integer,
    -- The technique that each puzzle must need, by its usual name; null allows any.
    technique        text,
    -- The oldest version of the engine that makes it. Workers of older versions do not claim it.
    needed_version   integer not null,
    -- Whether surplus puzzles are thrown away, unfinished.
    no_surplus       integer not null default 0 check (no_surplus in (0, 1)),
    wanted           integer not null check (wanted > 0),
    made             integer not null default 0 check (made between 0 and wanted),
    -- Surplus puzzles in stock.
    surplus          integer not null default 0 check (surplus >= 0),
    -- The first index that no slice has covered yet.
    next_index       integer not null default 0 check (next_index between 0 and wanted),
    seed             integer not null, -- 64 bits, shown unsigned
    priority         integer not null,
    tries_max        integer not null,
    -- Rises with each claim, so that jobs of equal priority take turns. In no index: it changes with every claim.
    turn             integer not null default 0,
    -- Tries, and the failed ones by reason.
    tries            integer not null default 0,
    repeats          integer not null default 0,
    unrated          integer not null default 0,
    off_target       integer not null default 0,
    clues_missed     integer not null default 0,
    unproven         integer not null default 0,
    solvers_disagreed integer not null default 0,
    nearest_distance integer,
    nearest          text,
    work_ms          integer not null default 0,
    failed_attempts  integer not null default 0,
    -- Leases of it that expired.
    reclaimed_slices integer not null default 0,
    error            text,
    request_id       text,
    -- Names and values that the caller noted on it, json: {name: value, …}.
    labels           text    not null default '{}',
    -- What an open job is to make up for: the target that it fills, or the lack that a caller met.
    target_id        integer references targets (id) on delete set null,
    shortfall        text,
    not_before_at    integer not null,
    -- The end of the window that it was queued in.
    not_after_at     integer,
    created_at       integer not null,
    started_at       integer,
    ended_at         integer,
    -- When it was pruned from the lists. Its row stays as long as the name of its request is known, and for ever if there
    -- are puzzles of it.
    pruned_at        integer
);

create index jobs_open on jobs (priority desc, id) where state in ('queued', 'running');
-- Two open jobs never make up for the same shortfall.
create unique index jobs_shortfall on jobs (shortfall) where state in ('queued', 'running');
create index jobs_of_target on jobs (target_id, id) where target_id is not null;
create index jobs_ended on jobs (ended_at, state) where ended_at is not null and pruned_at is null;
create index jobs_pruned_named on jobs (pruned_at) where pruned_at is not null and request_id is not null;
create index jobs_pruned_empty on jobs (pruned_at)
    where pruned_at is not null and request_id is null and made = 0 and surplus = 0;

-- The name under which a request was sent, and the request, so that a repeat of it finds its job.
create table requests (
    request_id text    primary key,
    fields     text    not null, -- what a repeat is compared by, json: {field: value, …}
    job_id     integer not null references jobs (id),
    created_at integer not null
) without rowid;

create index requests_of_job on requests (job_id);

-- A slice lives from its claim until its last index is committed. Without a token it can be claimed.
create table slices (
    id               integer primary key autoincrement,
    job_id           integer not null references jobs (id),
    first_index      integer not null,
    end_index        integer not null check (end_index > first_index),
    -- The try to resume with at the first index.
    first_try        integer not null default 0,
    token            integer,
    lease_expires_at integer,
    -- Who holds it, or held it last.
    worker           text    not null default '',
    available_at     integer not null,
    failed_attempts  integer not null default 0,
    check ((token is null) = (lease_expires_at is null))
);

create index slices_of_job on slices (job_id, first_index);
create index slices_leased on slices (lease_expires_at) where token is not null;

-- The queue as a whole, in one row.
create table queue (
    id               integer primary key check (id = 1),
    -- Since when no slice is leased and no refill is planned, and why; null while it runs.
    paused_at        integer,
    pause_reason     text,
    -- Leases that expired and were reclaimed, ever.
    reclaimed_slices integer not null default 0,
    -- The last delivery that pruning has looked at.
    seen_delivery_id integer not null default 0,
    -- How far the stock may grow, as the server said that started or reloaded last; null for no bound. While it is full by one of
    -- the bounds, since that time, no slice is leased and no job queued.
    puzzles_max      integer check (puzzles_max > 0),
    puzzles_full_at  integer,
    bytes_max        integer check (bytes_max > 0),
    bytes_full_at    integer,
    -- The bytes that the database used at the last reading, of all processes.
    bytes_used       integer not null default 0 check (bytes_used >= 0),
    bytes_read_at    integer,
    check ((paused_at is null) = (pause_reason is null))
);
insert into queue (id) values (1);

-- Each lease that expired within the last hour. The next one removes older rows.
create table reclaimed_slices (
    id           integer primary key,
    reclaimed_at integer not null
);

create index reclaimed_slices_by_time on reclaimed_slices (reclaimed_at);

-- What all tries at a spec under one version of the engine have yielded: puzzles stored as wanted, and the workers' time.
create table rates (
    spec           text    not null,
    engine_version integer not null,
    tries          integer not null,
    hits           integer not null,
    work_ms        integer not null,
    primary key (spec, engine_version)
) without rowid;

-- A shelf holds the puzzles of one kind, variant, symmetry, and rating that were made with one technique and number of givens.
-- Positions on it are dense and never given twice.
create table shelves (
    id        integer primary key autoincrement,
    kind      text    not null,
    variant   text    not null,
    -- The variant's size and rules without the generator's options: `20x20` of `20x20-runs9-white70`.
    base      text    not null,
    symmetry  text    not null,
    rating    integer not null,
    -- What the jobs of its puzzles asked for; '' and 0 where they did not, and for surplus puzzles.
    technique text    not null default '',
    clues     integer not null default 0,
    positions integer not null default 0,
    withdrawn integer not null default 0 check (withdrawn between 0 and positions),
    unique (kind, variant, symmetry, rating, technique, clues)
);

create table puzzles (
    id               integer primary key autoincrement,
    shelf_id         integer not null references shelves (id),
    position         integer not null,
    text             text    not null,
    solution         text    not null,
    -- Canonical form with its kind and variant before it.
    canonical        text    not null,
    -- Which solution it has, up to symmetry: 16 bytes, the hash of the solution's form with its kind and variant.
    grid             blob    not null,
    givens           integer not null,
    rater            text    not null,
    rater_version    integer not null,
    -- What this rater said, json: {explanation, techniques: [[name, tenths, count], …], metrics: [[name, number], …]}.
    record           text    not null,
    seed             integer not null,
    job_id           integer not null references jobs (id),
    job_index        integer not null,
    job_try          integer not null,
    -- Whether it is a surplus puzzle: valid, but not what its job wanted. An index may leave several.
    is_surplus       integer not null default 0 check (is_surplus in (0, 1)),
    engine_version   integer not null,
    created_at       integer not null,
    withdrawn_at     integer,
    withdrawn_reason text,
    -- Withdrawn by a person: neither it nor an isomorph comes back.
    barred           integer not null default 0 check (barred in (0, 1)),
    unique (shelf_id, position)
);

-- No two puzzles in circulation are isomorphic.
create unique index puzzles_canonical on puzzles (canonical) where withdrawn_at is null or barred = 1;
-- No two puzzles in circulation share a solution up to symmetry. The only writer asks before it adds a puzzle, so this index
-- only makes asking quick.
create index puzzles_grid on puzzles (grid) where withdrawn_at is null or barred = 1;
-- No index of a job holds two puzzles that it wanted.
create unique index puzzles_job_index on puzzles (job_id, job_index) where withdrawn_at is null and is_surplus = 0;
-- A page of a job takes its first ids: an index has the row's id as its last column.
create index puzzles_of_job on puzzles (job_id);
-- A page of what is in circulation takes the first ids of each shelf.
create index puzzles_of_shelf on puzzles (shelf_id, id) where withdrawn_at is null;

-- What newer raters say of puzzles. The record on the puzzle's own row decided its shelf and stays.
create table ratings (
    puzzle_id     integer not null references puzzles (id),
    rater         text    not null,
    rater_version integer not null,
    -- 'rated'; 'at_least' if the rater's budget ended before the puzzle did; 'stuck' if its techniques did.
    outcome       text    not null check (outcome in ('rated', 'at_least', 'stuck')),
    rating        integer check ((rating is null) = (outcome = 'stuck')),
    record        text check ((record is null) = (outcome <> 'rated')), -- as puzzles.record
    created_at    integer not null,
    primary key (puzzle_id, rater, rater_version)
) without rowid;

create table audiences (
    id         integer primary key autoincrement,
    name       text    not null unique,
    created_at integer not null
);

-- What was delivered to which audience. This is the truth; cursors and swaps only make the next draw quick.
create table deliveries (
    id          integer primary key,
    audience_id integer not null references audiences (id),
    puzzle_id   integer not null references puzzles (id),
    grid        blob    not null, -- the puzzle's
    -- 'request ' and the request's id; or 'daily ', the date, 'shared ' if it is the day's puzzle of callers without an
    -- audience, and `fields`. Null if the request had no id, or if the day has another puzzle by now.
    name        text,
    fields      text, -- what a repeat is compared by, as in `requests`
    created_at  integer not null,
    check ((name is null) = (fields is null))
);

-- No audience gets a solution twice, and so no puzzle and no isomorph of it.
create unique index deliveries_grid on deliveries (audience_id, grid);
create unique index deliveries_name on deliveries (audience_id, name) where name is not null;
create index deliveries_of_audience on deliveries (audience_id, id);

-- Each audience takes the positions of a shelf in an order of its own, a Fisher-Yates shuffle that is drawn step by step: of
-- the slots 0 to positions - 1, those below `taken` are done. The next slot is drawn from the others, and the position in the
-- first of them moves into the drawn slot. A slot without a row in `swaps` holds the position of its own number, so a puzzle
-- that is shelved in between is among the others at once.
create table cursors (
    audience_id integer not null references audiences (id),
    shelf_id    integer not null references shelves (id),
    taken       integer not null check (taken > 0),
    primary key (audience_id, shelf_id)
) without rowid;

create table swaps (
    audience_id integer not null references audiences (id),
    shelf_id    integer not null references shelves (id),
    draw_index  integer not null,
    position    integer not null,
    primary key (audience_id, shelf_id, draw_index)
) without rowid;

-- Each process that serves or works on this database. A process renews its row every ten seconds and deletes it at a clean
-- shutdown; a day after the last renewal it is pruned. A copy of the database does not carry these rows.
create table processes (
    id         integer primary key autoincrement,
    -- Drawn at its start. Its workers are named by it and a number: '<name>-<number>' in `slices.worker`.
    name       text    not null unique,
    host       text    not null,
    -- The process ID on that host.
    pid        integer not null,
    role       text    not null check (role in ('serve', 'work')),
    version    text    not null,
    workers    integer not null check (workers >= 0),
    started_at integer not null,
    seen_at    integer not null
);

create index processes_seen on processes (seen_at);

-- Which schema this is, in one row. A binary that knows at least the schema `oldest_compatible` may use the database: a
-- migration that such a binary cannot live with raises it. That is any but one that adds tables, indexes, or columns that are null
-- or have a default, and that refers to no row which such a binary deletes. `version`, the newest migration, is noted by whatever
-- runs it.
create table schema (
    id                integer primary key check (id = 1),
    version           integer not null,
    oldest_compatible integer not null check (oldest_compatible > 0)
);
insert into schema (id, version, oldest_compatible) values (1, 1, 1);
