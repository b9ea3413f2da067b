//! Workers: each claims slices, works on them on its own CPU thread, and commits the results. Also the background tasks
//! of every process, which watch the growth of the stock, renew the process's row, and prune; and those of servers, which
//! plan refills.

mod cpu;
mod growth;
mod lease_loop;
mod planning;
mod presence;
mod slice;

use std::{num::NonZeroU32, sync::Arc, time::Duration};

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::{settings::CurrentSettings, telemetry::Telemetry};
use lease_loop::LeaseLoop;
use puzzled_base::{clock::Clock, lasting::Lasting, log_lasting};
use puzzled_store::jobs::{policy::PRUNED_AT_ONCE, queue::Queue};

pub use growth::GrowthWatch;
pub use planning::plan_refills;
pub use presence::Presence;

/// The workers of a process.
#[derive(Debug)]
pub struct Workers(JoinSet<()>);

impl Workers {
    /// Starts `count` workers, each named by this process's name and a number. When `shutdown` is cancelled, they stop
    /// and commit their work, so that other workers can resume it.
    ///
    /// # Errors
    /// If the operating system cannot create a thread.
    pub fn start(
        count: NonZeroU32,
        process: &str,
        queue: &Arc<Queue>,
        clock: &Arc<dyn Clock>,
        telemetry: &Arc<Telemetry>,
        shutdown: &CancellationToken,
    ) -> std::io::Result<Self> {
        let mut workers = JoinSet::new();
        for number in 1..=count.get() {
            let cpu = cpu::CpuThread::start(number, Arc::clone(clock))?;
            let name = format!("{process}-{number}");
            let lease_loop = LeaseLoop::new(name, Arc::clone(queue), cpu, Arc::clone(telemetry), shutdown.clone());
            workers.spawn(lease_loop.run());
        }
        Ok(Self(workers))
    }

    /// Waits until all workers have stopped.
    pub async fn stopped(mut self) {
        while let Some(ended) = self.0.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "worker stopped by a fault");
            }
        }
    }
}

/// The time between two rounds of pruning.
const PRUNE_EVERY: Duration = Duration::from_secs(10);

/// The pause between two rounds while rows are left, so that other writes are not delayed.
const NEXT_BATCH_AFTER: Duration = Duration::from_millis(200);

/// Prunes the database by the current retention: deletes rows past their retention, a bounded number at a time. Every process does this,
/// `serve` and `work`: each round is one write, which finds the rows that other processes have left.
pub async fn keep_up(queue: Arc<Queue>, settings: Arc<CurrentSettings>) {
    let mut failing = Lasting::default();
    loop {
        let pruned = log_lasting!(
            failing, queue.prune(|now| settings.get().retention.prune(now)).await,
            begins: "rows not pruned; pruning retries every 10 seconds",
            ends: "rows pruned again after failures"
        );
        let pruned = pruned.unwrap_or_default();
        if pruned.most() > 0 {
            let (jobs, requests, deliveries) = (pruned.jobs, pruned.requests, pruned.deliveries);
            let (processes, audit_entries) = (pruned.processes, pruned.audit_entries);
            tracing::info!(jobs, requests, deliveries, processes, audit_entries, "rows pruned");
        }
        let are_left = pruned.most() >= PRUNED_AT_ONCE.into();
        tokio::time::sleep(if are_left { NEXT_BATCH_AFTER } else { PRUNE_EVERY }).await;
    }
}
