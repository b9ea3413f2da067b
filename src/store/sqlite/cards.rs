//! Reads puzzles by shelf and position on SQLite, for draws, as one row of JSON. With one row per puzzle, the driver
//! would wake the reading task for each row, which takes longer than the read itself.

use serde::Deserialize;

use super::{SqliteStore, json};
use crate::{
    clock::Millis,
    store::{
        StoreError,
        job::JobId,
        puzzle::{Place, Puzzle, PuzzleId, ShelfId, ShelfKey},
        record::RecordColumn,
    },
};
use puzzled_engine::level::Tenths;

/// Selects puzzles in circulation as one row of JSON. Each puzzle has its index among the places that `$wanted` unfolds.
///
/// A macro, because a statement must be one literal. The JSON includes the record as it is stored, because it would
/// take longer than everything else if SQLite parsed the record.
macro_rules! select_cards {
    ($grid:literal, $wanted:literal, $rest:literal) => {
        concat!(
            "select '[' || coalesce(group_concat('[' || wanted.key || ',' || ",
            $grid,
            "'[' || json_array(
                 puzzles.id, puzzles.shelf_id, puzzles.position, puzzles.text, puzzles.solution, puzzles.canonical,
                 puzzles.givens, puzzles.rater, puzzles.rater_version, puzzles.seed, puzzles.job_id, puzzles.job_index,
                 puzzles.job_try, puzzles.is_surplus, puzzles.engine_version, puzzles.created_at,
                 shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique,
                 shelves.clues) || ',' || puzzles.record || ']]'),
             '') || ']' ",
            $wanted,
            " join shelves on shelves.id = puzzles.shelf_id where puzzles.withdrawn_at is null ",
            $rest
        )
    };
}
pub(super) use select_cards;

impl SqliteStore {
    pub(super) async fn read_puzzles_at(&self, places: &[Place]) -> Result<Vec<Option<Puzzle>>, StoreError> {
        let found = self.read_cards(places).await;
        match found.ok().as_deref().and_then(|found| parse(found, places)) {
            Some(puzzles) => Ok(puzzles),
            // A value breaks an invariant, or the database does not answer. Read row by row to find out which.
            None => self.read_puzzle_rows_at(places).await,
        }
    }

    async fn read_cards(&self, places: &[Place]) -> Result<String, sqlx::Error> {
        let mut place = self.draws.lock().await;
        let mut connection = match place.take() {
            Some(connection) => connection,
            None => self.readers.acquire().await?,
        };
        let wanted: Vec<_> = places.iter().map(|place| (place.shelf_id.0, place.position)).collect();
        let read = sqlx::query_scalar(select_cards!(
            "",
            "from jsonb_each(?) as wanted
             join puzzles on puzzles.shelf_id = wanted.value ->> 0 and puzzles.position = wanted.value ->> 1",
            ""
        ))
        .bind(json(&wanted)?)
        .fetch_one(&mut *connection)
        .await?;
        // A connection that failed, or whose caller went away, is not kept here. It returns to the pool, which tests it.
        *place = Some(connection);
        Ok(read)
    }
}

fn parse(found: &str, places: &[Place]) -> Option<Vec<Option<Puzzle>>> {
    let cards: Vec<(usize, Card)> = serde_json::from_str(found).ok()?;
    let mut puzzles: Vec<_> = places.iter().map(|_| None).collect();
    for (at, card) in cards {
        *puzzles.get_mut(at)? = Some(card.read_at(*places.get(at)?)?);
    }
    Some(puzzles)
}

/// A puzzle in circulation, with the record that decided its shelf.
#[derive(Deserialize)]
pub(super) struct Card(Columns, RecordColumn);

/// The other columns of the puzzle, and the columns of its shelf, in the order of `select_cards`.
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
    is_surplus: u8,
    engine_version: u32,
    created_at: i64,
    kind: String,
    variant: String,
    base: String,
    symmetry: String,
    rating: u8,
    technique: String,
    clues: u16,
}

impl Card {
    /// Returns the puzzle; `None` if a value breaks an invariant, or if the puzzle is at another place.
    pub(super) fn read_at(self, place: Place) -> Option<Puzzle> {
        let Self(columns, record) = self;
        if place != (Place { shelf_id: ShelfId(columns.shelf_id), position: columns.position }) {
            return None;
        }
        let symmetry = columns.symmetry.parse().ok()?;
        Some(Puzzle {
            id: PuzzleId(columns.id),
            shelf: ShelfKey {
                kind: columns.kind,
                variant: columns.variant,
                base: columns.base,
                symmetry,
                rating: Tenths(columns.rating),
                technique: Some(columns.technique).filter(|name| !name.is_empty()),
                clues: Some(columns.clues).filter(|&clues| clues > 0),
            },
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
            is_surplus: columns.is_surplus == 1,
            engine_version: columns.engine_version,
            created_at: Millis(columns.created_at),
            withdrawn: None,
        })
    }
}
