//! Claiming: leases that ran out are taken back, a job is chosen, and a slice of it is leased.

use async_trait::async_trait;

use super::{SqliteStore, Write, must_touch, rescues::count_rescue, rows, rows::SliceRow};
use crate::{
    clock::Millis,
    store::{
        Claim, ClaimStore, Claimed, StoreError,
        database::{Database as _, Write as _},
        job::{ClaimOrder, Job, JobId, Slice},
        leases::note_failure,
        queue::Rescue,
        queue_state::is_paused,
    },
};

#[async_trait]
impl ClaimStore for SqliteStore {
    async fn claim(&self, claim: Claim<'_>) -> Result<Claimed, StoreError> {
        // An idle worker asks often: reading first keeps it from taking the write lock for nothing.
        if self.next_due().await?.is_none_or(|due| due > self.clock.now()) {
            return Ok(Claimed::default());
        }
        let mut write = self.write("claim.begin").await?;
        // Asked again: it may have been paused since.
        if is_paused(&mut write, "claim.read_pause").await? {
            return Ok(Claimed::default());
        }
        let rescues = take_back_expired(&mut write, claim.attempts_max).await?;
        let slice = match choose_job(&mut write, claim.order).await? {
            Some(job) => Some(lease_of(&mut write, &job, claim).await?),
            None => None,
        };
        // Without a slice too: the leases that were taken back are worth keeping.
        write.commit("claim.commit", "claim.committed").await?;
        Ok(Claimed { slice, rescues })
    }

    async fn next_due(&self) -> Result<Option<Millis>, StoreError> {
        let due: Option<i64> = sqlx::query_scalar(
            "select min(due) from (
                 select max(jobs.not_before_at, coalesce(slices.lease_expires_at, slices.available_at)) as due
                 from jobs join slices on slices.job_id = jobs.id
                 where jobs.state in ('queued', 'running')
                 union all
                 select not_before_at from jobs
                 where state in ('queued', 'running') and next_index < wanted
             )
             where not exists (select 1 from queue where paused_at is not null)",
        )
        .fetch_one(&self.readers)
        .await?;
        Ok(due.map(Millis))
    }
}

/// A lease that ran out is a failed attempt: whoever held it died or hangs, and a slice that kills its workers must not
/// be tried for ever. Returns those of open jobs.
async fn take_back_expired(write: &mut Write, attempts_max: u32) -> Result<Vec<Rescue>, StoreError> {
    let now = write.now;
    let expired = sqlx::query(
        "update slices
         set token = null, lease_expires_at = null, available_at = 0, failed_attempts = failed_attempts + 1
         where token is not null and lease_expires_at <= ?
         returning *",
    )
    .bind(now.0)
    .fetch_all(write.at("claim.take_back").await?)
    .await?;
    let mut rescues = Vec::new();
    for row in &expired {
        let SliceRow { id, job_id, first_index, failed_attempts, worker, .. } = rows::slice(row)?;
        let job_id = JobId(job_id);
        let error = format!("a lease ran out before its slice was committed, failed attempt {failed_attempts} at it");
        if note_failure(write, job_id, &error, failed_attempts >= attempts_max).await?.is_some() {
            count_rescue(write, job_id).await?;
            rescues.push(Rescue { job_id, slice_id: id, first_index, worker });
        }
    }
    Ok(rescues)
}

async fn choose_job(write: &mut Write, order: ClaimOrder) -> Result<Option<Job>, StoreError> {
    let by_priority = order == ClaimOrder::Priority;
    let now = write.now;
    let row = sqlx::query(
        "select * from jobs
         where state in ('queued', 'running')
           and not_before_at <= ?1
           and (next_index < wanted
                or exists (select 1 from slices
                           where slices.job_id = jobs.id and slices.token is null and slices.available_at <= ?1))
         order by case when ?2 then priority else 0 end desc, turn, id
         limit 1",
    )
    .bind(now.0)
    .bind(by_priority)
    .fetch_optional(write.at("claim.choose_job").await?)
    .await?;
    row.as_ref().map(rows::job).transpose()
}

async fn lease_of(write: &mut Write, job: &Job, claim: Claim<'_>) -> Result<Slice, StoreError> {
    let now = write.now;
    let expires_at = now.plus_ms(claim.lease_ms);
    // Work that was begun goes before new work, lowest index first: a job's end should not wait for one old slice.
    let offered = sqlx::query(
        "update slices
         set token = ?, lease_expires_at = ?, worker = ?
         where id = (select id from slices
                     where job_id = ? and token is null and available_at <= ?
                     order by first_index
                     limit 1)
         returning *",
    )
    .bind(claim.token)
    .bind(expires_at.0)
    .bind(claim.worker)
    .bind(job.id.0)
    .bind(now.0)
    .fetch_optional(write.at("claim.lease_offered").await?)
    .await?;
    let row = match offered {
        Some(row) => rows::slice(&row)?,
        None => carve(write, job, claim, expires_at).await?,
    };
    start_job(write, job.id).await?;
    Ok(row.leased(job, claim.token))
}

async fn carve(write: &mut Write, job: &Job, claim: Claim<'_>, expires_at: Millis) -> Result<SliceRow, StoreError> {
    let end_index = claim.size.end_index(job);
    let row = sqlx::query(
        "insert into slices (job_id, first_index, end_index, token, lease_expires_at, worker, available_at)
         values (?, ?, ?, ?, ?, ?, 0)
         returning *",
    )
    .bind(job.id.0)
    .bind(job.next_index)
    .bind(end_index)
    .bind(claim.token)
    .bind(expires_at.0)
    .bind(claim.worker)
    .fetch_one(write.at("claim.insert_slice").await?)
    .await?;
    let moved = sqlx::query("update jobs set next_index = ? where id = ? and next_index = ?")
        .bind(end_index)
        .bind(job.id.0)
        .bind(job.next_index)
        .execute(write.at("claim.move_next_index").await?)
        .await?;
    must_touch("moving a job's next index", 1, moved.rows_affected())?;
    rows::slice(&row)
}

async fn start_job(write: &mut Write, id: JobId) -> Result<(), StoreError> {
    let now = write.now;
    let started = sqlx::query(
        "update jobs
         set state = 'running',
             started_at = coalesce(started_at, ?),
             turn = (select max(turn) from jobs where state in ('queued', 'running')) + 1
         where id = ? and state in ('queued', 'running')",
    )
    .bind(now.0)
    .bind(id.0)
    .execute(write.at("claim.start_job").await?)
    .await?;
    must_touch("starting a job", 1, started.rows_affected())
}
