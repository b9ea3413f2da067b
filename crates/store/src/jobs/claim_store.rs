//! Claims slices for workers. A claim first reclaims slices whose leases expired, then chooses a job, then leases
//! slices of that job. `ClaimWrite` has the statements that each database makes in its own way.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    StoreError,
    error::must_touch,
    jobs::{
        job::{ClaimOrder, Job},
        lease_store::note_failure,
        policy::SliceSize,
        queue_state::{HOUR_MS, ReclaimedSlice},
        slice::Slice,
    },
    sql::{
        batcher::{Answers, Batcher, alone},
        database::{Columns, Database, Lock, Write},
        rows::{self, SliceRow},
        statement::values,
        statements::claim,
    },
};
use puzzled_base::{clock::Millis, ids::JobId};

/// Leases slices to workers.
#[async_trait]
pub trait ClaimStore {
    /// If work is due, claims a slice under a new lease: the remainder of an earlier slice, or as many of a job's next
    /// indices as `size` allows. Before it chooses a job, a claim reclaims some expired leases of any job. Each
    /// reclaimed lease counts as a failed attempt and, if its job is open, as a reclaimed slice of the job and of the
    /// queue. While the queue is paused or the stock is full, a claim does nothing. A claim skips jobs that need a
    /// newer engine than this store's.
    async fn claim(&self, claim: Claim) -> Result<Claimed, StoreError>;

    /// Returns the time at which unleased work for this store's engine is due. The time may be in the past. Returns
    /// `None` if there is no such work, the queue is paused, or the stock is full.
    async fn next_due(&self) -> Result<Option<Millis>, StoreError>;
}

/// A claim of the next slice.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Name of the worker that will hold the lease.
    pub worker: Arc<str>,
    /// The order in which jobs are chosen.
    pub order: ClaimOrder,
    /// Token of the new lease.
    pub token: i64,
    /// Length of the lease, in milliseconds.
    pub lease_ms: i64,
    /// The number of failed attempts at one slice at which its job fails.
    pub attempts_max: u32,
    /// How many of the job's next indices a slice takes.
    pub size: SliceSize,
}

/// The result of a claim.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Claimed {
    /// The slice to work on, if any work was due.
    pub slice: Option<Slice>,
    /// The expired leases of open jobs that this claim reclaimed.
    pub reclaimed_slices: Vec<ReclaimedSlice>,
}

/// A database that can make the claims of a process in batches.
pub(crate) trait ClaimDatabase: Database<Write: ClaimWrite> {
    /// Makes the claims in batches; `None` if each claim is made alone.
    fn claims(&self) -> Option<&Batcher<Claim, Result<Claimed, StoreError>>> {
        None
    }
}

/// The maximum number of jobs that claims try before they end as if nothing more were due. A job counts even if other claims
/// took its slices first.
const CHOICES_MAX: u32 = 8;

/// The maximum number of leases that one write reclaims. The next write reclaims more.
const RECLAIMED_MAX: u32 = 256;

#[async_trait]
impl<D: ClaimDatabase> ClaimStore for D {
    async fn claim(&self, claim: Claim) -> Result<Claimed, StoreError> {
        match self.claims() {
            Some(claims) => claims.call(claim).await?,
            None => alone(claim, |claims| claim_slices(self, claims)).await,
        }
    }

    async fn next_due(&self) -> Result<Option<Millis>, StoreError> {
        Ok(read_due(self).await?.at)
    }
}

