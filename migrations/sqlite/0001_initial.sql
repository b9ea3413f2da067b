-- All tables of an SQLite database. Times are milliseconds since 1970 UTC; ratings are tenths. migrations/postgres
-- has the same tables.

-- Stock targets: how many puzzles of a spec the stock should hold.
create table targets (
    id             integer primary key autoincrement,
    -- The whole spec in one line, so that a spec has at most one target. Its parts follow, as in `jobs`.
    spec           text    not null unique,
    kind           text    not null,
    variant        text    not null,
    symmetry       text    not null,
    level          text,
    rating_min     integer,
    rating_max     integer,
    givens_min     integer,
    givens_max     integer,
    technique      text,
    -- If the stock holds fewer puzzles than `low_water`, it is filled up to `target`. Null means the value of `target`.
    low_water      integer check (low_water between 1 and target),
    target         integer not null check (target > 0),
    priority       integer not null,
    -- When the target may be filled: always, or for `window_minutes` after each time of the cron expression in that time zone.
    cron           text,
    time_zone      text,
    window_minutes integer,
    -- The name of the configuration that declares the target; null if a call created it. When the configuration no
    -- longer declares the target, the target is deleted.
    declared_by    text,
    created_at     integer not null,
    updated_at     integer not null,
    check ((cron is null) = (time_zone is null) and (cron is null) = (window_minutes is null)),
    check ((givens_min is null) = (givens_max is null))
);

create table jobs (
    id               integer primary key autoincrement,
    state            text    not null check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'ended')),
    kind             text    not null,
    variant          text    not null,
    symmetry         text    not null,
    -- The difficulty: a level (a word), a range (both ends), or neither.
    level            text,
    rating_min       integer,
    rating_max       integer,
    -- The range of the numbers of givens, or neither end.
    givens_min       integer,
    givens_max       integer,
    -- The hardest technique of each puzzle, by its usual name; null allows any.
    technique        text,
    -- The oldest engine version that can make the puzzles. Workers with an older engine do not claim the job.
    needed_version   integer not null,
    wanted           integer not null check (wanted > 0),
    made             integer not null default 0 check (made between 0 and wanted),
    -- The first index that no slice has covered yet.
    next_index       integer not null default 0 check (next_index between 0 and wanted),
    seed             integer not null, -- 64 bits, shown unsigned
    priority         integer not null,
    tries_max        integer not null,
    -- Rises with each claim, so that jobs of equal priority take turns. No index has this column, because it changes
    -- with every claim.
    turn             integer not null default 0,
    -- Tries, and the misses by reason.
    tries            integer not null default 0,
    repeats          integer not null default 0,
    unrated          integer not null default 0,
    off_target       integer not null default 0,
    givens_missed    integer not null default 0,
    unproven         integer not null default 0,
    solvers_disagreed integer not null default 0,
    nearest_distance integer,
    nearest          text,
    work_ms          integer not null default 0,
    -- Only for top-ups: the working time after which a commit ends the job, if it has a puzzle.
    work_ms_max      integer check (work_ms_max > 0),
    failed_attempts  integer not null default 0,
    -- The number of expired leases on slices that were reclaimed.
    reclaimed_slices integer not null default 0,
    error            text,
    -- The kind of the error, for those that programs act on.
    error_reason     text    check (error_reason in ('unreachable')),
    request_id       text,
    -- The principal that queued the job; null if the planner did.
    principal        text,
    -- Who holds the puzzles of the job: 'series ' or 'audience ' and a name; null if they go on the shelves.
    holder           text,
    -- The span in which the job was queued, in the format of the header `traceparent`; null without a trace.
    traceparent      text,
    -- Names and values that the caller gave to the job, JSON: {name: value, …}.
    labels           text    not null default '{}',
    -- The shortfall that an open job fills: of a stock target, or of a caller.
    target_id        integer references targets (id) on delete set null,
    shortfall        text,
    not_before_at    integer not null,
    -- The end of the window in which the job was queued.
    not_after_at     integer,
    created_at       integer not null,
    started_at       integer,
    ended_at         integer,
    -- When the job was pruned; since then it is not listed. The row stays as long as its request ID is known, and
    -- as long as the job has puzzles.
    pruned_at        integer,
    -- Whether `WithdrawPuzzles` has deleted puzzles of the job until none was left.
    forgotten        integer not null default 0 check (forgotten in (0, 1)),
    check ((givens_min is null) = (givens_max is null))
);

