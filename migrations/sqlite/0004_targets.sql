-- Stock targets and the jobs that fill them, extra puzzles, and how well each spec has yielded puzzles so far.

create table targets (
    id             integer primary key autoincrement,
    -- All that it wants of a puzzle in one line, so that there is one target for it; then the same in parts, as in `jobs`.
    spec           text    not null unique,
    kind           text    not null,
    variant        text    not null,
    symmetry       text    not null,
    level          text,
    rating_min     integer,
    rating_max     integer,
    -- It is filled up to `target` once fewer than `low_water` are in stock.
    low_water      integer not null check (low_water between 1 and target),
    target         integer not null check (target > 0),
    priority       integer not null,
    -- When it may be filled: always, or for so long after each time that the expression names in that zone.
    cron           text,
    time_zone      text,
    window_minutes integer,
    -- Whether the configuration file says so; then it goes when the file no longer does.
    declared       integer not null check (declared in (0, 1)),
    created_at     integer not null,
    updated_at     integer not null,
    check ((cron is null) = (time_zone is null) and (cron is null) = (window_minutes is null))
);

-- The target that a job fills, and the end of the window that it was queued in.
alter table jobs add column target_id integer references targets (id) on delete set null;
alter table jobs add column not_after_at integer;
create index jobs_of_target on jobs (target_id, id) where target_id is not null;

-- Good puzzles that are not what their job had wanted. An index may leave over several.
alter table jobs add column extra integer not null default 0 check (extra >= 0);
alter table puzzles add column is_extra integer not null default 0 check (is_extra in (0, 1));
drop index puzzles_job_index;
create unique index puzzles_job_index on puzzles (job_id, job_index) where withdrawn_at is null and is_extra = 0;

-- What came of all tries at a spec under one version of the engine: puzzles stored as wanted, and the workers' time.
create table rates (
    spec           text    not null,
    engine_version integer not null,
    tries          integer not null,
    hits           integer not null,
    work_ms        integer not null,
    primary key (spec, engine_version)
) without rowid;
