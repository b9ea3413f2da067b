//! The JSON objects that commands print. Their fields are named as the fields of the wire are.

use prost_types::Timestamp;
use serde::{Serialize, Serializer, ser::SerializeMap as _};

use super::{
    batch::{Batch, Numbered},
    lines::PuzzleLine,
    spec::Kind,
};
use crate::{
    clock::Millis,
    engine::{
        ENGINE_VERSION,
        level::{Tenths, level_of},
        record::RatingRecord,
        registry,
    },
    store::puzzle::Puzzle,
};

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

/// What a rater said.
#[derive(Debug, Serialize)]
struct RatingJson<'a> {
    level: &'static str,
    rating: f64,
    techniques: Vec<TechniqueJson<'a>>,
    #[serde(serialize_with = "by_name")]
    metrics: Vec<(&'a str, f64)>,
    explanation: &'a str,
    rater: &'a str,
    rater_version: u32,
}

#[derive(Debug, Serialize)]
struct TechniqueJson<'a> {
    technique: &'a str,
    rating: f64,
    count: u32,
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

/// One line about a puzzle of a database.
pub(super) fn stored(puzzle: &Puzzle) -> String {
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

fn rating(kind: Kind, record: &RatingRecord) -> RatingJson<'_> {
    let techniques = record.techniques.iter();
    RatingJson {
        level: level_of(kind.levels(), record.rating).name(),
        rating: decimal(record.rating),
        techniques: techniques
            .map(|used| TechniqueJson { technique: used.technique, rating: decimal(used.rating), count: used.count })
            .collect(),
        metrics: record.metrics.iter().map(|metric| (metric.name, metric.value)).collect(),
        explanation: &record.explanation,
        rater: record.rater,
        rater_version: record.rater_version,
    }
}

fn stored_rating(puzzle: &Puzzle) -> RatingJson<'_> {
    let Puzzle { shelf, record, .. } = puzzle;
    let techniques = record.techniques.iter();
    RatingJson {
        // A kind that only a newer version knows has levels that this one does not.
        level: registry::kind(&shelf.kind).map_or("", |kind| level_of(kind.levels(), shelf.rating).name()),
        rating: decimal(shelf.rating),
        techniques: techniques
            .map(|(technique, rating, count)| TechniqueJson { technique, rating: decimal(*rating), count: *count })
            .collect(),
        metrics: record.metrics.iter().map(|(name, value)| (name.as_str(), *value)).collect(),
        explanation: &record.explanation,
        rater: &record.rater,
        rater_version: record.rater_version,
    }
}

/// As the wire's JSON writes it: `2026-11-21T12:00:00.500Z`.
fn time(at: Millis) -> String {
    let nanos = i32::try_from(at.0.rem_euclid(1_000) * 1_000_000).unwrap_or_default();
    Timestamp { seconds: at.0.div_euclid(1_000), nanos }.to_string()
}

fn decimal(tenths: Tenths) -> f64 {
    f64::from(tenths.0) / 10.0
}

/// Whole numbers below are exact in a float.
const WHOLE_BOUND: f64 = 9e15;

fn by_name<S: Serializer>(metrics: &[(&str, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(metrics.len()))?;
    for &(name, value) in metrics {
        // Counts stay whole for readers that want them so.
        if value.fract() == 0.0 && value.abs() < WHOLE_BOUND {
            #[expect(clippy::cast_possible_truncation, reason = "whole, and within bounds")]
            map.serialize_entry(name, &(value as i64))?;
        } else {
            map.serialize_entry(name, &value)?;
        }
    }
    map.end()
}

fn line(object: &impl Serialize) -> String {
    // Strings and finite numbers under string keys always have a JSON form; what a kind calls a metric is finite.
    serde_json::to_string(object).unwrap_or_default()
}
