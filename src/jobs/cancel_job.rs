//! `CancelJob`: cancels a job, and the work on it.

use super::{found, job_id};
use crate::calls::{Asked, Reply, Service, actor_of};
use puzzled_api::v1 as pb;
use puzzled_store::jobs::job::Cancelled;

impl Service {
    pub(crate) async fn cancel_job(&self, request: &Asked<pb::CancelJobRequest>) -> Reply<pb::CancelJobResponse> {
        let by = actor_of(request, "CancelJob")?;
        let id = request.get_ref().clone().id;
        let job = match self.queue.cancel(job_id(&id)?, &by).await? {
            Cancelled::Job(job) => Some(*job),
            Cancelled::NotOwn => return Err(self.not_own(id, by)),
            Cancelled::NoJob => None,
        };
        Ok(pb::CancelJobResponse { job: Some(found(job, id)?) })
    }
}
