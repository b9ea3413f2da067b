//! Records of newer raters: which puzzles lack one, adding them, and reading them.

use serde_json::json;

use super::{SqliteStore, rows};
use crate::store::{
    StoreError,
    puzzle::{Puzzle, PuzzleId},
    rating::{NewRating, Rater, Rating},
    record::RecordColumn,
    same::select_puzzles,
};

impl SqliteStore {
    pub(super) async fn read_unrated(
        &self,
        by: &Rater,
        after: Option<PuzzleId>,
        limit: u32,
    ) -> Result<Vec<Puzzle>, StoreError> {
        let found = sqlx::query(select_puzzles!(
            "where puzzles.id > ?1 and puzzles.withdrawn_at is null and shelves.kind = ?2
               and not (puzzles.rater = ?3 and puzzles.rater_version >= ?4)
               and not exists (select 1 from ratings
                               where puzzle_id = puzzles.id and ratings.rater = ?3 and ratings.rater_version >= ?4)
             order by puzzles.id
             limit ?5"
        ))
        .bind(after.map_or(0, |id| id.0))
        .bind(&by.kind)
        .bind(&by.name)
        .bind(by.version)
        .bind(limit)
        .fetch_all(&self.readers)
        .await?;
        found.iter().map(rows::puzzle).collect()
    }

    pub(super) async fn insert_ratings(&self, ratings: &[NewRating]) -> Result<u64, StoreError> {
        if ratings.is_empty() {
            return Ok(0);
        }
        let mut write = self.write("rate.begin").await?;
        let now = write.now;
        let columns = ratings.iter().map(|new| {
            let record = new.outcome.record().map(|record| RecordColumn::of_stored(record).to_json());
            let rating = new.outcome.rating().map(|rating| rating.0);
            json!([new.puzzle_id.0, new.rater, new.rater_version, new.outcome.name(), rating, record])
        });
        // `where true` tells SQLite that what follows the join is not its condition.
        let added = sqlx::query(
            "insert into ratings (puzzle_id, rater, rater_version, outcome, rating, record, created_at)
             select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, ?2
             from json_each(?1)
             where true
             on conflict (puzzle_id, rater, rater_version) do nothing",
        )
        .bind(columns.collect::<serde_json::Value>().to_string())
        .bind(now.0)
        .execute(write.at("rate.insert").await?)
        .await?;
        write.commit("rate.commit", "rate.committed").await?;
        Ok(added.rows_affected())
    }

    pub(super) async fn read_ratings(&self, ids: &[PuzzleId]) -> Result<Vec<Rating>, StoreError> {
        let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
        let found = sqlx::query(
            "select puzzle_id as id, rater, rater_version, outcome, ratings.rating, record, created_at
             from json_each(?) as wanted join ratings on ratings.puzzle_id = wanted.value
             order by puzzle_id, created_at, rater, rater_version",
        )
        .bind(json!(ids).to_string())
        .fetch_all(&self.readers)
        .await?;
        found.iter().map(rows::rating).collect()
    }
}
