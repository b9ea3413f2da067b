-- What ops need to steer and to read the queue.

-- Names and values that whoever queued a job noted on it, json: {name: value, …}.
alter table jobs add column labels text not null default '{}';

-- The queue as a whole, in one row.
create table queue (
    id           integer primary key check (id = 1),
    -- Since when no slice is leased and no refill is planned, and why; null while it runs.
    paused_at    integer,
    pause_reason text,
    -- Leases that ran out and were taken back, ever.
    rescues      integer not null default 0,
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
