//! `Refill`: queues a job that fills a stock target, at once.

use std::sync::Arc;

use super::target_id;
use crate::{
    calls::{Asked, Reply, Service, ServiceError, actor_of},
    jobs::job_message,
};
use puzzled_api::v1 as pb;
use puzzled_store::{access::actor::Actor, jobs::job::Job, targets::target::Refilled};

impl Service {
    pub(crate) async fn refill(&self, request: &Asked<pb::RefillRequest>) -> Reply<pb::RefillResponse> {
        let by = actor_of(request, "Refill")?;
        let job = self.refill_now(request.get_ref().clone(), by).await?;
        Ok(pb::RefillResponse { job: job.map(job_message) })
    }

    /// The job that fills a target; `None` if the target is full.
    async fn refill_now(&self, request: pb::RefillRequest, by: Actor) -> Result<Option<Job>, ServiceError> {
        let pb::RefillRequest { id } = request;
        let planner = self.stock.planner();
        let settings = self.settings();
        match planner.refill(target_id(&id)?, Arc::new(by)).await? {
            Refilled::Queued(job) => {
                let stock_target = job.target_id.map(tracing::field::display);
                tracing::info!(stock_target, job = %job.id, spec = job.spec.words(), count = job.wanted, "refill queued");
                self.queue.announce(&job);
                Ok(Some(job))
            }
            Refilled::Open(job) => Ok(Some(job)),
            Refilled::Enough { .. } => Ok(None),
            Refilled::RefillsFull { open } => Err(ServiceError::RefillsFull { open, max: settings.stock.max_refills }),
            Refilled::BacklogFull { open } => Err(ServiceError::backlog_full(open, settings.queue.max_open_jobs)),
            Refilled::StockFull(full) => Err(ServiceError::StockFull(full)),
            Refilled::OverQuota(over) => Err(ServiceError::OverQuota(over)),
            Refilled::NoTarget => Err(ServiceError::TargetNotFound(id)),
            Refilled::Overtaken | Refilled::Paused => {
                Err(ServiceError::Internal("a refill by hand was taken for a planned one".to_owned()))
            }
        }
    }
}
