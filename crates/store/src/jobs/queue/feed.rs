//! Signals events to the waiting tasks of this process: queued, changed, and finished jobs, stored puzzles, and new work.
//! If the store has a listener, the feed also signals the notices of other processes, and replaces a listener that failed.
//! Without a listener, the tasks must poll.

use std::{sync::atomic::Ordering, time::Duration};

use tokio::sync::{Notify, broadcast};
use tokio_util::sync::CancellationToken;

use crate::{
    Listener, Notice, StoreError,
    jobs::{job::Job, queue::Queue},
};
use puzzled_base::{ids::JobId, lasting::Lasting};

/// The maximum number of events that wait for a slow receiver. If there are more, the receiver learns that it missed
/// some, and reads the state again.
const EVENTS_MAX: usize = 1024;

/// The first delay after the listener failed. It doubles up to [`RETRY_MAX`].
const RETRY_FIRST: Duration = Duration::from_millis(50);

/// The longest delay after the listener failed.
const RETRY_MAX: Duration = Duration::from_secs(1);

/// An event of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The job changed, and is still open.
    Changed(JobId),
    /// The job finished: it is no longer open.
    Finished(JobId),
}

impl Event {
    /// The job.
    #[must_use]
    pub fn job(self) -> JobId {
        match self {
            Self::Changed(id) | Self::Finished(id) => id,
        }
    }
}

/// The signals of a queue.
#[derive(Debug)]
pub(super) struct Feed {
    pub(super) events: broadcast::Sender<Event>,
    /// Work may be due.
    pub(super) work: Notify,
    /// A worker of this process stored a slice.
    pub(super) stored: Notify,
}

impl Feed {
    pub(super) fn new() -> Self {
        Self { events: broadcast::Sender::new(EVENTS_MAX), work: Notify::new(), stored: Notify::new() }
    }

    pub(super) fn queued(&self, id: JobId) {
        self.job(id);
        self.wake_workers();
    }

    /// Wakes every idle worker, because work may be due. A worker that is about to wait may have looked for work too early.
    /// So the next worker that waits looks once more.
    pub(super) fn wake_workers(&self) {
        self.work.notify_waiters();
        self.work.notify_one();
    }

    /// Signals that a job finished in any process.
    pub(super) fn finished(&self, id: JobId) {
        self.send(Event::Finished(id));
    }

    /// Signals that a job changed or finished.
    pub(super) fn changed(&self, job: &Job) {
        self.send(if job.state.is_open() { Event::Changed(job.id) } else { Event::Finished(job.id) });
    }

    pub(super) fn job(&self, id: JobId) {
        self.send(Event::Changed(id));
    }

    fn send(&self, event: Event) {
        // `send` fails if there is no receiver, which is fine.
        let _ = self.events.send(event);
    }
}

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
                    self.feed.wake_workers();
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
                Ok(Notice::Finished(id)) => self.feed.finished(id),
                // If notices were lost, some of them may have been about new work.
                Ok(Notice::Resumed | Notice::Missed) => self.feed.wake_workers(),
                Err(error) => return error,
            }
        }
    }

    /// Whether this process is notified when a job ends in another process. If not, callers must poll.
    pub fn hears(&self) -> bool {
        self.hears.load(Ordering::Relaxed)
    }
}
