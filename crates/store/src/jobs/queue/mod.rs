//! The queue as one process sees it: queues, cancels, and retries jobs; claims, renews, and commits slices; pauses,
//! resumes, and prunes. Notifies waiting workers and callers.

pub mod counters;
pub mod feed;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use tokio::sync::broadcast;

use crate::{
    Claim, Claimed, Store, StoreError,
    access::actor::Actor,
    bounds::{Bounds, CurrentBounds},
    jobs::{
        admission::{Batch, Enqueued},
        growth::{Growth, GrowthChange},
        job::{Cancelled, Job, JobState, NewJob, Retried},
        policy::{self, SliceSize},
        queue_state::{Prune, Pruned, QueueState},
        slice::{FailedAttempt, Guarded, Lease, Slice, SliceWork},
    },
    sql::batcher::{Batcher, Batches},
};
use counters::QueueCounters;
use feed::{Event, Feed};
use puzzled_base::{chance::Chance, clock::Millis, ids::JobId};
use puzzled_engine::shared::rng::Rng;

/// The queue of one process, on a store that other processes may share.
#[derive(Debug)]
pub struct Queue {
    store: Arc<dyn Store>,
    chance: Arc<Chance>,
    bounds: Arc<dyn CurrentBounds>,
    feed: Feed,
    enqueues: Batcher<NewJob, Enqueued>,
    claims: AtomicU32,
    hears: AtomicBool,
    counters: QueueCounters,
}

/// How many jobs one commit queues.
const ENQUEUES: Batches = Batches { calls_max: 128, turns: 1, outlive_callers: true };

