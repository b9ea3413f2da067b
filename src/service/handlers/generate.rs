//! `Generate` and `BatchGenerate`: parses requests and queues their jobs. A batch queues all of its jobs or none.

use std::sync::Arc;

use crate::{
    calls::{
        errors::{ServiceError, fields::Invalid},
        service::Service,
    },
    service::{
        parse::{self, FAULTS_MAX},
        render,
    },
    settings::QueueSettings,
};
use puzzled_api::v1 as pb;
use puzzled_store::{
    access::actor::Actor,
    jobs::admission::{Batch, Enqueued, Refusal},
};

impl Service {
    pub(super) async fn queue_job(
        &self,
        request: pb::GenerateRequest,
        by: Arc<Actor>,
    ) -> Result<pb::Job, ServiceError> {
        let request_id = request.request_id.clone();
        let new_job = parse::new_job(request, self.job_setting(&self.settings().queue, &by))?;
        match self.queue.enqueue(new_job).await? {
            Enqueued::New(job) | Enqueued::Same(job) => Ok(render::job::job(job)),
            Enqueued::Refused(why) => Err(self.job_refused(why, request_id)),
        }
    }

    /// Queues all jobs of a batch or none.
    pub(super) async fn queue_batch(
        &self,
        requests: Vec<pb::GenerateRequest>,
        by: &Arc<Actor>,
    ) -> Result<Vec<pb::Job>, ServiceError> {
        let settings = self.settings();
        parse::batch(requests.len(), &settings.limits)?;
        let names: Vec<_> = requests.iter().map(|request| request.request_id.clone()).collect();
        let (mut jobs, mut faults, mut unsupported) = (Vec::new(), Vec::new(), None);
        for (index, request) in requests.into_iter().enumerate() {
            match parse::new_job(request, self.job_setting(&settings.queue, by)) {
                Ok(job) => jobs.push(job),
                Err(ServiceError::Invalid(Invalid(fields))) => faults
                    .extend(fields.into_iter().map(|(field, why)| (format!("requests[{index}].{field}").into(), why))),
                Err(error) => unsupported = unsupported.or_else(|| Some(error.in_batch(index))),
            }
        }
        if !faults.is_empty() {
            faults.truncate(FAULTS_MAX);
            return Err(ServiceError::Invalid(Invalid(faults)));
        }
        if let Some(error) = unsupported {
            return Err(error);
        }
        match self.queue.enqueue_batch(&jobs).await? {
            Batch::Queued(jobs) => Ok(jobs.into_iter().map(render::job::job).collect()),
            Batch::Refused { index, why: Refusal::BacklogFull { open } } => {
                let (counted, max) = ("queued, running, or earlier in the batch", settings.queue.max_open_jobs);
                Err(ServiceError::BacklogFull { open, counted, max }.in_batch(index))
            }
            Batch::Refused { index, why } => Err(self.job_refused(why, names[index].clone()).in_batch(index)),
        }
    }

    /// The error of a job that was not queued. `request_id` is that of its request.
    pub(super) fn job_refused(&self, why: Refusal, request_id: String) -> ServiceError {
        match why {
            Refusal::OtherRequest { job, differs } => ServiceError::RequestIdReused { request_id, job, differs },
            Refusal::SameName { first, differs } => ServiceError::RequestIdTwice { request_id, first, differs },
            Refusal::StockFull(full) => ServiceError::StockFull(full),
            Refusal::OverQuota(over) => ServiceError::OverQuota(over),
            Refusal::BacklogFull { open } => ServiceError::backlog_full(open, self.settings().queue.max_open_jobs),
        }
    }

    fn job_setting<'a>(&'a self, queue: &'a QueueSettings, by: &'a Arc<Actor>) -> parse::Setting<'a> {
        parse::Setting { queue, chance: &self.chance, now: self.clock.now(), by }
    }
}
