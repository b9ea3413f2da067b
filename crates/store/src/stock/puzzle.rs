//! Rule: the data of the stock: puzzles with their rating records, withdrawals, and shelves with their positions.

use crate::deliveries::holder::Holder;
use puzzled_base::{
    clock::Millis,
    ids::{JobId, PuzzleId},
    repeat_hash::RepeatHash,
};
use puzzled_engine::{
    registry,
    shared::{level::Tenths, record::StoredRecord, spec::Spec, symmetry::Symmetry, variant::VariantInfo},
};

/// The maximum number of shelves. Each reading of the counts, and each page of puzzles, goes through all shelves.
pub const SHELVES_MAX: u32 = 8_192;

/// A stored puzzle.
#[derive(Debug, Clone, PartialEq)]
pub struct Puzzle {
    /// The puzzle's id.
    pub id: PuzzleId,
    /// The shelf that it is on.
    pub shelf: ShelfKey,
    /// Its position on the shelf, from 0; `None` for a puzzle that is held, or was held when it was withdrawn.
    pub position: Option<i64>,
    /// Who holds it; `None` for a puzzle with a position, and for one whose audience was forgotten.
    pub holder: Option<Holder>,
    /// The text, in its stored form.
    pub text: String,
    /// The solution's text.
    pub solution: String,
    /// The canonical form.
    pub canonical: String,
    /// The repeat hash, from which the class follows.
    pub repeat_hash: RepeatHash,
    /// Number of givens.
    pub givens: u16,
    /// The hardest technique: that of the first step that has the puzzle's rating. Empty for a complete grid.
    pub technique: String,
    /// The predicted median time of a person, in seconds; `None` if the ratings of the variant are not calibrated.
    pub predicted_seconds: Option<u32>,
    /// The rating that decided the shelf; `None` if the read left it out.
    pub record: Option<StoredRecord>,
    /// The job that made it, or the import that brought it.
    pub origin: Origin,
    /// Version of the engine that made it, or proved it.
    pub engine_version: u32,
    /// When it was stored.
    pub created_at: Millis,
    /// When and why the puzzle was withdrawn, if it was. Its id still finds it.
    pub withdrawn: Option<Withdrawn>,
}

impl Puzzle {
    /// Whether it has no position, so that only its holder gets it.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.position.is_none()
    }
}

/// How a puzzle came into the stock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A job made it.
    Job(JobOrigin),
    /// An import brought it.
    Import(ImportOrigin),
}

/// The try that made a puzzle. With the spec and the engine version, it makes the puzzle again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobOrigin {
    /// The seed of the job.
    pub seed: u64,
    /// The job.
    pub job_id: JobId,
    /// The index in the job, from 0.
    pub index: u32,
    /// The try at that index, from 0.
    pub try_number: u32,
}

/// The record of an import that brought a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportOrigin {
    /// The name of the import.
    pub import_id: String,
    /// The line of the record, from 1. No two puzzles in circulation have the same line of an import.
    pub line: u32,
    /// The caller's note on the puzzle, or empty.
    pub note: String,
}

/// A criterion of puzzles: the job or the import that they come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OriginFilter {
    /// Puzzles that this job made.
    Job(JobId),
    /// Puzzles that the import with this name brought.
    Import(String),
}

impl Origin {
    /// The try that made the puzzle; `None` if an import brought it.
    #[must_use]
    pub fn job(&self) -> Option<&JobOrigin> {
        if let Self::Job(job) = self { Some(job) } else { None }
    }

    /// The record that brought the puzzle; `None` if a job made it.
    #[must_use]
    pub fn import(&self) -> Option<&ImportOrigin> {
        if let Self::Import(import) = self { Some(import) } else { None }
    }
}

/// The withdrawal of a puzzle. A withdrawn puzzle is never delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawn {
    /// When it was withdrawn.
    pub at: Millis,
    /// The reason.
    pub reason: String,
}