create index jobs_open on jobs (priority desc, id) where state in ('queued', 'running');
-- Two open jobs never fill the same shortfall.
create unique index jobs_shortfall on jobs (shortfall) where state in ('queued', 'running');
create index jobs_held on jobs (holder) where holder is not null;
create index jobs_of_target on jobs (target_id, id) where target_id is not null;
create index jobs_ended on jobs (ended_at, state) where ended_at is not null and pruned_at is null;
create index jobs_pruned_named on jobs (pruned_at) where pruned_at is not null and request_id is not null;
create index jobs_pruned_empty on jobs (pruned_at)
    where pruned_at is not null and request_id is null and (made = 0 or forgotten = 1);

-- The ID of a request and its fields, so that a repeat finds its job.
create table requests (
    request_id text    primary key,
    fields     text    not null, -- the fields that a repeat must match, JSON: {field: value, …}
    job_id     integer not null references jobs (id),
    created_at integer not null
) without rowid;

create index requests_of_job on requests (job_id);

-- A slice exists from its claim until its last index is committed. A slice without a token can be claimed.
create table slices (
    id               integer primary key autoincrement,
    job_id           integer not null references jobs (id),
    first_index      integer not null,
    end_index        integer not null check (end_index > first_index),
    -- The try at which the first index resumes.
    first_try        integer not null default 0,
    token            integer,
    lease_expires_at integer,
    -- The worker that holds the slice, or held it last.
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
    -- The time since which no slice is leased and no refill is planned, and the reason; null while the queue runs.
    paused_at        integer,
    pause_reason     text,
    -- The total number of leases that expired and were reclaimed.
    reclaimed_slices integer not null default 0,
    -- The last delivery that pruning has read.
    seen_delivery_id integer not null default 0,
    -- Limits on the growth of the stock, from the server that started or reloaded last; null for no limit. While a
    -- limit is reached, its `…_full_at` is set, no slice is leased, and no job is queued.
    puzzles_max      integer check (puzzles_max > 0),
    puzzles_full_at  integer,
    bytes_max        integer check (bytes_max > 0),
    bytes_full_at    integer,
    -- The size of the database, in bytes, when any process last read it.
    bytes_used       integer not null default 0 check (bytes_used >= 0),
    bytes_read_at    integer,
    check ((paused_at is null) = (pause_reason is null))
);
insert into queue (id) values (1);

-- The leases that expired within the last hour and were reclaimed. The next reclaim removes older rows.
create table reclaimed_slices (
    id           integer primary key,
    reclaimed_at integer not null
);

create index reclaimed_slices_by_time on reclaimed_slices (reclaimed_at);

-- The making rate of each spec under one engine version: puzzles stored, and working time.
create table rates (
    spec           text    not null,
    engine_version integer not null,
    tries          integer not null,
    hits           integer not null,
    work_ms        integer not null,
    primary key (spec, engine_version)
) without rowid;

-- A shelf holds the puzzles of one kind, variant, symmetry, rating, hardest technique, and number of givens. Positions on
-- a shelf have no gaps, and a position is never used twice.
create table shelves (
    id        integer primary key autoincrement,
    kind      text    not null,
    variant   text    not null,
    -- The base of the variant, without options: `20x20` of `20x20-runs9-white70`.
    base      text    not null,
    symmetry  text    not null,
    rating    integer not null,
    -- '' and 0 if the variant does not have these criteria.
    technique text    not null,
    givens    integer not null,
    positions integer not null default 0,
    -- The positions whose puzzle was withdrawn or deleted.
    empty     integer not null default 0 check (empty between 0 and positions),
    unique (kind, variant, symmetry, rating, technique, givens)
);

-- Imports: puzzles that callers brought. The first puzzle that an import stores adds its row.
create table imports (
    import_id  text    primary key, -- the name that the caller gave
    source     text    not null,    -- where the puzzles come from, in the caller's words
    created_at integer not null
) without rowid;

