//! Compares the results of a kind's two solvers, which share only the board. A result of both counts as proved. If they disagree
//! on a puzzle, one of them has a fault, and a [`Disagreement`] reports it.

use std::fmt;

use super::{
    budget::{Budget, OutOfBudget},
    kind::{Miss, MissReason},
};

/// Finds the solutions of a puzzle, up to the given number.
type Solver<P, S> = fn(&P, usize, &mut Budget<'_>) -> Result<Vec<S>, OutOfBudget>;

/// The solvers of a kind with puzzles `P` and solutions `S`. Functions take them as an argument, so that a test can pass a faulty
/// one.
pub(super) struct Solvers<P, S> {
    /// Name of the kind.
    pub(super) kind: &'static str,
    /// The kind's own solver, the faster one.
    pub(super) own: Solver<P, S>,
    /// The solver that states the puzzle in the constraint core.
    pub(super) core: Solver<P, S>,
    /// Writes a puzzle in its stored form.
    pub(super) text: fn(&P) -> String,
    /// Writes a solution.
    pub(super) solution: fn(&P, &S) -> String,
}

impl<P, S: PartialEq> Solvers<P, S> {
    /// Compares the results of the two solvers, at most two solutions each. If both found two, they agree, even if these differ,
    /// because the puzzle may have more.
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
