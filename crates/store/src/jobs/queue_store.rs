//! The row of `queue`: pauses and resumes the queue, counts its jobs and slices, and keeps the growth of the stock, which is
//! its limits, their use, and whether the stock is full. The row survives restarts, and so all processes agree on it.

use async_trait::async_trait;
use serde_json::json;

use crate::{
    Notice, StoreError,
    access::{actor::Actor, audit_entry::NewEntry, audit_store},
    error::must_touch,
    jobs::{
        growth::{Full, Gauge, Growth, GrowthChange, GrowthState},
        queue_state::{HOUR_MS, QueueState, Stops},
    },
    sql::{
        database::{Columns, Database, Write, number},
        rows,
        statement::{Sql, locking, queue_columns, values},
    },
};
use puzzled_base::clock::Millis;

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
        found.ok_or_else(no_row)
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
            audit_store::insert(&mut write, "pause.audit", &[NewEntry::of(by, Vec::new(), details)]).await?;
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
pub(crate) use stopped;

const STOPS: &str = concat!("select ", queue_columns!(), " from queue where ", stopped!());

/// One statement, so that all values are from one moment. It counts open and finished jobs separately, because they have
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
pub(crate) async fn is_paused<W: Write>(write: &mut W, point: &'static str) -> Result<bool, StoreError> {
    let sql = "select paused_at is not null as is_paused from queue";
    write.one(point, sql, &[], |row| Ok(row.flag("is_paused")?.unwrap_or(false))).await
}

/// Whether all claims are stopped, as this write sees it.
pub(crate) async fn is_stopped<W: Write>(write: &mut W, point: &'static str) -> Result<bool, StoreError> {
    let sql = concat!("select ", stopped!(), " as is_stopped from queue");
    write.one(point, sql, &[], |row| Ok(row.flag("is_stopped")?.unwrap_or(false))).await
}

/// The growth of the stock.
#[async_trait]
pub trait GrowthStore {
    /// Updates the state of growth, with new limits if given, and returns what changed. It writes only if the state
    /// changes, or once a minute, when it reads the size of the database. If the process is killed, the state is the
    /// old one or the new one. After the call returns, no new claim of any process gets a slice while the stock is
    /// full.
    async fn keep_growth(&self, bounds: Option<Growth>) -> Result<GrowthChange, StoreError>;
}

#[async_trait]
impl<D: Database> GrowthStore for D {
    async fn keep_growth(&self, bounds: Option<Growth>) -> Result<GrowthChange, StoreError> {
        let (seen, now) = self.all(GROWTH, values![self.told_now()], state_now).await?.pop().ok_or_else(no_row)?;
        // Read the size before the write: the read may be slow if the database has many files, and the write delays
        // claims that count reclaimed slices.
        let bytes = if seen.is_reading_due(now) { Some(read_bytes(self).await?) } else { None };
        let next = seen.next(bounds, bytes, now);
        if !next.is_other_row(&seen) {
            return Ok(GrowthChange::between(&seen, &next));
        }
        self.repeated(|| async {
            let mut write = self.write("growth.begin").await?;
            // Decide again, because another process may have changed the state meanwhile.
            let before = write.one("growth.read", LOCKED_GROWTH, &[], rows::growth).await?;
            let after = before.next(bounds, bytes, write.now());
            put(&mut write, &after).await?;
            let turn = GrowthChange::between(&before, &after);
            if turn == GrowthChange::Room {
                write.notify("growth.notify", &[Notice::Resumed]).await?;
            }
            write.commit("growth.commit", "growth.committed").await?;
            Ok(turn)
        })
        .await
    }
}

/// The error if the row of the queue is missing. The first migration inserts this row.
fn no_row() -> StoreError {
    StoreError::Refused(sqlx::Error::RowNotFound)
}

const GROWTH: Sql = Sql {
    sqlite: concat!("select ", queue_columns!(), ", $1 as now from queue"),
    postgres: concat!(
        "select ",
        queue_columns!(),
        ", coalesce($1, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now from queue"
    ),
};

const LOCKED_GROWTH: Sql = locking!(concat!("select ", queue_columns!(), " from queue"), "for no key update of queue");

/// Finds the row, and counts the puzzles on the shelves, only while the stock is full.
const WHILE_FULL: &str =
    concat!("select ", queue_columns!(), " from queue where puzzles_full_at is not null or bytes_full_at is not null");

fn state_now(row: &impl Columns) -> Result<(GrowthState, Millis), StoreError> {
    let now = row.integer("now")?.ok_or_else(no_row)?;
    Ok((rows::growth(row)?, Millis(now)))
}

/// Returns the size of the database, in bytes. On SQLite, free pages of deleted rows do not count.
async fn read_bytes<D: Database>(db: &D) -> Result<u64, StoreError> {
    let sql = Sql {
        sqlite: "select (pages.page_count - free.freelist_count) * size.page_size as number
                 from pragma_page_count() as pages, pragma_freelist_count() as free, pragma_page_size() as size",
        postgres: "select pg_database_size(current_database()) as number",
    };
    db.all(sql, &[], number).await?.pop().ok_or_else(no_row)
}

async fn put<W: Write>(write: &mut W, state: &GrowthState) -> Result<(), StoreError> {
    let GrowthState { puzzles, bytes, bytes_read_at } = state;
    let sql = "update queue
               set puzzles_max = $1, puzzles_full_at = $2, bytes_max = $3, bytes_full_at = $4, bytes_used = $5,
                   bytes_read_at = $6";
    let max = |gauge: &Gauge| gauge.max.map(as_integer);
    let full_at = |gauge: &Gauge| gauge.full_at.map(|at| at.0);
    let values = values![
        max(puzzles),
        full_at(puzzles),
        max(bytes),
        full_at(bytes),
        as_integer(bytes.used),
        bytes_read_at.map(|at| at.0),
    ];
    must_touch("the growth of the stock", 1, write.execute("growth.update", sql, values).await?)
}

/// Converts to a signed integer, because the databases have no unsigned integers.
fn as_integer(number: u64) -> i64 {
    i64::try_from(number).expect("bounds and sizes are below 2^63")
}

/// Returns why the stock is full, as this write sees it; `None` if it has room.
pub(crate) async fn full<W: Write>(write: &mut W, point: &'static str) -> Result<Option<Full>, StoreError> {
    Ok(write.optional(point, WHILE_FULL, &[], rows::growth).await?.and_then(|state| state.full()))
}

/// Returns the growth of the stock, as this write sees it.
pub(crate) async fn growth_state<W: Write>(write: &mut W, point: &'static str) -> Result<GrowthState, StoreError> {
    write.one(point, concat!("select ", queue_columns!(), " from queue"), &[], rows::growth).await
}