create table puzzles (
    id               integer primary key autoincrement,
    shelf_id         integer not null references shelves (id),
    -- Null for a held puzzle, which no draw can meet.
    position         integer,
    -- Who holds the puzzle, as in `jobs`; null for a puzzle that has a position, and after its audience was forgotten.
    holder           text,
    text             text    not null,
    solution         text    not null,
    -- The kind and the canonical form.
    canonical        text    not null,
    -- What an audience must not get twice, the solution up to symmetry: 16 bytes, the hash of its form with kind and
    -- variant.
    repeat_hash      blob    not null,
    givens           integer not null,
    -- The hardest technique: that of the first step that has the puzzle's rating.
    technique        text    not null,
    -- The predicted median time of a person; null if the ratings of the variant are not calibrated.
    predicted_seconds integer,
    rater            text    not null,
    rater_version    integer not null,
    -- The rater's record, JSON: {explanation, techniques: [[name, tenths, count], …], metrics: {kind: {name: number, …}}}.
    record           text    not null,
    -- The origin: the job that made the puzzle, or the import that brought it.
    seed             integer,
    job_id           integer references jobs (id),
    job_index        integer,
    job_try          integer,
    import_id        text    references imports (import_id),
    import_line      integer check (import_line > 0), -- the line of the caller's file
    import_note      text,                            -- the caller's note on the puzzle, or empty
    -- The engine that made the puzzle, or proved it.
    engine_version   integer not null,
    created_at       integer not null,
    withdrawn_at     integer,
    withdrawn_reason text,
    -- Whether a person withdrew it. No isomorph and no puzzle with the same solution is stored again.
    barred           integer not null default 0 check (barred in (0, 1)),
    unique (shelf_id, position),
    check (holder is null or position is null),
    check (position is not null or holder is not null or withdrawn_at is not null),
    check ((job_id is null) <> (import_id is null)),
    check ((job_id is null) = (seed is null) and (job_id is null) = (job_index is null)
           and (job_id is null) = (job_try is null)),
    check ((import_id is null) = (import_line is null) and (import_id is null) = (import_note is null))
);

-- No two puzzles in circulation are isomorphic.
create unique index puzzles_canonical on puzzles (canonical) where withdrawn_at is null or barred = 1;
-- No two puzzles in circulation share a solution up to symmetry. The only writer checks before it adds a puzzle, so
-- this index only makes the check fast.
create index puzzles_repeat_hash on puzzles (repeat_hash) where withdrawn_at is null or barred = 1;
-- No index of a job has two puzzles.
create unique index puzzles_job_index on puzzles (job_id, job_index) where withdrawn_at is null;
-- A page of a job reads the first ids from this index, because the row's id is the last column of every index.
create index puzzles_of_job on puzzles (job_id);
-- No line of an import has two puzzles.
create unique index puzzles_import_line on puzzles (import_id, import_line)
    where import_id is not null and withdrawn_at is null;
-- As `puzzles_of_job`.
create index puzzles_of_import on puzzles (import_id) where import_id is not null;
-- A page of the puzzles in circulation takes the first ids of each shelf.
create index puzzles_of_shelf on puzzles (shelf_id, id) where withdrawn_at is null;
-- The held puzzles: counted as a whole, and drawn by their holder.
create index puzzles_held on puzzles (holder, shelf_id, id) where position is null and withdrawn_at is null;

