//! Repairs by counter-examples: changes the clues of a board until its solution is the only one.

use super::Draft;
use crate::{
    grid::{cells::Cells, puzzle::Puzzle, solve},
    shared::{
        budget::{Budget, OutOfBudget},
        level::Tenths,
        rng::Rng,
    },
};

/// The maximum number of nodes of a search for a counter-example.
const NODES_PER_REPAIR_MAX: u64 = 2_000;

/// A division of a board into cages or regions, which the clues show.
pub(crate) trait Division: Sized {
    fn puzzle(&self) -> Puzzle;

    /// Whether a board that keeps all other rules also fulfills the clues.
    fn allows(&self, board: &[u8]) -> bool;

    /// Random changes of the division at some of these cells.
    fn changes(&self, cells: Cells, rng: &mut Rng) -> Vec<Self>;
}

/// Changes a division until `solution` is the only solution of its puzzle, and returns the draft. Each round searches
/// for another solution, a counter-example. If there is one, the round takes the change that allows the fewest of the
/// counter-examples found so far. `None` if `rounds_max` rounds do not suffice, a search runs out of nodes, there is no
/// change, or the ladder does not solve the puzzle.
///
/// # Errors
/// [`OutOfBudget::Cancelled`].
pub(crate) fn repaired<D: Division>(
    mut division: D,
    solution: &[u8],
    rounds_max: usize,
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Option<Draft>, OutOfBudget> {
    let mut wrong: Vec<Vec<u8>> = Vec::new();
    for _ in 0..rounds_max {
        let puzzle = division.puzzle();
        let found = budget.try_within(NODES_PER_REPAIR_MAX, |budget| solve::solutions(&puzzle, 2, budget))?;
        let Some(found) = found else { return Ok(None) };
        let Some(other) = found.into_iter().find(|other| other != solution) else {
            return Ok(Draft::of(puzzle, Tenths::MAX));
        };
        let both = (0..).zip(other.iter().zip(solution));
        let differing = both.filter(|(_, (other, right))| other != right).map(|(cell, _)| cell).collect();
        wrong.push(other);
        let left = |division: &D| wrong.iter().filter(|board| division.allows(board)).count();
        let Some(next) = division.changes(differing, rng).into_iter().min_by_key(left) else { return Ok(None) };
        division = next;
    }
    Ok(None)
}
