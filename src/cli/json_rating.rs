//! What raters said, as JSON. The fields are named as the fields of the wire are.

use serde::{Serialize, Serializer, ser::SerializeMap as _};

use super::{json::time, spec::Kind};
use crate::store::{
    puzzle::{Puzzle, StoredRecord},
    rating::{Outcome, Rating},
};
use puzzled_engine::{
    level::{Tenths, level_of},
    record::RatingRecord,
    registry,
};

/// What a rater said.
#[derive(Debug, Serialize)]
pub(super) struct RatingJson<'a> {
    level: &'static str,
    rating: f64,
    #[serde(flatten)]
    record: RecordJson<'a>,
    rater: &'a str,
    rater_version: u32,
}

/// The rating in full.
#[derive(Debug, Serialize)]
struct RecordJson<'a> {
    techniques: Vec<TechniqueJson<'a>>,
    #[serde(serialize_with = "by_name")]
    metrics: Vec<(&'a str, f64)>,
    explanation: &'a str,
}

#[derive(Debug, Serialize)]
struct TechniqueJson<'a> {
    technique: &'a str,
    rating: f64,
    count: u32,
}

/// What a newer rater said of a stored puzzle.
#[derive(Debug, Serialize)]
pub(super) struct LaterJson<'a> {
    rater: &'a str,
    rater_version: u32,
    /// `rated`, `at_least` or `stuck`.
    outcome: &'static str,
    /// Null where the rater is stuck, a lower bound where its budget ended.
    rating: Option<f64>,
    level: Option<&'static str>,
    #[serde(flatten)]
    record: Option<RecordJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    create_time: Option<String>,
}

pub(super) fn rating(kind: Kind, record: &RatingRecord) -> RatingJson<'_> {
    let techniques = record.techniques.iter();
    RatingJson {
        level: level_of(kind.levels(), record.rating).name(),
        rating: decimal(record.rating),
        record: RecordJson {
            techniques: techniques
                .map(|used| TechniqueJson {
                    technique: used.technique,
                    rating: decimal(used.rating),
                    count: used.count,
                })
                .collect(),
            metrics: record.metrics.iter().map(|metric| (metric.name, metric.value)).collect(),
            explanation: &record.explanation,
        },
        rater: record.rater,
        rater_version: record.rater_version,
    }
}

pub(super) fn stored_rating(puzzle: &Puzzle) -> RatingJson<'_> {
    let Puzzle { shelf, record, .. } = puzzle;
    RatingJson {
        level: level_name(&shelf.kind, shelf.rating),
        rating: decimal(shelf.rating),
        record: in_full(record),
        rater: &record.rater,
        rater_version: record.rater_version,
    }
}

pub(super) fn later_of<'a>(kind: &str, rating: &'a Rating) -> LaterJson<'a> {
    let create_time = Some(time(rating.created_at));
    LaterJson { create_time, ..later(kind, &rating.rater, rating.rater_version, &rating.outcome) }
}

pub(super) fn later<'a>(kind: &str, rater: &'a str, rater_version: u32, outcome: &'a Outcome) -> LaterJson<'a> {
    let rating = outcome.rating();
    LaterJson {
        rater,
        rater_version,
        outcome: outcome.name(),
        rating: rating.map(decimal),
        level: rating.map(|rating| level_name(kind, rating)),
        record: outcome.record().map(in_full),
        create_time: None,
    }
}

fn in_full(record: &StoredRecord) -> RecordJson<'_> {
    let techniques = record.techniques.iter();
    RecordJson {
        techniques: techniques
            .map(|(technique, rating, count)| TechniqueJson { technique, rating: decimal(*rating), count: *count })
            .collect(),
        metrics: record.metrics.iter().map(|(name, value)| (name.as_str(), *value)).collect(),
        explanation: &record.explanation,
    }
}

/// Empty for a kind that only a newer version knows: its levels are not known here.
pub(super) fn level_name(kind: &str, rating: Tenths) -> &'static str {
    registry::kind(kind).map_or("", |kind| level_of(kind.levels(), rating).name())
}

pub(super) fn decimal(tenths: Tenths) -> f64 {
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
