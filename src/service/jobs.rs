//! Handlers of `JobService`.

use std::sync::Arc;

use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use super::{
    Service,
    errors::{Invalid, ServiceError},
    page_token,
    parse::Checks,
    render, watch,
};
use crate::{
    proto::v1::{self as pb, job_service_server::JobService},
    store::job::{Job, JobFilter, JobId},
};

/// What page tokens of `ListJobs` are bound to, beside the criteria.
const LIST: &str = "jobs";

#[tonic::async_trait]
impl JobService for Service {
    type WatchJobStream = ReceiverStream<Result<pb::WatchJobResponse, Status>>;

    async fn get_job(&self, request: Request<pb::GetJobRequest>) -> Result<Response<pb::GetJobResponse>, Status> {
        let id = request.into_inner().id;
        let job = self.queue.job(job_id(&id)?).await.map_err(ServiceError::Store)?;
        Ok(Response::new(pb::GetJobResponse { job: Some(found(job, id)?) }))
    }

    async fn list_jobs(&self, request: Request<pb::ListJobsRequest>) -> Result<Response<pb::ListJobsResponse>, Status> {
        Ok(Response::new(self.page_of_jobs(request.into_inner()).await?))
    }

    async fn watch_job(&self, request: Request<pb::WatchJobRequest>) -> Result<Response<Self::WatchJobStream>, Status> {
        let watcher = self.watcher(&request, "jobs and stocks being watched")?;
        let id = request.into_inner().id;
        let known = job_id(&id)?;
        // Listen before the first read, else a change that lands between is missed.
        let events = self.queue.events();
        let job = self.queue.job(known).await.map_err(ServiceError::Store)?;
        let job = job.ok_or(ServiceError::JobNotFound(id))?;
        Ok(Response::new(watch::job(watcher, Arc::clone(&self.queue), events, job)))
    }

    async fn cancel_job(
        &self,
        request: Request<pb::CancelJobRequest>,
    ) -> Result<Response<pb::CancelJobResponse>, Status> {
        let id = request.into_inner().id;
        let job = self.queue.cancel(job_id(&id)?).await.map_err(ServiceError::Store)?;
        Ok(Response::new(pb::CancelJobResponse { job: Some(found(job, id)?) }))
    }

    async fn retry_job(&self, request: Request<pb::RetryJobRequest>) -> Result<Response<pb::RetryJobResponse>, Status> {
        let id = request.into_inner().id;
        let job = self.queue.retry(job_id(&id)?).await.map_err(ServiceError::Store)?;
        Ok(Response::new(pb::RetryJobResponse { job: Some(found(job, id)?) }))
    }

    async fn get_queue(
        &self,
        _request: Request<pb::GetQueueRequest>,
    ) -> Result<Response<pb::GetQueueResponse>, Status> {
        let state = self.queue.state().await.map_err(ServiceError::Store)?;
        Ok(Response::new(pb::GetQueueResponse { queue: Some(render::queue::queue(state)) }))
    }

    async fn pause_queue(
        &self,
        request: Request<pb::PauseQueueRequest>,
    ) -> Result<Response<pb::PauseQueueResponse>, Status> {
        let reason = request.into_inner().reason;
        let mut checks = Checks::default();
        checks.optional_reason(&reason);
        checks.done()?;
        let state = self.queue.pause(&reason).await.map_err(ServiceError::Store)?;
        Ok(Response::new(pb::PauseQueueResponse { queue: Some(render::queue::queue(state)) }))
    }

    async fn resume_queue(
        &self,
        _request: Request<pb::ResumeQueueRequest>,
    ) -> Result<Response<pb::ResumeQueueResponse>, Status> {
        let state = self.queue.resume().await.map_err(ServiceError::Store)?;
        Ok(Response::new(pb::ResumeQueueResponse { queue: Some(render::queue::queue(state)) }))
    }
}

fn job_id(id: &str) -> Result<JobId, ServiceError> {
    if id.is_empty() {
        return Err(Invalid::one("id", "\"\" where the id of a job is required".to_owned()));
    }
    id.parse().map_err(|()| ServiceError::JobNotFound(id.to_owned()))
}

fn found(job: Option<Job>, id: String) -> Result<pb::Job, ServiceError> {
    job.map(render::job::job).ok_or(ServiceError::JobNotFound(id))
}

impl Service {
    async fn page_of_jobs(&self, request: pb::ListJobsRequest) -> Result<pb::ListJobsResponse, ServiceError> {
        let mut checks = Checks::default();
        let filter = JobFilter {
            states: checks.states(&request.states),
            kind: checks.kind(request.kind).map(|kind| kind.name().to_owned()),
            labels: request.labels.clone(),
            target_id: checks.target_id(&request.target_id),
        };
        checks.labels(&request.labels);
        let size = checks.page_size(request.page_size, &self.limits);
        let criteria = pb::ListJobsRequest { page_size: 0, page_token: String::new(), ..request.clone() };
        let before = checks.page_token(LIST, &criteria, &request.page_token);
        checks.done()?;

        // One more than the page holds tells whether there is a next one.
        let mut found = self.queue.jobs(&filter, before.map(JobId), size + 1).await?;
        let has_next = found.len() > size as usize;
        found.truncate(size as usize);
        let last = found.last().filter(|_| has_next).map(|last| page_token::write(LIST, &criteria, last.id.0));
        Ok(pb::ListJobsResponse {
            jobs: found.into_iter().map(render::job::job).collect(),
            next_page_token: last.unwrap_or_default(),
        })
    }
}
