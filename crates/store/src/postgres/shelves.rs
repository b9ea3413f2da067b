//! Reads puzzles by shelf and position on PostgreSQL, for draws.

use std::collections::HashMap;

use async_trait::async_trait;
use sqlx::Row as _;

use crate::{
    StoreError,
    postgres::PostgresStore,
    sql::{database::Database as _, rows, statement::values},
    stock::{
        puzzle::{Position, Puzzle},
        stock_store::{PositionStore, select_puzzles, select_with_record},
    },
};

/// Selects the puzzle at a position.
macro_rules! one {
    ($select:ident) => {
        $select!("where puzzles.shelf_id = $1 and puzzles.position = $2")
    };
}

/// Selects the puzzles at several positions.
macro_rules! several {
    ($select:ident) => {
        $select!(
            "join unnest($1::bigint[], $2::bigint[]) as asked (shelf_id, position)
               on puzzles.shelf_id = asked.shelf_id and puzzles.position = asked.position"
        )
    };
}

#[async_trait]
impl PositionStore for PostgresStore {
    /// Reads rows, unlike SQLite, which returns one JSON value: this driver returns all rows of a packet at once.
    ///
    /// Withdrawn puzzles are left out here, not by the statements. With `withdrawn_at is null` in them, the index of a
    /// shelf's pages would also fit. The server's planner, if it has few statistics of a new table, chooses that index
    /// and reads the whole shelf.
    async fn puzzles_at(&self, positions: &[Position], with_record: bool) -> Result<Vec<Option<Puzzle>>, StoreError> {
        let found = match positions {
            // The usual draw. The statement for several positions takes several times as long, because it is planned each
            // time.
            [Position { shelf_id, number }] => {
                let sql = if with_record { one!(select_with_record) } else { one!(select_puzzles) };
                self.read(sql, values![shelf_id.0, *number]).await?
            }
            several => {
                let sql = if with_record { several!(select_with_record) } else { several!(select_puzzles) };
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
