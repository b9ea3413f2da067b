//! The queue as a whole: paused and let go on, counted, and the leases that were taken back.

use super::{SqliteStore, Write, must_touch, rows};
use crate::store::{
    StoreError,
    job::JobId,
    queue::{HOUR_MS, QueueState},
};

impl SqliteStore {
    pub(super) async fn read_queue_state(&self) -> Result<QueueState, StoreError> {
        let now = self.clock.now();
        // One moment of the database for both statements.
        let mut moment = self.readers.begin().await?;
        // Two counts, because open and ended jobs have an index each.
        let jobs: Vec<(String, u32)> = sqlx::query_as(
            "select state, count(*) from jobs where state in ('queued', 'running') group by state
             union all
             select state, count(*) from jobs where ended_at is not null and pruned_at is null group by state",
        )
        .fetch_all(&mut *moment)
        .await?;
        let row = sqlx::query(
            "select queue.*,
                    (select count(*) from slices join jobs on jobs.id = slices.job_id
                     where jobs.state in ('queued', 'running')
                       and (slices.token is null or slices.lease_expires_at <= ?1)) as waiting_slices,
                    (select count(*) from slices join jobs on jobs.id = slices.job_id
                     where jobs.state in ('queued', 'running')
                       and slices.token is not null and slices.lease_expires_at > ?1) as leased_slices,
                    (select max(?1 - case when not_before_at > created_at then not_before_at else created_at end)
                     from jobs
                     where state in ('queued', 'running') and state = 'queued' and not_before_at <= ?1
                    ) as oldest_wait_ms,
                    (select count(*) from rescues where rescued_at > ?1 - ?2) as rescues_last_hour
             from queue",
        )
        .bind(now.0)
        .bind(HOUR_MS)
        .fetch_one(&mut *moment)
        .await?;
        rows::queue_state(&row, &jobs)
    }

    pub(super) async fn pause_or_resume(&self, pause: Option<&str>) -> Result<(), StoreError> {
        let mut write = self.write("pause.begin").await?;
        let now = write.now;
        let set = sqlx::query(
            "update queue
             set paused_at = case when ?1 is not null then coalesce(paused_at, ?2) end,
                 -- Without words of its own a further pause leaves those of the first.
                 pause_reason = case when ?1 = '' then coalesce(pause_reason, '') else ?1 end",
        )
        .bind(pause)
        .bind(now.0)
        .execute(write.at("pause.update").await?)
        .await?;
        must_touch("pausing the queue", 1, set.rows_affected())?;
        write.commit("pause.commit", "pause.committed").await
    }
}

/// Whether the queue is paused, as this write sees it.
pub(super) async fn is_paused(write: &mut Write<'_>, point: &'static str) -> Result<bool, StoreError> {
    let paused =
        sqlx::query_scalar("select paused_at is not null from queue").fetch_one(write.at(point).await?).await?;
    Ok(paused)
}

/// Counts a lease that was taken back, on its job and on the queue.
pub(super) async fn count_rescue(write: &mut Write<'_>, id: JobId) -> Result<(), StoreError> {
    let now = write.now;
    let counted = sqlx::query("update jobs set rescues = rescues + 1 where id = ?")
        .bind(id.0)
        .execute(write.at("rescue.count_on_job").await?)
        .await?;
    must_touch("counting a rescue on its job", 1, counted.rows_affected())?;
    let counted =
        sqlx::query("update queue set rescues = rescues + 1").execute(write.at("rescue.count").await?).await?;
    must_touch("counting a rescue", 1, counted.rows_affected())?;
    sqlx::query("insert into rescues (rescued_at) values (?)")
        .bind(now.0)
        .execute(write.at("rescue.note").await?)
        .await?;
    // What nobody counts any more; a clock that was set back keeps some for longer.
    sqlx::query("delete from rescues where rescued_at <= ?")
        .bind(now.plus_ms(-HOUR_MS).0)
        .execute(write.at("rescue.forget").await?)
        .await?;
    Ok(())
}
