//! Puzzles and shelves as the store keeps them.

use std::{fmt, str::FromStr};

pub use super::filter::{ShelfFilter, VariantFilter};

use super::job::{JobId, number_after};
use crate::clock::Millis;
use puzzled_engine::{
    kind::VariantInfo, level::Tenths, metrics::Metrics, record::RatingRecord, registry, spec::Spec, symmetry::Symmetry,
};

/// Most shelves. Every draw and every page goes through all of them.
pub const SHELVES_MAX: u32 = 4_096;

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
    pub is_surplus: bool,
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
    /// The variant's size and rules without the generator's options. It follows from the variant.
    pub base: String,
    /// Symmetry that the puzzles were made with.
    pub symmetry: Symmetry,
    /// Rating.
    pub rating: Tenths,
    /// Technique that their jobs asked for.
    pub technique: Option<String>,
    /// Number of givens that their jobs asked for.
    pub clues: Option<u16>,
}

impl ShelfKey {
    /// The shelf of a puzzle that a job with this spec made. A surplus puzzle need not have the technique or the number of
    /// givens that its job wanted, so it stands on the shelf without either.
    #[must_use]
    pub fn of(spec: &Spec, rating: Tenths, is_surplus: bool) -> Self {
        let base = match registry::kind(&spec.kind) {
            Some(kind) => kind.base(&spec.variant),
            None => spec.variant.clone(),
        };
        Self {
            kind: spec.kind.clone(),
            variant: spec.variant.clone(),
            base,
            symmetry: spec.symmetry,
            rating,
            technique: spec.technique.clone().filter(|_| !is_surplus),
            clues: spec.clues.filter(|_| !is_surplus),
        }
    }

    /// What is true of its variant; none if only a newer version knows its kind or its variant.
    #[must_use]
    pub fn variant_info(&self) -> Option<&'static VariantInfo> {
        registry::kind(&self.kind)?.variant(&self.variant)
    }
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use puzzled_engine::metrics::SudokuMetrics;

    /// A stored puzzle of the toy kind with this text.
    pub(crate) fn toy(text: &str, rating: Tenths) -> Puzzle {
        Puzzle {
            id: PuzzleId(7),
            shelf: ShelfKey {
                kind: "toy".to_owned(),
                variant: "1x1".to_owned(),
                base: "1x1".to_owned(),
                symmetry: Symmetry::None,
                rating,
                technique: None,
                clues: None,
            },
            position: 0,
            text: text.to_owned(),
            solution: text.to_owned(),
            canonical: format!("toy/{text}"),
            givens: 1,
            record: StoredRecord {
                rater: "toy".to_owned(),
                rater_version: 1,
                explanation: String::new(),
                techniques: Vec::new(),
                metrics: Metrics::Sudoku(SudokuMetrics::default()),
            },
            seed: 0,
            job_id: JobId(1),
            job_index: 0,
            job_try: 0,
            is_surplus: false,
            engine_version: 1,
            created_at: Millis(0),
            withdrawn: None,
        }
    }
}
