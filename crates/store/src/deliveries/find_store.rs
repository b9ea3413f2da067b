//! Reads stored puzzles to compare with printed texts: the puzzle that is alike to a text, and the newest puzzles of a source.

use async_trait::async_trait;

use crate::{
    StoreError,
    deliveries::find::{Listed, Source},
    jobs::slice::Likeness,
    sql::{
        database::{Columns, Database, Reading},
        rows,
        statement::values,
        statements::find,
    },
    stock::puzzle::Puzzle,
};
use puzzled_base::{ids::PuzzleId, repeat_hash::RepeatHash};

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
        Ok(self.all(find::ALIKE, values![&likeness.form, &hash], rows::puzzle_with_record).await?.pop())
    }

    async fn newest(
        &self,
        source: &Source,
        (kind, base): (&str, &str),
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<Listed>, StoreError> {
        let (sql, name) = match source {
            Source::Audience(audience) => (find::OF_AUDIENCE, Some(audience)),
            Source::Series(series) => (find::OF_SERIES, series.as_ref()),
        };
        self.all(sql, values![name, before.unwrap_or(i64::MAX), limit, kind, base], listed).await
    }
}

fn listed(row: &impl Columns) -> Result<Listed, StoreError> {
    let row = Reading::new(row, "deliveries")?;
    let puzzle_id = row.get::<Option<i64>>("puzzle_id")?.map(PuzzleId);
    Ok(Listed { number: row.id(), puzzle: puzzle_id.zip(row.get("text")?) })
}
