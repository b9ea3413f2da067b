//! Reads stored puzzles to compare with printed texts: the puzzle that is alike to a text, and the newest puzzles of a source.

use async_trait::async_trait;

use crate::{
    StoreError,
    deliveries::{
        delivery::RepeatHash,
        find::{Listed, Source},
    },
    jobs::slice::Likeness,
    sql::{
        database::{Columns, Database, Reading},
        rows,
        statement::{Sql, values},
    },
    stock::{puzzle::Puzzle, stock_store::select_with_record},
};
use puzzled_base::ids::PuzzleId;

/// Finds stored puzzles.
#[async_trait]
pub trait FindStore {
    /// Returns the puzzle that is alike: an isomorph, or else one with the same solution. The puzzle is in circulation or
    /// barred. Uses the indexes that a commit uses.
    async fn alike(&self, likeness: &Likeness) -> Result<Option<Puzzle>, StoreError>;

    /// Returns up to `limit` entries of a source below the number `before`, newest first. An entry of another kind or base
    /// has no puzzle.
    async fn newest(
        &self,
        source: &Source,
        kind_and_base: (&str, &str),
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<Listed>, StoreError>;
}

#[async_trait]
impl<D: Database> FindStore for D {
    async fn alike(&self, likeness: &Likeness) -> Result<Option<Puzzle>, StoreError> {
        let hash = RepeatHash(likeness.repeat_hash).to_string();
        Ok(self.all(ALIKE, values![&likeness.form, &hash], rows::puzzle_with_record).await?.pop())
    }

    async fn newest(
        &self,
        source: &Source,
        (kind, base): (&str, &str),
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<Listed>, StoreError> {
        let (sql, name) = match source {
            Source::Audience(audience) => (OF_AUDIENCE, Some(audience)),
            Source::Series(series) => (OF_SERIES, series.as_ref()),
        };
        self.all(sql, values![name, before.unwrap_or(i64::MAX), limit, kind, base], listed).await
    }
}

/// One search for each index.
const ALIKE: Sql = Sql {
    sqlite: select_with_record!(
        "where puzzles.id in (
             select id from puzzles where canonical = $1 and (withdrawn_at is null or barred = 1)
             union all
             select id from puzzles where repeat_hash = unhex($2) and (withdrawn_at is null or barred = 1))
         order by puzzles.canonical <> $1, puzzles.id
         limit 1"
    ),
    postgres: select_with_record!(
        "where puzzles.id in (
             select id from puzzles
             where md5(canonical)::uuid = md5($1)::uuid and canonical = $1 and (withdrawn_at is null or barred)
             union all
             select id from puzzles where repeat_hash = decode($2, 'hex') and (withdrawn_at is null or barred))
         order by puzzles.canonical <> $1, puzzles.id
         limit 1"
    ),
};

/// The inner statement limits the number of rows that are read, even if few of them fit.
const OF_AUDIENCE: &str = "select newest.id, newest.puzzle_id,
            case when shelves.kind = $4 and shelves.base = $5 then puzzles.text end as text
     from (select deliveries.id, deliveries.puzzle_id
           from audiences join deliveries on deliveries.audience_id = audiences.id
           where audiences.name = $1 and deliveries.id < $2
           order by deliveries.id desc
           limit $3) as newest
     left join puzzles on puzzles.id = newest.puzzle_id
     left join shelves on shelves.id = puzzles.shelf_id
     order by newest.id desc";

/// The puzzles of days by their ids. A puzzle that was stored later has a higher id.
const OF_SERIES: &str = "select newest.puzzle_id as id, newest.puzzle_id,
            case when shelves.kind = $4 and shelves.base = $5 then puzzles.text end as text
     from (select days.puzzle_id
           from days join series on series.id = days.series_id
           where (cast($1 as text) is null or series.name = $1) and days.puzzle_id < $2
           order by days.puzzle_id desc
           limit $3) as newest
     join puzzles on puzzles.id = newest.puzzle_id
     join shelves on shelves.id = puzzles.shelf_id
     order by newest.puzzle_id desc";

fn listed(row: &impl Columns) -> Result<Listed, StoreError> {
    let row = Reading::new(row, "deliveries")?;
    let puzzle_id = row.get::<Option<i64>>("puzzle_id")?.map(PuzzleId);
    Ok(Listed { number: row.id(), puzzle: puzzle_id.zip(row.get("text")?) })
}
