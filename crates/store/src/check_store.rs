//! Consistency checks for `puzzled check`. Statements compare counts with rows, cursors and draw indices with shelves,
//! and deliveries with puzzles. One statement finds puzzles in circulation with the same repeat hash. Also reads all
//! puzzles and ratings, which the engine then checks, and all deliveries, for an export.

use async_trait::async_trait;

use crate::{
    Store, StoreError,
    deliveries::history::{DeliveryPlace, PastDelivery},
    sql::{
        database::{Columns, Database, Reading, id},
        rows,
        statement::{Sql, values},
        statements::check,
    },
    stock::{puzzle::Puzzle, rating::Rating},
};
use puzzled_base::ids::PuzzleId;

/// The maximum number of findings that one comparison reports. Further findings are left out.
pub(crate) const FINDINGS_MAX: u32 = 100;

/// Comparisons that run on both databases. Each returns a column of findings in words.
pub(crate) const COMPARISONS: [Sql; 8] = [
    check::COUNTS,
    check::POSITIONS,
    check::CURSORS,
    check::SWAPS,
    check::DOUBLED,
    check::DELIVERIES,
    check::SOLUTIONS,
    check::DAYS,
];

/// The id of a puzzle, and the puzzle or the reason why it cannot be read.
pub type PuzzleRow = (PuzzleId, Result<Puzzle, StoreError>);

/// The id of a rating's puzzle, and the rating or the reason why it cannot be read.
pub type RatingRow = (PuzzleId, Result<Rating, StoreError>);

/// A store whose whole database can be checked.
#[async_trait]
pub trait CheckStore: Store {
    /// Returns all findings, in words. Reads the whole database, and some tables more than once.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read at all.
    async fn check(&self) -> Result<Vec<String>, StoreError>;

    /// Returns up to `limit` puzzles with ids above `after`, by id, including withdrawn ones. A row that cannot be read
    /// gives an error at its position in the list, and the rows after it are still read.
    ///
    /// # Errors
    /// [`StoreError`] if no row can be read.
    async fn all_puzzles(&self, after: PuzzleId, limit: u32) -> Result<Vec<PuzzleRow>, StoreError>;

    /// Returns the ratings of newer raters for the puzzles with ids above `after` up to `last`, by puzzle, as in
    /// [`Self::all_puzzles`].
    ///
    /// # Errors
    /// [`StoreError`] if no row can be read.
    async fn all_ratings(&self, after: PuzzleId, last: PuzzleId) -> Result<Vec<RatingRow>, StoreError>;

    /// Returns up to `limit` deliveries after a place, by audience and then by id.
    ///
    /// # Errors
    /// [`StoreError`] if a row cannot be read.
    async fn all_deliveries(&self, after: DeliveryPlace, limit: u32) -> Result<Vec<PastDelivery>, StoreError>;

    /// Closes a database that was opened for reading. Leaves no file next to it that did not exist before.
    async fn close_read(&self);
}

#[async_trait]
impl<D: Database + Store> CheckStore for D {
    async fn check(&self) -> Result<Vec<String>, StoreError> {
        self.findings().await
    }

    async fn close_read(&self) {
        self.close().await;
        self.clear_up().await;
    }

    async fn all_puzzles(&self, after: PuzzleId, limit: u32) -> Result<Vec<PuzzleRow>, StoreError> {
        let read = |row: &D::Row| Ok((PuzzleId(id(row)?), rows::puzzle_with_record(row)));
        self.all(check::ALL_PUZZLES, values![after.0, limit], read).await
    }

    async fn all_deliveries(&self, after: DeliveryPlace, limit: u32) -> Result<Vec<PastDelivery>, StoreError> {
        self.all(check::ALL_DELIVERIES, values![after.audience_id, after.id, limit], past_delivery).await
    }

    async fn all_ratings(&self, after: PuzzleId, last: PuzzleId) -> Result<Vec<RatingRow>, StoreError> {
        self.all(check::ALL_RATINGS, values![after.0, last.0], |row| Ok((PuzzleId(id(row)?), rows::rating(row)))).await
    }
}

fn past_delivery(row: &impl Columns) -> Result<PastDelivery, StoreError> {
    let row = Reading::new(row, "deliveries")?;
    Ok(PastDelivery {
        place: DeliveryPlace { audience_id: row.get("audience_id")?, id: row.id() },
        audience: row.get("name")?,
        repeat_hash: row.word("repeat_hash")?,
        at: row.instant("created_at")?,
    })
}
