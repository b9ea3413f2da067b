//! Forwards the notices of other processes to the feed of this process, and reconnects the listener after a failure.

use std::{sync::atomic::Ordering, time::Duration};

use tokio_util::sync::CancellationToken;

use super::Queue;
use crate::{
    base::lasting::Lasting,
    store::{
        StoreError,
        notice::{Listener, Notice},
    },
};

/// The first delay after the listener failed. It doubles up to [`RETRY_MAX`].
const RETRY_FIRST: Duration = Duration::from_millis(50);

/// The longest delay after the listener failed.
const RETRY_MAX: Duration = Duration::from_secs(1);

impl Queue {
    /// Forwards the notices of other processes, until `stop` is cancelled or the store has no listener.
    pub async fn listen(&self, stop: &CancellationToken) {
        let ended = stop.run_until_cancelled(self.hear_all()).await;
        self.hears.store(false, Ordering::Relaxed);
        if ended.is_some() {
            tracing::debug!("notices unavailable on this database; other processes are polled");
        }
    }

    async fn hear_all(&self) {
        let (mut wait, mut lost) = (RETRY_FIRST, Lasting::default());
        loop {
            let error = match self.store.listen().await {
                Ok(Some(listener)) => {
                    wait = RETRY_FIRST;
                    if let Some(failures) = lost.end() {
                        tracing::info!(failures, "notice listener connected again");
                    }
                    self.hears.store(true, Ordering::Relaxed);
                    // Notices may have been lost while the listener was disconnected.
                    self.feed.missed();
                    let error = self.pass_on(listener).await;
                    self.hears.store(false, Ordering::Relaxed);
                    error
                }
                Ok(None) => return,
                Err(error) => error,
            };
            if lost.met() {
                tracing::warn!(%error, "notice listener disconnected; other processes are polled until it connects again");
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(RETRY_MAX);
        }
    }

    async fn pass_on(&self, mut listener: Box<dyn Listener>) -> StoreError {
        loop {
            match listener.next().await {
                Ok(Notice::Queued(id)) => self.feed.queued(id),
                Ok(Notice::Ended(id)) => self.feed.ended(id),
                Ok(Notice::Resumed) => self.feed.wake_workers(),
                Ok(Notice::Missed) => self.feed.missed(),
                Err(error) => return error,
            }
        }
    }

    /// Whether this process is notified when a job ends in another process. If not, callers must poll.
    pub fn hears(&self) -> bool {
        self.hears.load(Ordering::Relaxed)
    }
}
