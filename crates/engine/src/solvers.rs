//! The two solvers of a kind, which share nothing but the board. What both find is proved; a puzzle on which they
//! disagree shows a fault in one of them.

use std::fmt;

use super::{
    budget::{Budget, OutOfBudget},
    kind::{Miss, MissReason},
};

/// Finds the solutions of a puzzle, at most so many.
type Solver<P, S> = fn(&P, usize, &mut Budget<'_>) -> Result<Vec<S>, OutOfBudget>;

/// The solvers of a kind with puzzles `P` and solutions `S`. Passed as an argument, so that a test can inject a faulty solver.
pub(super) struct Solvers<P, S> {
    /// The kind's name.
    pub(super) kind: &'static str,
    /// The kind's own solver, the faster one.
    pub(super) own: Solver<P, S>,
    /// The kind stated in the constraint core.
    pub(super) core: Solver<P, S>,
    /// Writes a puzzle in its stored form.
    pub(super) text: fn(&P) -> String,
    /// Writes a solution.
    pub(super) solution: fn(&P, &S) -> String,
}

impl<P, S: PartialEq> Solvers<P, S> {
    /// Compares what the two found, at most two solutions each. Two solutions agree with any other two: a puzzle may have more.
    pub(super) fn compare(&self, puzzle: &P, own: &[S], core: &[S]) -> Result<(), Disagreement> {
        if own == core || own.len().min(core.len()) > 1 {
            return Ok(());
        }
        let in_words = |found: &[S]| match found {
            [] => "no solution".to_owned(),
            [only] => format!("the only solution {:?}", (self.solution)(puzzle, only)),
            [one, other, ..] => {
                format!("two solutions, {:?} and {:?}", (self.solution)(puzzle, one), (self.solution)(puzzle, other))
            }
        };
        let (text, own, core) = ((self.text)(puzzle), in_words(own), in_words(core));
        Err(Disagreement { kind: self.kind, text, own, core })
    }
}

/// Findings of two solvers that exclude each other: nothing is known of the puzzle until the faulty solver is found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Disagreement {
    /// The kind's name.
    pub kind: &'static str,
    /// The puzzle, in its stored form.
    pub text: String,
    /// What the kind's own solver finds, in words.
    pub own: String,
    /// What the constraint core finds, in words.
    pub core: String,
}

impl Disagreement {
    /// The miss of a try that ends with it, nearer than any other, so that a job's nearest miss shows it.
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
