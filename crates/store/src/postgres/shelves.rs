//! Reads puzzles by shelf and position on PostgreSQL, for draws.

use std::collections::HashMap;

use async_trait::async_trait;
use sqlx::Row as _;

use crate::{
    StoreError,
    postgres::PostgresStore,
    sql::{database::Database as _, rows, statement::values, statements::positions},
    stock::{
        puzzle::{Position, Puzzle},
        stock_store::PositionStore,
    },
};

#[async_trait]
impl PositionStore for PostgresStore {
    /// Reads rows. On SQLite, one JSON value is faster, but this driver returns all rows of a packet at once.
    ///
    /// Withdrawn puzzles are left out here, not by the statements. With `withdrawn_at is null` in them, the index of a
    /// shelf's pages would also fit. The server's planner, if it has few statistics of a new table, chooses that index
    /// and reads the whole shelf.
    async fn puzzles_at(&self, positions: &[Position], with_record: bool) -> Result<Vec<Option<Puzzle>>, StoreError> {
        let found = match positions {
            // The usual draw. The statement for several positions takes several times as long, because it is planned each
            // time.
            [Position { shelf_id, number }] => {
                let sql = if with_record { positions::ONE_WITH_RECORD } else { positions::ONE };
                self.read(sql, values![shelf_id.0, *number]).await?
            }
            several => {
                let sql = if with_record { positions::SEVERAL_WITH_RECORD } else { positions::SEVERAL };
                let asked = several.iter().map(|position| (position.shelf_id.0, position.number));
                let (shelves, numbers): (Vec<_>, Vec<_>) = asked.unzip();
                self.read(sql, values![shelves, numbers]).await?
            }
        };
        let read = if with_record { rows::puzzle_with_record } else { rows::puzzle };
        let mut puzzles = HashMap::with_capacity(found.len());
        for row in &found {
            let puzzle = read(row)?;
            if let (None, Some(position)) = (&puzzle.withdrawn, puzzle.position) {
                puzzles.insert((row.try_get("shelf_id")?, position), puzzle);
            }
        }
        // The same position may have been drawn twice.
        Ok(positions.iter().map(|at| puzzles.get(&(at.shelf_id.0, at.number)).cloned()).collect())
    }
}