/// What all puzzles of a shelf have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShelfKey {
    /// The kind.
    pub kind: String,
    /// The variant.
    pub variant: String,
    /// The base of the variant: its size and rules without options. It follows from the variant.
    pub base: String,
    /// The symmetry that the puzzles were made with; for imported ones, the strongest that their givens have.
    pub symmetry: Symmetry,
    /// The rating.
    pub rating: Tenths,
    /// The hardest technique; empty if the variant does not have this criterion.
    pub technique: String,
    /// The number of givens; 0 if the variant does not have this criterion.
    pub givens: u16,
}

impl ShelfKey {
    /// The shelf of a puzzle that a job with this spec made. `technique` is its hardest technique.
    #[must_use]
    pub fn of(spec: &Spec, rating: Tenths, technique: &str, givens: u16) -> Self {
        let kind = registry::kind(&spec.kind);
        let info = kind.and_then(|kind| kind.variant(&spec.variant));
        Self {
            kind: spec.kind.clone(),
            variant: spec.variant.clone(),
            base: kind.map_or_else(|| spec.variant.clone(), |kind| kind.base(&spec.variant)),
            symmetry: spec.symmetry,
            rating,
            technique: if info.is_some_and(|info| info.has_technique) { technique.to_owned() } else { String::new() },
            givens: if info.is_some_and(|info| info.givens.is_some()) { givens } else { 0 },
        }
    }

    /// Whether this version knows its kind and its variant, and so can read its puzzles. Reads the whole name of the variant;
    /// too slow for each shelf of each draw.
    #[must_use]
    pub fn is_known(&self) -> bool {
        registry::kind(&self.kind).is_some_and(|kind| kind.check_variant(&self.variant).is_ok())
    }

    /// The data of its variant; `None` if only a newer version knows its kind or its variant.
    #[must_use]
    pub fn variant_info(&self) -> Option<&'static VariantInfo> {
        registry::kind(&self.kind)?.variant(&self.variant)
    }
}

/// Row of a shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShelfId(pub i64);

/// A shelf and its number of puzzles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf {
    /// Row of the shelf.
    pub id: ShelfId,
    /// What the puzzles of the shelf have in common.
    pub key: ShelfKey,
    /// The number of positions taken so far, which is the position of the next puzzle. It never falls.
    pub positions: i64,
    /// The number of empty positions: those whose puzzle was withdrawn or forgotten.
    pub empty: i64,
}

impl Shelf {
    /// The number of puzzles in circulation.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the schema keeps `empty` within `positions`")]
    pub fn live(&self) -> u64 {
        u64::try_from(self.positions - self.empty).expect("the schema keeps `empty` within `positions`")
    }
}

/// A position on a shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The shelf.
    pub shelf_id: ShelfId,
    /// The number of the position on its shelf, from 0.
    pub number: i64,
}

/// A stored puzzle of the toy kind with this text.
#[cfg(feature = "test-kind")]
#[must_use]
pub fn toy(text: &str, rating: Tenths) -> Puzzle {
    Puzzle {
        id: PuzzleId(7),
        shelf: ShelfKey {
            kind: "toy".to_owned(),
            variant: "1x1".to_owned(),
            base: "1x1".to_owned(),
            symmetry: Symmetry::None,
            rating,
            technique: String::new(),
            givens: 0,
        },
        position: Some(0),
        holder: None,
        text: text.to_owned(),
        solution: text.to_owned(),
        canonical: format!("toy/{text}"),
        repeat_hash: RepeatHash::of("toy", "1x1", text),
        givens: 1,
        technique: String::new(),
        predicted_seconds: None,
        record: Some(StoredRecord {
            rater: "toy".to_owned(),
            rater_version: 1,
            explanation: String::new(),
            techniques: Vec::new(),
            metrics: puzzled_engine::shared::metrics::Metrics::of(
                "sudoku",
                &puzzled_engine::sudoku::metrics::SudokuMetrics::default(),
            ),
        }),
        origin: Origin::Job(JobOrigin { seed: 0, job_id: JobId(1), index: 0, try_number: 0 }),
        engine_version: 1,
        created_at: Millis(0),
        withdrawn: None,
    }
}
