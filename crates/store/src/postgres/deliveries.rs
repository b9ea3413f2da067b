//! The statements of a delivery on PostgreSQL. Each serves all calls of a batch.

use async_trait::async_trait;
use sqlx::Row as _;

use crate::{
    StoreError,
    deliveries::{
        batch::{DeliveryWrite, DrawnPuzzle, Named, Row},
        choose::DrawIndex,
        shuffle::{AudienceStates, DrawnPosition},
    },
    error::must_touch,
    postgres::Write,
    sql::{database::Write as _, rows, statement::values, statements::deliver},
    stock::puzzle::ShelfId,
};
use puzzled_base::ids::PuzzleId;

#[async_trait]
impl DeliveryWrite for Write {
    async fn states(&mut self, audiences: &[&str]) -> Result<AudienceStates, StoreError> {
        let found: Vec<(String, i64, Option<i64>, Option<i64>)> = sqlx::query_as(deliver::STATES.postgres)
            .bind(audiences)
            .fetch_all(self.at("deliver.read_cursors").await?)
            .await?;
        let mut states = AudienceStates::default();
        for (name, id, shelf_id, taken) in found {
            let state = states.of(&name);
            state.id = Some(id);
            if let (Some(shelf_id), Some(taken)) = (shelf_id, taken) {
                state.set_taken(ShelfId(shelf_id), taken);
            }
        }
        Ok(states)
    }

    async fn named(&mut self, names: &[(usize, i64, String)]) -> Result<Vec<Named>, StoreError> {
        let found: Vec<(i64, String, i64)> = sqlx::query_as(deliver::NAMED.postgres)
            .bind(names.iter().map(|(at, ..)| number(*at)).collect::<Vec<_>>())
            .bind(names.iter().map(|(_, audience_id, _)| *audience_id).collect::<Vec<_>>())
            .bind(names.iter().map(|(.., name)| name.as_str()).collect::<Vec<_>>())
            .fetch_all(self.at("deliver.read_names").await?)
            .await?;
        let known = found.into_iter().map(|(at, fields, puzzle_id)| {
            let corrupt = |_| StoreError::Corrupt { table: "deliveries", column: "fields", id: 0 };
            let fields = serde_json::from_str(&fields).map_err(corrupt)?;
            Ok(Named { at: caller(at)?, fields, puzzle_id: PuzzleId(puzzle_id) })
        });
        known.collect()
    }

    async fn swaps(&mut self, unread: &[(usize, i64, DrawIndex)]) -> Result<Vec<(usize, DrawIndex, i64)>, StoreError> {
        let found: Vec<(i64, i64, i64, i64)> = sqlx::query_as(deliver::SWAPS.postgres)
            .bind(unread.iter().map(|(at, ..)| number(*at)).collect::<Vec<_>>())
            .bind(unread.iter().map(|(_, audience_id, _)| *audience_id).collect::<Vec<_>>())
            .bind(unread.iter().map(|(.., index)| index.shelf_id.0).collect::<Vec<_>>())
            .bind(unread.iter().map(|(.., index)| index.index).collect::<Vec<_>>())
            .fetch_all(self.at("deliver.read_swaps").await?)
            .await?;
        let swap = |(at, shelf_id, index, position)| {
            Ok((caller(at)?, DrawIndex { shelf_id: ShelfId(shelf_id), index }, position))
        };
        found.into_iter().map(swap).collect()
    }

