//! Records of newer raters: which puzzles lack one, adding them, and reading them.

use super::{PostgresStore, rows};
use crate::store::{
    StoreError,
    puzzle::{Puzzle, PuzzleId},
    rating::{NewRating, Rater, Rating},
    record::RecordColumn,
    same::select_puzzles,
};

impl PostgresStore {
    pub(super) async fn read_unrated(
        &self,
        by: &Rater,
        after: Option<PuzzleId>,
        limit: u32,
    ) -> Result<Vec<Puzzle>, StoreError> {
        let found = self
            .connections
            .all(|| {
                sqlx::query(select_puzzles!(
                    "where puzzles.id > $1 and puzzles.withdrawn_at is null and shelves.kind = $2
                       and not (puzzles.rater = $3 and puzzles.rater_version >= $4)
                       and not exists (select from ratings
                                       where puzzle_id = puzzles.id and ratings.rater = $3
                                         and ratings.rater_version >= $4)
                     order by puzzles.id
                     limit $5"
                ))
                .bind(after.map_or(0, |id| id.0))
                .bind(&by.kind)
                .bind(&by.name)
                .bind(i64::from(by.version))
                .bind(i64::from(limit))
            })
            .await?;
        found.iter().map(rows::puzzle).collect()
    }

    pub(super) async fn insert_ratings(&self, ratings: &[NewRating]) -> Result<u64, StoreError> {
        if ratings.is_empty() {
            return Ok(0);
        }
        let mut write = self.write("rate.begin").await?;
        let now = write.now;
        let record = |new: &NewRating| new.outcome.record().map(|record| RecordColumn::of_stored(record).to_json());
        // By key, so that two who add the same wait for each other in one direction.
        let added = sqlx::query(
            "insert into ratings (puzzle_id, rater, rater_version, outcome, rating, record, created_at)
             select puzzle_id, rater, rater_version, outcome, rating, record::json, $7
             from unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::smallint[], $6::text[])
                  as new (puzzle_id, rater, rater_version, outcome, rating, record)
             order by puzzle_id, rater, rater_version
             on conflict (puzzle_id, rater, rater_version) do nothing",
        )
        .bind(ratings.iter().map(|new| new.puzzle_id.0).collect::<Vec<_>>())
        .bind(ratings.iter().map(|new| new.rater.as_str()).collect::<Vec<_>>())
        .bind(ratings.iter().map(|new| i64::from(new.rater_version)).collect::<Vec<_>>())
        .bind(ratings.iter().map(|new| new.outcome.name()).collect::<Vec<_>>())
        .bind(ratings.iter().map(|new| new.outcome.rating().map(|rating| i16::from(rating.0))).collect::<Vec<_>>())
        .bind(ratings.iter().map(record).collect::<Vec<_>>())
        .bind(now.0)
        .execute(write.at("rate.insert").await?)
        .await?;
        write.commit("rate.commit", "rate.committed").await?;
        Ok(added.rows_affected())
    }

    pub(super) async fn read_ratings(&self, ids: &[PuzzleId]) -> Result<Vec<Rating>, StoreError> {
        let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
        let found = self
            .connections
            .all(|| {
                sqlx::query(
                    "select puzzle_id as id, rater, rater_version, outcome, rating, record, created_at
                     from ratings
                     where puzzle_id = any($1)
                     order by puzzle_id, created_at, rater, rater_version",
                )
                .bind(&ids)
            })
            .await?;
        found.iter().map(rows::rating).collect()
    }
}
