//! The loop of a worker: claims a slice, works on it while renewing its lease, and commits the results. The worker
//! stops a slice whose lease is lost or whose job has finished, and waits if no work is due.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{broadcast, oneshot},
    time::{MissedTickBehavior, interval, sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::cpu::{CpuThread, Worked};
use crate::telemetry::{Telemetry, traces::TraceSpan};
use puzzled_base::{lasting::Lasting, log_lasting};
use puzzled_engine::registry;
use puzzled_store::{
    StoreError,
    jobs::{
        job::Job,
        queue::{Queue, feed::Event},
        slice::{Guarded, Lease, Slice, SliceWork},
    },
};

/// The longest wait before the worker claims again. Jobs that other processes queue are found within this time.
const WAIT_MAX: Duration = Duration::from_secs(1);

/// How often a running slice checks whether another process has finished its job, if this process gets no notices.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// If this process gets notices, a slice checks only once in this many intervals.
const LOOKS_APART: u32 = 20;

/// The first delay after the store failed. It doubles up to [`WAIT_MAX`].
const RETRY_FIRST: Duration = Duration::from_millis(50);

/// One worker.
#[derive(Debug)]
pub(super) struct LeaseLoop {
    /// The worker's name, which identifies its log lines and leases.
    name: String,
    queue: Arc<Queue>,
    cpu: CpuThread,
    telemetry: Arc<Telemetry>,
    shutdown: CancellationToken,
}

impl LeaseLoop {
    pub(super) fn new(
        name: String,
        queue: Arc<Queue>,
        cpu: CpuThread,
        telemetry: Arc<Telemetry>,
        shutdown: CancellationToken,
    ) -> Self {
        Self { name, queue, cpu, telemetry, shutdown }
    }

    pub(super) async fn run(self) {
        let (mut retry, mut failing) = (RETRY_FIRST, Lasting::default());
        while !self.shutdown.is_cancelled() {
            let claimed = log_lasting!(
                failing, self.queue.claim(&self.name).await,
                begins: "slice claims failed; the worker retries",
                ends: "slice claims succeeded again", worker = self.name
            );
            match claimed {
                Some(Some(slice)) => {
                    retry = RETRY_FIRST;
                    self.serve(slice).await;
                }
                Some(None) => self.wait_for_work().await,
                None => {
                    self.pause(retry).await;
                    retry = (retry * 2).min(WAIT_MAX);
                }
            }
        }
    }

    /// Waits for work that is queued here, becomes due, or is queued by another process.
    async fn wait_for_work(&self) {
        let due = match self.queue.due_in_ms().await {
            Ok(Some(ms)) => Duration::from_millis(ms.unsigned_abs()).clamp(Duration::from_millis(1), WAIT_MAX),
            Ok(None) | Err(_) => WAIT_MAX,
        };
        tokio::select! {
            () = self.shutdown.cancelled() => {}
            // A late or lost wake-up only costs the remainder of the wait.
            _ = timeout(due, self.queue.work_queued()) => {}
        }
    }

    async fn pause(&self, length: Duration) {
        tokio::select! {
            () = self.shutdown.cancelled() => {}
            () = sleep(length) => {}
        }
    }

    async fn serve(&self, slice: Slice) {
        if let Some(refusal) = registry::refusal(&slice.spec) {
            return self.refuse(&slice, refusal).await;
        }
        let lease = slice.lease;
        let mut span = self.telemetry.traces().and_then(|traces| traces.slice(&slice, &self.name));
        // Subscribe before the work begins. Otherwise the worker would miss a cancellation in between.
        let events = self.queue.events();
        let cut = Arc::new(AtomicBool::new(false));
        let worked = self.cpu.work(slice.clone(), Arc::clone(&cut));
        let attended = self.attend(lease, events, &cut, worked).await;
        if let Some(span) = &mut span {
            note(span, &attended);
        }
        // The span ends after the commit.
        match attended {
            Attended::Worked(Ok(work))
                if cut.load(Ordering::Relaxed) && work.made.is_empty() && work.tally.tries == 0 =>
            {
                self.give_back(lease).await;
            }
            Attended::Worked(Ok(work)) => self.commit(&slice, work).await,
            Attended::Worked(Err(error)) => self.fail(&slice, error).await,
            Attended::Lost => self.came_too_late(lease).await,
        }
    }

    /// Renews the lease while the slice is worked on, and stops the work if it is no longer wanted.
    async fn attend(
        &self,
        lease: Lease,
        mut events: broadcast::Receiver<Event>,
        cut: &AtomicBool,
        mut worked: oneshot::Receiver<Worked>,
    ) -> Attended {
        let mut renewal = interval(Duration::from_millis(self.queue.bounds().lease_ms.unsigned_abs() / 3));
        renewal.set_missed_tick_behavior(MissedTickBehavior::Delay);
        renewal.tick().await;
        let mut look = interval(LOOK_EVERY);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        look.tick().await;
        let mut wanted = true;
        let mut looks = 0;
        loop {
            tokio::select! {
                biased;
                worked = &mut worked => {
                    return match worked {
                        Ok(worked) if wanted => Attended::Worked(worked),
                        Ok(_) => Attended::Lost,
                        Err(_) => Attended::Worked(Err("the thread of the worker ended; report it in an issue".to_owned())),
                    };
                }
                () = self.shutdown.cancelled(), if !cut.load(Ordering::Relaxed) => cut.store(true, Ordering::Relaxed),
                event = events.recv(), if wanted => wanted = self.still_wanted(lease, event).await,
                _ = look.tick(), if wanted => {
                    looks += 1;
                    if !self.queue.hears() || looks % LOOKS_APART == 0 {
                        wanted = self.is_open(lease).await;
                    }
                }
                _ = renewal.tick(), if wanted => wanted = self.renew(lease).await,
            }
            if !wanted {
                cut.store(true, Ordering::Relaxed);
            }
        }
    }

    async fn still_wanted(&self, lease: Lease, event: Result<Event, broadcast::error::RecvError>) -> bool {
        match event {
            Ok(event) => event != Event::Finished(lease.job_id),
            // Events were missed, and one of them may have been about this job.
            Err(_) => self.is_open(lease).await,
        }
    }

    /// Whether the job may still be worked on. True if the store does not answer.
    async fn is_open(&self, lease: Lease) -> bool {
        self.queue.store().job(lease.job_id).await.map_or(true, |job| job.is_some_and(|job| job.state.is_open()))
    }

    async fn renew(&self, lease: Lease) -> bool {
        match self.queue.renew(&[lease]).await {
            Ok(lost) => lost.is_empty(),
            Err(error) => {
                tracing::warn!(job = %lease.job_id, %error, "lease not renewed; the worker tries again until the lease expires");
                true
            }
        }
    }

    async fn commit(&self, slice: &Slice, work: SliceWork) {
        let made = work.made.len();
        let committed = self.persist(|| self.queue.commit(slice.lease, work.clone())).await;
        if let Ok(committed) = &committed {
            self.queue.counters().worked(&slice.spec, &work, matches!(committed, Guarded::Done(_)));
        }
        match committed {
            Ok(Guarded::Done(job)) => report(&job, made),
            Ok(Guarded::LeaseLost) => self.came_too_late(slice.lease).await,
            Err(error) => self.fail(slice, format!("the slice could not be committed: {error}")).await,
        }
    }

    /// Logs why the results are dropped. Nothing is lost, because another worker makes the puzzles again.
    async fn came_too_late(&self, lease: Lease) {
        let (job, slice, worker) = (lease.job_id, lease.slice_id, &self.name);
        if self.is_open(lease).await {
            tracing::warn!(%job, slice, worker, "slice refused: its lease had expired before the commit; another worker makes its puzzles");
        } else {
            tracing::info!(%job, slice, worker, "slice dropped: its job has ended");
        }
    }

    async fn fail(&self, slice: &Slice, error: String) {
        tracing::error!(job = %slice.lease.job_id, first_index = slice.first_index, error, "slice attempt failed; workers try again, up to max_attempts");
        if let Err(error) = self.persist(|| self.queue.fail(slice, error.clone())).await {
            tracing::error!(job = %slice.lease.job_id, %error, "slice attempt not recorded; the lease of the slice will expire");
        }
    }

    async fn refuse(&self, slice: &Slice, refusal: String) {
        tracing::error!(job = %slice.lease.job_id, refusal, "spec refused: the job fails; if a newer version queued it, update this process and retry it");
        if let Err(error) = self.persist(|| self.queue.refuse(slice, refusal.clone())).await {
            tracing::error!(job = %slice.lease.job_id, %error, "spec refusal not recorded; the lease of the slice will expire");
        }
    }

    async fn give_back(&self, lease: Lease) {
        if let Err(error) = self.queue.give_back(lease).await {
            tracing::warn!(job = %lease.job_id, %error, "lease not returned; it will expire");
        }
    }

    /// Repeats an action while the store is unavailable, until the lease may have expired, so that finished work is not
    /// lost.
    async fn persist<T, F>(&self, mut action: impl FnMut() -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        let mut give_up = pin!(sleep(Duration::from_millis(self.queue.bounds().lease_ms.unsigned_abs())));
        let (mut wait, mut failing) = (RETRY_FIRST, Lasting::default());
        loop {
            let ended = action().await;
            let passing = ended.as_ref().err().filter(|error| error.is_passing());
            log_lasting!(
                failing, passing.map_or(Ok(()), Err),
                begins: "slice result waits for the database",
                ends: "slice result no longer waits for the database", worker = self.name
            );
            if passing.is_none() {
                return ended;
            }
            tokio::select! {
                () = &mut give_up => return ended,
                () = sleep(wait) => wait = (wait * 2).min(WAIT_MAX),
            }
        }
    }
}

/// How the work on a slice ended.
enum Attended {
    Worked(Worked),
    Lost,
}

/// Records on the span of a slice how the work on it ended.
fn note(span: &mut TraceSpan, attended: &Attended) {
    match attended {
        Attended::Worked(Ok(work)) => {
            span.set("puzzled.tries", i64::try_from(work.tally.tries).unwrap_or(i64::MAX));
            span.set("puzzled.made", i64::try_from(work.made.len()).unwrap_or(i64::MAX));
        }
        Attended::Worked(Err(error)) => span.fail(error.clone()),
        Attended::Lost => span.fail("the slice is no longer wanted"),
    }
}

fn report(job: &Job, made: usize) {
    tracing::debug!(job = %job.id, made, of = job.wanted, total = job.made, "slice committed");
}
