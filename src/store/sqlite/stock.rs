//! If `cards.rs` cannot read puzzles as JSON on SQLite, reads them row by row to find the broken value.

use std::collections::HashMap;

use sqlx::Row as _;

use super::{SqliteStore, rows};
use crate::store::{
    StoreError,
    puzzle::{Place, Puzzle},
    shelves::select_puzzles,
};

impl SqliteStore {
    pub(super) async fn read_puzzle_rows_at(&self, places: &[Place]) -> Result<Vec<Option<Puzzle>>, StoreError> {
        // All places are one JSON parameter, because SQLite has no arrays. So one prepared statement serves any number
        // of places.
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
}
