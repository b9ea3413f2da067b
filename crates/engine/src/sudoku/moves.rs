//! Moves: a few givens are put back and others taken. Puzzles with a rare step lie near such.

use super::{board::Grid, kernel::Kernel, orbits::Orbit};
use crate::{
    budget::{Budget, OutOfBudget},
    level::Tenths,
    rng::Rng,
};

/// Orbits that one move puts back.
const PUT_BACK: usize = 2;

/// Nodes for one question whether a removal leaves the solution unique.
const NODES_PER_REMOVAL_MAX: u64 = 20_000;

/// From here on a rating takes some tenths of a second.
const HARD_FROM: Tenths = Tenths(95);

/// Nodes for a rating on the way: a tenth of a second at most, and a second for hard ones. A puzzle that takes more counts as too
/// hard.
pub(super) fn nodes_per_rating_max(er: Tenths) -> u64 {
    if er < HARD_FROM { 1_000_000 } else { 10_000_000 }
}

/// Puts orbits back and then takes whatever can go, in random order, what was put back last.
pub(super) fn neighbour(
    puzzle: &Grid,
    (solution, orbits): (&Grid, &[Orbit]),
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Grid, OutOfBudget> {
    let (mut moved, order) = put_back_some(puzzle, (solution, orbits), rng);
    for orbit in &order {
        budget.check_cancelled()?;
        let mut thinner = moved;
        for &cell in orbit.cells() {
            thinner.0[usize::from(cell)] = 0;
        }
        let ask = |budget: &mut Budget<'_>| Kernel::fastest().has_other(&thinner, solution, orbit.cells(), budget);
        if !budget.within(NODES_PER_REMOVAL_MAX, ask)? {
            moved = thinner;
        }
    }
    Ok(moved)
}

/// Puts a few orbits back. The given orbits come with the puzzle, in random order, those that were put back last.
pub(super) fn put_back_some(puzzle: &Grid, (solution, orbits): (&Grid, &[Orbit]), rng: &mut Rng) -> (Grid, Vec<Orbit>) {
    let mut order = orbits.to_vec();
    rng.shuffle(&mut order);
    let is_given = |puzzle: &Grid, orbit: &Orbit| puzzle.cells()[usize::from(orbit.cells()[0])] != 0;
    let (mut given, mut back): (Vec<_>, Vec<_>) = order.into_iter().partition(|orbit| is_given(puzzle, orbit));
    back.truncate(PUT_BACK);
    let mut fuller = *puzzle;
    for &cell in back.iter().flat_map(Orbit::cells) {
        fuller.0[usize::from(cell)] = solution.cells()[usize::from(cell)];
    }
    given.append(&mut back);
    (fuller, given)
}
