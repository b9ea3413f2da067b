//! The read behind the draws: the puzzles of many places as one row of json. Row by row the driver would wake the reading
//! task for each of them, which costs more than the read itself.

use std::collections::HashMap;

use serde::Deserialize;

use super::SqliteStore;
use crate::{
    clock::Millis,
    engine::level::Tenths,
    store::{
        StoreError,
        job::JobId,
        puzzle::{Place, Puzzle, PuzzleId, ShelfId, ShelfKey},
        record::RecordColumn,
    },
};

/// Puzzles at places, `wanted` being json of shelves and positions, as one row of json: an array of [`Card`]s, each with
/// something around it. A macro, because a statement has to be one literal.
///
/// The record stands in it as it is stored, without SQLite's looking at it: that would cost more than all else.
macro_rules! select_cards {
    ($before:literal, $behind:literal, $rest:literal) => {
        concat!(
            "select '[' || coalesce(group_concat(",
            $before,
            "'[' || json_array(
                 puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.text, puzzles.solution, puzzles.canonical,
                 puzzles.givens, puzzles.rater, puzzles.rater_version, puzzles.seed, puzzles.job_id, puzzles.job_index,
                 puzzles.job_try, puzzles.is_extra, puzzles.engine_version, puzzles.created_at,
                 shelves.kind, shelves.variant, shelves.symmetry, shelves.rating) || ',' || puzzles.record || ']'",
            $behind,
            "), '') || ']'
             from json_each(?) as wanted
             join puzzles on puzzles.shelf_id = wanted.value ->> 0 and puzzles.position = wanted.value ->> 1
             join shelves on shelves.id = puzzles.shelf_id ",
            $rest
        )
    };
}
pub(super) use select_cards;

impl SqliteStore {
    pub(super) async fn read_puzzles_at(&self, places: &[Place]) -> Result<Vec<Option<Puzzle>>, StoreError> {
        let wanted: Vec<_> = places.iter().map(|place| (place.shelf_id.0, place.position)).collect();
        let wanted = serde_json::json!(wanted).to_string();
        let found = self.read_cards(&wanted).await;
        match found.ok().as_deref().and_then(parse) {
            // The same place may have been drawn twice.
            Some(cards) => Ok(places.iter().map(|place| cards.get(place).cloned()).collect()),
            // Some value breaks an invariant, or the database does not answer: read row by row, the error says which.
            None => self.read_puzzle_rows_at(places).await,
        }
    }

    async fn read_cards(&self, wanted: &str) -> Result<String, sqlx::Error> {
        let mut place = self.draws.lock().await;
        let mut connection = match place.take() {
            Some(connection) => connection,
            None => self.readers.acquire().await?,
        };
        let read = sqlx::query_scalar(select_cards!("", "", "where puzzles.withdrawn_at is null"))
            .bind(wanted)
            .fetch_one(&mut *connection)
            .await?;
        // One that failed, or whose caller went away, goes back to the pool, where it is tested.
        *place = Some(connection);
        Ok(read)
    }
}

fn parse(found: &str) -> Option<HashMap<Place, Puzzle>> {
    let cards: Vec<Card> = serde_json::from_str(found).ok()?;
    cards.into_iter().map(Card::read).collect()
}

/// A puzzle in circulation, with the record by which it was shelved.
#[derive(Deserialize)]
pub(super) struct Card(Columns, RecordColumn);

/// The other columns, and those of its shelf, in the order in which they are read.
#[derive(Deserialize)]
struct Columns {
    id: i64,
    shelf_id: i64,
    position: i64,
    text: String,
    solution: String,
    canonical: String,
    givens: u16,
    rater: String,
    rater_version: u32,
    seed: i64,
    job_id: i64,
    job_index: u32,
    job_try: u32,
    is_extra: u8,
    engine_version: u32,
    created_at: i64,
    kind: String,
    variant: String,
    symmetry: String,
    rating: u8,
}

impl Card {
    pub(super) fn read(self) -> Option<(Place, Puzzle)> {
        let Self(columns, record) = self;
        let place = Place { shelf_id: ShelfId(columns.shelf_id), position: columns.position };
        let symmetry = columns.symmetry.parse().ok()?;
        let puzzle = Puzzle {
            id: PuzzleId(columns.id),
            shelf: ShelfKey { kind: columns.kind, variant: columns.variant, symmetry, rating: Tenths(columns.rating) },
            position: columns.position,
            text: columns.text,
            solution: columns.solution,
            canonical: columns.canonical,
            givens: columns.givens,
            record: record.stored(columns.rater, columns.rater_version),
            seed: u64::from_le_bytes(columns.seed.to_le_bytes()),
            job_id: JobId(columns.job_id),
            job_index: columns.job_index,
            job_try: columns.job_try,
            is_extra: columns.is_extra == 1,
            engine_version: columns.engine_version,
            created_at: Millis(columns.created_at),
            withdrawn: None,
        };
        Some((place, puzzle))
    }
}
