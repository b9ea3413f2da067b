//! Shelves: reads the shelves and their puzzles, pages through puzzles, and withdraws one puzzle.

use async_trait::async_trait;
use serde_json::json;

use crate::{
    StoreError,
    access::{actor::Actor, audit_entry::NewEntry, audit_store},
    deliveries::choose,
    error::must_touch,
    sql::{
        database::{Columns, Database, Write, id},
        rows,
        statement::{Sql, Value, values},
        statements::{page, stock},
    },
    stock::{
        filter::ShelfFilter,
        origins::origin_value,
        puzzle::{OriginFilter, Position, Puzzle, Shelf, ShelfId},
    },
};
use puzzled_base::ids::PuzzleId;

/// The maximum number of times that a page is read again because a shelf was added meanwhile.
const PAGE_READS_MAX: usize = 16;

/// Positions of shelves. Each database has a fast method for them.
#[async_trait]
pub trait PositionStore {
    /// Returns the puzzles at these positions, in this order, in one read. An empty position gives `None`.
    async fn puzzles_at(&self, positions: &[Position], with_record: bool) -> Result<Vec<Option<Puzzle>>, StoreError>;
}

/// Shelves and puzzles.
#[async_trait]
pub trait StockStore {
    /// Returns all shelves, by id.
    async fn shelves(&self) -> Result<Vec<Shelf>, StoreError>;

    /// Returns the position of a puzzle in circulation by its number on its shelf, counted from 0 in the order of the ids.
    /// `None` if the shelf has fewer puzzles. Reads rows up to this number.
    async fn live_position(&self, shelf_id: ShelfId, number: u64) -> Result<Option<Position>, StoreError>;

    /// Returns the puzzle with an id, withdrawn or not, with its record.
    async fn puzzle(&self, id: PuzzleId) -> Result<Option<Puzzle>, StoreError>;

    /// Returns up to `limit` puzzles in circulation with ids above `after`, by id. Leaves out held puzzles.
    async fn puzzles(
        &self,
        filter: &ShelfFilter,
        after: Option<PuzzleId>,
        limit: u32,
        with_record: bool,
    ) -> Result<Vec<Puzzle>, StoreError>;

    /// Returns up to `limit` puzzles in circulation that a job made or an import brought, on shelves that fit and with ids
    /// above `after`, by id. An unknown job or import has no puzzles.
    async fn puzzles_of(
        &self,
        origin: &OriginFilter,
        filter: &ShelfFilter,
        after: Option<PuzzleId>,
        limit: u32,
        with_record: bool,
    ) -> Result<Vec<Puzzle>, StoreError>;

    /// Removes a puzzle from circulation permanently. [`Self::puzzle`] still finds it, but the puzzle is never
    /// delivered again, and no repeat of it is stored. A puzzle that is already withdrawn does not change. Returns
    /// `None` if there is no such puzzle.
    async fn withdraw(&self, id: PuzzleId, reason: &str, by: &Actor) -> Result<Option<Puzzle>, StoreError>;
}

#[async_trait]
impl<D: Database> StockStore for D {
    async fn shelves(&self) -> Result<Vec<Shelf>, StoreError> {
        self.all(stock::SHELVES_BY_ID, &[], rows::shelf).await
    }

    async fn live_position(&self, shelf_id: ShelfId, number: u64) -> Result<Option<Position>, StoreError> {
        let offset = i64::try_from(number).unwrap_or(i64::MAX);
        let found = self.all(stock::LIVE_POSITION, values![shelf_id.0, offset], number_of).await?.pop();
        Ok(found.map(|number| Position { shelf_id, number }))
    }

    async fn puzzle(&self, id: PuzzleId) -> Result<Option<Puzzle>, StoreError> {
        Ok(self.all(stock::PUZZLE, values![id.0], rows::puzzle_with_record).await?.pop())
    }

    async fn puzzles(
        &self,
        filter: &ShelfFilter,
        after: Option<PuzzleId>,
        limit: u32,
        with_record: bool,
    ) -> Result<Vec<Puzzle>, StoreError> {
        page(self, None, filter, Cut { after, limit }, with_record).await
    }

    async fn puzzles_of(
        &self,
        origin: &OriginFilter,
        filter: &ShelfFilter,
        after: Option<PuzzleId>,
        limit: u32,
        with_record: bool,
    ) -> Result<Vec<Puzzle>, StoreError> {
        page(self, Some(origin), filter, Cut { after, limit }, with_record).await
    }

    async fn withdraw(&self, id: PuzzleId, reason: &str, by: &Actor) -> Result<Option<Puzzle>, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("withdraw.begin").await?;
            let Some(shelf_id) = lock_shelf(&mut write, id).await? else { return write.roll_back(None).await };
            let withdrawn =
                write.execute("withdraw.update", stock::WITHDRAW, values![write.now(), reason, id.0]).await?;
            let puzzle = puzzle_of(&mut write, "withdraw.read", id).await?;
            if withdrawn == 0 {
                return write.roll_back(puzzle).await;
            }
            if puzzle.as_ref().is_some_and(|puzzle| !puzzle.is_held()) {
                let counted = write.execute("withdraw.count", stock::COUNT_EMPTY, values![shelf_id]).await?;
                must_touch("counting a withdrawn puzzle", 1, counted)?;
            }
            let entry = NewEntry::of(by, vec![id.to_string()], json!({ "reason": reason }));
            audit_store::insert(&mut write, "withdraw.audit", &[entry]).await?;
            write.commit("withdraw.commit", "withdraw.committed").await?;
            Ok(puzzle)
        })
        .await
    }
}

