//! Signals events to the waiting tasks of this process: queued, changed, and ended jobs, stored puzzles, and new work.
//! If the store has a listener, this includes events of other processes. Otherwise, the tasks must poll.

use tokio::sync::{Notify, broadcast};

use crate::rules::jobs::job::{Job, JobId};

/// The maximum number of events that wait for a slow receiver. If there are more, the receiver learns that it missed
/// some, and reads the state again.
const EVENTS_MAX: usize = 1024;

/// An event of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The job changed, and is still open.
    Changed(JobId),
    /// The job ended.
    Ended(JobId),
}

impl Event {
    /// The job.
    #[must_use]
    pub fn job(self) -> JobId {
        match self {
            Self::Changed(id) | Self::Ended(id) => id,
        }
    }
}

/// The signals of a queue.
#[derive(Debug)]
pub(super) struct Feed {
    events: broadcast::Sender<Event>,
    work: Notify,
    stored: Notify,
}

impl Feed {
    pub(super) fn new() -> Self {
        Self { events: broadcast::Sender::new(EVENTS_MAX), work: Notify::new(), stored: Notify::new() }
    }

    pub(super) fn subscribe(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    /// Signals that this process stored a slice.
    pub(super) fn stored(&self) {
        self.stored.notify_one();
    }

    pub(super) async fn until_stored(&self) {
        self.stored.notified().await;
    }

    pub(super) async fn work_queued(&self) {
        self.work.notified().await;
    }

    pub(super) fn wake_worker(&self) {
        self.work.notify_one();
    }

    pub(super) fn queued(&self, id: JobId) {
        self.job(id);
        self.wake_workers();
    }

    /// Wakes every idle worker, and the next worker that waits.
    pub(super) fn wake_workers(&self) {
        self.work.notify_waiters();
        self.work.notify_one();
    }

    /// Signals that a job ended in any process.
    pub(super) fn ended(&self, id: JobId) {
        self.send(Event::Ended(id));
    }

    /// Wakes idle workers, because notices of other processes may have been lost.
    pub(super) fn missed(&self) {
        self.work.notify_waiters();
        self.work.notify_one();
    }

    pub(super) fn changed(&self, job: Option<&Job>) {
        if let Some(job) = job {
            let event = if job.state.is_open() { Event::Changed(job.id) } else { Event::Ended(job.id) };
            self.send(event);
        }
    }

    pub(super) fn job(&self, id: JobId) {
        self.send(Event::Changed(id));
    }

    fn send(&self, event: Event) {
        // `send` fails if there is no receiver, which is fine.
        let _ = self.events.send(event);
    }
}
