//! The statements of a delivery on SQLite. Each read is one statement for all callers and returns one row of JSON, and
//! all writes are sent together.

use async_trait::async_trait;
use serde::de::DeserializeOwned;

use crate::{
    StoreError,
    deliveries::{
        batch::{DeliveryWrite, DrawnPuzzle, Named, Row},
        choose::DrawIndex,
        shuffle::{AudienceStates, DrawnPosition},
    },
    error::must_touch,
    sql::{rows, statements::deliver},
    sqlite::{Write, json, shelves::Card},
    stock::puzzle::ShelfId,
};
use puzzled_base::ids::PuzzleId;

#[async_trait]
impl DeliveryWrite for Write {
    async fn states(&mut self, audiences: &[&str]) -> Result<AudienceStates, StoreError> {
        let found: String = sqlx::query_scalar(deliver::STATES.sqlite)
            .bind(json(&audiences)?)
            .fetch_one(self.at("deliver.read_cursors").await?)
            .await?;
        let mut states = AudienceStates::default();
        for (name, id, cursors) in parse::<Vec<(String, i64, Vec<(i64, i64)>)>>(&found, "cursors", "taken")? {
            let state = states.of(&name);
            state.id = Some(id);
            for (shelf_id, taken) in cursors {
                state.set_taken(ShelfId(shelf_id), taken);
            }
        }
        Ok(states)
    }

    async fn named(&mut self, names: &[(usize, i64, String)]) -> Result<Vec<Named>, StoreError> {
        let found: String = sqlx::query_scalar(deliver::NAMED.sqlite)
            .bind(json(&names)?)
            .fetch_one(self.at("deliver.read_names").await?)
            .await?;
        let found = parse::<Vec<(usize, String, i64)>>(&found, "deliveries", "fields")?;
        let known = found.into_iter().map(|(at, fields, puzzle_id)| {
            Ok(Named { at, fields: parse(&fields, "deliveries", "fields")?, puzzle_id: PuzzleId(puzzle_id) })
        });
        known.collect()
    }

    async fn swaps(&mut self, unread: &[(usize, i64, DrawIndex)]) -> Result<Vec<(usize, DrawIndex, i64)>, StoreError> {
        let unread: Vec<_> = unread.iter().map(|(at, id, index)| (at, id, index.shelf_id.0, index.index)).collect();
        let found: String = sqlx::query_scalar(deliver::SWAPS.sqlite)
            .bind(json(&unread)?)
            .fetch_one(self.at("deliver.read_swaps").await?)
            .await?;
        let found = parse::<Vec<(usize, i64, i64, i64)>>(&found, "swaps", "position")?;
        let swap = |(at, shelf_id, index, position)| (at, DrawIndex { shelf_id: ShelfId(shelf_id), index }, position);
        Ok(found.into_iter().map(swap).collect())
    }

    async fn read_drawn(&mut self, drawn: &[DrawnPosition]) -> Result<Vec<DrawnPuzzle>, StoreError> {
        let asked = drawn.iter().map(|one| (one.position.shelf_id.0, one.position.number, one.audience_id));
        let asked: Vec<_> = asked.collect();
        let found: String = sqlx::query_scalar(deliver::DRAWN.sqlite)
            .bind(json(&asked)?)
            .fetch_one(self.at("deliver.read_puzzles").await?)
            .await?;
        match in_order(&found, drawn) {
            Some(puzzles) => Ok(puzzles),
            None => Err(broken_among(self, drawn).await?),
        }
    }

    /// Four statements go to the database together, because each round trip to its thread takes as long as one
    /// statement.
    async fn note(&mut self, states: &AudienceStates, rows: &[Row<'_>]) -> Result<(), StoreError> {
        let deliveries = rows.iter().map(|row| {
            let (name, fields) = row.name.as_ref().map(|(name, fields)| (name.as_str(), fields.as_str())).unzip();
            (states.id(row.audience), row.puzzle_id.0, name, fields)
        });
        let deliveries: Vec<_> = deliveries.collect();
        let (mut cursors, mut changed, mut done_with) = (Vec::new(), Vec::new(), Vec::new());
        for (id, state) in states.stored() {
            cursors.extend(state.cursors().map(|(shelf_id, taken)| (id, shelf_id.0, taken)));
            changed.extend(state.changed().map(|(at, position)| (id, at.shelf_id.0, at.index, position)));
            done_with.extend(state.done_with().map(|at| (id, at.shelf_id.0, at.index)));
        }
        let now = self.now;
        self.at("deliver.insert_deliveries").await?;
        let written = sqlx::query(deliver::NOTE)
            .bind(now.0)
            .bind(json(&deliveries)?)
            .bind(json(&cursors)?)
            .bind(json(&changed)?)
            .bind(json(&done_with)?)
            .execute(self.at("deliver.move_cursors").await?)
            .await?;
        let rows = deliveries.len() + cursors.len() + changed.len() + done_with.len();
        must_touch("delivering", rows as u64, written.rows_affected())
    }
}

/// Parses the drawn puzzles, by caller; `None` if a value breaks an invariant.
fn in_order(found: &str, drawn: &[DrawnPosition]) -> Option<Vec<DrawnPuzzle>> {
    let cards: Vec<(usize, String, Card)> = serde_json::from_str(found).ok()?;
    let puzzles = cards.into_iter().map(|(number, repeat_hash, card)| {
        let &DrawnPosition { at, position, .. } = drawn.get(number)?;
        Some(DrawnPuzzle { at, repeat_hash, puzzle: card.read_at(position)? })
    });
    let mut puzzles: Vec<_> = puzzles.collect::<Option<_>>()?;
    puzzles.sort_by_key(|drawn| drawn.at);
    Some(puzzles)
}

/// Reads row by row to find the value that breaks an invariant.
async fn broken_among(write: &mut Write, drawn: &[DrawnPosition]) -> Result<StoreError, StoreError> {
    for DrawnPosition { position, .. } in drawn {
        let row = sqlx::query(deliver::BROKEN)
            .bind(position.shelf_id.0)
            .bind(position.number)
            .fetch_optional(write.at("deliver.read_broken").await?)
            .await?;
        row.as_ref().map(rows::puzzle).transpose()?;
    }
    Ok(corrupt("puzzles", "record"))
}

fn parse<T: DeserializeOwned>(found: &str, table: &'static str, column: &'static str) -> Result<T, StoreError> {
    serde_json::from_str(found).map_err(|_| corrupt(table, column))
}

/// The error for a broken row of a table whose id the answer does not contain.
fn corrupt(table: &'static str, column: &'static str) -> StoreError {
    StoreError::Corrupt { table, column, id: 0 }
}
