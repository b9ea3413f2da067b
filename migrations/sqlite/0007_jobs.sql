-- What ops need to steer and to read the queue.

-- Names and values that whoever queued a job noted on it, json: {name: value, …}.
alter table jobs add column labels text not null default '{}';

-- The queue as a whole, in one row.
create table queue (
    id               integer primary key check (id = 1),
    -- Since when no slice is leased and no refill is planned, and why; null while it runs.
    paused_at        integer,
    pause_reason     text,
    -- Leases that ran out and were taken back, ever.
    rescues          integer not null default 0,
    -- How far deliveries have been looked through for old ones.
    seen_delivery_id integer not null default 0,
    check ((paused_at is null) = (pause_reason is null))
);
insert into queue (id) values (1);

-- Each lease that was taken back within the last hour; older ones go with the next.
create table rescues (
    id         integer primary key,
    rescued_at integer not null
);
create index rescues_by_time on rescues (rescued_at);
alter table jobs add column rescues integer not null default 0;

-- Who holds a slice, or held it last.
alter table slices add column worker text not null default '';

-- When a job was taken off the lists, a time after its end. Its row stays as long as its request's name is known, and for ever
-- if there are puzzles of it.
alter table jobs add column pruned_at integer;
create index jobs_ended on jobs (ended_at, state) where ended_at is not null and pruned_at is null;
create index jobs_pruned_named on jobs (pruned_at) where pruned_at is not null and request_id is not null;
create index jobs_pruned_empty on jobs (pruned_at) where pruned_at is not null and request_id is null and made = 0 and extra = 0;

-- What a deleted job would be missed by.
create index requests_of_job on requests (job_id);
create index puzzles_of_job on puzzles (job_id);

-- Whether good puzzles that are not what the job had wanted are thrown away, unfinished.
alter table jobs add column no_extras integer not null default 0 check (no_extras in (0, 1));
alter table targets add column no_extras integer not null default 0 check (no_extras in (0, 1));
