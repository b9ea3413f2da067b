//! `Generate`: queues a job that makes puzzles.

use std::sync::Arc;

use crate::{
    calls::{Asked, Reply, Service, actor_of},
    jobs::job_message,
};
use puzzled_api::v1 as pb;
use puzzled_store::jobs::admission::Enqueued;

impl Service {
    pub(crate) async fn generate(&self, request: &Asked<pb::GenerateRequest>) -> Reply<pb::GenerateResponse> {
        let by = Arc::new(actor_of(request, "Generate")?);
        let request = request.get_ref().clone();
        let request_id = request.request_id.clone();
        match self.queue.enqueue(self.new_job(request, &by)?).await? {
            Enqueued::New(job) | Enqueued::Same(job) => Ok(pb::GenerateResponse { job: Some(job_message(job)) }),
            Enqueued::Refused(why) => Err(self.job_refused(why, request_id)),
        }
    }
}
