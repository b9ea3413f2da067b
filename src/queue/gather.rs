//! One task queues jobs for all callers: while it commits some, further ones gather, and the next commit takes them all. What
//! a commit waits for the disk is waited for once.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use crate::store::{
    Store, StoreError,
    job::{Enqueued, NewJob},
};

/// Callers that may wait; further ones wait for a place among them.
const WAITING_MAX: usize = 1_024;

/// Jobs that one commit takes.
const BATCH_MAX: usize = 128;

/// The way to the task.
#[derive(Debug)]
pub(super) struct Gather {
    requests: mpsc::Sender<Request>,
}

#[derive(Debug)]
struct Request {
    job: NewJob,
    reply: oneshot::Sender<Result<Enqueued, Arc<StoreError>>>,
}

impl Gather {
    /// Starts the task; it ends with the queue.
    pub(super) fn start(store: Arc<dyn Store>, open_jobs_max: u32) -> Self {
        let (requests, inbox) = mpsc::channel(WAITING_MAX);
        tokio::spawn(serve(store, open_jobs_max, inbox));
        Self { requests }
    }

    /// Queues a job together with those of other callers. A caller who goes away may have queued it all the same.
    pub(super) async fn enqueue(&self, job: NewJob) -> Result<Enqueued, StoreError> {
        let (reply, answer) = oneshot::channel();
        let gone = || StoreError::Unavailable(sqlx::Error::WorkerCrashed);
        self.requests.send(Request { job, reply }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?.map_err(StoreError::Shared)
    }
}

async fn serve(store: Arc<dyn Store>, open_jobs_max: u32, mut inbox: mpsc::Receiver<Request>) {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    while inbox.recv_many(&mut batch, BATCH_MAX).await > 0 {
        await_who_comes(&mut inbox, &mut batch).await;
        // Whoever hung up before its turn gets no job.
        batch.retain(|request| !request.reply.is_closed());
        let (jobs, replies): (Vec<_>, Vec<_>) = batch.drain(..).map(|request| (request.job, request.reply)).unzip();
        match store.enqueue_all(&jobs, open_jobs_max).await {
            Ok(enqueued) => {
                for (reply, enqueued) in replies.into_iter().zip(enqueued) {
                    let _ = reply.send(Ok(enqueued));
                }
            }
            Err(error) => {
                let error = Arc::new(error);
                for reply in replies {
                    let _ = reply.send(Err(Arc::clone(&error)));
                }
            }
        }
    }
}

/// Lets those join who are on their way, such as callers who have just been answered and ask again: else two halves of them
/// would take turns. Ends as soon as nobody has come.
async fn await_who_comes(inbox: &mut mpsc::Receiver<Request>, batch: &mut Vec<Request>) {
    let mut before = 0;
    while before < batch.len() && batch.len() < BATCH_MAX {
        before = batch.len();
        tokio::task::yield_now().await;
        while batch.len() < BATCH_MAX
            && let Ok(request) = inbox.try_recv()
        {
            batch.push(request);
        }
    }
}
