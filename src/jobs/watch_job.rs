//! `WatchJob`: sends a job after each change, until it has finished.

use std::{sync::Arc, time::Duration};

use super::{job_id, job_message};
use crate::calls::{Asked, Messages, POLL_EVERY, Reply, Service, ServiceError, Stream, start_stream};
use puzzled_api::v1 as pb;
use puzzled_base::ids::JobId;
use puzzled_store::jobs::{
    job::Job,
    queue::{Queue, feed::Event},
};
use tokio::sync::broadcast::{self, error::RecvError};

/// The minimum time between two messages about a job.
const GAP: Duration = Duration::from_millis(100);

impl Service {
    pub(crate) async fn watch_job(&self, request: &Asked<pb::WatchJobRequest>) -> Reply<Stream<pb::WatchJobResponse>> {
        let opened = self.open(&self.watchers, self.settings().limits.max_watchers, request)?;
        let id = request.get_ref().clone().id;
        let known = job_id(&id)?;
        // Subscribe before the first read. Otherwise the stream would miss a change in between.
        let events = self.queue.events();
        let job = self.queue.store().job(known).await?.ok_or(ServiceError::JobNotFound(id))?;
        let queue = Arc::clone(&self.queue);
        Ok(start_stream(opened, async move |messages| send(&queue, events, job, &messages).await))
    }
}

/// Sends the job after each change, until it has finished. `events` must have been subscribed to before the job was read.
async fn send(
    queue: &Queue,
    mut events: broadcast::Receiver<Event>,
    mut job: Job,
    messages: &Messages<pb::WatchJobResponse>,
) -> Result<(), ServiceError> {
    loop {
        let (id, is_open) = (job.id, job.state.is_open());
        let sent = job_message(job);
        if messages.send(Ok(pb::WatchJobResponse { job: Some(sent.clone()) })).await.is_err() || !is_open {
            return Ok(());
        }
        tokio::time::sleep(GAP).await;
        job = changed(queue, &mut events, id, &sent).await?;
    }
}

/// The job, as soon as its message differs from the last one sent.
async fn changed(
    queue: &Queue,
    events: &mut broadcast::Receiver<Event>,
    id: JobId,
    sent: &pb::Job,
) -> Result<Job, ServiceError> {
    loop {
        let job = queue.store().job(id).await?.ok_or_else(|| ServiceError::JobNotFound(id.to_string()))?;
        if job_message(job.clone()) != *sent {
            return Ok(job);
        }
        // Wait for an event or the timeout, whichever comes first. A timeout is not a failure.
        let _ = tokio::time::timeout(POLL_EVERY, event_of(events, id)).await;
    }
}

async fn event_of(events: &mut broadcast::Receiver<Event>, id: JobId) {
    loop {
        match events.recv().await {
            Ok(event) if event.job() != id => {}
            // An event of this job, or missed events that may include one.
            Ok(_) | Err(RecvError::Lagged(_)) => return,
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}
