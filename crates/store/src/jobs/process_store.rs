//! Adds, renews, removes, and lists the rows of the processes that use the database, with the slices that each process
//! holds. Also counts the workers of running processes.

use std::collections::HashMap;

use async_trait::async_trait;

use crate::{
    StoreError,
    error::must_touch,
    jobs::process::{HELD_MAX, HeldSlice, Listed, Process, RUNNING_MS, Role},
    sql::{
        database::{Columns, Database, Reading, Write, number},
        statement::{Sql, slice_columns, values},
    },
};
use puzzled_base::ids::JobId;

/// The processes that use the database.
#[async_trait]
pub trait ProcessStore {
    /// Adds or renews the row of a process, with the current time.
    async fn keep_process(&self, process: &Process) -> Result<(), StoreError>;

    /// Removes the row of a process, and returns whether it existed.
    async fn remove_process(&self, name: &str) -> Result<bool, StoreError>;

    /// Returns up to `limit` processes with row ids above `after`, by id, with the slices that they hold now. A killed
    /// process is listed until its row is pruned.
    async fn processes(&self, after: Option<i64>, limit: u32) -> Result<Vec<Listed>, StoreError>;

    /// Returns the number of workers of all running processes.
    async fn running_workers(&self) -> Result<u64, StoreError>;
}

#[async_trait]
impl<D: Database> ProcessStore for D {
    async fn keep_process(&self, process: &Process) -> Result<(), StoreError> {
        self.repeated(|| async {
            let mut write = self.write("keep_process.begin").await?;
            // This statement works for a new row, a known row, and a pruned row.
            let sql = "insert into processes (name, host, pid, role, version, workers, started_at, seen_at)
                       values ($1, $2, $3, $4, $5, $6, $7, $7)
                       on conflict (name) do update set seen_at = excluded.seen_at";
            let Process { name, host, pid, role, version, workers } = process;
            let values = values![name, host, *pid, role.name(), version, *workers, write.now()];
            let kept = write.execute("keep_process.upsert", sql, values).await?;
            must_touch("keeping the row of a process", 1, kept)?;
            write.commit("keep_process.commit", "keep_process.committed").await
        })
        .await
    }

    async fn remove_process(&self, name: &str) -> Result<bool, StoreError> {
        self.repeated(|| async {
            let mut write = self.write("remove_process.begin").await?;
            let sql = "delete from processes where name = $1";
            let removed = write.execute("remove_process.delete", sql, values![name]).await?;
            write.commit("remove_process.commit", "remove_process.committed").await?;
            Ok(removed == 1)
        })
        .await
    }

    async fn processes(&self, after: Option<i64>, limit: u32) -> Result<Vec<Listed>, StoreError> {
        let sql = "select id, name, host, pid, role, version, workers, started_at, seen_at from processes
                   where id > $1 order by id limit $2";
        let mut listed = self.all(sql, values![after.unwrap_or(0), limit], process).await?;
        let ids: Vec<_> = listed.iter().map(|process| process.id).collect();
        if ids.is_empty() {
            return Ok(listed);
        }
        let mut held: HashMap<_, Vec<_>> = HashMap::new();
        for slice in self.all(HELD, values![self.told_now(), ids, HELD_MAX], held_slice).await? {
            held.entry(slice.process_id).or_default().push(slice);
        }
        for process in &mut listed {
            let slices = held.remove(&process.id).unwrap_or_default();
            process.held = slices.first().map_or(0, |slice| slice.of);
            process.slices = slices.into_iter().map(|held| held.slice).collect();
        }
        Ok(listed)
    }

    async fn running_workers(&self) -> Result<u64, StoreError> {
        let values = values![self.told_now(), RUNNING_MS];
        Ok(self.all(RUNNING, values, number).await?.pop().unwrap_or_default())
    }
}

/// The workers of processes whose rows were renewed within [`RUNNING_MS`].
const RUNNING: Sql = Sql {
    sqlite: "select coalesce(sum(workers), 0) as number from processes where seen_at > $1 - $2",
    postgres: "select coalesce(sum(workers), 0)::bigint as number from processes
               where seen_at > coalesce($1, (extract(epoch from clock_timestamp()) * 1000)::bigint) - $2",
};

/// The common parts of [`HELD`]. A macro, because a statement must be one literal.
macro_rules! held_slices {
    ($with:literal, $join:literal, $in_list:literal, $now:literal) => {
        concat!(
            $with,
            "select * from (
                 select ",
            slice_columns!(),
            ", processes.id as process_id,
                        row_number() over (partition by processes.id order by slices.id) as place,
                        count(*) over (partition by processes.id) as of_process
                 from slices
                 join processes on substr(slices.worker, 1, length(processes.name) + 1) = processes.name || '-'
                 join jobs on jobs.id = slices.job_id ",
            $join,
            " where processes.id ",
            $in_list,
            " and slices.token is not null and slices.lease_expires_at > ",
            $now,
            " and jobs.state in ('queued', 'running')) as held
             where place <= $3
             order by process_id, place"
        )
    };
}

/// The slices with valid leases, by the process whose worker holds the slice. There are as many leases as busy workers,
/// and an index lists them.
const HELD: Sql = Sql {
    sqlite: held_slices!("", "", "in (select value from json_each($2))", "$1"),
    postgres: held_slices!(
        "with clock as (select coalesce($1, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now) ",
        "cross join clock",
        "= any($2)",
        "clock.now"
    ),
};

/// A slice with the process that holds it.
struct Held {
    process_id: i64,
    /// The number of slices that the process holds.
    of: u32,
    slice: HeldSlice,
}

fn process(row: &impl Columns) -> Result<Listed, StoreError> {
    let row = Reading::new(row, "processes")?;
    Ok(Listed {
        id: row.id(),
        process: Process {
            name: row.get("name")?,
            host: row.get("host")?,
            pid: row.number("pid")?,
            role: row.one_of("role", Role::ALL, Role::name)?,
            version: row.get("version")?,
            workers: row.number("workers")?,
        },
        started_at: row.instant("started_at")?,
        seen_at: row.instant("seen_at")?,
        slices: Vec::new(),
        held: 0,
    })
}

fn held_slice(row: &impl Columns) -> Result<Held, StoreError> {
    let row = Reading::new(row, "slices")?;
    let slice = HeldSlice {
        slice_id: row.id(),
        job_id: JobId(row.get("job_id")?),
        first_index: row.number("first_index")?,
        end_index: row.number("end_index")?,
        worker: row.get("worker")?,
        lease_expires_at: row.instant("lease_expires_at")?,
    };
    Ok(Held { process_id: row.get("process_id")?, of: row.number("of_process")?, slice })
}
