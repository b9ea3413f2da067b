//! The JSON objects that commands print. Their fields are named as the fields of the wire are.

use prost_types::Timestamp;
use serde::Serialize;

use super::{
    batch::{Batch, Numbered},
    json_rating::{LaterJson, RatingJson, decimal, later, later_of, level_name, rating, stored_rating},
    lines::PuzzleLine,
    spec::Kind,
};
use crate::{
    clock::Millis,
    store::{
        puzzle::Puzzle,
        rating::{Outcome, Rating},
    },
};
use puzzled_engine::{ENGINE_VERSION, record::RatingRecord};

/// A puzzle that was made.
#[derive(Debug, Serialize)]
struct MadeJson<'a> {
    puzzle: &'a str,
    solution: &'a str,
    kind: &'a str,
    variant: &'a str,
    symmetry: &'a str,
    givens: u16,
    #[serde(flatten)]
    rating: RatingJson<'a>,
    seed: u64,
    index: u32,
    r#try: u32,
    engine_version: u32,
}

/// A puzzle of a database.
#[derive(Debug, Serialize)]
struct StoredJson<'a> {
    id: String,
    puzzle: &'a str,
    solution: &'a str,
    kind: &'a str,
    variant: &'a str,
    symmetry: &'a str,
    givens: u16,
    #[serde(flatten)]
    rating: RatingJson<'a>,
    seed: u64,
    job_id: String,
    job_index: u32,
    job_try: u32,
    engine_version: u32,
    create_time: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ratings: Vec<LaterJson<'a>>,
}

/// A puzzle of a database that was rated again.
#[derive(Debug, Serialize)]
struct ReratedJson<'a> {
    id: String,
    puzzle: &'a str,
    kind: &'a str,
    variant: &'a str,
    shelf_rating: f64,
    shelf_level: &'static str,
    #[serde(flatten)]
    later: LaterJson<'a>,
}

/// A line that was rated.
#[derive(Debug, Serialize)]
struct RatedJson<'a> {
    line: u64,
    puzzle: &'a str,
    #[serde(flatten)]
    rating: RatingJson<'a>,
}

/// A line that was not rated, and why.
#[derive(Debug, Serialize)]
struct FaultJson<'a> {
    line: u64,
    puzzle: &'a str,
    /// Always null, so that readers who look for it find it empty.
    rating: Option<f64>,
    error: &'a str,
}

/// One line about a puzzle that was made.
pub(super) fn made(batch: &Batch, Numbered { index, attempt, made }: &Numbered) -> String {
    line(&MadeJson {
        puzzle: &made.text,
        solution: &made.solution,
        kind: &batch.spec.kind,
        variant: &batch.spec.variant,
        symmetry: batch.spec.symmetry.name(),
        givens: made.givens,
        rating: rating(batch.kind, &made.record),
        seed: batch.seed,
        index: *index,
        r#try: *attempt,
        engine_version: ENGINE_VERSION,
    })
}

/// One line about a puzzle of a database, with what newer raters said of it.
pub(super) fn stored(puzzle: &Puzzle, ratings: &[Rating]) -> String {
    line(&StoredJson {
        id: puzzle.id.to_string(),
        puzzle: &puzzle.text,
        solution: &puzzle.solution,
        kind: &puzzle.shelf.kind,
        variant: &puzzle.shelf.variant,
        symmetry: puzzle.shelf.symmetry.name(),
        givens: puzzle.givens,
        rating: stored_rating(puzzle),
        seed: puzzle.seed,
        job_id: puzzle.job_id.to_string(),
        job_index: puzzle.job_index,
        job_try: puzzle.job_try,
        engine_version: puzzle.engine_version,
        create_time: time(puzzle.created_at),
        ratings: ratings.iter().map(|rating| later_of(&puzzle.shelf.kind, rating)).collect(),
    })
}

/// One line about a puzzle of a database that was rated again.
pub(super) fn rerated(kind: Kind, puzzle: &Puzzle, outcome: &Outcome) -> String {
    let (rater, rater_version) = kind.rater();
    line(&ReratedJson {
        id: puzzle.id.to_string(),
        puzzle: &puzzle.text,
        kind: &puzzle.shelf.kind,
        variant: &puzzle.shelf.variant,
        shelf_rating: decimal(puzzle.shelf.rating),
        shelf_level: level_name(&puzzle.shelf.kind, puzzle.shelf.rating),
        later: later(&puzzle.shelf.kind, rater, rater_version, outcome),
    })
}

/// One line about a line that was rated.
pub(super) fn rated(kind: Kind, at: &PuzzleLine, outcome: Result<&RatingRecord, &str>) -> String {
    let puzzle = at.text.as_deref().unwrap_or_default();
    match outcome {
        Ok(record) => line(&RatedJson { line: at.number, puzzle, rating: rating(kind, record) }),
        Err(error) => line(&FaultJson { line: at.number, puzzle, rating: None, error }),
    }
}

/// As the wire's JSON writes it: `2026-11-21T12:00:00.500Z`.
pub(super) fn time(at: Millis) -> String {
    let nanos = i32::try_from(at.0.rem_euclid(1_000) * 1_000_000).unwrap_or_default();
    Timestamp { seconds: at.0.div_euclid(1_000), nanos }.to_string()
}

fn line(object: &impl Serialize) -> String {
    // Strings and finite numbers under string keys always have a JSON form; what a kind calls a metric is finite.
    serde_json::to_string(object).unwrap_or_default()
}
