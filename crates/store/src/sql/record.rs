//! Converts a rater's record to and from JSON, for the columns `puzzles.record` (which decided the shelf) and
//! `ratings.record`.

use serde::{Deserialize, Serialize};

use puzzled_engine::shared::{
    level::Tenths,
    metrics::Metrics,
    record::{RatingRecord, StoredRecord},
};

/// The content of the column. The rater and its version have their own columns, so that queries can use them.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RecordColumn {
    explanation: String,
    /// Name, rating in tenths, and count.
    techniques: Vec<(String, u8, u32)>,
    metrics: Metrics,
}

impl RecordColumn {
    pub(crate) fn of(record: &RatingRecord) -> Self {
        let techniques = record.techniques.iter().map(|used| (used.technique.to_owned(), used.rating.0, used.count));
        Self {
            explanation: record.explanation.clone(),
            techniques: techniques.collect(),
            metrics: record.metrics.clone(),
        }
    }

    pub(crate) fn of_stored(record: &StoredRecord) -> Self {
        let techniques = record.techniques.iter().map(|(name, rating, count)| (name.clone(), rating.0, *count));
        Self {
            explanation: record.explanation.clone(),
            techniques: techniques.collect(),
            metrics: record.metrics.clone(),
        }
    }

    /// The column's text. It contains the metrics byte for byte.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("words and numbers have a JSON form")
    }

    pub(crate) fn stored(self, rater: String, rater_version: u32) -> StoredRecord {
        let techniques = self.techniques.into_iter().map(|(name, rating, count)| (name, Tenths(rating), count));
        StoredRecord {
            rater,
            rater_version,
            explanation: self.explanation,
            techniques: techniques.collect(),
            metrics: self.metrics,
        }
    }
}