/// Which puzzles a page has: those after an id, up to a number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut {
    pub(crate) after: Option<PuzzleId>,
    pub(crate) limit: u32,
}

/// Returns a page of the puzzles that fit, or of those that a job made or an import brought.
///
/// # Errors
/// [`StoreError::Overtaken`] if new shelves that do not fit are added again and again.
async fn page<D: Database>(
    db: &D,
    origin: Option<&OriginFilter>,
    filter: &ShelfFilter,
    cut: Cut,
    with_record: bool,
) -> Result<Vec<Puzzle>, StoreError> {
    const PLAIN: Pages =
        Pages { by_shelf: page::BY_SHELF, by_id: page::BY_ID, of_job: page::OF_JOB, of_import: page::OF_IMPORT };
    const WITH_RECORD: Pages = Pages {
        by_shelf: page::BY_SHELF_WITH_RECORD,
        by_id: page::BY_ID_WITH_RECORD,
        of_job: page::OF_JOB_WITH_RECORD,
        of_import: page::OF_IMPORT_WITH_RECORD,
    };
    for _ in 0..PAGE_READS_MAX {
        let fitting = PageShelves::of(&db.shelves().await?, filter, cut.limit);
        let values = fitting.values(cut, &[], origin);
        let page = if with_record {
            db.all(WITH_RECORD.statement(origin, &fitting), &values, rows::puzzle_with_record).await?
        } else {
            db.all(PLAIN.statement(origin, &fitting), &values, rows::puzzle).await?
        };
        if page.iter().all(|puzzle| filter.fits(&puzzle.shelf)) {
            return Ok(page);
        }
    }
    Err(StoreError::Overtaken { statement: "reading a page" })
}

/// The shelves of a page.
pub(crate) struct PageShelves {
    /// Ids of the shelves that fit.
    shelves: Vec<i64>,
    /// Highest id of all known shelves. The statement also reads newer shelves, so that it misses none of their
    /// puzzles. If a puzzle on a newer shelf does not fit, the page is read again.
    newest: i64,
    is_by_shelf: bool,
}

impl PageShelves {
    fn of(all: &[Shelf], filter: &ShelfFilter, limit: u32) -> Self {
        let fitting: Vec<_> = all.iter().filter(|shelf| filter.fits(&shelf.key)).collect();
        Self {
            is_by_shelf: choose::is_read_by_shelf(&fitting, all, limit),
            shelves: fitting.iter().map(|shelf| shelf.id.0).collect(),
            newest: all.last().map_or(0, |shelf| shelf.id.0),
        }
    }

    /// The shelves that fit, without newer ones.
    pub(crate) fn known(all: &[Shelf], filter: &ShelfFilter, limit: u32) -> Self {
        Self { newest: i64::MAX, ..Self::of(all, filter, limit) }
    }

    /// The values of a statement of [`Pages`].
    pub(crate) fn values<'a>(&self, cut: Cut, more: &[Value<'a>], origin: Option<&'a OriginFilter>) -> Vec<Value<'a>> {
        let after = cut.after.map_or(0, |id| id.0);
        let mut values: Vec<Value<'a>> =
            vec![after.into(), self.shelves.clone().into(), self.newest.into(), cut.limit.into()];
        values.extend_from_slice(more);
        values.extend(origin.map(origin_value));
        values
    }
}

/// The statements of a page.
#[derive(Clone, Copy)]
pub(crate) struct Pages {
    pub(crate) by_shelf: Sql,
    pub(crate) by_id: Sql,
    pub(crate) of_job: Sql,
    pub(crate) of_import: Sql,
}

impl Pages {
    /// The fastest statement.
    pub(crate) fn statement(&self, origin: Option<&OriginFilter>, fitting: &PageShelves) -> Sql {
        match origin {
            Some(OriginFilter::Job(_)) => self.of_job,
            Some(OriginFilter::Import(_)) => self.of_import,
            None if fitting.is_by_shelf => self.by_shelf,
            None => self.by_id,
        }
    }
}

/// Locks the shelf of a puzzle, and returns its id. All writes lock shelves before puzzles. A puzzle never changes its shelf.
async fn lock_shelf<W: Write>(write: &mut W, puzzle: PuzzleId) -> Result<Option<i64>, StoreError> {
    write.optional("withdraw.lock_shelf", stock::LOCK_SHELF, values![puzzle.0], id).await
}

/// Locks the shelves of puzzles, because all writes lock shelves before puzzles.
pub(crate) async fn lock_shelves<W: Write>(write: &mut W, point: &'static str, ids: &[i64]) -> Result<(), StoreError> {
    write.lock_rows(point, stock::LOCK_SHELVES, values![ids.to_vec()]).await
}

/// Returns a puzzle as this write sees it, withdrawn or not, with its record.
pub(crate) async fn puzzle_of<W: Write>(
    write: &mut W,
    point: &'static str,
    id: PuzzleId,
) -> Result<Option<Puzzle>, StoreError> {
    write.optional(point, stock::PUZZLE, values![id.0], rows::puzzle_with_record).await
}

/// Reads the column `number` of a row, which holds a position.
fn number_of(row: &impl Columns) -> Result<i64, StoreError> {
    Ok(row.integer("number")?.ok_or(sqlx::Error::RowNotFound)?)
}
