//! Pauses and resumes the queue, counts its jobs and slices, and reads whether a pause or a full stock stops it.

use async_trait::async_trait;
use serde_json::json;

use crate::{
    rules::{
        access::{actor::Actor, audit_entry::NewEntry},
        jobs::queue::{HOUR_MS, QueueState, Stops},
    },
    store::{
        Notice, StoreError, audit,
        sql::{
            database::{Columns, Database, Write},
            rows,
            statement::{Sql, queue_columns, values},
        },
    },
};

/// The queue as a whole.
#[async_trait]
pub trait QueueStore {
    /// Returns the state of the queue, all at one moment.
    async fn queue_state(&self) -> Result<QueueState, StoreError>;

    /// Returns what stops all claims: a pause, a full stock, both, or nothing.
    async fn stops(&self) -> Result<Stops, StoreError>;

    /// Pauses the queue for a reason, which may be empty, or resumes it (`None`). After a pause returns, no new claim
    /// of any process gets a slice until the queue is resumed. Leases stay valid: workers can renew them and commit
    /// their slices. A queue that is already paused keeps its pause time, and its reason unless another reason is
    /// given. Returns whether anything changed.
    async fn set_pause(&self, pause: Option<&str>, by: &Actor) -> Result<bool, StoreError>;
}

#[async_trait]
impl<D: Database> QueueStore for D {
    async fn queue_state(&self) -> Result<QueueState, StoreError> {
        let found = self.all(STATE, values![self.told_now(), HOUR_MS], rows::queue_state).await?.pop();
        found.ok_or(StoreError::Refused(sqlx::Error::RowNotFound))
    }

    async fn stops(&self) -> Result<Stops, StoreError> {
        Ok(self.all(STOPS, &[], rows::stops).await?.pop().unwrap_or_default())
    }

    async fn set_pause(&self, pause: Option<&str>, by: &Actor) -> Result<bool, StoreError> {
        self.repeated(|| async {
            let mut write = self.write("pause.begin").await?;
            // A further pause without a reason keeps the first reason.
            let sql = "update queue
                       set paused_at = case when cast($1 as text) is not null then coalesce(paused_at, $2) end,
                           pause_reason = case when $1 = '' then coalesce(pause_reason, '') else $1 end
                       where case when cast($1 as text) is null then paused_at is not null
                                  when $1 = '' then paused_at is null
                                  else paused_at is null or pause_reason <> $1 end";
            if write.execute("pause.update", sql, values![pause, write.now()]).await? == 0 {
                return write.undone(false).await;
            }
            let details = pause.map_or_else(|| json!({}), |reason| json!({ "reason": reason }));
            audit::insert(&mut write, "pause.audit", &[NewEntry::of(by, Vec::new(), details)]).await?;
            if pause.is_none() {
                write.notify("pause.notify", &[Notice::Resumed]).await?;
            }
            write.commit("pause.commit", "pause.committed").await?;
            Ok(true)
        })
        .await
    }
}

/// The condition that the row of `queue` stops all claims. A macro, because a statement must be one literal.
macro_rules! stopped {
    () => {
        "(paused_at is not null or puzzles_full_at is not null or bytes_full_at is not null)"
    };
}
pub(in crate::store) use stopped;

const STOPS: &str = concat!("select ", queue_columns!(), " from queue where ", stopped!());

/// One statement, so that all values are from one moment. It counts open and ended jobs separately, because they have
/// separate indexes.
const STATE: Sql = Sql {
    sqlite: concat!(
        "select ",
        queue_columns!(),
        ",
                    (select json_group_object(state, jobs)
                     from (select state, count(*) as jobs from jobs where state in ('queued', 'running') group by state
                           union all
                           select state, count(*) from jobs where ended_at is not null and pruned_at is null group by state)
                    ) as jobs,
                    (select count(*) from slices join jobs on jobs.id = slices.job_id
                     where jobs.state in ('queued', 'running')
                       and (slices.token is null or slices.lease_expires_at <= $1)) as waiting_slices,
                    (select count(*) from slices join jobs on jobs.id = slices.job_id
                     where jobs.state in ('queued', 'running')
                       and slices.token is not null and slices.lease_expires_at > $1) as leased_slices,
                    (select max($1 - case when not_before_at > created_at then not_before_at else created_at end)
                     from jobs
                     where state in ('queued', 'running') and state = 'queued' and not_before_at <= $1
                    ) as oldest_wait_ms,
                    (select count(*) from reclaimed_slices where reclaimed_at > $1 - $2) as reclaimed_slices_last_hour
             from queue"),
    postgres: concat!(
        "with clock as (select coalesce($1, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now),
               counted as (
                   select state, count(*) as jobs from jobs where state in ('queued', 'running') group by state
                   union all
                   select state, count(*) from jobs where ended_at is not null and pruned_at is null group by state)
               select ",
        queue_columns!(),
        ",
                      coalesce((select json_object_agg(state, jobs) from counted), '{}') as jobs,
                      (select count(*) from slices join jobs on jobs.id = slices.job_id
                       where jobs.state in ('queued', 'running')
                         and (slices.token is null or slices.lease_expires_at <= now)) as waiting_slices,
                      (select count(*) from slices join jobs on jobs.id = slices.job_id
                       where jobs.state in ('queued', 'running')
                         and slices.token is not null and slices.lease_expires_at > now) as leased_slices,
                      (select max(now - greatest(not_before_at, created_at)) from jobs
                       where state in ('queued', 'running') and state = 'queued' and not_before_at <= now
                      ) as oldest_wait_ms,
                      (select count(*) from reclaimed_slices where reclaimed_at > now - $2) as reclaimed_slices_last_hour
               from queue cross join clock"),
};

/// Whether the queue is paused, as this write sees it.
pub(in crate::store) async fn is_paused<W: Write>(write: &mut W, point: &'static str) -> Result<bool, StoreError> {
    let sql = "select paused_at is not null as is_paused from queue";
    write.one(point, sql, &[], |row| Ok(row.flag("is_paused")?.unwrap_or(false))).await
}

/// Whether all claims are stopped, as this write sees it.
pub(in crate::store) async fn is_stopped<W: Write>(write: &mut W, point: &'static str) -> Result<bool, StoreError> {
    let sql = concat!("select ", stopped!(), " as is_stopped from queue");
    write.one(point, sql, &[], |row| Ok(row.flag("is_stopped")?.unwrap_or(false))).await
}
