//! Workers: each claims slices, works on them on its own CPU thread, and commits the results. Also the background tasks
//! of every process, which watch the growth of the stock, renew the process's row, and prune; and those of servers, which
//! plan refills.

mod cpu;
mod growth;
mod lease_loop;
mod planning;
mod presence;
mod slice;
mod upkeep;

use std::{num::NonZeroU32, sync::Arc};

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::{queue::Queue, system::clock::Clock, telemetry::Telemetry};
use lease_loop::LeaseLoop;

pub use growth::GrowthWatch;
pub use planning::plan_refills;
pub use presence::Presence;
pub use upkeep::keep_up;

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
