//! Sends the streams of `WatchJob` and `WatchStock`: the job after each change until it ends, and the stock after each
//! change.

use std::{sync::Arc, time::Duration};

use tokio::sync::broadcast::{self, error::RecvError};

use crate::{
    calls::{
        errors::ServiceError,
        limits::streams::{self, Messages, Opened, Stream},
    },
    service::render,
};
use puzzled_api::v1 as pb;
use puzzled_store::{
    ids::JobId,
    jobs::{
        job::Job,
        queue::{Queue, feed::Event},
    },
    stock::{draws::Stock, filter::ShelfFilter},
};

/// The minimum time between two messages about a job.
const GAP: Duration = Duration::from_millis(100);

/// The time between two reads of the store. Changes by other processes are not announced.
const POLL_EVERY: Duration = Duration::from_millis(500);

/// Sends a job until it has finished. `events` must have been subscribed to before the job was read.
pub(super) fn job(
    opened: Opened,
    queue: Arc<Queue>,
    events: broadcast::Receiver<Event>,
    job: Job,
) -> Stream<pb::WatchJobResponse> {
    streams::start(opened, async move |messages| tell_of_job(&queue, events, job, &messages).await)
}

/// Sends a part of the stock.
pub(super) fn stock(opened: Opened, stock: Arc<Stock>, part: ShelfFilter) -> Stream<pb::WatchStockResponse> {
    streams::start(opened, async move |messages| tell_of_stock(&stock, &part, &messages).await)
}

/// Sends the counts after each change. Reads them repeatedly, because changes by other processes are not announced.
async fn tell_of_stock(
    stock: &Stock,
    part: &ShelfFilter,
    messages: &Messages<pb::WatchStockResponse>,
) -> Result<(), ServiceError> {
    let mut told = None;
    loop {
        let shelves = stock.shelves(part).await?;
        let outlooks = stock.planner().outlooks().await?;
        let outlooks = outlooks.into_iter().filter(|outlook| ShelfFilter::of(&outlook.target.wish.spec).meets(part));
        let pb::GetStockResponse { total, levels, targets, .. } =
            render::stock_and_targets::stock(shelves, 0, outlooks);
        let now = pb::WatchStockResponse { total, levels, targets };
        if told.as_ref() != Some(&now) {
            told = Some(now.clone());
            if messages.send(Ok(now)).await.is_err() {
                return Ok(());
            }
        }
        tokio::time::sleep(POLL_EVERY).await;
    }
}

/// Sends the job after each change, until it has finished.
async fn tell_of_job(
    queue: &Queue,
    mut events: broadcast::Receiver<Event>,
    mut job: Job,
    messages: &Messages<pb::WatchJobResponse>,
) -> Result<(), ServiceError> {
    loop {
        let (id, is_open) = (job.id, job.state.is_open());
        let told = render::job::job(job);
        if messages.send(Ok(pb::WatchJobResponse { job: Some(told.clone()) })).await.is_err() || !is_open {
            return Ok(());
        }
        tokio::time::sleep(GAP).await;
        job = changed(queue, &mut events, id, &told).await?;
    }
}

/// The job, as soon as its message differs from the last one sent.
async fn changed(
    queue: &Queue,
    events: &mut broadcast::Receiver<Event>,
    id: JobId,
    told: &pb::Job,
) -> Result<Job, ServiceError> {
    loop {
        let job = queue.store().job(id).await?.ok_or_else(|| ServiceError::JobNotFound(id.to_string()))?;
        if render::job::job(job.clone()) != *told {
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
