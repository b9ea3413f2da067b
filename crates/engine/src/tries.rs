//! The result of one try: a puzzle, a surplus puzzle, or a miss with its reason, such as a disagreement of the two solvers.

use std::fmt;

use super::record::RatingRecord;

/// The result of one try.
#[derive(Debug, Clone, PartialEq)]
pub enum Try {
    /// A puzzle that meets the spec.
    Made(Box<Made>),
    /// A surplus puzzle: it meets the spec except for its rating. [`PuzzleKind::finish`](crate::kind::PuzzleKind::finish) can still prove it, so that it is
    /// stored under the rating that it has.
    Surplus(Miss, Box<Surplus>),
    /// No puzzle, or one that fails the spec otherwise.
    Missed(Miss),
    /// The cancel flag was raised; the try must be made again from its start.
    Cancelled,
}

/// A surplus puzzle of a try, not yet proved to have one solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surplus {
    /// Text of the puzzle, in its stored form.
    pub text: String,
    /// Text of the solution that it was made from.
    pub solution: String,
}

/// A puzzle that is rated and proved to have exactly one solution.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// Text of the puzzle, in its stored form.
    pub text: String,
    /// Text of its solution.
    pub solution: String,
    /// The puzzle's canonical form, see [`PuzzleKind::canonical`](crate::kind::PuzzleKind::canonical).
    pub canonical: String,
    /// The solution's canonical form, see [`PuzzleKind::solved`](crate::kind::PuzzleKind::solved).
    pub solved: String,
    /// Number of givens; for a Kakuro, number of runs.
    pub givens: u16,
    /// Its rating and metrics.
    pub record: RatingRecord,
}

/// Why a try failed, and how close it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// The reason, which each job counts.
    pub reason: MissReason,
    /// The distance from the spec; smaller is nearer. Comparable only within one job.
    pub distance: u32,
    /// What the try came to, in words: `rated 3.4 with 24 givens`.
    pub nearest: String,
}

/// Why a try fails.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum MissReason {
    /// The techniques do not finish the puzzle, so it has no rating.
    Unrated,
    /// The puzzle is rated outside the wanted level or range.
    OffTarget,
    /// No puzzle has the wanted number of givens.
    Clues,
    /// A solver reached no verdict within its budget.
    Unproven,
    /// The two solvers contradict each other, so one of them has a fault.
    SolversDisagree(Box<Disagreement>),
}

/// Contradictory results of the two solvers. Until the fault is found, nothing is known about the puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Disagreement {
    /// Name of the puzzle's kind.
    pub kind: &'static str,
    /// Text of the puzzle, in its stored form.
    pub text: String,
    /// What the kind's own solver finds, in words.
    pub own: String,
    /// What the constraint core finds, in words.
    pub core: String,
}

impl Disagreement {
    /// The miss of a try that ends with this disagreement. Its distance is 0, so the job reports it as the nearest miss.
    #[must_use]
    pub fn miss(self) -> Miss {
        let nearest = self.to_string();
        Miss { reason: MissReason::SolversDisagree(Box::new(self)), distance: 0, nearest }
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, text, own, core } = self;
        write!(f, "solvers disagree on the {kind} {text:?}: its own finds {own}; the constraint core finds {core}")
    }
}
