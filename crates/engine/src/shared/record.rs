//! A rater's result for one puzzle: the rating, the techniques used, the metrics, and one line of explanation.

use super::{level::Tenths, metrics::Metrics};

/// A rater's result for one puzzle. Only results of the same rater and version are comparable.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingRecord {
    /// Name of the rater, such as `puzzled-se`.
    pub rater: &'static str,
    /// Version of the rater. It rises whenever the result for any puzzle may change.
    pub rater_version: u32,
    /// The rating, which decides the level and the shelf.
    pub rating: Tenths,
    /// The hardest technique: that of the first step that has the puzzle's rating. Empty for a complete grid.
    pub technique: &'static str,
    /// The techniques used, easiest first.
    pub techniques: Vec<TechniqueCount>,
    /// The predicted mean solving time of people who solve such puzzles for pleasure, in whole seconds. `None` where the
    /// prediction is not calibrated with people's times.
    pub predicted_seconds: Option<u32>,
    /// The metrics of the puzzle's kind.
    pub metrics: Metrics,
    /// One line for people that says which techniques the puzzle uses, and why it has its rating.
    pub explanation: String,
}

impl RatingRecord {
    /// Whether this is the record of a complete grid. Its rating means nothing, because no step was left to take.
    #[must_use]
    pub fn is_of_complete_grid(&self) -> bool {
        self.techniques.is_empty()
    }
}

/// A technique and its number of steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TechniqueCount {
    /// Usual name of the technique.
    pub technique: &'static str,
    /// Rating of its steps, on the kind's scale.
    pub rating: Tenths,
    /// Number of steps that use it, from 1.
    pub count: u32,
}

/// A rating as stored: the engine's record, with names read back from the database.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRecord {
    /// Name of the rater.
    pub rater: String,
    /// Version of the rater.
    pub rater_version: u32,
    /// One line for people.
    pub explanation: String,
    /// Technique, rating and count, easiest first.
    pub techniques: Vec<(String, Tenths, u32)>,
    /// The metrics of the puzzle's kind.
    pub metrics: Metrics,
}

impl From<RatingRecord> for StoredRecord {
    /// The record as it would be read back.
    fn from(record: RatingRecord) -> Self {
        let techniques = record.techniques.into_iter().map(|used| (used.technique.to_owned(), used.rating, used.count));
        Self {
            rater: record.rater.to_owned(),
            rater_version: record.rater_version,
            techniques: techniques.collect(),
            metrics: record.metrics,
            explanation: record.explanation,
        }
    }
}
