//! `WatchJob`: the job now, after each change, and at its end.

use std::{sync::Arc, time::Duration};

use tokio::sync::{
    OwnedSemaphorePermit,
    broadcast::{self, error::RecvError},
    mpsc,
};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::{convert, deadline::Deadline, errors::ServiceError, streams};
use crate::{
    proto::v1 as pb,
    queue::{Queue, feed::Event},
    store::job::{Job, JobId},
};

/// Time between two messages at least: no person and no program needs more.
const GAP: Duration = Duration::from_millis(100);

/// Time between two looks at the store: changes by other processes are told of by nobody.
const POLL_EVERY: Duration = Duration::from_millis(500);

/// What a watcher watches with.
#[derive(Debug)]
pub(super) struct Watch {
    /// The queue.
    pub(super) queue: Arc<Queue>,
    /// Its events, from before the first read on.
    pub(super) events: broadcast::Receiver<Event>,
    /// When the caller has had enough.
    pub(super) deadline: Option<Deadline>,
    /// When everybody has.
    pub(super) shutdown: CancellationToken,
    /// The watcher's place among those that there may be.
    pub(super) place: OwnedSemaphorePermit,
}

type Messages = mpsc::Sender<Result<pb::WatchJobResponse, Status>>;

/// Watches a job that was just read.
pub(super) fn start(watch: Watch, job: Job) -> ReceiverStream<Result<pb::WatchJobResponse, Status>> {
    let (messages, stream) = mpsc::channel(1);
    tokio::spawn(run(watch, job, messages));
    ReceiverStream::new(stream)
}

async fn run(watch: Watch, job: Job, messages: Messages) {
    let Watch { queue, events, deadline, shutdown, place } = watch;
    let _place = place;
    streams::run(&messages, deadline, &shutdown, tell(&queue, events, job, &messages)).await;
}

/// Sends the job whenever it has changed, until it has ended.
async fn tell(
    queue: &Queue,
    mut events: broadcast::Receiver<Event>,
    mut job: Job,
    messages: &Messages,
) -> Result<(), ServiceError> {
    loop {
        let (id, is_open) = (job.id, job.state.is_open());
        let told = convert::job::job(job);
        if messages.send(Ok(pb::WatchJobResponse { job: Some(told.clone()) })).await.is_err() || !is_open {
            return Ok(());
        }
        tokio::time::sleep(GAP).await;
        job = changed(queue, &mut events, id, &told).await?;
    }
}

/// The job as soon as it differs from what was told of it; what the wire does not show is no news.
async fn changed(
    queue: &Queue,
    events: &mut broadcast::Receiver<Event>,
    id: JobId,
    told: &pb::Job,
) -> Result<Job, ServiceError> {
    loop {
        let job = queue.job(id).await?.ok_or_else(|| ServiceError::JobNotFound(id.to_string()))?;
        if convert::job::job(job.clone()) != *told {
            return Ok(job);
        }
        // Whichever comes first; a time that has come is no failure.
        let _ = tokio::time::timeout(POLL_EVERY, event_of(events, id)).await;
    }
}

async fn event_of(events: &mut broadcast::Receiver<Event>, id: JobId) {
    loop {
        match events.recv().await {
            Ok(event) if event.job() != id => {}
            // Its own, or some were missed, which may have been its own.
            Ok(_) | Err(RecvError::Lagged(_)) => return,
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}
