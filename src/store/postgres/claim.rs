//! Claiming: leases that ran out are taken back, a job is chosen, and a slice of it is leased.

use sqlx::{Row as _, postgres::PgRow};

use super::{
    PostgresStore, Write,
    jobs::end_job,
    locks, must_touch,
    rows::{self, SliceRow},
};
use crate::{
    clock::Millis,
    store::{
        Claim, StoreError,
        job::{ClaimOrder, Job, JobId, JobState, Lease, Slice},
    },
};

/// Leases that one claim takes back; the next takes more.
const TAKE_BACK_MAX: i64 = 256;

/// Choices of a job of which others took all that was left, before the claim ends as if nothing were due.
const CHOICES_MAX: u32 = 8;

/// When work falls due that nobody holds.
pub(super) struct Due {
    /// When, if there is any.
    pub(super) at: Option<Millis>,
    now: Millis,
    has_expired: bool,
}

impl PostgresStore {
    pub(super) async fn claim_slice(&self, claim: Claim) -> Result<Option<Slice>, StoreError> {
        // An idle worker asks often: reading first spares it a transaction.
        let due = self.read_due().await?;
        if due.at.is_none_or(|at| at > due.now) {
            return Ok(None);
        }
        let mut write = self.write("claim.begin").await?;
        if due.has_expired {
            take_back_expired(&mut write, claim.attempts_max).await?;
        }
        let slice = lease_any(&mut write, claim).await?;
        // Without a slice too: the leases that were taken back are worth keeping.
        write.commit("claim.commit", "claim.committed").await?;
        Ok(slice)
    }

    pub(super) async fn read_due(&self) -> Result<Due, StoreError> {
        let row = self
            .connections
            .one(|| {
                sqlx::query(concat!(
                    "with clock as (select coalesce($1, ",
                    clock!(),
                    ") as now)
                     select now,
                            (select min(due) from (
                                 select greatest(jobs.not_before_at,
                                                 coalesce(slices.lease_expires_at, slices.available_at)) as due
                                 from jobs join slices on slices.job_id = jobs.id
                                 where jobs.state in ('queued', 'running')
                                 union all
                                 select not_before_at from jobs
                                 where state in ('queued', 'running') and next_index < wanted
                             ) as open) as due,
                            exists (select from slices where token is not null and lease_expires_at <= now) as has_expired
                     from clock",
                ))
                .bind(self.injected_now())
            })
            .await?;
        let at: Option<i64> = row.try_get("due")?;
        Ok(Due { at: at.map(Millis), now: Millis(row.try_get("now")?), has_expired: row.try_get("has_expired")? })
    }

    pub(super) async fn read_clock(&self) -> Result<Millis, StoreError> {
        if let Some(now) = self.injected_now() {
            return Ok(Millis(now));
        }
        let row = self.connections.one(|| sqlx::query(concat!("select ", clock!()))).await?;
        Ok(Millis(row.try_get(0)?))
    }
}

/// A lease that ran out is a failed attempt: whoever held it died or hangs, and a slice that kills its workers must not
/// be tried for ever.
async fn take_back_expired(write: &mut Write<'_>, attempts_max: u32) -> Result<(), StoreError> {
    let now = write.now;
    locks::TAKE_BACK.take(write.at("claim.lock_take_back").await?).await?;
    // A slice that is just being committed is waited for, and is then gone.
    let expired: Vec<(i64, i64)> = sqlx::query_as(
        "with expired as (
             select id from slices
             where token is not null and lease_expires_at <= $1
             order by id
             limit $2
             for update)
         update slices
         set token = null, lease_expires_at = null, available_at = 0, failed_attempts = failed_attempts + 1
         from expired
         where slices.id = expired.id
         returning job_id, failed_attempts",
    )
    .bind(now.0)
    .bind(TAKE_BACK_MAX)
    .fetch_all(write.at("claim.take_back").await?)
    .await?;
    for (job_id, failed_attempts) in expired {
        let error = format!("a lease ran out before its slice was committed, failed attempt {failed_attempts} at it");
        note_failure(write, JobId(job_id), &error, failed_attempts >= i64::from(attempts_max)).await?;
    }
    Ok(())
}

/// Counts a failed attempt on its job, and fails the job if it was the last one allowed. A job that has ended meanwhile
/// stays as it is.
pub(super) async fn note_failure(
    write: &mut Write<'_>,
    id: JobId,
    error: &str,
    was_last: bool,
) -> Result<Option<Job>, StoreError> {
    let updated = sqlx::query(
        "update jobs
         set failed_attempts = failed_attempts + 1, error = $1
         where id = $2 and state in ('queued', 'running')
         returning *",
    )
    .bind(error)
    .bind(id.0)
    .fetch_optional(write.at("failure.update_job").await?)
    .await?;
    match updated {
        Some(_) if was_last => end_job(write, "failure.end_job", id, JobState::Failed, Some(error)).await.map(Some),
        Some(row) => rows::job(&row).map(Some),
        None => Ok(None),
    }
}

