//! Reads and lists jobs, cancels them, and queues finished jobs again (retry).

use async_trait::async_trait;

use crate::{
    Notice, StoreError,
    access::{
        actor::Actor,
        audit_entry::{NewEntry, job_ids, of_progress},
        audit_store,
    },
    error::must_touch,
    jobs::{
        enqueue_store::open_work,
        job::{Cancelled, Job, JobError, JobFilter, JobState, Retried},
        open_quotas::{OpenWork, OverQuota, exceeded},
        queue_store::full,
    },
    sql::{
        database::{Database, Lock, Write},
        rows,
        statement::values,
        statements::jobs,
    },
};
use puzzled_base::ids::JobId;

/// Reads, lists, cancels, and retries jobs.
#[async_trait]
pub trait JobStore {
    /// Returns the job with an id.
    async fn job(&self, id: JobId) -> Result<Option<Job>, StoreError>;

    /// Returns up to `limit` jobs with ids below `before`, newest first, without pruned jobs.
    async fn jobs(&self, filter: &JobFilter, before: Option<JobId>, limit: u32) -> Result<Vec<Job>, StoreError>;

    /// Cancels an open job. A job that has finished, or that the actor may not change, stays as it is.
    async fn cancel(&self, id: JobId, by: &Actor) -> Result<Cancelled, StoreError>;

    /// Queues a failed, cancelled, or ended job again. Its slices are offered at once with their failed attempts reset,
    /// and each index may have `tries_more` further tries. Other jobs, pruned jobs, and jobs that the actor may not
    /// change stay as they are. While the stock is full, no job changes. The actor's own job stays as it is if it would
    /// exceed a quota of the actor.
    async fn retry(&self, id: JobId, tries_more: u32, by: &Actor) -> Result<Retried, StoreError>;
}

#[async_trait]
impl<D: Database> JobStore for D {
    async fn job(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        Ok(self.all(jobs::BY_ID, values![id.0], rows::job).await?.pop())
    }

    async fn jobs(&self, filter: &JobFilter, before: Option<JobId>, limit: u32) -> Result<Vec<Job>, StoreError> {
        let states: Vec<_> = filter.states.iter().map(|state| state.name()).collect();
        let labels = serde_json::json!(filter.labels).to_string();
        let values = values![
            before.map_or(i64::MAX, |id| id.0),
            (!states.is_empty()).then_some(states),
            filter.kind.as_ref(),
            &labels,
            filter.target_id.map(|id| id.0),
            limit,
        ];
        self.all(jobs::LIST, values, rows::job).await
    }

    async fn cancel(&self, id: JobId, by: &Actor) -> Result<Cancelled, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("cancel.begin").await?;
            let Some(job) = locked_job(&mut write, "cancel.read", id).await? else {
                return write.roll_back(Cancelled::NoJob).await;
            };
            if !by.may_change_job_of(job.principal.as_deref()) {
                return write.roll_back(Cancelled::NotOwn).await;
            }
            if !job.state.is_open() {
                return write.roll_back(Cancelled::Job(Box::new(job))).await;
            }
            // The slices stay as they are: their leases end with the job's state, and a retry resumes from them. If a
            // cancel locked slices here, after the job, its order would be the reverse of that of a commit.
            let cancelled = Ending::new(JobState::Cancelled, job.error.as_deref());
            let job = end_job(&mut write, "cancel.update", id, cancelled).await?;
            audit_store::insert(&mut write, "cancel.audit", &[entry(by, &job)]).await?;
            write.commit("cancel.commit", "cancel.committed").await?;
            Ok(Cancelled::Job(Box::new(job)))
        })
        .await
    }

    async fn retry(&self, id: JobId, tries_more: u32, by: &Actor) -> Result<Retried, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("retry.begin").await?;
            // Without this lock, another refill for the job's target could be queued or retried at the same time.
            write.lock("retry.lock", Lock::Enqueue).await?;
            lock_slices(&mut write, "retry.lock_slices", vec![id.0]).await?;
            let Some(job) = locked_job(&mut write, "retry.read", id).await? else {
                return write.roll_back(Retried::NoJob).await;
            };
            if !by.may_change_job_of(job.principal.as_deref()) {
                return write.roll_back(Retried::NotOwn).await;
            }
            if !job.state.is_unfinished() || job.pruned_at.is_some() {
                return write.roll_back(Retried::Job(Box::new(job))).await;
            }
            if let Some(full) = full(&mut write, "retry.read_full").await? {
                return write.roll_back(Retried::StockFull(full)).await;
            }
            if let Some(over) = over_quota(&mut write, by, &job).await? {
                return write.roll_back(Retried::OverQuota(over)).await;
            }
            write.execute("retry.update_slices", jobs::OFFER_SLICES, values![id.0]).await?;
            let job =
                write.one("retry.update_job", jobs::RETRY, values![tries_more, u32::MAX, id.0], rows::job).await?;
            audit_store::insert(&mut write, "retry.audit", &[entry(by, &job)]).await?;
            write.notify("retry.notify", &[Notice::Queued(id)]).await?;
            write.commit("retry.commit", "retry.committed").await?;
            Ok(Retried::Job(Box::new(job)))
        })
        .await
    }
}

