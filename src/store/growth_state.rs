//! The growth of the stock: its limits, their use, and whether the stock is full. The row of `queue` stores this state.
//! So the state survives restarts, and all processes agree on it.

use async_trait::async_trait;

use super::{
    Notice, StoreError,
    error::must_touch,
    sql::{
        database::{Columns, Database, Write, number},
        rows,
        statement::{Sql, locking, queue_columns, values},
    },
};
use crate::{
    rules::jobs::growth::{Full, Gauge, Growth, GrowthChange, GrowthState},
    system::clock::Millis,
};

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
        let (seen, now) = self.all(STATE, values![self.told_now()], state_now).await?.pop().ok_or_else(no_row)?;
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
            let before = write.one("growth.read", LOCKED, &[], rows::growth).await?;
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

const STATE: Sql = Sql {
    sqlite: concat!("select ", queue_columns!(), ", $1 as now from queue"),
    postgres: concat!(
        "select ",
        queue_columns!(),
        ", coalesce($1, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now from queue"
    ),
};

const LOCKED: Sql = locking!(concat!("select ", queue_columns!(), " from queue"), "for no key update of queue");

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
pub(super) async fn full<W: Write>(write: &mut W, point: &'static str) -> Result<Option<Full>, StoreError> {
    Ok(write.optional(point, WHILE_FULL, &[], rows::growth).await?.and_then(|state| state.full()))
}
