//! Compares the results of a kind's two solvers, which share only the board. A result that both find counts as proved.
//! If they disagree on a puzzle, one of them has a fault, and a [`Disagreement`] reports it.

use super::{
    budget::{Budget, OutOfBudget},
    step::Cell,
    text::Verdict,
    tries::{Disagreement, Miss, Shortfall},
};

/// Finds the solutions of a puzzle, up to the given number.
type Solver<P, S> = fn(&P, usize, &mut Budget<'_>) -> Result<Vec<S>, OutOfBudget>;

/// The solvers of a kind with puzzles `P` and solutions `S`. Functions take them as an argument, so that a test can pass a faulty
/// one.
pub(crate) struct Solvers<P, S> {
    /// The name of the puzzle's kind.
    pub(crate) kind: fn(&P) -> &'static str,
    /// The kind's own solver, the faster one.
    pub(crate) own: Solver<P, S>,
    /// The solver that states the puzzle in the constraint core.
    pub(crate) core: Solver<P, S>,
    /// Finds a contradiction in what the puzzle shows, which rules out a solution without a search.
    pub(crate) contradiction: fn(&P) -> Option<Verdict>,
    /// Writes a puzzle in its stored form.
    pub(crate) text: fn(&P) -> String,
    /// Writes the puzzle with these digits, one for each place of a solution; 0 leaves it empty.
    pub(crate) filled: fn(&P, &[u8]) -> String,
    /// The cell of a place of a solution, counted from 0.
    pub(crate) cell: fn(&P, usize) -> Cell,
}

/// The nodes that each of the two solvers has for a proof.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProofNodes {
    pub(crate) own: u64,
    pub(crate) core: u64,
}

impl ProofNodes {
    /// The same number for both.
    pub(crate) const fn each(nodes_max: u64) -> Self {
        Self { own: nodes_max, core: nodes_max }
    }
}

impl<P, S: PartialEq + AsRef<[u8]>> Solvers<P, S> {
    /// The verdict on a puzzle. It says "one solution" or "no solution" only if both solvers agree.
    pub(crate) fn verdict(&self, puzzle: &P, budget: &mut Budget<'_>) -> Verdict {
        (self.contradiction)(puzzle).unwrap_or_else(|| self.search(puzzle, budget).unwrap_or_else(Verdict::Unknown))
    }

    fn search(&self, puzzle: &P, budget: &mut Budget<'_>) -> Result<Verdict, OutOfBudget> {
        let found = (self.own)(puzzle, 2, budget)?;
        if let [one, other, ..] = &found[..] {
            return Ok(self.several(puzzle, one.as_ref(), other.as_ref()));
        }
        let again = (self.core)(puzzle, 2, budget)?;
        if let Err(disagreement) = self.compare(puzzle, &found, &again) {
            return Ok(Verdict::SolversDisagree(disagreement));
        }
        let unique = |only: &S| Verdict::Unique { solution: (self.filled)(puzzle, only.as_ref()) };
        Ok(found.first().map_or(Verdict::NoSolution, unique))
    }

    fn several(&self, puzzle: &P, one: &[u8], other: &[u8]) -> Verdict {
        let differ = (0..one.len()).filter(|&place| one[place] != other[place]);
        let differ = differ.map(|place| (self.cell)(puzzle, place)).collect();
        let common: Vec<_> = one.iter().zip(other).map(|(&one, &other)| if one == other { one } else { 0 }).collect();
        let [one, other, common] = [one, other, &common].map(|digits| (self.filled)(puzzle, digits));
        Verdict::Several { solutions: [one, other], common, differ }
    }

    /// Proves that a puzzle has this solution and no other, within these nodes.
    ///
    /// # Errors
    /// [`OutOfBudget`] if a solver needs more. The inner error is the miss of a try that made the puzzle.
    pub(crate) fn prove(
        &self,
        puzzle: &P,
        solution: &[u8],
        nodes: ProofNodes,
        budget: &mut Budget<'_>,
    ) -> Result<Result<(), Miss>, OutOfBudget> {
        let by_core = budget.within(nodes.core, |budget| (self.core)(puzzle, 2, budget))?;
        let by_own = budget.within(nodes.own, |budget| (self.own)(puzzle, 2, budget))?;
        if let Err(disagreement) = self.compare(puzzle, &by_own, &by_core) {
            return Ok(Err(disagreement.miss()));
        }
        let is_proved = matches!(&by_core[..], [only] if only.as_ref() == solution);
        let miss = || Shortfall::Unproven.miss("a puzzle with another solution".to_owned());
        Ok(if is_proved { Ok(()) } else { Err(miss()) })
    }

    /// Compares what the two solvers found, at most two solutions each. If both found two, they agree, even on different ones,
    /// because the puzzle may have more.
    fn compare(&self, puzzle: &P, own: &[S], core: &[S]) -> Result<(), Disagreement> {
        if own == core || own.len().min(core.len()) > 1 {
            return Ok(());
        }
        let text = |solution: &S| (self.filled)(puzzle, solution.as_ref());
        let in_words = |found: &[S]| match found {
            [] => "no solution".to_owned(),
            [only] => format!("the only solution {:?}", text(only)),
            [one, other, ..] => format!("two solutions, {:?} and {:?}", text(one), text(other)),
        };
        let (text, own, core) = ((self.text)(puzzle), in_words(own), in_words(core));
        Err(Disagreement { kind: (self.kind)(puzzle), text, own, core })
    }
}
