//! The queue as a whole: paused and let go on, counted, and the leases that were taken back.

use sqlx::Row as _;

use super::{PostgresStore, Write, ear, must_touch, rows};
use crate::store::{
    StoreError,
    notice::Notice,
    queue::{HOUR_MS, QueueState, Rescue},
};

impl PostgresStore {
    pub(super) async fn read_queue_state(&self) -> Result<QueueState, StoreError> {
        // One statement, so that all of it is of one moment. Two counts, because open and ended jobs have an index each.
        let row = self
            .connections
            .one(|| {
                sqlx::query(concat!(
                    "with clock as (select coalesce($1, ",
                    clock!(),
                    ") as now),
                     counted as (
                         select state, count(*) as jobs from jobs where state in ('queued', 'running') group by state
                         union all
                         select state, count(*) from jobs where ended_at is not null and pruned_at is null
                         group by state)
                     select queue.*,
                            array(select state from counted order by state) as states,
                            array(select jobs from counted order by state) as jobs,
                            (select count(*) from slices join jobs on jobs.id = slices.job_id
                             where jobs.state in ('queued', 'running')
                               and (slices.token is null or slices.lease_expires_at <= now)) as waiting_slices,
                            (select count(*) from slices join jobs on jobs.id = slices.job_id
                             where jobs.state in ('queued', 'running')
                               and slices.token is not null and slices.lease_expires_at > now) as leased_slices,
                            (select max(now - greatest(not_before_at, created_at)) from jobs
                             where state in ('queued', 'running') and state = 'queued' and not_before_at <= now
                            ) as oldest_wait_ms,
                            (select count(*) from rescues where rescued_at > now - $2) as rescues_last_hour
                     from queue cross join clock",
                ))
                .bind(self.injected_now())
                .bind(HOUR_MS)
            })
            .await?;
        let (states, jobs): (Vec<String>, Vec<i64>) = (row.try_get("states")?, row.try_get("jobs")?);
        let jobs = jobs.into_iter().map(|jobs| u32::try_from(jobs).unwrap_or(u32::MAX));
        rows::queue_state(&row, &states.into_iter().zip(jobs).collect::<Vec<_>>())
    }

    pub(super) async fn pause_or_resume(&self, pause: Option<&str>) -> Result<(), StoreError> {
        let mut write = self.write("pause.begin").await?;
        let now = write.now;
        let set = sqlx::query(
            "update queue
             set paused_at = case when $1::text is not null then coalesce(paused_at, $2) end,
                 -- Without words of its own a further pause leaves those of the first.
                 pause_reason = case when $1 = '' then coalesce(pause_reason, '') else $1 end",
        )
        .bind(pause)
        .bind(now.0)
        .execute(write.at("pause.update").await?)
        .await?;
        must_touch("pausing the queue", 1, set.rows_affected())?;
        if pause.is_none() {
            ear::tell(&mut write, "pause.tell", Notice::Resumed).await?;
        }
        write.commit("pause.commit", "pause.committed").await
    }
}

/// Whether the queue is paused, as this write sees it.
pub(super) async fn is_paused(write: &mut Write<'_>, point: &'static str) -> Result<bool, StoreError> {
    let paused =
        sqlx::query_scalar("select paused_at is not null from queue").fetch_one(write.at(point).await?).await?;
    Ok(paused)
}

/// Counts leases that were taken back, on their jobs, which are locked, and on the queue.
pub(super) async fn count_rescues(write: &mut Write<'_>, rescues: &[Rescue]) -> Result<(), StoreError> {
    if rescues.is_empty() {
        return Ok(());
    }
    let now = write.now;
    sqlx::query(
        "update jobs set rescues = rescues + counted.more
         from (select job_id, count(*) as more from unnest($1::bigint[]) as job_id group by job_id) as counted
         where jobs.id = counted.job_id",
    )
    .bind(rescues.iter().map(|rescue| rescue.job_id.0).collect::<Vec<_>>())
    .execute(write.at("rescue.count_on_jobs").await?)
    .await?;
    let more = i64::try_from(rescues.len()).unwrap_or(i64::MAX);
    let counted = sqlx::query("update queue set rescues = rescues + $1")
        .bind(more)
        .execute(write.at("rescue.count").await?)
        .await?;
    must_touch("counting rescues", 1, counted.rows_affected())?;
    sqlx::query("insert into rescues (rescued_at) select $1 from generate_series(1, $2)")
        .bind(now.0)
        .bind(more)
        .execute(write.at("rescue.note").await?)
        .await?;
    // What nobody counts any more; a clock that was set back keeps some for longer.
    sqlx::query("delete from rescues where rescued_at <= $1")
        .bind(now.plus_ms(-HOUR_MS).0)
        .execute(write.at("rescue.forget").await?)
        .await?;
    Ok(())
}
