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
macro_rules! select_cards {
    ($before:literal, $behind:literal, $rest:literal) => {
        concat!(
            "select json_group_array(",
            $before,
            "json_object(
                 'id', puzzles.id, 'shelf_id', puzzles.shelf_id, 'position', puzzles.position, 'text', puzzles.text,
                 'solution', puzzles.solution, 'canonical', puzzles.canonical, 'givens', puzzles.givens,
                 'rater', puzzles.rater, 'rater_version', puzzles.rater_version, 'seed', puzzles.seed,
                 'job_id', puzzles.job_id, 'job_index', puzzles.job_index, 'job_try', puzzles.job_try,
                 'is_extra', puzzles.is_extra, 'engine_version', puzzles.engine_version, 'created_at', puzzles.created_at,
                 'kind', shelves.kind, 'variant', shelves.variant, 'symmetry', shelves.symmetry, 'rating', shelves.rating,
                 'record', json(puzzles.record))",
            $behind,
            ")
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
        let found: Result<String, _> = sqlx::query_scalar(select_cards!("", "", "where puzzles.withdrawn_at is null"))
            .bind(&wanted)
            .fetch_one(&self.readers)
            .await;
        match found.ok().as_deref().and_then(parse) {
            // The same place may have been drawn twice.
            Some(cards) => Ok(places.iter().map(|place| cards.get(place).cloned()).collect()),
            // Some value breaks an invariant, or the database does not answer: read row by row, the error says which.
            None => self.read_puzzle_rows_at(places).await,
        }
    }
}

fn parse(found: &str) -> Option<HashMap<Place, Puzzle>> {
    let cards: Vec<Card> = serde_json::from_str(found).ok()?;
    cards.into_iter().map(Card::read).collect()
}

/// A puzzle in circulation, with its shelf. The names are the columns'.
#[derive(Deserialize)]
pub(super) struct Card {
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
    record: RecordColumn,
}

impl Card {
    pub(super) fn read(self) -> Option<(Place, Puzzle)> {
        let place = Place { shelf_id: ShelfId(self.shelf_id), position: self.position };
        let symmetry = self.symmetry.parse().ok()?;
        let puzzle = Puzzle {
            id: PuzzleId(self.id),
            shelf: ShelfKey { kind: self.kind, variant: self.variant, symmetry, rating: Tenths(self.rating) },
            position: self.position,
            text: self.text,
            solution: self.solution,
            canonical: self.canonical,
            givens: self.givens,
            record: self.record.stored(self.rater, self.rater_version),
            seed: u64::from_le_bytes(self.seed.to_le_bytes()),
            job_id: JobId(self.job_id),
            job_index: self.job_index,
            job_try: self.job_try,
            is_extra: self.is_extra == 1,
            engine_version: self.engine_version,
            created_at: Millis(self.created_at),
            withdrawn: None,
        };
        Some((place, puzzle))
    }
}