impl Queue {
    /// Creates a queue on a store, and starts the task that queues jobs for all callers. The task ends when the queue
    /// is dropped.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, chance: Arc<Chance>, bounds: Arc<impl CurrentBounds + 'static>) -> Self {
        let current = Arc::clone(&bounds);
        let enqueues = Batcher::start(Arc::clone(&store), ENQUEUES, move |store, jobs: Vec<NewJob>| {
            let open_jobs_max = current.bounds().max_open_jobs;
            async move { store.enqueue_all(&jobs, open_jobs_max).await }
        });
        let hears = AtomicBool::new(false);
        let (claims, counters) = (AtomicU32::new(0), QueueCounters::default());
        Self { store, chance, bounds, feed: Feed::new(), enqueues, claims, hears, counters }
    }

    /// The store, for operations to which the queue adds nothing.
    #[must_use]
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Counters of the work that the workers of this process have done.
    #[must_use]
    pub fn counters(&self) -> &QueueCounters {
        &self.counters
    }

    /// The bounds in force.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.bounds.bounds()
    }

    /// Subscribes to the events of jobs in this process, from now on.
    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.feed.events.subscribe()
    }

    /// Waits for a notification that work may be due. If no worker waits when a notification arrives, the next worker
    /// that waits gets it.
    pub async fn work_queued(&self) {
        self.feed.work.notified().await;
    }

    /// Queues a job. Concurrent callers share a commit. If a caller goes away before it gets the result, its job may
    /// still be queued.
    ///
    /// # Errors
    /// [`StoreError`] if the write fails.
    pub async fn enqueue(&self, job: NewJob) -> Result<Enqueued, StoreError> {
        let enqueued = self.enqueues.call(job).await?;
        if let Enqueued::New(job) = &enqueued {
            log_queued(job);
            self.feed.queued(job.id);
        }
        Ok(enqueued)
    }

    /// Queues all jobs of one caller, or none; see `EnqueueStore::enqueue_batch`.
    ///
    /// # Errors
    /// [`StoreError`] if the write fails.
    pub async fn enqueue_batch(&self, jobs: &[NewJob]) -> Result<Batch, StoreError> {
        let batch = self.store.enqueue_batch(jobs, self.bounds().max_open_jobs).await?;
        if let Batch::Queued(jobs) = &batch {
            for job in jobs.iter().filter(|job| job.state == JobState::Queued) {
                log_queued(job);
                self.feed.queued(job.id);
            }
        }
        Ok(batch)
    }

    /// Signals that the planner, which does not use this queue, has queued or ended a job.
    pub fn announce(&self, job: &Job) {
        if job.state == JobState::Queued {
            self.feed.queued(job.id);
        } else {
            self.feed.changed(job);
        }
    }

    /// Cancels an open job. Running slices of the job stop at once in this process, and in other processes that receive
    /// notices.
    ///
    /// # Errors
    /// [`StoreError`] if the write fails.
    pub async fn cancel(&self, id: JobId, by: &Actor) -> Result<Cancelled, StoreError> {
        let cancelled = self.store.cancel(id, by).await?;
        if let Cancelled::Job(job) = &cancelled {
            if job.state == JobState::Cancelled {
                tracing::info!(job = %job.id, made = job.made, of = job.wanted, "job cancelled");
            }
            self.feed.changed(job);
        }
        Ok(cancelled)
    }

    /// Queues a failed, cancelled, or ended job again.
    ///
    /// # Errors
    /// [`StoreError`] if the write fails.
    pub async fn retry(&self, id: JobId, by: &Actor) -> Result<Retried, StoreError> {
        let retried = self.store.retry(id, self.bounds().max_tries, by).await?;
        if let Retried::Job(job) = &retried
            && job.state.is_open()
        {
            tracing::info!(job = %job.id, made = job.made, of = job.wanted, "job retried");
            self.feed.queued(job.id);
        }
        Ok(retried)
    }

    /// Pauses the queue in all processes; see `QueueStore::set_pause`. Workers finish and commit the work in progress.
    ///
    /// # Errors
    /// [`StoreError`] if the write fails.
    pub async fn pause(&self, reason: &str, by: &Actor) -> Result<QueueState, StoreError> {
        if self.store.set_pause(Some(reason), by).await? {
            tracing::info!(reason, "queue paused");
        }
        self.store.queue_state().await
    }

    /// Resumes a paused queue. Workers resume at once in this process and in processes that receive notices, elsewhere
    /// within a second.
    ///
    /// # Errors
    /// [`StoreError`] if the write fails.
    pub async fn resume(&self, by: &Actor) -> Result<QueueState, StoreError> {
        if self.store.set_pause(None, by).await? {
            tracing::info!("queue resumed");
        }
        self.feed.wake_workers();
        self.store.queue_state().await
    }

    /// Updates the state of growth; see `GrowthStore::keep_growth`. If the stock has room again, workers resume as in
    /// [`Self::resume`].
    ///
    /// # Errors
    /// [`StoreError`] if the write fails.
    pub async fn keep_growth(&self, bounds: Option<Growth>) -> Result<GrowthChange, StoreError> {
        let change = self.store.keep_growth(bounds).await?;
        if change == GrowthChange::Room {
            self.feed.wake_workers();
        }
        Ok(change)
    }

    /// Waits until a worker of this process has stored puzzles. Returns at once if puzzles were stored since the last wait.
    pub async fn until_stored(&self) {
        self.feed.stored.notified().await;
    }

    /// Prunes a bounded number of rows that are old at the time of the store; see `PruneStore::prune`.
    ///
    /// # Errors
    /// [`StoreError`] if the write fails.
    pub async fn prune(&self, old_at: impl FnOnce(Millis) -> Prune) -> Result<Pruned, StoreError> {
        let now = self.store.now().await?;
        self.store.prune(old_at(now)).await
    }

    /// Claims a slice for a worker, if any work is due, in the order of `policy::claim_order`. Jobs of low priority are slow
    /// but never starve. Logs the slices that the claim reclaimed.
    ///
    /// # Errors
    /// [`StoreError`] if the write fails.
    pub async fn claim(&self, worker: &str) -> Result<Option<Slice>, StoreError> {
        let claims = self.claims.fetch_add(1, Ordering::Relaxed);
        let bounds = self.bounds();
        let Claimed { slice, reclaimed_slices } = self
            .store
            .claim(Claim {
                worker: worker.into(),
                order: policy::claim_order(claims),
                token: i64::from_le_bytes(self.chance.next_u64().to_le_bytes()),
                lease_ms: bounds.lease_ms,
                attempts_max: bounds.max_attempts,
                size: SliceSize::default(),
            })
            .await?;
        for reclaimed in reclaimed_slices {
            self.counters.reclaimed_slices.one();
            tracing::warn!(
                job = %reclaimed.job_id,
                slice = reclaimed.slice_id,
                first_index = reclaimed.first_index,
                worker = reclaimed.worker,
                reclaimed_by = worker,
                "slice reclaimed: its lease expired before the commit"
            );
            self.feed.job(reclaimed.job_id);
        }
        if let Some(slice) = &slice {
            self.counters.waited(slice.waited_ms);
            self.feed.job(slice.lease.job_id);
            // More work may be due, so this worker wakes the next one.
            self.feed.work.notify_one();
        }
        Ok(slice)
    }

    /// Renews leases, and returns the lost ones.
    ///
    /// # Errors
    /// [`StoreError`]. The leases may still be valid until they expire.
    pub async fn renew(&self, leases: &[Lease]) -> Result<Vec<Lease>, StoreError> {
        self.store.renew(leases, self.bounds().lease_ms).await
    }

    /// Commits the work of a slice; see [`CommitStore::commit`](crate::CommitStore::commit).
    ///
    /// # Errors
    /// [`StoreError`]. The commit may have taken effect; a retry is safe.
    pub async fn commit(&self, lease: Lease, work: SliceWork) -> Result<Guarded<Job>, StoreError> {
        let committed = self.store.commit(lease, work).await?;
        if let Guarded::Done(job) = &committed {
            log_finished(job);
            self.feed.changed(job);
            self.feed.stored.notify_one();
            if job.state.is_open() {
                // The remainder of the slice, or the index of a repeat, may be on offer again.
                self.feed.work.notify_one();
            }
        }
        Ok(committed)
    }

    /// Fails the job of a slice whose spec this version refuses. Further attempts would be refused too.
    ///
    /// # Errors
    /// [`StoreError`] if the write fails.
    pub async fn refuse(&self, slice: &Slice, refusal: String) -> Result<Guarded<Job>, StoreError> {
        self.note(slice.lease, FailedAttempt { error: refusal, backoff_ms: 0, attempts_max: 1 }).await
    }

    /// Records a failed attempt. The slice is offered again after a backoff that doubles with each failure.
    ///
    /// # Errors
    /// [`StoreError`] if the write fails.
    pub async fn fail(&self, slice: &Slice, error: String) -> Result<Guarded<Job>, StoreError> {
        let mut rng = Rng::from_seed(self.chance.next_u64());
        let failed = FailedAttempt {
            error,
            backoff_ms: policy::backoff_ms(slice.failed_attempts, &mut rng),
            attempts_max: self.bounds().max_attempts,
        };
        self.note(slice.lease, failed).await
    }

    async fn note(&self, lease: Lease, failed: FailedAttempt) -> Result<Guarded<Job>, StoreError> {
        let noted = self.store.fail_attempt(lease, failed).await?;
        if let Guarded::Done(job) = &noted {
            log_finished(job);
            self.feed.changed(job);
        }
        Ok(noted)
    }

    /// Gives a lease back without work done.
    ///
    /// # Errors
    /// [`StoreError`]. The lease then expires.
    pub async fn give_back(&self, lease: Lease) -> Result<Guarded<()>, StoreError> {
        let given = self.store.give_back(lease).await?;
        self.feed.work.notify_one();
        Ok(given)
    }

    /// The time until unleased work is due, in milliseconds: 0 if work is due now, `None` if there is no work.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
    pub async fn due_in_ms(&self) -> Result<Option<i64>, StoreError> {
        let Some(due) = self.store.next_due().await? else { return Ok(None) };
        let now = self.store.now().await?;
        Ok(Some(due.ms_since(now).max(0)))
    }
}

/// Logs a job that was just queued.
fn log_queued(job: &Job) {
    tracing::info!(job = %job.id, spec = job.spec.words(), count = job.wanted, "job queued");
}

/// Logs a job that the last write finished. A failed job is a warning.
fn log_finished(job: &Job) {
    if job.state.is_open() {
        return;
    }
    let (state, spec, error) = (job.state.name(), job.spec.words(), &job.error);
    let (made, of, tries) = (job.made, job.wanted, job.tally.tries);
    let duration = Duration::from_millis(job.ended_at.map_or(0, |at| at.ms_since(job.created_at)).unsigned_abs());
    if job.state == JobState::Failed {
        tracing::warn!(job = %job.id, spec, made, of, tries, ?duration, error, "job failed");
    } else {
        tracing::info!(job = %job.id, state, spec, made, of, tries, ?duration, "job ended");
    }
}
