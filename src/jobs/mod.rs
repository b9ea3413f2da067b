//! The methods of `JobService`, one in each file. `new_job` and `job_message` also serve methods of other services that queue jobs.

mod get_job;
mod list_jobs;
mod watch_job;

mod cancel_job;
mod retry_job;

mod get_queue;
mod pause_queue;
mod resume_queue;

mod job_message;
mod new_job;

use crate::{
    calls::{Service, ServiceError},
    wire::required_id,
};
use puzzled_api::v1 as pb;
use puzzled_base::ids::JobId;
use puzzled_store::{access::actor::Actor, jobs::job::Job};

pub(crate) use job_message::job_message;

fn job_id(id: &str) -> Result<JobId, ServiceError> {
    required_id(id, "a job", ServiceError::JobNotFound)
}

fn found(job: Option<Job>, id: String) -> Result<pb::Job, ServiceError> {
    job.map(job_message).ok_or(ServiceError::JobNotFound(id))
}

impl Service {
    /// The error for a job that another principal queued. It counts as a denied call.
    fn not_own(&self, job: String, by: Actor) -> ServiceError {
        self.denials.note(by);
        ServiceError::NotOwnJob(job)
    }
}
