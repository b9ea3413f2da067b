//! `RetryJob`: queues a job again, if it failed, was cancelled, or ended early.

use super::{found, job_id};
use crate::calls::{Asked, Reply, Service, ServiceError, actor_of};
use puzzled_api::v1 as pb;
use puzzled_store::jobs::job::Retried;

impl Service {
    pub(crate) async fn retry_job(&self, request: &Asked<pb::RetryJobRequest>) -> Reply<pb::RetryJobResponse> {
        let by = actor_of(request, "RetryJob")?;
        let id = request.get_ref().clone().id;
        let job = match self.queue.retry(job_id(&id)?, &by).await? {
            Retried::Job(job) => Some(*job),
            Retried::NotOwn => return Err(self.not_own(id, by)),
            Retried::NoJob => None,
            Retried::StockFull(full) => return Err(ServiceError::StockFull(full)),
            Retried::OverQuota(over) => return Err(ServiceError::OverQuota(over)),
        };
        Ok(pb::RetryJobResponse { job: Some(found(job, id)?) })
    }
}
