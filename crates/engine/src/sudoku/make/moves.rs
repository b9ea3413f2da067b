//! Moves between neighboring puzzles of one grid: a move puts a few givens back and removes others. Puzzles that need a rare step
//! often have neighbors that need it too.

use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        level::Tenths,
        rng::Rng,
    },
    sudoku::{board::Grid, kernel::Kernel, orbits::Orbit},
};

/// The maximum number of orbits that one move puts back.
const PUT_BACK: usize = 2;

/// The maximum number of nodes for deciding whether a removal keeps the solution unique.
const NODES_PER_REMOVAL_MAX: u64 = 20_000;

/// The lowest ER at which one rating takes some tenths of a second.
const HARD_FROM: Tenths = Tenths(95);

/// The maximum number of nodes for one rating during a try: at most a tenth of a second, and a second for hard puzzles. A puzzle
/// that takes more counts as too hard.
pub(in crate::sudoku) fn nodes_per_rating_max(er: Tenths) -> u64 {
    if er < HARD_FROM { 1_000_000 } else { 10_000_000 }
}

/// A neighbor of a puzzle: puts orbits back, then removes every orbit that can be removed. The order is random, but the orbits
/// just put back come last.
pub(in crate::sudoku) fn neighbor(
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

/// Puts a few orbits back. Returns the puzzle and its given orbits in random order, with those just put back at the end.
pub(in crate::sudoku) fn put_back_some(
    puzzle: &Grid,
    (solution, orbits): (&Grid, &[Orbit]),
    rng: &mut Rng,
) -> (Grid, Vec<Orbit>) {
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
