//! Queues, ends, and lists the refills of stock targets. Each write checks the target again, because other processes
//! may have changed it.

use async_trait::async_trait;

use crate::{
    Notice, StoreError,
    access::{
        audit_entry::{NewEntry, of_job},
        audit_store,
    },
    deliveries::choose,
    jobs::{
        enqueue_store::{insert_job, open_jobs, open_work},
        job::{Job, JobState, NewJob},
        job_store::{Ending, end_job, locked_job},
        open_quotas::{OpenWork, exceeded},
        queue_store::{full, is_paused},
    },
    sql::{
        database::{Database, Lock, Write, number},
        rows,
        statement::values,
        statements::{refill, stock},
    },
    stock::filter::ShelfFilter,
    targets::target::{
        Asked, Refill, Refilled, StockTarget, Stop, asked_by, may_stop, needless, new_job, not_after_at,
    },
};
use puzzled_base::ids::{JobId, TargetId};

/// The refills of stock targets.
#[async_trait]
pub trait RefillStore {
    /// Queues a refill if the target needs one and has none, and if the stock has room. While the queue is paused, only
    /// manual refills are queued. If several callers see the same shortfall, one of them queues a job.
    async fn refill(&self, refill: Refill) -> Result<Refilled, StoreError>;

    /// Ends an open refill early, with the reason as its error. Returns `None` if the job is not open or no longer
    /// belongs to a target. For [`Stop::TooLate`], also returns `None` if the job has time left.
    async fn stop_refill(&self, id: JobId, stop: Stop) -> Result<Option<Job>, StoreError>;

    /// Returns one job for each target that has had a refill: the open refill, or else the last one. Ordered by ID.
    async fn refills(&self) -> Result<Vec<Job>, StoreError>;
}

#[async_trait]
impl<D: Database> RefillStore for D {
    async fn refill(&self, refill: Refill) -> Result<Refilled, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("refill.begin").await?;
            // One caller queues jobs at a time, so each sees the jobs that earlier callers queued.
            write.lock("refill.lock", Lock::Enqueue).await?;
            let Some(target) = target_of(&mut write, refill.target_id).await? else {
                return write.roll_back(Refilled::NoTarget).await;
            };
            match next_job(&mut write, &refill, &target).await? {
                Ok(new) => {
                    let queued = insert_job(&mut write, &new).await?;
                    let job = mark_refill(&mut write, queued.id, &refill).await?;
                    if let Some(by) = asked_by(&refill) {
                        let subjects = vec![job.id.to_string(), target.id.to_string()];
                        audit_store::insert(&mut write, "refill.audit", &[NewEntry::of(by, subjects, of_job(&job))])
                            .await?;
                    }
                    write.notify("refill.notify", &[Notice::Queued(job.id)]).await?;
                    write.commit("refill.commit", "refill.committed").await?;
                    Ok(Refilled::Queued(job))
                }
                Err(refused) => write.roll_back(refused).await,
            }
        })
        .await
    }

    async fn stop_refill(&self, id: JobId, stop: Stop) -> Result<Option<Job>, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("stop_refill.begin").await?;
            let job = locked_job(&mut write, "stop_refill.read", id).await?;
            if !job.is_some_and(|job| may_stop(&job, stop, write.now())) {
                return write.roll_back(None).await;
            }
            let ended = Ending::new(JobState::Ended, Some(stop.reason()));
            let job = end_job(&mut write, "stop_refill.end", id, ended).await?;
            write.commit("stop_refill.commit", "stop_refill.committed").await?;
            Ok(Some(job))
        })
        .await
    }

    async fn refills(&self) -> Result<Vec<Job>, StoreError> {
        self.all(refill::LIST, &[], rows::job).await
    }
}

/// Builds the next job of a target, or returns why none is queued. Runs in the write that adds the job, so that two planners together
/// cannot exceed a limit.
async fn next_job<W: Write>(
    write: &mut W,
    refill: &Refill,
    target: &StockTarget,
) -> Result<Result<NewJob, Refilled>, StoreError> {
    let last = last_refill(write, target.id).await?;
    // Read the shelves after the last job. Then the puzzles that it stored before it finished are counted, and are not
    // made a second time.
    let have = have(write, &refill.shelves).await?;
    if let Some(needless) = needless(target, refill, last, have) {
        return Ok(Err(needless));
    }
    if matches!(refill.asked, Asked::Planned { .. }) && is_paused(write, "refill.read_pause").await? {
        return Ok(Err(Refilled::Paused));
    }
    if let Some(full) = full(write, "refill.read_full").await? {
        return Ok(Err(Refilled::StockFull(full)));
    }
    let new = new_job(target.clone(), refill, have);
    if let Some(by) = asked_by(refill) {
        let open = open_work(write, [&**by].into_iter()).await?.remove(&*by.name).unwrap_or_default();
        if let Some(over) = exceeded(&by.quotas, open, OpenWork::job(new.wanted)) {
            return Ok(Err(Refilled::OverQuota(over)));
        }
    }
    let open = open_refills(write).await?;
    if open >= refill.refills_max {
        return Ok(Err(Refilled::RefillsFull { open }));
    }
    let open = open_jobs(write).await?;
    Ok(if open >= refill.open_jobs_max { Err(Refilled::BacklogFull { open }) } else { Ok(new) })
}

/// Returns the target, locked against deletion until this write ends.
async fn target_of<W: Write>(write: &mut W, id: TargetId) -> Result<Option<StockTarget>, StoreError> {
    write.optional("refill.find_target", refill::TARGET, values![id.0], rows::target).await
}

/// Returns the target's open refill, which may be an earlier one that was retried, or else its last refill.
async fn last_refill<W: Write>(write: &mut W, id: TargetId) -> Result<Option<Job>, StoreError> {
    write.optional("refill.find_last", refill::LAST, values![id.0], rows::job).await
}

/// Counts the puzzles in circulation on shelves that fit.
async fn have<W: Write>(write: &mut W, shelves: &ShelfFilter) -> Result<u64, StoreError> {
    Ok(choose::total(&write.all("refill.read_shelves", stock::SHELVES, &[], rows::shelf).await?, shelves))
}

async fn open_refills<W: Write>(write: &mut W) -> Result<u32, StoreError> {
    let open = write.one("refill.count_open", refill::COUNT_OPEN, &[], number).await?;
    Ok(u32::try_from(open).expect("a u32 bounds the open jobs"))
}

/// Makes a queued job the target's refill.
async fn mark_refill<W: Write>(write: &mut W, id: JobId, refill: &Refill) -> Result<Job, StoreError> {
    let not_after_at = not_after_at(refill).map(|at| at.0);
    let values = values![refill.target_id.0, not_after_at, refill.traceparent.as_deref(), id.0];
    write.one("refill.mark_job", refill::MARK, values, rows::job).await
}
