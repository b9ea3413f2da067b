//! The ratings of newer raters: finds puzzles that lack one, and adds and reads them.

use async_trait::async_trait;
use serde_json::{Value as Json, json};

use crate::{
    StoreError,
    access::{actor::Actor, audit_entry::NewEntry, audit_store},
    sql::{
        database::{Database, Write},
        record::RecordColumn,
        rows,
        statement::values,
        statements::rating,
    },
    stock::{
        puzzle::Puzzle,
        rating::{NewRating, Rater, Rating},
    },
};
use puzzled_base::ids::PuzzleId;

/// The records of newer raters.
#[async_trait]
pub trait RatingStore {
    /// Returns up to `limit` puzzles that lack a record by this rater, by id: those of the rater's kind, in
    /// circulation, with ids above `after`. A record by the same rater at this version or a higher one counts, whether
    /// it decided the shelf or was added later. Scans the puzzles after `after` until it has found `limit`.
    async fn unrated(&self, by: &Rater, after: Option<PuzzleId>, limit: u32) -> Result<Vec<Puzzle>, StoreError>;

    /// Adds records of puzzles that still exist, and returns the number of new ones. An existing record of the same rater and
    /// version stays. Puzzles and shelves do not change. With new records and an actor, writes an entry in the audit trail. A
    /// run passes its actor with its first records only.
    async fn add_ratings(&self, ratings: &[NewRating], by: Option<&Actor>) -> Result<u64, StoreError>;

    /// Returns the added records of these puzzles, by puzzle, oldest first.
    async fn ratings(&self, ids: &[PuzzleId]) -> Result<Vec<Rating>, StoreError>;
}

#[async_trait]
impl<D: Database> RatingStore for D {
    async fn unrated(&self, by: &Rater, after: Option<PuzzleId>, limit: u32) -> Result<Vec<Puzzle>, StoreError> {
        let values = values![after.map_or(0, |id| id.0), &by.kind, &by.name, by.version, limit];
        self.all(rating::UNRATED, values, rows::puzzle_with_record).await
    }

    async fn add_ratings(&self, ratings: &[NewRating], by: Option<&Actor>) -> Result<u64, StoreError> {
        let Some(first) = ratings.first() else { return Ok(0) };
        let columns = ratings.iter().map(|new| {
            let record = new.outcome.record().map(|record| RecordColumn::of_stored(record).to_json());
            let rating = new.outcome.rating().map(|rating| rating.0);
            json!([new.puzzle_id.0, new.rater, new.rater_version, new.outcome.name(), rating, record])
        });
        let columns = columns.collect::<Json>().to_string();
        self.with_retries(|| async {
            let mut write = self.write("rate.begin").await?;
            let added = write.execute("rate.insert", rating::INSERT, values![&columns, write.now()]).await?;
            if let Some(by) = by.filter(|_| added > 0) {
                let details = json!({ "rater": first.rater, "rater_version": first.rater_version });
                audit_store::insert(&mut write, "rate.audit", &[NewEntry::of(by, Vec::new(), details)]).await?;
            }
            write.commit("rate.commit", "rate.committed").await?;
            Ok(added)
        })
        .await
    }

    async fn ratings(&self, ids: &[PuzzleId]) -> Result<Vec<Rating>, StoreError> {
        self.all(rating::LIST, values![ids.iter().map(|id| id.0).collect::<Vec<_>>()], rows::rating).await
    }
}
