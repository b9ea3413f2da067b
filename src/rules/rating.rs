//! What raters say of stored puzzles later than the record that decided their shelf.

use super::puzzle::{PuzzleId, StoredRecord};
use crate::clock::Millis;
use puzzled_engine::{level::Tenths, record::RatingRecord, text::Unrated};

/// A rater at one version. Its records can only be compared with those of the same name and version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rater {
    /// The kind of puzzle that it rates.
    pub kind: String,
    /// Its name: `puzzled-se`.
    pub name: String,
    /// Its version; rises when any puzzle's result may change.
    pub version: u32,
}

/// What a rater said of a stored puzzle.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// The puzzle.
    pub puzzle_id: PuzzleId,
    /// Name of the rater.
    pub rater: String,
    /// Version of the rater.
    pub rater_version: u32,
    /// What it said.
    pub outcome: Outcome,
    /// When it was stored.
    pub created_at: Millis,
}

/// The end of a rating.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The puzzle is rated.
    Rated {
        /// The rating.
        rating: Tenths,
        /// The rating in full.
        record: StoredRecord,
    },
    /// The rater's budget ended first; the rating is not below this.
    AtLeast(Tenths),
    /// The rater's techniques do not finish the puzzle.
    Stuck,
}

impl Outcome {
    /// What a kind's `reason` ended with.
    #[must_use]
    pub fn of(rated: Result<RatingRecord, Unrated>) -> Self {
        match rated {
            Ok(record) => Self::Rated { rating: record.rating, record: record.into() },
            Err(Unrated::OutOfBudget { at_least, .. }) => Self::AtLeast(at_least),
            Err(Unrated::Stuck) => Self::Stuck,
        }
    }

    /// The word for it in the database.
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

    /// The rating in full.
    #[must_use]
    pub fn into_record(self) -> Option<StoredRecord> {
        match self {
            Self::Rated { record, .. } => Some(record),
            Self::AtLeast(_) | Self::Stuck => None,
        }
    }

    /// The rating in full, to be looked at.
    #[must_use]
    pub fn record(&self) -> Option<&StoredRecord> {
        match self {
            Self::Rated { record, .. } => Some(record),
            Self::AtLeast(_) | Self::Stuck => None,
        }
    }
}

/// What a rater said of a stored puzzle, to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRating {
    /// The puzzle.
    pub puzzle_id: PuzzleId,
    /// Name of the rater.
    pub rater: String,
    /// Version of the rater.
    pub rater_version: u32,
    /// What it said.
    pub outcome: Outcome,
}
