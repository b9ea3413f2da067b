//! Reading jobs, and ending or reviving them by hand.

use super::{PostgresStore, Write, ear, locks, rows, same};
use crate::store::{
    StoreError,
    job::{Job, JobFilter, JobId, JobState},
    notice::Notice,
};

impl PostgresStore {
    pub(super) async fn read_job(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        let row = self.connections.optional(|| sqlx::query("select * from jobs where id = $1").bind(id.0)).await?;
        row.as_ref().map(rows::job).transpose()
    }

    pub(super) async fn read_jobs(
        &self,
        filter: &JobFilter,
        before: Option<JobId>,
        limit: u32,
    ) -> Result<Vec<Job>, StoreError> {
        let states: Vec<_> = filter.states.iter().map(|state| state.name()).collect();
        let states = (!states.is_empty()).then_some(states);
        let found = self
            .connections
            .all(|| {
                sqlx::query(
                    "select * from jobs
                     where id < $1
                       and pruned_at is null
                       and ($2::text[] is null or state = any($2))
                       and ($3::text is null or kind = $3)
                       and labels::jsonb @> $5::jsonb
                       and ($6::bigint is null or target_id = $6)
                     order by id desc
                     limit $4",
                )
                .bind(before.map_or(i64::MAX, |id| id.0))
                .bind(states.clone())
                .bind(&filter.kind)
                .bind(i64::from(limit))
                .bind(serde_json::json!(filter.labels).to_string())
                .bind(filter.target_id.map(|id| id.0))
            })
            .await?;
        found.iter().map(rows::job).collect()
    }

    pub(super) async fn cancel_job(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        let mut write = self.write("cancel.begin").await?;
        let Some(job) = locked_job(&mut write, "cancel.read", id).await? else { return write.undone(None).await };
        if !job.state.is_open() {
            return write.undone(Some(job)).await;
        }
        // The slices are left alone: their leases end with the job's state, and a retry goes on with what they hold. A
        // cancel that locked them would do so in the other order than a commit.
        let job = end_job(&mut write, "cancel.update", id, JobState::Cancelled, job.error.as_deref()).await?;
        write.commit("cancel.commit", "cancel.committed").await?;
        Ok(Some(job))
    }

    pub(super) async fn retry_job(&self, id: JobId, tries_more: u32) -> Result<Option<Job>, StoreError> {
        let mut write = self.write("retry.begin").await?;
        // Else a refill could be queued, or another one revived, for the target that this job is to keep.
        locks::ENQUEUE.take(write.at("retry.lock").await?).await?;
        // The slices first, as everywhere: a commit under way that holds one of them may be about to take the job.
        sqlx::query("select from slices where job_id = $1 order by id for update")
            .bind(id.0)
            .execute(write.at("retry.lock_slices").await?)
            .await?;
        let Some(job) = locked_job(&mut write, "retry.read", id).await? else { return write.undone(None).await };
        if !matches!(job.state, JobState::Failed | JobState::Cancelled) || job.pruned_at.is_some() {
            return write.undone(Some(job)).await;
        }
        sqlx::query(
            "update slices
             set token = null, lease_expires_at = null, available_at = 0, failed_attempts = 0
             where job_id = $1",
        )
        .bind(id.0)
        .execute(write.at("retry.update_slices").await?)
        .await?;
        let row = sqlx::query(
            "update jobs
             set state = 'queued', ended_at = null, error = null, failed_attempts = 0,
                 -- By hand it may take its time, and if its target has another job by now it is none of its any more.
                 not_after_at = null,
                 target_id = case when exists (select from jobs as other
                                               where other.target_id = jobs.target_id
                                                 and other.state in ('queued', 'running'))
                             then null else target_id end,
                 -- Another job may have taken over what it was to make up for.
                 shortfall = null,
                 tries_max = least(tries_max + $1, $2), turn = nextval('turns')
             where id = $3
             returning *",
        )
        .bind(i64::from(tries_more))
        .bind(i64::from(u32::MAX))
        .bind(id.0)
        .fetch_one(write.at("retry.update_job").await?)
        .await?;
        let job = rows::job(&row)?;
        ear::tell(&mut write, "retry.tell", Notice::Queued(id)).await?;
        write.commit("retry.commit", "retry.committed").await?;
        Ok(Some(job))
    }
}

/// The job, as it stays until this write ends.
async fn locked_job(write: &mut Write<'_>, point: &'static str, id: JobId) -> Result<Option<Job>, StoreError> {
    // No puzzle or slice that refers to the job has to wait for this kind of lock.
    let row = sqlx::query("select * from jobs where id = $1 for no key update")
        .bind(id.0)
        .fetch_optional(write.at(point).await?)
        .await?;
    row.as_ref().map(rows::job).transpose()
}

/// Puts an open job into one of its ends, and tells of it.
pub(super) async fn end_job(
    write: &mut Write<'_>,
    point: &'static str,
    id: JobId,
    state: JobState,
    error: Option<&str>,
) -> Result<Job, StoreError> {
    let job = same::end_job(write, point, id, state, error).await?;
    ear::tell(write, "end.tell", Notice::Ended(id)).await?;
    Ok(job)
}
