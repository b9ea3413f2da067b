//! Waits for a puzzle that fits a request, until one is stored, the time is up, or no job and no refill can make one.

use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;

use super::draw::{DrawRequest, Drawn, Fitting};
use crate::calls::{Service, ServiceError};
use puzzled_base::ids::JobId;
use puzzled_store::{
    jobs::job::{Job, JobFilter, JobState},
    targets::shortage::{self, Supply},
};

/// The time between two reads of the counts and the open jobs. Commits of other processes are not announced.
const READ_EVERY: Duration = Duration::from_millis(500);

/// The maximum number of open jobs that are read.
const JOBS_MAX: u32 = 100;

impl Service {
    /// The next puzzle that fits, as soon as it is stored. `None` at `ends_at`, or if nothing can make one. `job` is
    /// the job that was queued for this call.
    pub(super) async fn wait_for(
        &self,
        fitting: &Fitting<'_>,
        draw: &DrawRequest,
        job: Option<JobId>,
        ends_at: Duration,
    ) -> Result<Option<Drawn>, ServiceError> {
        let _place = self.waiters.take(&draw.key, self.settings().limits.max_waiting_calls)?;
        // A call that waits for a puzzle may also wait for its turn on a compute thread.
        let draw = draw.in_turn();
        // Subscribe before the first read. Otherwise the call would miss a commit in between.
        let mut events = self.queue.events();
        let mut reads = tokio::time::interval(READ_EVERY);
        reads.reset();
        let (mut seen, mut may_be_made) = (None, self.may_be_made(fitting, job).await?);
        loop {
            // The positions are read after the open jobs, because a job that finished before has stored its puzzles. Held
            // puzzles have none.
            let positions = self.stock.positions(&fitting.shelves).await?;
            if (fitting.exclusive || fitting.day.is_some() || seen.is_none_or(|seen| positions > seen))
                && let Ok(drawn) = self.drawn(fitting, &draw).await?
            {
                return Ok(Some(drawn));
            }
            seen = Some(positions);
            let left = ends_at.saturating_sub(self.clock.elapsed());
            if !may_be_made || left.is_zero() {
                return Ok(None);
            }
            tokio::select! {
                () = self.shutdown.cancelled() => return Err(ServiceError::ShuttingDown),
                () = tokio::time::sleep(left) => {}
                _ = reads.tick() => may_be_made = self.may_be_made(fitting, job).await?,
                event = events.recv() => {
                    if matches!(event, Err(RecvError::Closed)) {
                        return Err(ServiceError::ShuttingDown);
                    }
                }
            }
        }
    }

    async fn may_be_made(&self, fitting: &Fitting<'_>, job: Option<JobId>) -> Result<bool, ServiceError> {
        let is_stopped = self.queue.store().stops().await?.are_any();
        let jobs = if is_stopped { Vec::new() } else { self.open_jobs(fitting).await? };
        let mut supply = Supply {
            is_stopped,
            is_queued: job.is_some(),
            has_more_jobs: jobs.len() >= JOBS_MAX as usize,
            jobs: &jobs,
            outlooks: &[],
        };
        if is_stopped || shortage::may_be_made(supply, &fitting.shelves, self.clock.now()) {
            return Ok(!is_stopped);
        }
        if fitting.exclusive {
            return Ok(false);
        }
        // The outlooks come last, because they take several reads.
        let outlooks = self.stock.planner().outlooks().await?;
        supply.outlooks = &outlooks;
        Ok(shortage::may_be_made(supply, &fitting.shelves, self.clock.now()))
    }

    /// The newest open jobs of the kind that a request names, whose puzzles its audience may get.
    pub(super) async fn open_jobs(&self, fitting: &Fitting<'_>) -> Result<Vec<Job>, ServiceError> {
        let states = vec![JobState::Queued, JobState::Running];
        let filter = JobFilter { states, kind: fitting.shelves.kind.clone(), ..JobFilter::default() };
        let mut jobs = self.queue.store().jobs(&filter, None, JOBS_MAX).await?;
        jobs.retain(|job| fitting.gets_from(job));
        Ok(jobs)
    }
}
