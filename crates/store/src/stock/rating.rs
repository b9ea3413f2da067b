//! Rule: the data of ratings that newer raters add to stored puzzles. The record that decided the shelf stays.

use puzzled_base::{clock::Millis, ids::PuzzleId};
use puzzled_engine::shared::{
    level::Tenths,
    record::{RatingRecord, StoredRecord},
    text::Unrated,
};

/// A rater at one version. Only records of the same rater and version are comparable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rater {
    /// The kind of puzzle that it rates.
    pub kind: String,
    /// Its name, such as `puzzled-se`.
    pub name: String,
    /// Its version, which rises when the result for any puzzle may change.
    pub version: u32,
}

/// A rater's result for a stored puzzle.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// The puzzle.
    pub puzzle_id: PuzzleId,
    /// Name of the rater.
    pub rater: String,
    /// Version of the rater.
    pub rater_version: u32,
    /// The result.
    pub outcome: Outcome,
    /// When it was stored.
    pub created_at: Millis,
}

/// The result of a rating.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The puzzle is rated.
    Rated {
        /// The rating.
        rating: Tenths,
        /// The whole record.
        record: StoredRecord,
    },
    /// The rater's budget ran out. The rating is at least this.
    AtLeast(Tenths),
    /// The rater's techniques do not finish the puzzle.
    Stuck,
}

impl Outcome {
    /// Converts the result of a kind's `reason`.
    #[must_use]
    pub fn of(rated: Result<RatingRecord, Unrated>) -> Self {
        match rated {
            Ok(record) => Self::Rated { rating: record.rating, record: record.into() },
            Err(Unrated::OutOfBudget { at_least, .. }) => Self::AtLeast(at_least),
            Err(Unrated::Stuck) => Self::Stuck,
        }
    }

    /// The word in the database.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Rated { .. } => "rated",
            Self::AtLeast(_) => "at_least",
            Self::Stuck => "stuck",
        }
    }

    /// The rating, or its lower bound.
    #[must_use]
    pub fn rating(&self) -> Option<Tenths> {
        match self {
            Self::Rated { rating, .. } | Self::AtLeast(rating) => Some(*rating),
            Self::Stuck => None,
        }
    }

    /// The whole record, if the puzzle is rated.
    #[must_use]
    pub fn record(&self) -> Option<&StoredRecord> {
        match self {
            Self::Rated { record, .. } => Some(record),
            Self::AtLeast(_) | Self::Stuck => None,
        }
    }
}

/// A rater's result to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRating {
    /// The puzzle.
    pub puzzle_id: PuzzleId,
    /// Name of the rater.
    pub rater: String,
    /// Version of the rater.
    pub rater_version: u32,
    /// The result.
    pub outcome: Outcome,
}
