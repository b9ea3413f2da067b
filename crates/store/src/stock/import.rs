//! Rule: the data of an import: the records that a caller brings, the result for each, and the counts of both. Decides which puzzle
//! in stock a record repeats. Pure functions.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use crate::{
    jobs::{growth::Full, slice::Alike},
    stock::puzzle::{ImportOrigin, ShelfKey},
};
use puzzled_base::ids::PuzzleId;
use puzzled_engine::{
    registry,
    shared::{
        level::{Level, level_of},
        spec::Spec,
        tries::Made,
    },
};

/// The maximum number of records in one call, which one transaction stores.
pub const RECORDS_MAX: u32 = 500;

/// An import, as one call names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The name that the caller gave. With the line, it names a record.
    pub import_id: String,
    /// Where the puzzles come from, in the caller's words; may be empty.
    pub source: String,
    /// Whether the call changes nothing, and only says what it would do.
    pub dry_run: bool,
}

/// A record that the engine has examined.
#[derive(Debug, Clone, PartialEq)]
pub struct Examined {
    /// The line in the caller's file, from 1. No two records of a call have the same line.
    pub line: u32,
    /// The caller's note, or empty.
    pub note: String,
    /// The puzzle, or why the record cannot be stored.
    pub found: Result<ProvedPuzzle, Refused>,
}

/// A puzzle that is rated and proved to have exactly one solution.
#[derive(Debug, Clone, PartialEq)]
pub struct ProvedPuzzle {
    /// Its kind, its variant, and the strongest symmetry of its givens. The rest of the spec is open.
    pub spec: Spec,
    /// The puzzle, as a job would make it.
    pub made: Made,
}

impl ProvedPuzzle {
    /// The shelf of the puzzle.
    #[must_use]
    pub fn shelf(&self) -> ShelfKey {
        let Made { givens, record, .. } = &self.made;
        ShelfKey::of(&self.spec, record.rating, record.technique, *givens)
    }
}

/// Why a record is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It is not a puzzle of its kind and variant.
    Unreadable,
    /// It has no solution.
    NoSolution,
    /// It has several solutions.
    Several,
    /// It has no rating: the techniques do not finish it, a budget ran out, the grid is complete, or the solvers disagree.
    Unrated,
    /// Programs of the last minor version, which may use the same database, know its variant, but cannot read it.
    TooNew,
    /// The stock has the same puzzle.
    Known,
    /// The stock has an isomorph.
    Isomorph,
    /// The stock has a puzzle with the same solution up to symmetry.
    SameSolution,
    /// A person withdrew this puzzle, an isomorph, or one with the same solution.
    Barred,
    /// It needs a new shelf, and the number of shelves is at its limit.
    NoShelf,
    /// The line of the import has brought another puzzle, which is in circulation.
    LineTaken,
}

impl Reason {
    /// The name in the API and in the audit trail.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "UNREADABLE",
            Self::NoSolution => "NO_SOLUTION",
            Self::Several => "SEVERAL",
            Self::Unrated => "UNRATED",
            Self::TooNew => "TOO_NEW",
            Self::Known => "KNOWN",
            Self::Isomorph => "ISOMORPH",
            Self::SameSolution => "SAME_SOLUTION",
            Self::Barred => "BARRED",
            Self::NoShelf => "NO_SHELF",
            Self::LineTaken => "LINE_TAKEN",
        }
    }
}

/// A record that is not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The reason.
    pub reason: Reason,
    /// What is wrong, for people; empty if the reason says it all.
    pub fault: String,
    /// The puzzle that stands in the way, if one does.
    pub other: Option<Other>,
}

/// The puzzle that stands in the way of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Other {
    /// Its ID; `None` if a dry run would add it.
    pub id: Option<PuzzleId>,
    /// Its line, if the same import brought it.
    pub line: Option<u32>,
}

/// The result for a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The line of the record.
    pub line: u32,
    /// The ID of the stored puzzle, or why the record is not stored. A dry run has no ID.
    pub stored: Result<Option<PuzzleId>, Refused>,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Imported {
    /// The results of the records, in their order. Later records are missing if the stock was full before them.
    Done(Vec<Outcome>),
    /// The stock is full, and nothing changed.
    StockFull(Full),
    /// The import has this source, not that of the call. Nothing changed.
    OtherSource(String),
}

