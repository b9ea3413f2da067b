//! Puzzles and shelves as the store keeps them.

use std::{fmt, str::FromStr};

use super::job::{JobId, number_after};
use crate::clock::Millis;
use puzzled_engine::{level::Tenths, metrics::Metrics, record::RatingRecord, symmetry::Symmetry};

/// Number of a puzzle, from 1; on the wire `puzzle-42`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PuzzleId(pub i64);

impl fmt::Display for PuzzleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "puzzle-{}", self.0)
    }
}

impl FromStr for PuzzleId {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        number_after("puzzle-", text).map(Self).ok_or(())
    }
}

/// A stored puzzle.
#[derive(Debug, Clone, PartialEq)]
pub struct Puzzle {
    /// Id.
    pub id: PuzzleId,
    /// The shelf that it stands on.
    pub shelf: ShelfKey,
    /// Its position there, from 0.
    pub position: i64,
    /// The text, in its stored form.
    pub text: String,
    /// The solution's text.
    pub solution: String,
    /// The canonical form.
    pub canonical: String,
    /// Number of givens.
    pub givens: u16,
    /// The rating that decided the shelf.
    pub record: StoredRecord,
    /// Seed of its job.
    pub seed: u64,
    /// Its job.
    pub job_id: JobId,
    /// Its index in that job.
    pub job_index: u32,
    /// The try at that index that made it.
    pub job_try: u32,
    /// Whether its job had wanted another rating.
    pub is_extra: bool,
    /// Version of the engine that made it.
    pub engine_version: u32,
    /// When it was stored.
    pub created_at: Millis,
    /// Why and when it was taken out of circulation, if it was. It is still found by id.
    pub withdrawn: Option<Withdrawn>,
}

/// Why a puzzle is no longer handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawn {
    /// When.
    pub at: Millis,
    /// Why.
    pub reason: String,
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
    /// The numbers of the puzzle's kind.
    pub metrics: Metrics,
}

impl From<RatingRecord> for StoredRecord {
    /// As it would be read back.
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

/// What a shelf holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShelfKey {
    /// Kind.
    pub kind: String,
    /// Variant.
    pub variant: String,
    /// Symmetry that the puzzles were made with.
    pub symmetry: Symmetry,
    /// Rating.
    pub rating: Tenths,
}

/// Row of a shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShelfId(pub i64);

/// A shelf and how much stands on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf {
    /// Row.
    pub id: ShelfId,
    /// What it holds.
    pub key: ShelfKey,
    /// Positions given out so far; the next puzzle gets this one. Never falls.
    pub positions: i64,
    /// Puzzles withdrawn, whose positions are empty for ever.
    pub withdrawn: i64,
}

/// Where a puzzle stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// The shelf.
    pub shelf_id: ShelfId,
    /// The position, from 0.
    pub position: i64,
}

/// A choice of shelves: every field that is set has to fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShelfFilter {
    /// Kind.
    pub kind: Option<String>,
    /// Variant.
    pub variant: Option<String>,
    /// Symmetry.
    pub symmetry: Option<Symmetry>,
    /// Easiest rating; only together with a kind.
    pub rating_min: Tenths,
    /// Hardest rating; only together with a kind.
    pub rating_max: Tenths,
}

impl ShelfFilter {
    /// Every shelf.
    pub const ANY: Self =
        Self { kind: None, variant: None, symmetry: None, rating_min: Tenths(0), rating_max: Tenths(u8::MAX) };

    /// Whether a shelf is one of them.
    #[must_use]
    pub fn fits(&self, key: &ShelfKey) -> bool {
        self.kind.as_ref().is_none_or(|kind| *kind == key.kind)
            && self.variant.as_ref().is_none_or(|variant| *variant == key.variant)
            && self.symmetry.is_none_or(|symmetry| symmetry == key.symmetry)
            && (self.rating_min..=self.rating_max).contains(&key.rating)
    }
}
