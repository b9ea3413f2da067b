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
        statement::{Sql, values},
    },
    stock::{
        puzzle::Puzzle,
        rating::{NewRating, Rater, Rating},
        stock_store::select_with_record,
    },
};
use puzzled_base::ids::PuzzleId;

/// The records of newer raters.
#[async_trait]
pub trait RatingStore {
    /// Returns up to `limit` puzzles in circulation that lack a record by this rater, of the rater's kind and with
    /// ids above `after`, by id. A record by the same rater at this version or a higher one counts, whether it
    /// decided the shelf or was added later. Scans the puzzles after `after` until it has found `limit`.
    async fn unrated(&self, by: &Rater, after: Option<PuzzleId>, limit: u32) -> Result<Vec<Puzzle>, StoreError>;

    /// Adds records of puzzles that still exist, and returns the number of new ones. An existing record of the same rater and
    /// version stays.
    /// Puzzles and shelves do not change. If any is new, the audit trail gets an entry, unless there is no actor: a run
    /// gives one with its first records only.
    async fn add_ratings(&self, ratings: &[NewRating], by: Option<&Actor>) -> Result<u64, StoreError>;

    /// Returns the added records of these puzzles, by puzzle, oldest first.
    async fn ratings(&self, ids: &[PuzzleId]) -> Result<Vec<Rating>, StoreError>;
}

#[async_trait]
impl<D: Database> RatingStore for D {
    async fn unrated(&self, by: &Rater, after: Option<PuzzleId>, limit: u32) -> Result<Vec<Puzzle>, StoreError> {
        let sql = select_with_record!(
            "where puzzles.id > $1 and puzzles.withdrawn_at is null and shelves.kind = $2
               and not (puzzles.rater = $3 and puzzles.rater_version >= $4)
               and not exists (select 1 from ratings
                               where puzzle_id = puzzles.id and ratings.rater = $3 and ratings.rater_version >= $4)
             order by puzzles.id
             limit $5"
        );
        let values = values![after.map_or(0, |id| id.0), &by.kind, &by.name, by.version, limit];
        self.all(sql, values, rows::puzzle_with_record).await
    }

    async fn add_ratings(&self, ratings: &[NewRating], by: Option<&Actor>) -> Result<u64, StoreError> {
        let Some(first) = ratings.first() else { return Ok(0) };
        let columns = ratings.iter().map(|new| {
            let record = new.outcome.record().map(|record| RecordColumn::of_stored(record).to_json());
            let rating = new.outcome.rating().map(|rating| rating.0);
            json!([new.puzzle_id.0, new.rater, new.rater_version, new.outcome.name(), rating, record])
        });
        let columns = columns.collect::<Json>().to_string();
        // `where true` tells SQLite that the clause after the join is not a join condition. On PostgreSQL the rows
        // are sorted by key, so that two calls that add the same records cannot deadlock, and the puzzles are locked, so that
        // `WithdrawPuzzles` does not delete them meanwhile.
        let sql = Sql {
            sqlite: "insert into ratings (puzzle_id, rater, rater_version, outcome, rating, record, created_at)
                     select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, $2
                     from json_each($1) join puzzles on puzzles.id = value ->> 0
                     where true
                     on conflict (puzzle_id, rater, rater_version) do nothing",
            postgres: "insert into ratings (puzzle_id, rater, rater_version, outcome, rating, record, created_at)
                       select puzzles.id as puzzle_id, value ->> 1 as rater, (value ->> 2)::bigint as version,
                              value ->> 3, (value ->> 4)::smallint, (value ->> 5)::json, $2
                       from json_array_elements($1::json)
                       join (select id from puzzles
                             where id in (select (value ->> 0)::bigint from json_array_elements($1::json))
                             order by id
                             for key share) as puzzles on puzzles.id = (value ->> 0)::bigint
                       order by puzzle_id, rater, version
                       on conflict (puzzle_id, rater, rater_version) do nothing",
        };
        self.repeated(|| async {
            let mut write = self.write("rate.begin").await?;
            let added = write.execute("rate.insert", sql, values![&columns, write.now()]).await?;
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
        let sql = Sql {
            sqlite: "select puzzle_id as id, rater, rater_version, outcome, ratings.rating, record, created_at
                     from json_each($1) as asked join ratings on ratings.puzzle_id = asked.value
                     order by puzzle_id, created_at, rater, rater_version",
            postgres: "select puzzle_id as id, rater, rater_version, outcome, rating, record, created_at
                       from ratings
                       where puzzle_id = any($1)
                       order by puzzle_id, created_at, rater, rater_version",
        };
        self.all(sql, values![ids.iter().map(|id| id.0).collect::<Vec<_>>()], rows::rating).await
    }
}
