//! Prunes old rows: jobs, request IDs, deliveries, rows of processes, and audit entries. Each write prunes a bounded
//! number of rows.

use async_trait::async_trait;

use crate::{
    StoreError,
    deliveries::delivery::DAY,
    jobs::{
        job_store::lock_slices,
        queue_state::{Prune, Pruned},
    },
    sql::{
        database::{Columns, Database, Lock, Reading, Write, id},
        statement::values,
        statements::prune,
    },
};
use puzzled_base::clock::Millis;

/// Prunes old rows.
#[async_trait]
pub trait PruneStore {
    /// Prunes a bounded number of old rows, in this order:
    ///
    /// 1. Finished jobs are marked as pruned and no longer listed, except the last job of each stock target, which its forecast
    ///    reads.
    /// 2. The request IDs of jobs that were pruned long ago are deleted.
    /// 3. Pruned jobs without puzzles and without a request ID are deleted.
    /// 4. Deliveries are deleted, except those of daily puzzles and those that a call recorded. Cursors stay, so the
    ///    draws of an audience do not return to the positions that it has had.
    /// 5. Rows of processes that were not renewed for long are deleted.
    /// 6. Old entries of the audit trail are deleted.
    ///
    /// Pruning deletes neither puzzles nor making rates. Any number of processes may prune at the same time.
    async fn prune(&self, prune: Prune) -> Result<Pruned, StoreError>;
}

#[async_trait]
impl<D: Database> PruneStore for D {
    async fn prune(&self, prune: Prune) -> Result<Pruned, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("prune.begin").await?;
            write.lock("prune.lock", Lock::Prune).await?;
            let rows_max = prune.rows_max;
            let mut pruned = Pruned::default();
            if let Some(before) = prune.finished_before {
                pruned.jobs = take_off_the_lists(&mut write, before, rows_max).await?;
            }
            if let Some(before) = prune.pruned_before {
                pruned.requests = forget_requests(&mut write, before, rows_max).await?;
            }
            pruned.deleted = delete_jobs(&mut write, rows_max).await?;
            if let Some(before) = prune.delivered_before {
                pruned.deliveries = forget_deliveries(&mut write, before, rows_max).await?;
            }
            if let Some(before) = prune.seen_before {
                pruned.processes = prune_processes(&mut write, before, rows_max).await?;
            }
            if let Some(before) = prune.audited_before {
                pruned.audit_entries = prune_audit(&mut write, before, rows_max).await?;
            }
            write.commit("prune.commit", "prune.committed").await?;
            Ok(pruned)
        })
        .await
    }
}

async fn take_off_the_lists<W: Write>(write: &mut W, before: Millis, rows_max: u32) -> Result<u64, StoreError> {
    let old = write.all("prune.find_jobs", prune::OLD_JOBS, values![before, rows_max], id).await?;
    if old.is_empty() {
        return Ok(0);
    }
    lock_slices(write, "prune.lock_slices", old.clone()).await?;
    let ids = write.all("prune.jobs", prune::JOBS, values![write.now(), old, before], id).await?;
    let pruned = ids.len() as u64;
    write.execute("prune.slices", prune::SLICES, values![ids]).await?;
    Ok(pruned)
}

async fn forget_requests<W: Write>(write: &mut W, before: Millis, rows_max: u32) -> Result<u64, StoreError> {
    let ids = write.all("prune.names", prune::FORGET_REQUESTS, values![before, rows_max], id).await?;
    write.execute("prune.requests", prune::REQUESTS, values![ids]).await
}

/// Deletes pruned jobs. A job with puzzles stays, because its spec and seed can make them again.
async fn delete_jobs<W: Write>(write: &mut W, rows_max: u32) -> Result<u64, StoreError> {
    write.execute("prune.delete_jobs", prune::DELETE_JOBS, values![rows_max]).await
}

/// Delivery ids rise with time, so each call searches by id from where the last call stopped. An index by time would
/// slow every delivery.
async fn forget_deliveries<W: Write>(write: &mut W, before: Millis, rows_max: u32) -> Result<u64, StoreError> {
    let found = write.all("prune.read_deliveries", prune::DELIVERIES_AFTER, values![rows_max], seen).await?;
    // At the end, the search restarts from the first row, because the id of a deleted delivery may be used again.
    let is_at_the_end = found.is_empty();
    let old: Vec<_> = found.into_iter().take_while(|seen| seen.at < before).collect();
    let Some(last) = old.last().map(|seen| seen.id).or(is_at_the_end.then_some(0)) else { return Ok(0) };
    let ids: Vec<_> = old.iter().filter(|seen| !seen.is_kept).map(|seen| seen.id).collect();
    let forgotten = write.execute("prune.deliveries", prune::DELIVERIES, values![ids]).await?;
    write.execute("prune.seen", prune::SEEN_DELIVERY, values![last]).await?;
    Ok(forgotten)
}

/// Deletes rows of processes. A process that still runs adds its row again.
async fn prune_processes<W: Write>(write: &mut W, before: Millis, rows_max: u32) -> Result<u64, StoreError> {
    write.execute("prune.processes", prune::PROCESSES, values![before, rows_max]).await
}

async fn prune_audit<W: Write>(write: &mut W, before: Millis, rows_max: u32) -> Result<u64, StoreError> {
    write.execute("prune.audit", prune::AUDIT, values![before, rows_max]).await
}

/// A delivery that the search has read.
struct Seen {
    id: i64,
    at: Millis,
    /// Whether it is of a daily puzzle, or a call recorded it.
    is_kept: bool,
}

fn seen(row: &impl Columns) -> Result<Seen, StoreError> {
    let row = Reading::new(row, "deliveries")?;
    let name: Option<&str> = row.get("name")?;
    let is_of_a_day = name.is_some_and(|name| name.starts_with(DAY));
    let is_kept = is_of_a_day || row.get("recorded")?;
    Ok(Seen { id: row.id(), at: row.instant("created_at")?, is_kept })
}
