//! `BatchGenerate`: queues the jobs of several `Generate` requests, all of them or none.

use std::sync::Arc;

use super::may_batch;
use crate::{
    calls::{Asked, Reply, Service, ServiceError, actor_of},
    jobs::job_message,
    wire::each,
};
use puzzled_api::v1 as pb;
use puzzled_store::jobs::admission::{Batch, Refusal};

impl Service {
    pub(crate) async fn batch_generate(
        &self,
        request: &Asked<pb::BatchGenerateRequest>,
    ) -> Reply<pb::BatchGenerateResponse> {
        let by = Arc::new(actor_of(request, "BatchGenerate")?);
        let (settings, requests) = (self.settings(), &request.get_ref().requests);
        may_batch(requests.len(), &settings.limits)?;
        let jobs = each("requests", requests.iter().cloned(), |request| self.new_job(request, &by))?;
        match self.queue.enqueue_batch(&jobs).await? {
            Batch::Queued(jobs) => Ok(pb::BatchGenerateResponse { jobs: jobs.into_iter().map(job_message).collect() }),
            Batch::Refused { index, why: Refusal::BacklogFull { open } } => {
                let (counted, max) = ("queued, running, or earlier in the batch", settings.queue.max_open_jobs);
                Err(ServiceError::BacklogFull { open, counted, max }.in_batch(index))
            }
            Batch::Refused { index, why } => {
                Err(self.job_refused(why, requests[index].request_id.clone()).in_batch(index))
            }
        }
    }
}
