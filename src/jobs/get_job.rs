//! `GetJob`: gets a job by its ID.

use super::{found, job_id};
use crate::calls::{Asked, Reply, Service};
use puzzled_api::v1 as pb;

impl Service {
    pub(crate) async fn get_job(&self, request: &Asked<pb::GetJobRequest>) -> Reply<pb::GetJobResponse> {
        let id = request.get_ref().clone().id;
        let job = self.queue.store().job(job_id(&id)?).await?;
        Ok(pb::GetJobResponse { job: Some(found(job, id)?) })
    }
}