async fn lease_any(write: &mut Write<'_>, claim: Claim) -> Result<Option<Slice>, StoreError> {
    for _ in 0..CHOICES_MAX {
        let Some(chosen) = choose_job(write, claim.order).await? else { return Ok(None) };
        if let Some(slice) = lease_of(write, &chosen, claim).await? {
            return Ok(Some(slice));
        }
    }
    Ok(None)
}

struct Chosen {
    job: Job,
    /// Whether a slice of it was on offer when the choice began.
    is_offering: bool,
}

/// Chooses a job and locks it. Whoever else claims from it is waited for: passing over jobs that are locked, as queues of
/// many small jobs do, would send nearly every claim away empty where one job has all the work.
async fn choose_job(write: &mut Write<'_>, order: ClaimOrder) -> Result<Option<Chosen>, StoreError> {
    let by_priority = order == ClaimOrder::Priority;
    let now = write.now;
    let row = sqlx::query(
        "select jobs.*, exists (select from slices
                                where slices.job_id = jobs.id and token is null and available_at <= $1) as is_offering
         from jobs
         where state in ('queued', 'running')
           and not_before_at <= $1
           and (next_index < wanted
                or exists (select from slices
                           where slices.job_id = jobs.id and token is null and available_at <= $1))
         order by case when $2 then priority else 0 end desc, turn, id
         limit 1
         for no key update of jobs",
    )
    .bind(now.0)
    .bind(by_priority)
    .fetch_optional(write.at("claim.choose_job").await?)
    .await?;
    row.map(|row: PgRow| Ok(Chosen { job: rows::job(&row)?, is_offering: row.try_get("is_offering")? })).transpose()
}

/// None if others have taken what was left of the job.
async fn lease_of(write: &mut Write<'_>, chosen: &Chosen, claim: Claim) -> Result<Option<Slice>, StoreError> {
    let Chosen { job, is_offering } = chosen;
    let expires_at = write.now.plus_ms(claim.lease_ms);
    // Work that was begun goes before new work, lowest index first: a job's end should not wait for one old slice.
    let offered = if *is_offering { lease_offered(write, job, claim, expires_at).await? } else { None };
    let row = match offered {
        Some(row) => row,
        None if job.next_index < job.wanted => carve(write, job, claim, expires_at).await?,
        None => return Ok(None),
    };
    Ok(Some(Slice {
        lease: Lease { slice_id: row.id, job_id: JobId(row.job_id), token: claim.token },
        spec: job.spec.clone(),
        seed: job.seed,
        first_index: row.first_index,
        end_index: row.end_index,
        first_try: row.first_try,
        tries_max: job.tries_max,
        failed_attempts: row.failed_attempts,
    }))
}

async fn lease_offered(
    write: &mut Write<'_>,
    job: &Job,
    claim: Claim,
    expires_at: Millis,
) -> Result<Option<SliceRow>, StoreError> {
    let now = write.now;
    // The job is locked before the slice, other than everywhere else, so the slice must not be waited for.
    let row = sqlx::query(
        "with started as (
             update jobs
             set state = 'running', started_at = coalesce(started_at, $4), turn = nextval('turns')
             where id = $3)
         update slices
         set token = $1, lease_expires_at = $2
         where id = (select id from slices
                     where job_id = $3 and token is null and available_at <= $4
                     order by first_index
                     limit 1
                     for update skip locked)
         returning *",
    )
    .bind(claim.token)
    .bind(expires_at.0)
    .bind(job.id.0)
    .bind(now.0)
    .fetch_optional(write.at("claim.lease_offered").await?)
    .await?;
    row.as_ref().map(rows::slice).transpose()
}

async fn carve(write: &mut Write<'_>, job: &Job, claim: Claim, expires_at: Millis) -> Result<SliceRow, StoreError> {
    let now = write.now;
    let end_index = job.next_index.saturating_add((claim.size)(job).max(1)).min(job.wanted);
    let carved = sqlx::query(
        "with moved as (
             update jobs
             set next_index = $3, state = 'running', started_at = coalesce(started_at, $6), turn = nextval('turns')
             where id = $1 and next_index = $2 and state in ('queued', 'running')
             returning id)
         insert into slices (job_id, first_index, end_index, token, lease_expires_at, available_at)
         select id, $2, $3, $4, $5, 0 from moved
         returning *",
    )
    .bind(job.id.0)
    .bind(i64::from(job.next_index))
    .bind(i64::from(end_index))
    .bind(claim.token)
    .bind(expires_at.0)
    .bind(now.0)
    .fetch_all(write.at("claim.carve").await?)
    .await?;
    must_touch("moving a job's next index", 1, carved.len() as u64)?;
    rows::slice(&carved[0])
}
