//! The result of one try: a puzzle, or a miss with its reason, such as a disagreement of the two solvers. Also counts tries by their results.

use std::{fmt, ops::RangeInclusive};

use super::{budget::OutOfBudget, level::Tenths, record::RatingRecord};

/// The result of one try.
#[derive(Debug, Clone, PartialEq)]
pub enum Try {
    /// A puzzle that meets the spec.
    Made(Box<Made>),
    /// No puzzle, or one that fails the spec.
    Missed(Miss),
    /// The cancel flag was raised; the try must be made again from its start.
    Cancelled,
}

/// A puzzle that is rated and proved to have exactly one solution.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// Text of the puzzle, in its stored form.
    pub text: String,
    /// Text of its solution.
    pub solution: String,
    /// The puzzle's canonical form, see [`PuzzleKind::canonical`](super::kind::PuzzleKind::canonical).
    pub canonical: String,
    /// The solution's canonical form, see [`PuzzleKind::solved`](super::kind::PuzzleKind::solved).
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
    /// The puzzle is rated outside the wanted level or range, or its hardest technique is not the wanted one.
    OffTarget,
    /// The number of givens is not wanted: it lies outside the range of the spec or, without one, outside the range that the level
    /// of the puzzle delivers. Or there are no clues with one solution.
    Givens,
    /// A solver reached no verdict within its budget.
    Unproven,
    /// The two solvers contradict each other, so one of them has a fault.
    SolversDisagree(Box<Disagreement>),
}

/// What a try that made no wanted puzzle lacks. It decides the reason and the distance of the miss.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shortfall {
    /// The puzzle is rated this many tenths outside the wanted ratings.
    Rating(u8),
    /// The puzzle has another hardest technique, and the wanted one is rated this many tenths away.
    Technique(u8),
    /// The techniques do not finish the puzzle.
    Unrated,
    /// The puzzle has this many givens too many or too few.
    Givens(u16),
    /// This many cells stay open: the puzzle has several solutions.
    Open(u16),
    /// There is no puzzle, or no proof of it.
    Unproven,
}

impl Shortfall {
    /// How far a rating is outside the wanted ones.
    pub(crate) fn of_rating(rating: Tenths, wanted: &RangeInclusive<Tenths>) -> Self {
        Self::Rating(wanted.start().0.saturating_sub(rating.0).max(rating.0.saturating_sub(wanted.end().0)))
    }

    /// The distance from the spec. Each case but the first two is farther than any difference of ratings, and the last is
    /// the farthest.
    fn distance(self) -> u32 {
        match self {
            Self::Rating(tenths) => tenths.into(),
            Self::Technique(tenths) => 10 + u32::from(tenths),
            Self::Unrated => 300,
            Self::Givens(count) | Self::Open(count) => 400 + u32::from(count),
            Self::Unproven => 1_000_000,
        }
    }

    /// The miss with this shortfall. `nearest` says what the try came to.
    pub(crate) fn miss(self, nearest: String) -> Miss {
        let reason = match self {
            Self::Rating(_) | Self::Technique(_) => MissReason::OffTarget,
            Self::Unrated => MissReason::Unrated,
            Self::Givens(_) => MissReason::Givens,
            Self::Open(_) | Self::Unproven => MissReason::Unproven,
        };
        Miss { reason, distance: self.distance(), nearest }
    }
}

impl Try {
    /// The result of a try that may have ended with its budget.
    pub(crate) fn of(ended: Result<impl Into<Self>, OutOfBudget>) -> Self {
        match ended {
            Ok(ended) => ended.into(),
            Err(OutOfBudget::Cancelled) => Self::Cancelled,
            Err(OutOfBudget::Nodes) => Self::Missed(Shortfall::Unproven.miss("the nodes ran out".to_owned())),
        }
    }
}

impl From<Result<Made, Miss>> for Try {
    fn from(ended: Result<Made, Miss>) -> Self {
        ended.map_or_else(Self::Missed, |made| Self::Made(Box::new(made)))
    }
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

/// The natural logarithm of 100. If an event happened in none of n tries, its rate is below this number divided by n,
/// with 99% confidence. This is the rule of three for 99% instead of 95%.
pub const LN_100: f64 = 4.605_170_185_988_091;

/// Tries, by result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// All tries.
    pub tries: u64,
    /// Repeats: the stock had the puzzle, an isomorph of it, or a puzzle with the same solution up to symmetry.
    pub repeats: u64,
    /// Tries that ended with [`MissReason::Unrated`].
    pub unrated: u64,
    /// Tries that ended with [`MissReason::OffTarget`].
    pub off_target: u64,
    /// Tries that ended with [`MissReason::Givens`].
    pub givens: u64,
    /// Tries that ended with [`MissReason::Unproven`].
    pub unproven: u64,
    /// Tries that ended with [`MissReason::SolversDisagree`].
    pub solvers_disagreed: u64,
    /// The nearest miss: its distance, and the miss in words.
    pub nearest: Option<(u32, String)>,
}

impl Tally {
    /// Adds the tries of another tally.
    pub fn add(&mut self, other: &Self) {
        let Self { tries, repeats, unrated, off_target, givens, unproven, solvers_disagreed, nearest } = other;
        self.tries += tries;
        self.repeats += repeats;
        self.unrated += unrated;
        self.off_target += off_target;
        self.givens += givens;
        self.unproven += unproven;
        self.solvers_disagreed += solvers_disagreed;
        self.nearer(nearest.clone());
    }

    /// Counts a miss.
    pub fn miss(&mut self, miss: Miss) {
        let counter = match miss.reason {
            MissReason::Unrated => &mut self.unrated,
            MissReason::OffTarget => &mut self.off_target,
            MissReason::Givens => &mut self.givens,
            MissReason::Unproven => &mut self.unproven,
            MissReason::SolversDisagree(_) => &mut self.solvers_disagreed,
        };
        *counter += 1;
        self.tries += 1;
        self.nearer(Some((miss.distance, miss.nearest)));
    }

    /// Keeps the nearer of two misses. If both are equally near, keeps its own.
    pub fn nearer(&mut self, other: Option<(u32, String)>) {
        let is_nearer = match (&self.nearest, &other) {
            (Some((ours, _)), Some((theirs, _))) => theirs < ours,
            (None, Some(_)) => true,
            (_, None) => false,
        };
        if is_nearer {
            self.nearest = other;
        }
    }
}
