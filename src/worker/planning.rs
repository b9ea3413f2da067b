//! Runs the planner every second: queues and ends refills, and logs targets that become unreachable or reachable again.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;

use crate::{
    lasting::Lasting,
    queue::Queue,
    stock::{
        Stock,
        targets::{need::Need, outlook::Outlook},
    },
    store::{
        StoreError,
        job::{Job, JobState},
        target::TargetId,
    },
};

/// The time between two plans.
const TURN_EVERY: Duration = Duration::from_secs(1);

/// Plans refills until `shutdown` is raised. Every process does this, with or without workers.
pub async fn plan_refills(stock: Arc<Stock>, queue: Arc<Queue>, shutdown: CancellationToken) {
    let plan = async {
        let (mut unreachable, mut failing) = (BTreeSet::new(), Lasting::default());
        loop {
            match turn(&stock, &mut unreachable).await {
                Ok(changed) => {
                    if let Some(failures) = failing.succeeded() {
                        tracing::info!(failures, "refills planned again after failures");
                    }
                    for job in changed {
                        log(&job);
                        queue.announce(&job);
                    }
                }
                // Nothing is planned for a moved database. The move was logged.
                Err(error) if error.moved().is_some() => return,
                Err(error) => {
                    if failing.failed() {
                        tracing::warn!(%error, "refills not planned; the planner retries every second");
                    }
                }
            }
            tokio::time::sleep(TURN_EVERY).await;
        }
    };
    // A store call that is dropped halfway has changed nothing.
    let _: Option<()> = shutdown.run_until_cancelled(plan).await;
}

/// Plans once. Returns the jobs that were queued or ended.
async fn turn(stock: &Stock, unreachable: &mut BTreeSet<TargetId>) -> Result<Vec<Job>, StoreError> {
    let outlooks = stock.planner().outlooks().await?;
    log_unreachable(&outlooks, unreachable);
    stock.planner().act(outlooks).await
}

fn log(job: &Job) {
    let stock_target = job.target_id.map(tracing::field::display);
    let spec = job.spec.words();
    if job.state == JobState::Queued {
        tracing::info!(stock_target, job = %job.id, spec, count = job.wanted, "refill planned");
    } else {
        let state = job.state.name();
        tracing::info!(stock_target, job = %job.id, spec, state, made = job.made, of = job.wanted, error = job.error, "refill ended");
    }
}

/// Logs each target once when it becomes unreachable, and once when it is reachable again.
fn log_unreachable(outlooks: &[Outlook], known: &mut BTreeSet<TargetId>) {
    for outlook in outlooks {
        let (id, spec) = (outlook.target.id, outlook.target.wish.spec.words());
        if outlook.need == Need::Unreachable {
            if known.insert(id) {
                let tries = outlook.rate.as_ref().map_or(0, |rate| rate.tries);
                tracing::warn!(
                    stock_target = %id,
                    spec,
                    tries,
                    refusal = outlook.refusal,
                    "stock target became unreachable: widen its ratings, raise max_tries, or delete it"
                );
            }
        } else if known.remove(&id) {
            tracing::info!(stock_target = %id, spec, "stock target became reachable again");
        }
    }
    known.retain(|id| outlooks.iter().any(|outlook| outlook.target.id == *id));
}
