//! Consistency checks for `puzzled check`. Statements compare counts with rows, cursors and draw indices with shelves,
//! and deliveries with puzzles. One statement finds puzzles in circulation with the same solution. Also reads all
//! puzzles and ratings, which the engine then checks, and all deliveries, for an export.

use async_trait::async_trait;

use crate::{
    Store, StoreError,
    deliveries::history::{DeliveryPlace, PastDelivery},
    sql::{
        database::{Columns, Database, Reading, id},
        rows,
        statement::{Sql, values},
    },
    stock::{puzzle::Puzzle, rating::Rating, stock_store::select_with_record},
};
use puzzled_base::ids::PuzzleId;

/// The maximum number of findings that one comparison reports. Further findings are left out.
pub(crate) const TOLD_MAX: u32 = 100;

/// Comparisons that run on both databases. Each returns a column of findings in words.
pub(crate) const COMPARISONS: [&str; 8] = [
    "select 'shelf ' || shelves.id || ': ' || positions || ' positions and ' || empty || ' of them empty, but '
            || count(puzzles.position) || ' puzzles at positions'
     from shelves left join puzzles on puzzles.shelf_id = shelves.id and puzzles.withdrawn_at is null
     group by shelves.id
     having positions - empty <> count(puzzles.position)",
    "select 'shelf ' || shelves.id || ': ' || positions || ' positions, but a puzzle stands at ' || max(position)
     from shelves join puzzles on puzzles.shelf_id = shelves.id
     group by shelves.id
     having max(position) >= positions or min(position) < 0",
    "select 'audience ' || audience_id || ', shelf ' || shelf_id || ': the cursor stands at ' || taken || ' of '
            || positions || ' positions'
     from cursors join shelves on shelves.id = shelf_id
     where taken > positions",
    "select 'audience ' || audience_id || ', shelf ' || shelf_id || ': draw index ' || draw_index || ' holds position ' || position
            || ', the cursor stands at ' || coalesce(cast(taken as text), 'none') || ' of ' || positions || ' positions'
     from swaps
     join shelves on shelves.id = shelf_id
     left join cursors using (audience_id, shelf_id)
     where taken is null or draw_index not between taken and positions - 1 or position not between 0 and positions - 1",
    // Two draw indices hold the same position. Both have a row, or one has no row and therefore holds the position that
    // equals its number.
    "select 'audience ' || one.audience_id || ', shelf ' || one.shelf_id || ': draw indices ' || one.draw_index || ' and '
            || coalesce(other.draw_index, one.position) || ' both hold position ' || one.position
     from swaps as one
     join cursors using (audience_id, shelf_id)
     left join swaps as other
       on other.audience_id = one.audience_id and other.shelf_id = one.shelf_id and other.position = one.position
          and other.draw_index > one.draw_index
     where other.draw_index is not null
        or (one.position >= taken and one.position <> one.draw_index
            and not exists (select 1 from swaps as own
                            where own.audience_id = one.audience_id and own.shelf_id = one.shelf_id
                              and own.draw_index = one.position))",
    "select 'delivery ' || deliveries.id || ': not the solution of puzzle-' || puzzle_id
     from deliveries left join puzzles on puzzles.id = puzzle_id
     where puzzle_id is not null and deliveries.repeat_hash is distinct from puzzles.repeat_hash",
    "select 'puzzle-' || min(id) || ' and puzzle-' || max(id) || ': both are in circulation, and have the same solution'
     from puzzles
     where withdrawn_at is null
     group by repeat_hash
     having count(*) > 1",
    "select 'day ' || days.date || ' of the series ' || series.name || ': the series does not hold puzzle-' || puzzles.id
     from days
     join series on series.id = days.series_id
     join puzzles on puzzles.id = days.puzzle_id
     where puzzles.withdrawn_at is null
       and puzzles.position is null and puzzles.holder is distinct from 'series ' || series.name",
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
        let sql = select_with_record!("where puzzles.id > $1 order by puzzles.id limit $2");
        self.all(sql, values![after.0, limit], |row| Ok((PuzzleId(id(row)?), rows::puzzle_with_record(row)))).await
    }

    async fn all_deliveries(&self, after: DeliveryPlace, limit: u32) -> Result<Vec<PastDelivery>, StoreError> {
        self.all(PAST_DELIVERIES, values![after.audience_id, after.id, limit], past_delivery).await
    }

    async fn all_ratings(&self, after: PuzzleId, last: PuzzleId) -> Result<Vec<RatingRow>, StoreError> {
        let sql = "select puzzle_id as id, rater, rater_version, outcome, rating, record, created_at from ratings
                   where puzzle_id > $1 and puzzle_id <= $2
                   order by puzzle_id, rater, rater_version";
        self.all(sql, values![after.0, last.0], |row| Ok((PuzzleId(id(row)?), rows::rating(row)))).await
    }
}

/// Selects a page of all deliveries: those left of the audience at which the last page ended, then those of the next audiences.
/// SQLite would compare pairs by reading all deliveries of that audience. `$repeat_hash` is an expression for the hash in
/// hexadecimal digits.
macro_rules! past_deliveries {
    ($repeat_hash:literal) => {
        concat!(
            "select page.id, page.audience_id, audiences.name, ",
            $repeat_hash,
            " as repeat_hash, page.created_at
             from (select rest.id, rest.audience_id, rest.repeat_hash, rest.created_at
                   from (select id, audience_id, repeat_hash, created_at from deliveries
                         where audience_id = $1 and id > $2
                         order by id
                         limit $3) as rest
                   union all
                   select next.id, next.audience_id, next.repeat_hash, next.created_at
                   from (select id, audience_id, repeat_hash, created_at from deliveries
                         where audience_id > $1
                         order by audience_id, id
                         limit $3) as next) as page
             join audiences on audiences.id = page.audience_id
             order by page.audience_id, page.id
             limit $3"
        )
    };
}

const PAST_DELIVERIES: Sql = Sql {
    sqlite: past_deliveries!("lower(hex(page.repeat_hash))"),
    postgres: past_deliveries!("encode(page.repeat_hash, 'hex')"),
};

fn past_delivery(row: &impl Columns) -> Result<PastDelivery, StoreError> {
    let row = Reading::new(row, "deliveries")?;
    Ok(PastDelivery {
        place: DeliveryPlace { audience_id: row.get("audience_id")?, id: row.id() },
        audience: row.get("name")?,
        repeat_hash: row.word("repeat_hash")?,
        at: row.instant("created_at")?,
    })
}