-- Ratings of puzzles by newer raters. The record in the puzzle's own row decided its shelf, and does not change.
create table ratings (
    puzzle_id     integer not null references puzzles (id),
    rater         text    not null,
    rater_version integer not null,
    -- 'rated'; 'at_least' if the rater's budget ran out; 'stuck' if its techniques do not finish the puzzle.
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

-- The deliveries to each audience. They decide what an audience has had; cursors and swaps only make the next draw fast.
create table deliveries (
    id          integer primary key,
    audience_id integer not null references audiences (id),
    -- Null if the delivery was recorded by a call, and no stored puzzle had its solution then.
    puzzle_id   integer references puzzles (id),
    repeat_hash blob    not null, -- the puzzle's
    -- Whether `RecordDeliveries` recorded it: the audience has had the puzzle elsewhere. Pruning leaves such rows alone.
    recorded    integer not null default 0 check (recorded in (0, 1)),
    -- 'request ' and the request's id; or 'day ', the date, and the name of the series. Null if the request had no id, or
    -- if the day has another puzzle by now.
    name        text,
    fields      text, -- the fields that a repeat must match, as in `requests`
    created_at  integer not null,
    check ((name is null) = (fields is null)),
    check (puzzle_id is not null or recorded = 1)
);

-- No audience gets a solution twice, and so no puzzle and no isomorph of it.
create unique index deliveries_repeat_hash on deliveries (audience_id, repeat_hash);
create unique index deliveries_name on deliveries (audience_id, name) where name is not null;
create index deliveries_of_audience on deliveries (audience_id, id);
-- `WithdrawPuzzles` deletes only puzzles that no delivery names.
create index deliveries_of_puzzle on deliveries (puzzle_id);

-- Each audience gets the positions of a shelf in its own random order, a Fisher-Yates shuffle that is drawn step by
-- step. Of the draw indices 0 to positions - 1, those below `taken` are done. A draw chooses one of the others, and the
-- position at index `taken` moves to the chosen index. A draw index without a row in `swaps` holds the position of the
-- same number, so a newly stored puzzle can be drawn at once.
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

-- The daily series. A series is never deleted.
create table series (
    id          integer primary key autoincrement,
    name        text    not null unique,
    kind        text    not null,
    -- 'any' for any variant of the kind.
    variant     text    not null,
    -- The name of the configuration that declares the series; null if none does.
    declared_by text,
    -- Since then, the series makes no new days; null while it does.
    ended_at    integer,
    created_at  integer not null,
    updated_at  integer not null
);

-- The terms of a series from a day on, until those with the next date. The first ones begin with its first day.
create table series_terms (
    series_id      integer not null references series (id),
    effective_date text    not null check (length(effective_date) = 10), -- such as '2026-11-21'
    -- The IANA name of the zone in which days begin.
    time_zone      text    not null,
    -- One set for all days, or seven, Monday first, JSON: [{level, ratings, symmetry, technique, min_givens, max_givens}, …].
    criteria       text    not null,
    primary key (series_id, effective_date)
) without rowid;

-- The puzzle of each day that has one. After a withdrawal, the row gets another puzzle. No puzzle has two days.
create table days (
    series_id integer not null references series (id),
    date      text    not null check (length(date) = 10), -- such as '2026-11-21'
    puzzle_id integer not null references puzzles (id),
    -- When the day got this puzzle.
    drawn_at  integer not null,
    primary key (series_id, date)
) without rowid;

create unique index days_puzzle on days (puzzle_id);
create index days_by_date on days (date);

-- The audit trail: who changed what, with which call. Each entry is written in the transaction of its change.
create table audit (
    id            integer primary key autoincrement,
    -- The name of a principal, 'configuration', or 'cli:' and the name of a user.
    principal     text    not null,
    -- The principal's role; null for configurations and commands.
    role          text    check (role in ('reader', 'maker', 'ops', 'admin')),
    -- The address and port of the client, or the name of the machine.
    address       text    not null,
    method        text    not null,
    -- Empty for configurations and commands.
    call_id       text    not null,
    -- The IDs of the changed jobs, targets, and puzzles, JSON: [id, …]. Only BatchGenerate, Refill, ReleasePuzzles,
    -- WithdrawPuzzles, and ImportPuzzles have several.
    subjects      text    not null default '[]',
    details       text    not null default '{}', -- what changed, a JSON object
    -- For denied calls: the minute of the first of them, counted from 1970. The calls of one minute share a row.
    denied_minute integer,
    -- The number of denied calls; 1 for a change.
    calls         integer not null default 1 check (calls > 0),
    created_at    integer not null
);

create unique index audit_denied on audit (principal, method, denied_minute) where denied_minute is not null;
create index audit_by_time on audit (created_at);
create index audit_by_subject on audit (subjects);
create index audit_of_several on audit (id)
    where method in ('BatchGenerate', 'Refill', 'ReleasePuzzles', 'WithdrawPuzzles', 'ImportPuzzles');

-- The processes that use this database. A process renews its row every ten seconds, and deletes it at a clean shutdown.
-- Rows are pruned a day after their last renewal. A copy of the database does not contain these rows.
create table processes (
    id         integer primary key autoincrement,
    -- A random name. The workers of the process have this name and a number: '<name>-<number>' in `slices.worker`.
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

-- The version of the schema, in one row. `version` is the newest migration, and each migration updates it. A program
-- that knows at least the schema `oldest_compatible` may use the database. A migration raises that number if older
-- programs cannot use its schema. They can use it if the migration only adds tables, indexes, or columns that are null
-- or have a default, and if no new reference is to rows that older programs delete.
create table schema (
    id                integer primary key check (id = 1),
    version           integer not null,
    oldest_compatible integer not null check (oldest_compatible > 0)
);
insert into schema (id, version, oldest_compatible) values (1, 1, 1);
