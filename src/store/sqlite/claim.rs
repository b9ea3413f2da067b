//! Leases slices on SQLite, one claim at a time, because SQLite has one writer. Finds the time when the next slice is
//! due.

use async_trait::async_trait;

use super::{SqliteStore, Write, must_touch, rows, rows::SliceRow};
use crate::{
    clock::Millis,
    store::{
        Claim, ClaimStore, Claimed, StoreError,
        claims::{Leaser, Taken, claim_of_one_job},
        column_lists::slice_columns,
        database::Database as _,
        job::{Job, JobId},
        queue_state::{is_stopped, stopped},
    },
};

#[async_trait]
impl ClaimStore for SqliteStore {
    async fn claim(&self, claim: Claim<'_>) -> Result<Claimed, StoreError> {
        // An idle worker claims often. This read avoids taking the write lock for nothing.
        if self.next_due().await?.is_none_or(|due| due > self.clock.now()) {
            return Ok(Claimed::default());
        }
        self.repeated(|| async {
            let mut write = self.write("claim.begin").await?;
            // The queue may have stopped since the read.
            if is_stopped(&mut write, "claim.read_stops").await? {
                return Ok(Claimed::default());
            }
            let Taken { slices, reclaimed_slices } = claim_of_one_job(write, &[claim], true).await?;
            Ok(Claimed { slice: slices.and_then(|mut slices| slices.pop()), reclaimed_slices })
        })
        .await
    }

    async fn next_due(&self) -> Result<Option<Millis>, StoreError> {
        let due: Option<i64> = sqlx::query_scalar(concat!(
            "select min(due) from (
                 select max(jobs.not_before_at, coalesce(slices.lease_expires_at, slices.available_at)) as due
                 from jobs join slices on slices.job_id = jobs.id
                 where jobs.state in ('queued', 'running') and jobs.needed_version <= $1
                 union all
                 select not_before_at from jobs
                 where state in ('queued', 'running') and next_index < wanted and needed_version <= $1
             )
             where not exists (select 1 from queue where ",
            stopped!(),
            ")",
        ))
        .bind(self.settings.engine_version)
        .fetch_one(&self.readers)
        .await?;
        Ok(due.map(Millis))
    }
}

#[async_trait]
impl Leaser for Write {
    async fn lease_offered(&mut self, job: &Job, claims: &[Claim<'_>]) -> Result<Vec<SliceRow>, StoreError> {
        let now = self.now;
        let mut leased = Vec::new();
        for claim in claims {
            let row = sqlx::query(concat!(
                "update slices
                 set token = ?, lease_expires_at = ?, worker = ?
                 where id = (select id from slices
                             where job_id = ? and token is null and available_at <= ?
                             order by first_index
                             limit 1)
                 returning ",
                slice_columns!()
            ))
            .bind(claim.token)
            .bind(now.plus_ms(claim.lease_ms).0)
            .bind(claim.worker)
            .bind(job.id.0)
            .bind(now.0)
            .fetch_optional(self.at("claim.lease_offered").await?)
            .await?;
            let Some(row) = row else { break };
            leased.push(rows::slice(&row)?);
            start_job(self, job.id).await?;
        }
        Ok(leased)
    }

    async fn carve(&mut self, job: &Job, claims: &[Claim<'_>]) -> Result<Vec<SliceRow>, StoreError> {
        let now = self.now;
        // Each claim continues where the previous claim left the job.
        let mut job = job.clone();
        let mut carved = Vec::new();
        for claim in claims {
            if job.next_index == job.wanted {
                break;
            }
            let end_index = claim.size.end_index(&job);
            let row = sqlx::query(concat!(
                "insert into slices (job_id, first_index, end_index, token, lease_expires_at, worker, available_at)
                 values (?, ?, ?, ?, ?, ?, 0)
                 returning ",
                slice_columns!()
            ))
            .bind(job.id.0)
            .bind(job.next_index)
            .bind(end_index)
            .bind(claim.token)
            .bind(now.plus_ms(claim.lease_ms).0)
            .bind(claim.worker)
            .fetch_one(self.at("claim.insert_slice").await?)
            .await?;
            carved.push(rows::slice(&row)?);
            let moved = sqlx::query("update jobs set next_index = ? where id = ? and next_index = ?")
                .bind(end_index)
                .bind(job.id.0)
                .bind(job.next_index)
                .execute(self.at("claim.move_next_index").await?)
                .await?;
            must_touch("moving a job's next index", 1, moved.rows_affected())?;
            job.next_index = end_index;
            start_job(self, job.id).await?;
        }
        Ok(carved)
    }
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
