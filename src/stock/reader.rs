//! One task reads for all draws: while it reads for some, further ones gather, and the next read serves them together.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use crate::store::{
    Store, StoreError,
    puzzle::{Place, Puzzle},
};

/// Draws that may wait; further ones wait for a place among them.
const WAITING_MAX: usize = 1_024;

/// Draws that one read serves.
const BATCH_MAX: usize = 64;

/// The way to the reading task.
#[derive(Debug)]
pub(super) struct Reader {
    requests: mpsc::Sender<Request>,
}

#[derive(Debug)]
struct Request {
    places: Vec<Place>,
    reply: oneshot::Sender<Result<Vec<Puzzle>, Arc<StoreError>>>,
}

impl Reader {
    pub(super) fn start(store: Arc<dyn Store>) -> Self {
        let (requests, inbox) = mpsc::channel(WAITING_MAX);
        tokio::spawn(serve(store, inbox));
        Self { requests }
    }

    /// The puzzles in circulation at these places, in their order.
    pub(super) async fn found_at(&self, places: Vec<Place>) -> Result<Vec<Puzzle>, StoreError> {
        let (reply, answer) = oneshot::channel();
        let gone = || StoreError::Unavailable(sqlx::Error::WorkerCrashed);
        self.requests.send(Request { places, reply }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?.map_err(StoreError::Shared)
    }
}

async fn serve(store: Arc<dyn Store>, mut inbox: mpsc::Receiver<Request>) {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    while inbox.recv_many(&mut batch, BATCH_MAX).await > 0 {
        // Whoever hung up needs no answer, and no read.
        batch.retain(|request| !request.reply.is_closed());
        let places: Vec<_> = batch.iter().flat_map(|request| request.places.iter().copied()).collect();
        match store.puzzles_at(&places).await {
            Ok(puzzles) => {
                let mut puzzles = puzzles.into_iter();
                for Request { places, reply } in batch.drain(..) {
                    let found = puzzles.by_ref().take(places.len()).flatten().collect();
                    let _ = reply.send(Ok(found));
                }
            }
            Err(error) => {
                let error = Arc::new(error);
                for request in batch.drain(..) {
                    let _ = request.reply.send(Err(Arc::clone(&error)));
                }
            }
        }
    }
}
