//! The life of the planner: look at the targets every second, queue what is missing, and tell the workers.

use std::{sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;

use crate::{queue::Queue, stock::Stock};

/// Time between two looks.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Plans refills until `shutdown` is raised. Every process may do so, with workers or without.
pub async fn plan_refills(stock: Arc<Stock>, queue: Arc<Queue>, shutdown: CancellationToken) {
    let plan = async {
        loop {
            match stock.planner().plan().await {
                Ok(changed) => {
                    for job in changed {
                        let (state, error) = (job.state.name(), &job.error);
                        tracing::info!(job = %job.id, state, wanted = job.wanted, error, "a refill was planned or ended");
                        queue.announce(&job);
                    }
                }
                // Nothing is planned any more, and the move was logged.
                Err(error) if error.moved().is_some() => return,
                Err(error) => tracing::warn!(%error, "refills could not be planned"),
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    // A store call that is dropped half-way has changed nothing.
    let _: Option<()> = shutdown.run_until_cancelled(plan).await;
}
