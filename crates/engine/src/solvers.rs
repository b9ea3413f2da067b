//! Compares the results of a kind's two solvers, which share nothing but the board. What both find counts as proved. If they
//! disagree on a puzzle, one of them has a fault, and a [`Disagreement`] reports it.

use super::{
    budget::{Budget, OutOfBudget},
    tries::Disagreement,
};

/// Finds the solutions of a puzzle, up to the given number.
type Solver<P, S> = fn(&P, usize, &mut Budget<'_>) -> Result<Vec<S>, OutOfBudget>;

/// The solvers of a kind with puzzles `P` and solutions `S`. An argument of what uses them, so that a test can pass a faulty one.
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
    /// Compares what the two solvers found, at most two solutions each. If both found two, they agree, even on different ones,
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