    async fn read_drawn(&mut self, drawn: &[DrawnPosition]) -> Result<Vec<DrawnPuzzle>, StoreError> {
        // Withdrawn puzzles are left out here, not by the statement: see `puzzles_at`. The lock keeps `WithdrawPuzzles`
        // from deleting a puzzle until its delivery is committed.
        let found = sqlx::query(deliver::DRAWN.postgres)
            .bind(drawn.iter().map(|one| number(one.at)).collect::<Vec<_>>())
            .bind(drawn.iter().map(|one| one.audience_id).collect::<Vec<_>>())
            .bind(drawn.iter().map(|one| one.position.shelf_id.0).collect::<Vec<_>>())
            .bind(drawn.iter().map(|one| one.position.number).collect::<Vec<_>>())
            .fetch_all(self.at("deliver.read_puzzles").await?)
            .await?;
        let mut puzzles = Vec::with_capacity(found.len());
        for row in &found {
            let puzzle = rows::puzzle(row)?;
            if puzzle.withdrawn.is_none() {
                puzzles.push(DrawnPuzzle {
                    at: caller(row.try_get("at")?)?,
                    repeat_hash: row.try_get("number")?,
                    puzzle,
                });
            }
        }
        puzzles.sort_by_key(|drawn| drawn.at);
        Ok(puzzles)
    }

    async fn note(&mut self, states: &AudienceStates, rows: &[Row<'_>]) -> Result<(), StoreError> {
        insert_deliveries(self, states, rows).await?;
        move_cursors(self, states).await?;
        store_swaps(self, states).await?;
        delete_swaps(self, states).await
    }
}

/// The index of a caller, as the database stores it.
fn number(at: usize) -> i64 {
    i64::try_from(at).expect("an index fits")
}

fn caller(number: i64) -> Result<usize, StoreError> {
    let unknown = StoreError::Corrupt { table: "deliveries", column: "at", id: number };
    usize::try_from(number).map_err(|_| unknown)
}

async fn insert_deliveries(write: &mut Write, states: &AudienceStates, rows: &[Row<'_>]) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let now = write.now;
    let (names, fields): (Vec<_>, Vec<_>) =
        rows.iter().map(|row| row.name.as_ref().map(|(name, fields)| (name.as_str(), fields.as_str())).unzip()).unzip();
    let inserted = sqlx::query(deliver::INSERT_DELIVERIES)
        .bind(rows.iter().map(|row| states.id(row.audience)).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| row.puzzle_id.0).collect::<Vec<_>>())
        .bind(names)
        .bind(fields)
        .bind(now.0)
        .execute(write.at("deliver.insert_deliveries").await?)
        .await?;
    must_touch("inserting deliveries", rows.len() as u64, inserted.rows_affected())
}

async fn move_cursors(write: &mut Write, states: &AudienceStates) -> Result<(), StoreError> {
    let moved = states.stored().flat_map(|(id, state)| state.cursors().map(move |(shelf_id, to)| (id, shelf_id.0, to)));
    let (audiences, shelves, taken): (Vec<_>, Vec<_>, Vec<_>) = moved.collect();
    write.execute("deliver.move_cursors", deliver::MOVE_CURSORS, values![audiences, shelves, taken]).await.map(|_| ())
}

async fn store_swaps(write: &mut Write, states: &AudienceStates) -> Result<(), StoreError> {
    let changed = states.stored().flat_map(|(id, state)| state.changed().map(move |(at, position)| (id, at, position)));
    let columns = changed.map(|(id, at, position)| (id, at.shelf_id.0, at.index, position));
    let (audiences, shelves, indices, positions): (Vec<_>, Vec<_>, Vec<_>, Vec<_>) = columns.collect();
    if indices.is_empty() {
        return Ok(());
    }
    let values = values![audiences, shelves, indices, positions];
    write.execute("deliver.store_swaps", deliver::STORE_SWAPS, values).await.map(|_| ())
}

async fn delete_swaps(write: &mut Write, states: &AudienceStates) -> Result<(), StoreError> {
    let gone = states.stored().flat_map(|(id, state)| state.done_with().map(move |at| (id, at.shelf_id.0, at.index)));
    let (audiences, shelves, indices): (Vec<_>, Vec<_>, Vec<_>) = gone.collect();
    if indices.is_empty() {
        return Ok(());
    }
    write.execute("deliver.delete_swaps", deliver::DELETE_SWAPS, values![audiences, shelves, indices]).await.map(|_| ())
}
