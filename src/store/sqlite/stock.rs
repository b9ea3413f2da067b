//! Reading shelves and puzzles.

use std::collections::HashMap;

use sqlx::Row as _;

use super::{SqliteStore, rows};
use crate::store::{
    StoreError,
    puzzle::{Place, Puzzle, PuzzleId, Shelf, ShelfFilter},
    same::select_puzzles,
};

impl SqliteStore {
    pub(super) async fn read_shelves(&self) -> Result<Vec<Shelf>, StoreError> {
        let found = sqlx::query("select * from shelves order by id").fetch_all(&self.readers).await?;
        found.iter().map(rows::shelf).collect()
    }

    pub(super) async fn read_puzzle_rows_at(&self, places: &[Place]) -> Result<Vec<Option<Puzzle>>, StoreError> {
        // Any number of places as one json parameter: SQLite has no arrays, and one statement stays prepared.
        let wanted: Vec<_> = places.iter().map(|place| (place.shelf_id.0, place.position)).collect();
        let found = sqlx::query(select_puzzles!(
            "join json_each(?) as wanted
               on puzzles.shelf_id = wanted.value ->> 0 and puzzles.position = wanted.value ->> 1
             where puzzles.withdrawn_at is null"
        ))
        .bind(serde_json::json!(wanted).to_string())
        .fetch_all(&self.readers)
        .await?;
        let mut puzzles = HashMap::with_capacity(found.len());
        for row in &found {
            let puzzle = rows::puzzle(row)?;
            puzzles.insert((row.try_get("shelf_id")?, puzzle.position), puzzle);
        }
        Ok(wanted.iter().map(|place: &(i64, i64)| puzzles.get(place).cloned()).collect())
    }

    pub(super) async fn read_puzzle(&self, id: PuzzleId) -> Result<Option<Puzzle>, StoreError> {
        let row = sqlx::query(select_puzzles!("where puzzles.id = ?")).bind(id.0).fetch_optional(&self.readers).await?;
        row.as_ref().map(rows::puzzle).transpose()
    }

    pub(super) async fn read_puzzles(
        &self,
        filter: &ShelfFilter,
        after: Option<PuzzleId>,
        limit: u32,
    ) -> Result<Vec<Puzzle>, StoreError> {
        // The first ids of each shelf that fits, then the first of those: as quick for a rare level as for a common one.
        // SQLite has no lateral join; an array of ids that json_each unfolds does the same.
        let found = sqlx::query(select_puzzles!(
            "where puzzles.id in (
                 select ids.value
                 from shelves as fitting
                 join json_each((select json_group_array(id)
                                 from (select id from puzzles
                                       where shelf_id = fitting.id and id > ?1 and withdrawn_at is null
                                       order by id
                                       limit ?7))) as ids
                 where (?2 is null or fitting.kind = ?2)
                   and (?3 is null or fitting.variant = ?3)
                   and (?4 is null or fitting.symmetry = ?4)
                   and fitting.rating between ?5 and ?6
                 order by ids.value
                 limit ?7)
             order by puzzles.id"
        ))
        .bind(after.map_or(0, |id| id.0))
        .bind(&filter.kind)
        .bind(&filter.variant)
        .bind(filter.symmetry.map(puzzled_engine::symmetry::Symmetry::name))
        .bind(filter.rating_min.0)
        .bind(filter.rating_max.0)
        .bind(limit)
        .fetch_all(&self.readers)
        .await?;
        found.iter().map(rows::puzzle).collect()
    }
}
