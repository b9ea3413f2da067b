//! What happens to jobs, told to those who wait for it in this process. What other processes do is told too where the store
//! hears of it, and else found by reading.

use tokio::sync::{Notify, broadcast};

use crate::store::job::{Job, JobId};

/// Events that a slow listener may fall behind by; then it is told so, and reads again.
const EVENTS_MAX: usize = 1024;

/// Something that happened to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// It changed, and is still open.
    Changed(JobId),
    /// It came to an end.
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

    /// A slice was stored in this process.
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

    /// One wake-up for each worker that sleeps, and one is kept if all are on their way to sleep.
    pub(super) fn wake_workers(&self) {
        self.work.notify_waiters();
        self.work.notify_one();
    }

    /// It ended in some process.
    pub(super) fn ended(&self, id: JobId) {
        self.send(Event::Ended(id));
    }

    /// Other processes may have done anything meanwhile: whoever sleeps has to look.
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
        // Nobody listening is no failure.
        let _ = self.events.send(event);
    }
}
