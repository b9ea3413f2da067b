//! The row of `queue`: pauses and resumes the queue, counts its jobs and slices, and keeps the growth of the stock: the
//! limits, their use, and whether the stock is full. The row survives restarts, and so all processes agree on it.

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
        statement::values,
        statements::queue,
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
        let found = self.all(queue::STATE, values![self.clock_override(), HOUR_MS], rows::queue_state).await?.pop();
        found.ok_or_else(no_row)
    }

    async fn stops(&self) -> Result<Stops, StoreError> {
        Ok(self.all(queue::STOPS, &[], rows::stops).await?.pop().unwrap_or_default())
    }

    async fn set_pause(&self, pause: Option<&str>, by: &Actor) -> Result<bool, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("pause.begin").await?;
            if write.execute("pause.update", queue::PAUSE, values![pause, write.now()]).await? == 0 {
                return write.roll_back(false).await;
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

/// Whether the queue is paused, as this write sees it.
pub(crate) async fn is_paused<W: Write>(write: &mut W, point: &'static str) -> Result<bool, StoreError> {
    write.one(point, queue::IS_PAUSED, &[], |row| Ok(row.flag("is_paused")?.unwrap_or(false))).await
}

/// Whether all claims are stopped, as this write sees it.
pub(crate) async fn is_stopped<W: Write>(write: &mut W, point: &'static str) -> Result<bool, StoreError> {
    write.one(point, queue::IS_STOPPED, &[], |row| Ok(row.flag("is_stopped")?.unwrap_or(false))).await
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
        let (seen, now) =
            self.all(queue::GROWTH_NOW, values![self.clock_override()], state_now).await?.pop().ok_or_else(no_row)?;
        // Read the size before the write: the read may be slow if the database has many files, and the write delays
        // claims that count reclaimed slices.
        let bytes = if seen.is_reading_due(now) { Some(read_bytes(self).await?) } else { None };
        let next = seen.next(bounds, bytes, now);
        if !next.is_other_row(&seen) {
            return Ok(GrowthChange::between(&seen, &next));
        }
        self.with_retries(|| async {
            let mut write = self.write("growth.begin").await?;
            // Decide again, because another process may have changed the state meanwhile.
            let before = write.one("growth.read", queue::LOCK_GROWTH, &[], rows::growth).await?;
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

fn state_now(row: &impl Columns) -> Result<(GrowthState, Millis), StoreError> {
    let now = row.integer("now")?.ok_or_else(no_row)?;
    Ok((rows::growth(row)?, Millis(now)))
}

/// Returns the size of the database, in bytes. On SQLite, free pages of deleted rows do not count.
async fn read_bytes<D: Database>(db: &D) -> Result<u64, StoreError> {
    db.all(queue::BYTES, &[], number).await?.pop().ok_or_else(no_row)
}

async fn put<W: Write>(write: &mut W, state: &GrowthState) -> Result<(), StoreError> {
    let GrowthState { puzzles, bytes, bytes_read_at } = state;
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
    must_touch("the growth of the stock", 1, write.execute("growth.update", queue::PUT_GROWTH, values).await?)
}

/// Converts to a signed integer, because the databases have no unsigned integers.
fn as_integer(number: u64) -> i64 {
    i64::try_from(number).expect("bounds and sizes are below 2^63")
}

/// Returns why the stock is full, as this write sees it; `None` if it has room.
pub(crate) async fn full<W: Write>(write: &mut W, point: &'static str) -> Result<Option<Full>, StoreError> {
    Ok(write.optional(point, queue::GROWTH_WHILE_FULL, &[], rows::growth).await?.and_then(|state| state.full()))
}

/// Returns the growth of the stock, as this write sees it.
pub(crate) async fn growth_state<W: Write>(write: &mut W, point: &'static str) -> Result<GrowthState, StoreError> {
    write.one(point, queue::GROWTH, &[], rows::growth).await
}