/// Claims a slice for each, until none is left. A transaction takes slices from one job only: if it locked several
/// jobs, it could deadlock with another transaction.
pub(crate) async fn claim_slices<D: ClaimDatabase>(db: &D, claims: Vec<Claim>) -> Answers<Claimed> {
    let mut left: Vec<_> = claims.iter().enumerate().collect();
    let mut claimed: Vec<_> = claims.iter().map(|_| Claimed::default()).collect();
    for _ in 0..CHOICES_MAX {
        let Some(&(first_index, first)) = left.first() else { break };
        // Claims with the same order take from the same job.
        let alike: Vec<_> = left.iter().copied().filter(|(_, claim)| claim.order == first.order).collect();
        let claims: Vec<_> = alike.iter().map(|&(_, claim)| claim.clone()).collect();
        match db.with_retries(|| claim_of_next_job(db, &claims)).await {
            Ok(ClaimsOnJob { slices, reclaimed_slices }) => {
                claimed[first_index].reclaimed_slices.extend(reclaimed_slices);
                // Nothing is due for any order.
                let Some(slices) = slices else { break };
                for (&(at, _), slice) in alike.iter().zip(slices) {
                    left.retain(|&(other, _)| other != at);
                    claimed[at].slice = Some(slice);
                }
            }
            // Keep the slices that were claimed before the error.
            Err(error) if left.len() < claimed.len() => {
                tracing::warn!(%error, "slice claims incomplete");
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(claimed.into_iter().map(Ok).collect())
}

/// The result of claims on one job.
#[derive(Debug, Default)]
struct ClaimsOnJob {
    /// At most one slice per claim, in the order of the claims; `None` if nothing was due.
    slices: Option<Vec<Slice>>,
    /// The expired leases of open jobs that were reclaimed.
    reclaimed_slices: Vec<ReclaimedSlice>,
}

/// Leases one slice per claim, all from the next job, until the job has no more. All claims have the same
/// [`ClaimOrder`].
async fn claim_of_next_job<D: ClaimDatabase>(db: &D, claims: &[Claim]) -> Result<ClaimsOnJob, StoreError> {
    let Some(first) = claims.first() else { return Ok(ClaimsOnJob::default()) };
    // An idle worker asks often, and a read first avoids a transaction. While the queue is stopped, nothing is due.
    let Due { at, now, has_expired } = read_due(db).await?;
    if at.is_none_or(|at| at > now) {
        return Ok(ClaimsOnJob::default());
    }
    let mut write = db.write("claim.begin").await?;
    if write.is_stopped().await? {
        return write.roll_back(ClaimsOnJob::default()).await;
    }
    let reclaimed_slices = if has_expired { reclaim(&mut write, first.attempts_max).await? } else { Vec::new() };
    // Without a job, other claims were faster, and another job may be due.
    let slices = match choose_job(&mut write, first.order, db.engine_version()).await? {
        Some((job, is_offering)) => lease(&mut write, &job, is_offering, claims).await?,
        None => Vec::new(),
    };
    // Even if no slice was leased, the reclaimed leases must be committed.
    write.commit("claim.commit", "claim.committed").await?;
    Ok(ClaimsOnJob { slices: Some(slices), reclaimed_slices })
}

/// The next work that has no lease.
struct Due {
    /// When it is due; `None` if there is none.
    at: Option<Millis>,
    now: Millis,
    has_expired: bool,
}

async fn read_due<D: Database>(db: &D) -> Result<Due, StoreError> {
    let read = |row: &D::Row| {
        let now = Millis(row.integer("now")?.ok_or(sqlx::Error::RowNotFound)?);
        let has_expired = row.flag("has_expired")?.unwrap_or(false);
        Ok(Due { at: row.integer("due")?.map(Millis), now, has_expired })
    };
    let due = db.all(claim::DUE, values![db.clock_override(), db.engine_version()], read).await?.pop();
    due.ok_or(StoreError::Refused(sqlx::Error::RowNotFound))
}

/// Reclaims expired leases, and returns the reclaimed slices of open jobs. An expired lease means that its worker died
/// or hangs. It counts as a failed attempt, because a slice that kills its workers must not be attempted forever.
async fn reclaim<W: Write>(write: &mut W, attempts_max: u32) -> Result<Vec<ReclaimedSlice>, StoreError> {
    write.lock("claim.lock_reclaim", Lock::Reclaim).await?;
    let mut expired =
        write.all("claim.reclaim", claim::RECLAIM, values![write.now(), RECLAIMED_MAX], rows::slice).await?;
    // A failed attempt may end its job. Later slices of that job then do not count as reclaimed.
    expired.sort_by_key(|slice| slice.first_index);
    let mut reclaimed_slices = Vec::new();
    for SliceRow { id, job_id, first_index, failed_attempts, worker, .. } in expired {
        let job_id = JobId(job_id);
        let error = format!("the lease expired before the slice was committed; failed attempt {failed_attempts}");
        if note_failure(write, job_id, &error, failed_attempts >= attempts_max).await?.is_some() {
            reclaimed_slices.push(ReclaimedSlice { job_id, slice_id: id, first_index, worker });
        }
    }
    count_reclaimed(write, &reclaimed_slices).await?;
    Ok(reclaimed_slices)
}

/// Counts reclaimed slices on their jobs and on the queue. Locks the jobs.
async fn count_reclaimed<W: Write>(write: &mut W, reclaimed_slices: &[ReclaimedSlice]) -> Result<(), StoreError> {
    if reclaimed_slices.is_empty() {
        return Ok(());
    }
    let jobs = || reclaimed_slices.iter().map(|reclaimed| reclaimed.job_id.0).collect::<Vec<_>>();
    write.execute("reclaim.count_on_jobs", claim::COUNT_ON_JOBS, values![jobs()]).await?;
    let more = i64::try_from(reclaimed_slices.len()).expect("at most RECLAIMED_MAX");
    let counted = write.execute("reclaim.count", claim::COUNT_RECLAIMED, values![more]).await?;
    must_touch("counting reclaimed slices", 1, counted)?;
    write.execute("reclaim.note", claim::NOTE_RECLAIMED, values![write.now(), jobs()]).await?;
    write.execute("reclaim.forget", claim::FORGET_RECLAIMED, values![write.now().plus_ms(-HOUR_MS)]).await?;
    Ok(())
}

/// Chooses and locks a job, and returns whether it offers a slice. Waits for other claims on the job. `skip locked` would be wrong
/// here: if all work is in one job, nearly every claim would find nothing.
async fn choose_job<W: Write>(
    write: &mut W,
    order: ClaimOrder,
    engine_version: u32,
) -> Result<Option<(Job, bool)>, StoreError> {
    let values = values![write.now(), engine_version, !order.is_by_turn(), order.avoids_top_ups()];
    let read = |row: &W::Row| Ok((rows::job(row)?, row.flag("is_offering")?.unwrap_or(false)));
    write.optional("claim.choose_job", claim::CHOOSE_JOB, values, read).await
}

/// Leases one slice per claim, until the job has no more.
async fn lease<W: Write + ClaimWrite>(
    write: &mut W,
    job: &Job,
    is_offering: bool,
    claims: &[Claim],
) -> Result<Vec<Slice>, StoreError> {
    // Offered slices go before new ones, so that a job does not wait for one old slice at its end.
    let mut slices = if is_offering { write.lease_offered(job, claims).await? } else { Vec::new() };
    let without = &claims[slices.len()..];
    // Each slice begins where the one before it ends.
    let mut after = job.clone();
    let mut ends = Vec::new();
    for claim in without {
        if after.next_index == job.wanted {
            break;
        }
        after.next_index = claim.size.end_index(&after);
        ends.push(after.next_index);
    }
    if !ends.is_empty() {
        slices.extend(write.carve(job, &without[..ends.len()], &ends).await?);
    }
    let now = write.now();
    Ok(slices.iter().zip(claims).map(|(slice, claim)| slice.leased(job, claim.token, now)).collect())
}

/// The statements of a claim that each database makes in its own way.
#[async_trait]
pub(crate) trait ClaimWrite: Send {
    /// Whether a pause or a full stock stops claims since they read what is due.
    async fn is_stopped(&mut self) -> Result<bool, StoreError>;

    /// Leases offered slices to the claims, lowest index first, and starts the job. Returns fewer slices than claims if
    /// other claims were faster.
    async fn lease_offered(&mut self, job: &Job, claims: &[Claim]) -> Result<Vec<SliceRow>, StoreError>;

    /// Makes a slice of the job's next indices for each claim, up to the index in `ends`, and starts the job. Returns
    /// the slices by index.
    async fn carve(&mut self, job: &Job, claims: &[Claim], ends: &[u32]) -> Result<Vec<SliceRow>, StoreError>;
}
