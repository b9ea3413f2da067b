//! The upkeep of a database: what is no longer to be kept is cleared away, a bounded part at a time.

use std::{sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;

use crate::{
    live::Live,
    queue::{
        Queue,
        policy::{PRUNED_AT_ONCE, Retention},
    },
};

/// Time between two looks.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// Rest where there is more to clear away, so that others come to write too.
const REST: Duration = Duration::from_millis(200);

/// Clears away what is old until `shutdown` is raised, by the retention of each moment. Every process may do so: each turn is one write, which finds what
/// others have left.
pub async fn keep_up(queue: Arc<Queue>, retention: Arc<Live<Retention>>, shutdown: CancellationToken) {
    let work = async {
        loop {
            let rest = match queue.prune(&retention.get()).await {
                Ok(pruned) => {
                    if pruned.most() > 0 {
                        let (jobs, requests, deliveries) = (pruned.jobs, pruned.requests, pruned.deliveries);
                        let processes = pruned.processes;
                        tracing::info!(
                            jobs,
                            requests,
                            deliveries,
                            processes,
                            "what is no longer kept was cleared away"
                        );
                    }
                    if pruned.most() >= PRUNED_AT_ONCE.into() { REST } else { LOOK_EVERY }
                }
                // Nothing of it is kept up any more, and its move was logged.
                Err(error) if error.moved().is_some() => return,
                Err(error) => {
                    tracing::warn!(%error, "what is no longer kept could not be cleared away");
                    LOOK_EVERY
                }
            };
            tokio::time::sleep(rest).await;
        }
    };
    // A store call that is dropped half-way has changed nothing.
    let _: Option<()> = shutdown.run_until_cancelled(work).await;
}
