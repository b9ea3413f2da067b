//! Reads puzzles by shelf and position on PostgreSQL, for draws.

use std::collections::HashMap;

use sqlx::{Row as _, postgres::PgRow};

use super::{PostgresStore, rows};
use crate::store::{
    StoreError,
    puzzle::{Place, Puzzle},
    shelves::select_puzzles,
};

impl PostgresStore {
    /// Reads rows, unlike SQLite, which returns one JSON value: this driver returns all rows of a packet at once.
    ///
    /// This method leaves out withdrawn puzzles. If the statements did so with `withdrawn_at is null`, the index for
    /// the pages of a shelf would also fit. With few statistics of a new table, the server's planner chooses that
    /// index, and reads the whole shelf.
    pub(super) async fn read_puzzles_at(&self, places: &[Place]) -> Result<Vec<Option<Puzzle>>, StoreError> {
        let found = match places {
            [place] => self.rows_at(*place).await?,
            several => self.rows_at_all(several).await?,
        };
        let mut puzzles = HashMap::with_capacity(found.len());
        for row in &found {
            let puzzle = rows::puzzle(row)?;
            if puzzle.withdrawn.is_none() {
                puzzles.insert((row.try_get("shelf_id")?, puzzle.position), puzzle);
            }
        }
        // A draw may contain the same place twice.
        Ok(places.iter().map(|place| puzzles.get(&(place.shelf_id.0, place.position)).cloned()).collect())
    }

    /// Reads one place, as most draws do. The statement for several places would take several times as long, because it
    /// is planned each time.
    async fn rows_at(&self, place: Place) -> Result<Vec<PgRow>, StoreError> {
        self.connections
            .all(|| {
                sqlx::query(select_puzzles!("where puzzles.shelf_id = $1 and puzzles.position = $2"))
                    .bind(place.shelf_id.0)
                    .bind(place.position)
            })
            .await
    }

    async fn rows_at_all(&self, places: &[Place]) -> Result<Vec<PgRow>, StoreError> {
        let shelves: Vec<_> = places.iter().map(|place| place.shelf_id.0).collect();
        let positions: Vec<_> = places.iter().map(|place| place.position).collect();
        self.connections
            .all(|| {
                sqlx::query(select_puzzles!(
                    "join unnest($1::bigint[], $2::bigint[]) as wanted (shelf_id, position)
                       on puzzles.shelf_id = wanted.shelf_id and puzzles.position = wanted.position"
                ))
                .bind(&shelves)
                .bind(&positions)
            })
            .await
    }
}
