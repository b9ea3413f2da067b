//! One task hands out for all callers: while it waits for the disk, further ones gather, and the next write serves them
//! together.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use crate::store::{
    Store, StoreError,
    delivery::{Delivered, NewDelivery},
};

/// Callers that may wait; further ones wait for a place among them.
const WAITING_MAX: usize = 1_024;

/// Callers that one write serves.
const BATCH_MAX: usize = 256;

/// The way to the task.
#[derive(Debug)]
pub(super) struct Handout {
    requests: mpsc::Sender<Request>,
}

#[derive(Debug)]
struct Request {
    wanted: NewDelivery,
    reply: oneshot::Sender<Result<Delivered, Arc<StoreError>>>,
}

impl Handout {
    pub(super) fn start(store: Arc<dyn Store>) -> Self {
        let (requests, inbox) = mpsc::channel(WAITING_MAX);
        tokio::spawn(serve(store, inbox));
        Self { requests }
    }

    /// Hands a puzzle out, see [`Store::deliver`].
    pub(super) async fn deliver(&self, wanted: NewDelivery) -> Result<Delivered, StoreError> {
        let (reply, answer) = oneshot::channel();
        let gone = || StoreError::Unavailable(sqlx::Error::WorkerCrashed);
        self.requests.send(Request { wanted, reply }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?.map_err(StoreError::Shared)
    }
}

async fn serve(store: Arc<dyn Store>, mut inbox: mpsc::Receiver<Request>) {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    while inbox.recv_many(&mut batch, BATCH_MAX).await > 0 {
        // Whoever hung up before it was his turn has had nothing.
        batch.retain(|request| !request.reply.is_closed());
        let (wanted, replies): (Vec<_>, Vec<_>) =
            batch.drain(..).map(|Request { wanted, reply }| (wanted, reply)).unzip();
        match store.deliver(&wanted).await {
            Ok(delivered) => {
                for (reply, delivered) in replies.into_iter().zip(delivered) {
                    let _ = reply.send(Ok(delivered));
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
