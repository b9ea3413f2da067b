//! Reading jobs, and ending or reviving them by hand.

use super::{SqliteStore, Write, rows, same::end_job};
use crate::store::{
    StoreError,
    job::{Job, JobFilter, JobId, JobState},
};

impl SqliteStore {
    pub(super) async fn read_job(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        let row = sqlx::query("select * from jobs where id = ?").bind(id.0).fetch_optional(&self.readers).await?;
        row.as_ref().map(rows::job).transpose()
    }

    pub(super) async fn read_jobs(
        &self,
        filter: &JobFilter,
        before: Option<JobId>,
        limit: u32,
    ) -> Result<Vec<Job>, StoreError> {
        // A list of words as one json parameter: SQLite has no arrays.
        let states: Vec<_> = filter.states.iter().map(|state| state.name()).collect();
        let states = (!states.is_empty()).then(|| serde_json::json!(states).to_string());
        let found = sqlx::query(
            "select * from jobs
             where id < ?1
               and pruned_at is null
               and (?2 is null or state in (select value from json_each(?2)))
               and (?3 is null or kind = ?3)
               and not exists (select 1 from json_each(?5) as wanted
                               where not exists (select 1 from json_each(jobs.labels) as own
                                                 where own.key = wanted.key and own.value = wanted.value))
               and (?6 is null or target_id = ?6)
             order by id desc
             limit ?4",
        )
        .bind(before.map_or(i64::MAX, |id| id.0))
        .bind(states)
        .bind(&filter.kind)
        .bind(limit)
        .bind(serde_json::json!(filter.labels).to_string())
        .bind(filter.target_id.map(|id| id.0))
        .fetch_all(&self.readers)
        .await?;
        found.iter().map(rows::job).collect()
    }

    pub(super) async fn cancel_job(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        let mut write = self.write("cancel.begin").await?;
        let Some(job) = locked_job(&mut write, "cancel.read", id).await? else { return Ok(None) };
        if !job.state.is_open() {
            return Ok(Some(job));
        }
        // The slices are left alone: their leases end with the job's state, and a retry goes on with what they hold.
        let job = end_job(&mut write, "cancel.update", id, JobState::Cancelled, job.error.as_deref()).await?;
        write.commit("cancel.commit", "cancel.committed").await?;
        Ok(Some(job))
    }

    pub(super) async fn retry_job(&self, id: JobId, tries_more: u32) -> Result<Option<Job>, StoreError> {
        let mut write = self.write("retry.begin").await?;
        let Some(job) = locked_job(&mut write, "retry.read", id).await? else { return Ok(None) };
        if !matches!(job.state, JobState::Failed | JobState::Cancelled) || job.pruned_at.is_some() {
            return Ok(Some(job));
        }
        sqlx::query(
            "update slices
             set token = null, lease_expires_at = null, available_at = 0, failed_attempts = 0
             where job_id = ?",
        )
        .bind(id.0)
        .execute(write.at("retry.update_slices").await?)
        .await?;
        let row = sqlx::query(
            "update jobs
             set state = 'queued', ended_at = null, error = null, failed_attempts = 0,
                 -- By hand it may take its time, and if its target has another job by now it is none of its any more.
                 not_after_at = null,
                 target_id = case when exists (select 1 from jobs as other
                                               where other.target_id = jobs.target_id
                                                 and other.state in ('queued', 'running'))
                             then null else target_id end,
                 -- Another job may have taken over what it was to make up for.
                 shortfall = null,
                 tries_max = min(tries_max + ?, ?),
                 turn = (select coalesce(max(turn), 0) + 1 from jobs where state in ('queued', 'running'))
             where id = ?
             returning *",
        )
        .bind(tries_more)
        .bind(u32::MAX)
        .bind(id.0)
        .fetch_one(write.at("retry.update_job").await?)
        .await?;
        let job = rows::job(&row)?;
        write.commit("retry.commit", "retry.committed").await?;
        Ok(Some(job))
    }
}

/// The job as this write sees it.
pub(super) async fn locked_job(
    write: &mut Write<'_>,
    point: &'static str,
    id: JobId,
) -> Result<Option<Job>, StoreError> {
    let row = sqlx::query("select * from jobs where id = ?").bind(id.0).fetch_optional(write.at(point).await?).await?;
    row.as_ref().map(rows::job).transpose()
}
