//! Thinning that favors hard chains: three scattered cells of each box are removed last. Puzzles whose givens do not share rows
//! and columns within a box have few singles and locked candidates. The share of puzzles that need multiple chains or harder
//! steps is at least five times as high as after thinning in random order. This pattern was the best of forty that were tried.

use super::thin::NODES_PER_THINNING_MAX;
use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        rng::Rng,
    },
    sudoku::{
        board::{CELLS, Grid},
        kernel::Kernel,
        orbits::Orbit,
    },
};

/// Tries to remove each orbit once. The order is random, except that three scattered cells of each box come last.
///
/// # Errors
/// [`OutOfBudget`] if the budget did not suffice to decide a removal.
pub(in crate::sudoku) fn thin_scattered(
    solution: &Grid,
    orbits: &[Orbit],
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Grid, OutOfBudget> {
    let scattered = scattered(rng);
    let mut order = orbits.to_vec();
    rng.shuffle(&mut order);
    // The first cell decides for the whole orbit, because its other cells mostly lie in other boxes, where they are scattered in
    // the same way.
    order.sort_by_key(|orbit| scattered[usize::from(orbit.cells()[0])]);
    budget.within(NODES_PER_THINNING_MAX, |budget| Kernel::fastest().thin(solution, &order, budget))
}

/// Three cells of each box, in different rows and columns of the box.
fn scattered(rng: &mut Rng) -> [bool; CELLS] {
    let mut scattered = [false; CELLS];
    for first in [0, 3, 6, 27, 30, 33, 54, 57, 60] {
        let mut columns = [0, 1, 2];
        rng.shuffle(&mut columns);
        for (row, column) in columns.into_iter().enumerate() {
            scattered[first + 9 * row + column] = true;
        }
    }
    scattered
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::{
        shared::symmetry::Symmetry,
        sudoku::{
            make::{grids::random_grid, thin::thin_fully},
            orbits::orbits,
            techniques::{Class, class},
        },
    };

    #[test]
    fn a_scattered_puzzle_is_unique_and_minimal() {
        let never = AtomicBool::new(false);
        let mut rng = Rng::from_seed(14);
        for orbits in Symmetry::ALL.map(orbits) {
            let mut budget = Budget::new(1_000_000, &never);
            let puzzle = thin_scattered(&random_grid(&mut rng), &orbits, &mut rng, &mut budget).unwrap();
            assert_eq!(Kernel::fastest().count(&puzzle, 2, &mut budget), Ok(1), "{puzzle:?}");
            for orbit in &orbits {
                let given = orbit.cells().iter().filter(|&&cell| puzzle.cells()[usize::from(cell)] != 0).count();
                assert!(given == 0 || given == orbit.cells().len(), "{puzzle:?} {orbit:?}");
                let mut thinner = puzzle;
                orbit.cells().iter().for_each(|&cell| thinner.0[usize::from(cell)] = 0);
                let solutions = if given == 0 { 1 } else { 2 };
                assert_eq!(Kernel::fastest().count(&thinner, 2, &mut budget), Ok(solutions), "{puzzle:?} {orbit:?}");
            }
        }
    }

    /// Number of puzzles, out of 600, that need multiple chains or harder steps.
    fn hard(thin: impl Fn(&Grid, &[Orbit], &mut Rng, &mut Budget<'_>) -> Result<Grid, OutOfBudget>) -> usize {
        let (never, orbits, mut rng) = (AtomicBool::new(false), orbits(Symmetry::None), Rng::from_seed(13));
        let is_hard = |_: &u32| {
            let mut budget = Budget::new(1_000_000, &never);
            let puzzle = thin(&random_grid(&mut rng), &orbits, &mut rng, &mut budget).unwrap();
            class(&puzzle, Class::Multiple, &mut budget).unwrap() >= Class::Multiple
        };
        (0..600).filter(is_hard).count()
    }

    #[test]
    fn scattered_givens_need_hard_chains_five_times_as_often() {
        let (by_chance, scattered) = (hard(thin_fully), hard(thin_scattered));
        assert!(by_chance > 0 && scattered >= 5 * by_chance, "{scattered} and {by_chance}");
    }
}
