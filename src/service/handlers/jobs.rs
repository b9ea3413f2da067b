//! Handlers of `JobService`: get, list, watch, cancel, and retry jobs; read, pause, and resume the queue.

use std::sync::Arc;

use tonic::Request;

use super::{Reply, watch};
use crate::{
    calls::{errors::ServiceError, limits::streams::Stream, open::actor_of, service::Service},
    service::{parse, render},
};
use puzzled_api::v1 as pb;
use puzzled_store::{
    access::actor::Actor,
    ids::JobId,
    jobs::job::{Cancelled, Job, Retried},
};

impl Service {
    pub(crate) async fn get_job(&self, request: &Request<pb::GetJobRequest>) -> Reply<pb::GetJobResponse> {
        let id = request.get_ref().clone().id;
        let job = self.queue.store().job(parse::job_id(&id)?).await?;
        Ok(pb::GetJobResponse { job: Some(found(job, id)?) })
    }

    pub(crate) async fn list_jobs(&self, request: &Request<pb::ListJobsRequest>) -> Reply<pb::ListJobsResponse> {
        let (filter, page) = parse::jobs(request.get_ref(), &self.settings().limits)?;
        let jobs = self.queue.store().jobs(&filter, page.after.map(JobId), page.reads()).await?;
        let (jobs, next_page_token) = page.cut(jobs, |job| job.id.0);
        let jobs = jobs.into_iter().map(render::job::job).collect();
        Ok(pb::ListJobsResponse { jobs, next_page_token })
    }

    pub(crate) async fn watch_job(
        &self,
        request: &Request<pb::WatchJobRequest>,
    ) -> Reply<Stream<pb::WatchJobResponse>> {
        let opened = self.watch(request)?;
        let id = request.get_ref().clone().id;
        let known = parse::job_id(&id)?;
        // Subscribe before the first read. Otherwise the stream would miss a change in between.
        let events = self.queue.events();
        let job = self.queue.store().job(known).await?;
        let job = job.ok_or(ServiceError::JobNotFound(id))?;
        Ok(watch::job(opened, Arc::clone(&self.queue), events, job))
    }

    pub(crate) async fn cancel_job(&self, request: &Request<pb::CancelJobRequest>) -> Reply<pb::CancelJobResponse> {
        let by = actor_of(request, "CancelJob")?;
        let id = request.get_ref().clone().id;
        let job = match self.queue.cancel(parse::job_id(&id)?, &by).await? {
            Cancelled::Job(job) => Some(*job),
            Cancelled::NotOwn => return Err(self.not_own(id, by)),
            Cancelled::NoJob => None,
        };
        Ok(pb::CancelJobResponse { job: Some(found(job, id)?) })
    }

    pub(crate) async fn retry_job(&self, request: &Request<pb::RetryJobRequest>) -> Reply<pb::RetryJobResponse> {
        let by = actor_of(request, "RetryJob")?;
        let id = request.get_ref().clone().id;
        let job = match self.queue.retry(parse::job_id(&id)?, &by).await? {
            Retried::Job(job) => Some(*job),
            Retried::NotOwn => return Err(self.not_own(id, by)),
            Retried::NoJob => None,
            Retried::StockFull(full) => return Err(ServiceError::StockFull(full)),
            Retried::OverQuota(over) => return Err(ServiceError::OverQuota(over)),
        };
        Ok(pb::RetryJobResponse { job: Some(found(job, id)?) })
    }

    pub(crate) async fn get_queue(&self, _request: &Request<pb::GetQueueRequest>) -> Reply<pb::GetQueueResponse> {
        let state = self.queue.store().queue_state().await?;
        Ok(pb::GetQueueResponse { queue: Some(render::job::queue(state)) })
    }

    pub(crate) async fn pause_queue(&self, request: &Request<pb::PauseQueueRequest>) -> Reply<pb::PauseQueueResponse> {
        let by = actor_of(request, "PauseQueue")?;
        let reason = parse::pause_reason(request.get_ref().clone().reason)?;
        let state = self.queue.pause(&reason, &by).await?;
        Ok(pb::PauseQueueResponse { queue: Some(render::job::queue(state)) })
    }

    pub(crate) async fn resume_queue(
        &self,
        request: &Request<pb::ResumeQueueRequest>,
    ) -> Reply<pb::ResumeQueueResponse> {
        let by = actor_of(request, "ResumeQueue")?;
        let state = self.queue.resume(&by).await?;
        Ok(pb::ResumeQueueResponse { queue: Some(render::job::queue(state)) })
    }
}

impl Service {
    /// The error for a job that another principal queued. It counts as a denied call.
    fn not_own(&self, job: String, by: Actor) -> ServiceError {
        self.denials.note(by);
        ServiceError::NotOwnJob(job)
    }
}

fn found(job: Option<Job>, id: String) -> Result<pb::Job, ServiceError> {
    job.map(render::job::job).ok_or(ServiceError::JobNotFound(id))
}
