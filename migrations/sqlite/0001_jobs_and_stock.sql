-- Jobs, the slices in which they are worked, and the stock. All times are milliseconds since 1970 UTC, ratings are tenths.

create table jobs (
    id               integer primary key autoincrement,
    state            text    not null check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    kind             text    not null,
    variant          text    not null,
    symmetry         text    not null,
    -- How hard: one of level (a word), a range (both bounds), or neither.
    level            text,
    rating_min       integer,
    rating_max       integer,
    clues            integer,
    wanted           integer not null check (wanted > 0),
    made             integer not null default 0 check (made between 0 and wanted),
    -- The first index that no slice has covered yet.
    next_index       integer not null default 0 check (next_index between 0 and wanted),
    seed             integer not null, -- 64 bits, shown unsigned
    priority         integer not null,
    tries_max        integer not null,
    -- Rises with each claim, so that jobs of equal priority take turns. In no index: it changes with every claim.
    turn             integer not null default 0,
    tries            integer not null default 0,
    repeats          integer not null default 0,
    unrated          integer not null default 0,
    off_target       integer not null default 0,
    clues_missed     integer not null default 0,
    unproven         integer not null default 0,
    nearest_distance integer,
    nearest          text,
    work_ms          integer not null default 0,
    failed_attempts  integer not null default 0,
    error            text,
    request_id       text,
    not_before_at    integer not null,
    created_at       integer not null,
    started_at       integer,
    ended_at         integer
);

create index jobs_open on jobs (priority desc, id) where state in ('queued', 'running');

-- The name under which a request was sent, and the request, so that a repeat of it finds its job.
create table requests (
    request_id text    primary key,
    body       blob    not null,
    job_id     integer not null references jobs (id),
    created_at integer not null
) without rowid;

-- A slice lives from its claim until its last index is committed. Without a token it is on offer.
create table slices (
    id               integer primary key autoincrement,
    job_id           integer not null references jobs (id),
    first_index      integer not null,
    end_index        integer not null check (end_index > first_index),
    -- The try to go on with at the first index.
    first_try        integer not null default 0,
    token            integer,
    lease_expires_at integer,
    available_at     integer not null,
    failed_attempts  integer not null default 0,
    check ((token is null) = (lease_expires_at is null))
);

create index slices_of_job on slices (job_id, first_index);
create index slices_leased on slices (lease_expires_at) where token is not null;

-- A shelf holds the puzzles of one kind, variant, symmetry and rating. Positions on it are dense and never given twice.
create table shelves (
    id        integer primary key autoincrement,
    kind      text    not null,
    variant   text    not null,
    symmetry  text    not null,
    rating    integer not null,
    positions integer not null default 0,
    withdrawn integer not null default 0 check (withdrawn between 0 and positions),
    unique (kind, variant, symmetry, rating)
);

create table puzzles (
    id               integer primary key autoincrement,
    shelf_id         integer not null references shelves (id),
    position         integer not null,
    text             text    not null,
    solution         text    not null,
    -- Canonical form with its kind and variant before it.
    canonical        text    not null,
    givens           integer not null,
    rater            text    not null,
    rater_version    integer not null,
    -- What this rater said, json: {explanation, techniques: [[name, tenths, count], …], metrics: [[name, number], …]}.
    record           text    not null,
    seed             integer not null,
    job_id           integer not null references jobs (id),
    job_index        integer not null,
    job_try          integer not null,
    engine_version   integer not null,
    created_at       integer not null,
    withdrawn_at     integer,
    withdrawn_reason text,
    unique (shelf_id, position)
);

-- No two puzzles in circulation are isomorphic, and no index of a job holds two.
create unique index puzzles_canonical on puzzles (canonical) where withdrawn_at is null;
create unique index puzzles_job_index on puzzles (job_id, job_index) where withdrawn_at is null;

-- A page of what is in circulation takes the first ids of each shelf.
create index puzzles_of_shelf on puzzles (shelf_id, id) where withdrawn_at is null;
