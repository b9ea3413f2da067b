//! The growth of the stock: its bounds, what is used of them, and whether the stock is full. The row of the queue keeps it, so that
//! it outlives every process and all agree on it.

use async_trait::async_trait;

use super::{
    StoreError,
    column_lists::queue_columns,
    columns::Columns,
    database::{Database, Sql, Write, number, values},
    error::must_touch,
    growth::{Full, Gauge, Growth, GrowthState, Turn},
    notice::Notice,
    rows,
};
use crate::clock::Millis;

/// The growth of the stock.
#[async_trait]
pub trait GrowthStore {
    /// Brings the state of growth up to date, with other bounds if they are given, and says what became of it. It is written
    /// only if it changes, or once a minute, when the size of the database is read: a process that is killed half-way leaves the
    /// state before or the state after. From the return on no claim that begins gets a slice of a full stock, in any process.
    async fn keep_growth(&self, bounds: Option<Growth>) -> Result<Turn, StoreError>;
}

#[async_trait]
impl<D: Database> GrowthStore for D {
    async fn keep_growth(&self, bounds: Option<Growth>) -> Result<Turn, StoreError> {
        let (seen, now) = self.all(STATE, values![self.told_now()], state_now).await?.pop().ok_or_else(no_row)?;
        // Before the write, which would delay claims that count reclaimed slices: it may take as long as there are files.
        let bytes = if seen.is_reading_due(now) { Some(read_bytes(self).await?) } else { None };
        let next = seen.next(bounds, bytes, now);
        if !next.is_other_row(&seen) {
            return Ok(Turn::between(&seen, &next));
        }
        self.repeated(|| async {
            let mut write = self.write("growth.begin").await?;
            // Decided anew: another process may have acted meanwhile.
            let before = write.one("growth.read", LOCKED, &[], rows::growth).await?;
            let after = before.next(bounds, bytes, write.now());
            put(&mut write, &after).await?;
            let turn = Turn::between(&before, &after);
            if turn == Turn::Room {
                write.notify("growth.notify", &[Notice::Resumed]).await?;
            }
            write.commit("growth.commit", "growth.committed").await?;
            Ok(turn)
        })
        .await
    }
}

/// The row of the queue is there from the first on.
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

const LOCKED: Sql = Sql {
    sqlite: concat!("select ", queue_columns!(), " from queue"),
    postgres: concat!("select ", queue_columns!(), " from queue for no key update of queue"),
};

/// The shelves are read only if there is such a row.
const WHILE_FULL: &str =
    concat!("select ", queue_columns!(), " from queue where puzzles_full_at is not null or bytes_full_at is not null");

fn state_now(row: &impl Columns) -> Result<(GrowthState, Millis), StoreError> {
    let now = row.integer("now")?.ok_or_else(no_row)?;
    Ok((rows::growth(row)?, Millis(now)))
}

/// Used pages; what was deleted and is free for new rows does not count on SQLite.
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

/// As the databases have it, which know signed integers only.
fn as_integer(number: u64) -> i64 {
    i64::try_from(number).expect("bounds and sizes are below 2^63")
}

/// Why the stock is full, as this write sees it; none if it has room.
pub(super) async fn full<W: Write>(write: &mut W, point: &'static str) -> Result<Option<Full>, StoreError> {
    Ok(write.optional(point, WHILE_FULL, &[], rows::growth).await?.and_then(|state| state.full()))
}