/// The audit entry of a cancelled or retried job.
fn entry<'a>(by: &'a Actor, job: &Job) -> NewEntry<'a> {
    NewEntry::of(by, job_ids([job.id]), of_progress(job))
}

/// If the job is the actor's own, returns the quota that it would exceed if it were open again.
async fn over_quota<W: Write>(write: &mut W, by: &Actor, job: &Job) -> Result<Option<OverQuota>, StoreError> {
    if job.principal.as_deref() != Some(&*by.name) {
        return Ok(None);
    }
    let open = open_work(write, [by].into_iter()).await?.remove(&*by.name).unwrap_or_default();
    Ok(exceeded(&by.quotas, open, OpenWork::job(job.wanted - job.made)))
}

/// Locks the slices of jobs. All writes lock slices before jobs, because a commit in progress that holds a slice may be
/// about to lock the job.
pub(crate) async fn lock_slices<W: Write>(
    write: &mut W,
    point: &'static str,
    jobs: Vec<i64>,
) -> Result<(), StoreError> {
    write.lock_rows(point, jobs::LOCK_SLICES, values![jobs]).await
}

/// Returns the job, locked until this write ends. This kind of lock does not block inserts of puzzles and slices that
/// refer to the job.
pub(crate) async fn locked_job<W: Write>(
    write: &mut W,
    point: &'static str,
    id: JobId,
) -> Result<Option<Job>, StoreError> {
    write.optional(point, jobs::LOCK, values![id.0], rows::job).await
}

/// How a job ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ending<'a> {
    state: JobState,
    error: Option<&'a str>,
    reason: Option<JobError>,
}

impl<'a> Ending<'a> {
    pub(crate) fn new(state: JobState, error: Option<&'a str>) -> Self {
        Self { state, error, reason: None }
    }

    /// The failure of a job with an error that programs act on.
    pub(crate) fn failed(reason: JobError, error: &'a str) -> Self {
        Self { state: JobState::Failed, error: Some(error), reason: Some(reason) }
    }
}

/// Ends an open job, and notifies listeners.
pub(crate) async fn end_job<W: Write>(
    write: &mut W,
    point: &'static str,
    id: JobId,
    Ending { state, error, reason }: Ending<'_>,
) -> Result<Job, StoreError> {
    let values = values![state.name(), error, reason.map(JobError::name), write.now(), id.0];
    let mut finished = write.all(point, jobs::END, values, rows::job).await?;
    let job = finished.pop();
    must_touch("the end of a job", 1, u64::from(job.is_some()))?;
    write.notify("end.notify", &[Notice::Finished(id)]).await?;
    job.ok_or(StoreError::RowCount { statement: "the end of a job", wanted: 1, found: 0 })
}
