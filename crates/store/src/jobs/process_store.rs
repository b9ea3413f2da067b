//! Adds, renews, removes, and lists the rows of the processes that use the database, with the slices that each process
//! holds. Also counts the workers of running processes.

use std::collections::HashMap;

use async_trait::async_trait;

use crate::{
    StoreError,
    error::must_touch,
    jobs::process::{HELD_MAX, HeldSlice, Listed, OlderProcess, Process, RUNNING_MS, Role, is_older},
    sql::{
        database::{Columns, Database, Reading, Write, number},
        statement::values,
        statements::process,
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
        self.with_retries(|| async {
            let mut write = self.write("keep_process.begin").await?;
            let Process { name, host, pid, role, version, workers } = process;
            let values = values![name, host, *pid, role.name(), version, *workers, write.now()];
            let kept = write.execute("keep_process.upsert", process::KEEP, values).await?;
            must_touch("keeping the row of a process", 1, kept)?;
            write.commit("keep_process.commit", "keep_process.committed").await
        })
        .await
    }

    async fn remove_process(&self, name: &str) -> Result<bool, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("remove_process.begin").await?;
            let removed = write.execute("remove_process.delete", process::REMOVE, values![name]).await?;
            write.commit("remove_process.commit", "remove_process.committed").await?;
            Ok(removed == 1)
        })
        .await
    }

    async fn processes(&self, after: Option<i64>, limit: u32) -> Result<Vec<Listed>, StoreError> {
        let mut listed = self.all(process::LIST, values![after.unwrap_or(0), limit], process).await?;
        let ids: Vec<_> = listed.iter().map(|process| process.id).collect();
        if ids.is_empty() {
            return Ok(listed);
        }
        let mut held: HashMap<_, Vec<_>> = HashMap::new();
        for slice in self.all(process::HELD_SLICES, values![self.clock_override(), ids, HELD_MAX], held_slice).await? {
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
        let values = values![self.clock_override(), RUNNING_MS];
        Ok(self.all(process::RUNNING_WORKERS, values, number).await?.pop().unwrap_or_default())
    }
}

/// A running process of an older minor version than `version`; `None` if there is none.
pub(crate) async fn older_process<W: Write>(write: &mut W, version: &str) -> Result<Option<OlderProcess>, StoreError> {
    let since = write.now().0 - RUNNING_MS;
    let running = write.all("older_process.list", process::RUNNING, values![since], running).await?;
    Ok(running.into_iter().find(|process| is_older(&process.version, version)))
}

fn running(row: &impl Columns) -> Result<OlderProcess, StoreError> {
    let row = Reading::new(row, "processes")?;
    Ok(OlderProcess { host: row.get("host")?, version: row.get("version")? })
}

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