/// The puzzles in circulation that an import brought, by line: the ID and the text.
pub(crate) type TakenLines = HashMap<u32, (PuzzleId, String)>;

/// Refuses a record if its line has brought another puzzle.
pub(crate) fn taken(line: u32, found: &ProvedPuzzle, taken: &TakenLines) -> Option<Refused> {
    let (id, text) = taken.get(&line)?;
    let other = Other { id: Some(*id), line: Some(line) };
    (*text != found.made.text).then(|| Refused { reason: Reason::LineTaken, fault: String::new(), other: Some(other) })
}

/// Which puzzle a record repeats, and how. Of several puzzles, the most similar one in circulation counts. `alike` is not
/// empty.
pub(crate) fn repeat<'a>(found: &ProvedPuzzle, alike: &'a [Alike]) -> (Reason, Option<&'a Alike>) {
    let form = format!("{}/{}", found.spec.kind, found.made.canonical);
    let is_isomorph = |known: &&Alike| known.form == form;
    let live: Vec<_> = alike.iter().filter(|known| known.in_circulation).collect();
    let isomorph = live.iter().copied().find(is_isomorph);
    let same = live.iter().copied().find(|known| is_isomorph(known) && known.text == found.made.text);
    same.map(|known| (Reason::Known, Some(known)))
        .or_else(|| isomorph.map(|known| (Reason::Isomorph, Some(known))))
        .or_else(|| live.first().map(|known| (Reason::SameSolution, Some(*known))))
        .unwrap_or((Reason::Barred, alike.first()))
}

/// The line of a puzzle, if this import brought it.
pub(crate) fn own_line(import: &Import, origin: Option<&ImportOrigin>) -> Option<u32> {
    origin.filter(|origin| origin.import_id == import.import_id).map(|origin| origin.line)
}

/// The details of a call, for the audit trail.
pub(crate) fn details(import: &Import, outcomes: &[Outcome]) -> Value {
    let mut refused = BTreeMap::<_, u64>::new();
    for outcome in outcomes {
        if let Err(why) = &outcome.stored {
            *refused.entry(why.reason.name()).or_default() += 1;
        }
    }
    json!({
        "import_id": import.import_id,
        "source": import.source,
        "records": outcomes.len(),
        "stored": outcomes.iter().filter(|outcome| outcome.stored.is_ok()).count(),
        "refused": refused,
    })
}

/// Stored puzzles of a level whose number of givens is outside the range that the level delivers. Only requests that state
/// givens get them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideStyle {
    /// The kind.
    pub kind: String,
    /// The variant.
    pub variant: String,
    /// The level.
    pub level: Level,
    /// The number of these puzzles, from 1.
    pub count: u32,
    /// The smallest number of their givens.
    pub min_givens: u16,
    /// The largest number of their givens.
    pub max_givens: u16,
}

/// Counts the stored puzzles outside the style of their level, by kind, variant, and level.
#[must_use]
pub fn outside_style(examined: &[Examined], outcomes: &[Outcome]) -> Vec<OutsideStyle> {
    let mut all: Vec<OutsideStyle> = Vec::new();
    let stored = examined.iter().zip(outcomes).filter(|(_, outcome)| outcome.stored.is_ok());
    for ProvedPuzzle { spec, made } in stored.filter_map(|(examined, _)| examined.found.as_ref().ok()) {
        let info = registry::kind(&spec.kind).and_then(|kind| kind.variant(&spec.variant));
        let Some(info) = info else { continue };
        if info.delivered(made.record.rating).is_none_or(|delivered| delivered.contains(made.givens)) {
            continue;
        }
        let level = level_of(info.levels, made.record.rating);
        let own = |known: &&mut OutsideStyle| {
            (known.kind.as_str(), known.variant.as_str(), known.level)
                == (spec.kind.as_str(), spec.variant.as_str(), level)
        };
        match all.iter_mut().find(own) {
            Some(known) => {
                known.count += 1;
                known.min_givens = known.min_givens.min(made.givens);
                known.max_givens = known.max_givens.max(made.givens);
            }
            None => all.push(OutsideStyle {
                kind: spec.kind.clone(),
                variant: spec.variant.clone(),
                level,
                count: 1,
                min_givens: made.givens,
                max_givens: made.givens,
            }),
        }
    }
    all
}
