//! Prunes the database every 10 seconds: deletes rows past their retention, a bounded number at a time.

use std::{sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;

use crate::{
    base::{lasting::Lasting, live::Live},
    queue::Queue,
    rules::jobs::policy::{PRUNED_AT_ONCE, Retention},
};

/// The time between two rounds.
const PRUNE_EVERY: Duration = Duration::from_secs(10);

/// The pause between two rounds while rows are left, so that other writes are not delayed.
const NEXT_BATCH_AFTER: Duration = Duration::from_millis(200);

/// Prunes by the current retention until `shutdown` is raised. Every process does this, `serve` and `work`: each round is one write, which
/// finds the rows that other processes have left.
pub async fn keep_up(queue: Arc<Queue>, retention: Arc<Live<Retention>>, shutdown: CancellationToken) {
    let work = async {
        let mut failing = Lasting::default();
        loop {
            let wait = match queue.prune(&retention.get()).await {
                Ok(pruned) => {
                    if let Some(failures) = failing.end() {
                        tracing::info!(failures, "rows pruned again after failures");
                    }
                    if pruned.most() > 0 {
                        let (jobs, requests, deliveries) = (pruned.jobs, pruned.requests, pruned.deliveries);
                        let (processes, audit_entries) = (pruned.processes, pruned.audit_entries);
                        tracing::info!(jobs, requests, deliveries, processes, audit_entries, "rows pruned");
                    }
                    if pruned.most() >= PRUNED_AT_ONCE.into() { NEXT_BATCH_AFTER } else { PRUNE_EVERY }
                }
                Err(error) => {
                    if failing.met() {
                        tracing::warn!(%error, "rows not pruned; pruning retries every 10 seconds");
                    }
                    PRUNE_EVERY
                }
            };
            tokio::time::sleep(wait).await;
        }
    };
    // Dropping a store call halfway changes nothing.
    let _: Option<()> = shutdown.run_until_cancelled(work).await;
}
