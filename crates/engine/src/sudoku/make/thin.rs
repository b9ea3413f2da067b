//! Thinning: removes givens from a full grid, orbit by orbit, while the solution stays unique. It removes all that can be
//! removed, or stops at a number of givens. Also lists the numbers of givens that orbits allow.

use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        givens::Givens,
        rng::Rng,
        symmetry::Symmetry,
    },
    sudoku::{
        board::{CELLS, Grid},
        kernel::Kernel,
        orbits::{Orbit, orbits},
    },
};

/// The maximum number of nodes for thinning a puzzle fully; about ten are usual.
const NODES_PER_THINNING_MAX: u64 = 1_000_000;

/// The maximum number of nodes for deciding whether a removal keeps the solution unique. A few are usual, and the highest
/// number seen is a few hundred.
const NODES_PER_REMOVAL_MAX: u64 = 20_000;

/// Tries to remove each orbit once, in random order. After that, every further removal would allow a second solution.
///
/// # Errors
/// [`OutOfBudget`] if the budget did not suffice to decide a removal.
pub fn thin_fully(
    solution: &Grid,
    orbits: &[Orbit],
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Grid, OutOfBudget> {
    let mut order = orbits.to_vec();
    rng.shuffle(&mut order);
    budget.within(NODES_PER_THINNING_MAX, |budget| Kernel::fastest().thin(solution, &order, budget))
}

/// Tries to remove each orbit once. The order is random, except that three scattered cells of each box come last.
///
/// Puzzles whose givens do not share rows and columns within a box have few singles and locked candidates. The share of puzzles
/// that need multiple chains or harder steps is at least five times as high as after thinning in random order. This pattern was
/// the best of forty that were tried.
///
/// # Errors
/// [`OutOfBudget`] if the budget did not suffice to decide a removal.
pub(super) fn thin_scattered(
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

/// Removes orbits in random order until exactly `givens` givens are left, or the lowest number above it that this order reaches.
///
/// # Errors
/// [`OutOfBudget`] if the budget did not suffice to decide a removal.
pub fn thin_to(
    solution: &Grid,
    orbits: &[Orbit],
    givens: u16,
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Grid, OutOfBudget> {
    let mut order = orbits.to_vec();
    rng.shuffle(&mut order);
    // Some orbits belong to every set of removals that leads to the wanted number. They come first, because nearly each
    // removal succeeds while most givens are there.
    let removable = solution.givens().saturating_sub(givens);
    order.sort_by_cached_key(|orbit| {
        let others = orbits.iter().filter(|other| *other != orbit);
        reachable(others) & bit(removable) != 0
    });
    thin_along(*solution, solution, order, givens, budget)
}

/// Removes the given orbits in this order until exactly `givens` givens are left, or the lowest number above it that the order
/// reaches. If removing an orbit would make the number unreachable, the orbit waits until it would not.
///
/// # Errors
/// [`OutOfBudget`] if the budget did not suffice to decide a removal.
pub(super) fn thin_along(
    mut puzzle: Grid,
    solution: &Grid,
    mut order: Vec<Orbit>,
    givens: u16,
    budget: &mut Budget<'_>,
) -> Result<Grid, OutOfBudget> {
    loop {
        let before = order.len();
        let mut at = 0;
        while at < order.len() && puzzle.givens() > givens {
            let removable = puzzle.givens() - givens;
            let orbit = order[at];
            let others = order.iter().filter(|other| **other != orbit);
            let leads_there = orbit.size() <= removable && reachable(others) & bit(removable - orbit.size()) != 0;
            if leads_there {
                // The orbit is done, whether removed or not: if it cannot be removed now, it cannot be removed with fewer
                // givens either.
                order.remove(at);
                remove_if_unique(&mut puzzle, solution, &orbit, budget)?;
            } else {
                at += 1;
            }
        }
        if order.len() == before {
            return Ok(puzzle);
        }
    }
}

/// The numbers of givens of a range that a pattern with this symmetry can have, in increasing order.
pub(super) fn reachable_within(range: Givens, symmetry: Symmetry) -> Vec<u16> {
    let numbers = reachable(orbits(symmetry).iter());
    (range.min..=range.max).filter(|&number| usize::from(number) <= CELLS && numbers & bit(number) != 0).collect()
}

/// The numbers of cells that subsets of these orbits can have; bit n is the number n.
pub fn reachable<'a>(orbits: impl Iterator<Item = &'a Orbit>) -> u128 {
    orbits.fold(1, |numbers, orbit| numbers | numbers << orbit.size())
}

fn bit(number: u16) -> u128 {
    1 << number
}

/// Empties an orbit, unless that would give the puzzle, unique so far, a second solution.
pub(super) fn remove_if_unique(
    puzzle: &mut Grid,
    solution: &Grid,
    orbit: &Orbit,
    budget: &mut Budget<'_>,
) -> Result<(), OutOfBudget> {
    budget.check_cancelled()?;
    let mut thinner = *puzzle;
    for &cell in orbit.cells() {
        thinner.0[usize::from(cell)] = 0;
    }
    let ask = |budget: &mut Budget<'_>| Kernel::fastest().has_other(&thinner, solution, orbit.cells(), budget);
    if !budget.within(NODES_PER_REMOVAL_MAX, ask)? {
        *puzzle = thinner;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::sudoku::{
        make::grids::random_grid,
        techniques::{Class, class},
    };

    fn each_symmetry(check: impl Fn(Symmetry, &Grid, &mut Rng, &mut Budget<'_>)) {
        let mut rng = Rng::from_seed(11);
        for symmetry in Symmetry::ALL {
            for _ in 0..5 {
                let mut budget = Budget::of_nodes(1_000_000);
                let solution = random_grid(&mut rng);
                check(symmetry, &solution, &mut rng, &mut budget);
            }
        }
    }

    fn is_symmetric(puzzle: &Grid, orbits: &[Orbit]) -> bool {
        let is_given = |cell: u8| puzzle.cells()[usize::from(cell)] != 0;
        orbits.iter().all(|orbit| orbit.cells().iter().all(|&cell| is_given(cell) == is_given(orbit.cells()[0])))
    }

    #[test]
    fn a_fully_thinned_puzzle_is_unique_and_minimal() {
        each_symmetry(|symmetry, solution, rng, budget| {
            let orbits = orbits(symmetry);
            let puzzle = thin_fully(solution, &orbits, rng, budget).unwrap();
            assert_eq!(Kernel::fastest().count(&puzzle, 2, budget), Ok(1), "{symmetry:?} {puzzle:?}");
            assert!(is_symmetric(&puzzle, &orbits), "{symmetry:?} {puzzle:?}");
            for orbit in orbits.iter().filter(|orbit| puzzle.cells()[usize::from(orbit.cells()[0])] != 0) {
                let mut thinner = puzzle;
                orbit.cells().iter().for_each(|&cell| thinner.0[usize::from(cell)] = 0);
                assert_eq!(Kernel::fastest().count(&thinner, 2, budget), Ok(2), "{symmetry:?} {puzzle:?} {orbit:?}");
            }
        });
    }

    #[test]
    fn full_thinning_equals_removing_one_orbit_after_the_other() {
        each_symmetry(|symmetry, solution, rng, budget| {
            let mut order = orbits(symmetry);
            rng.shuffle(&mut order);
            let mut puzzle = *solution;
            for orbit in &order {
                remove_if_unique(&mut puzzle, solution, orbit, budget).unwrap();
            }
            for kernel in Kernel::all() {
                assert_eq!(kernel.thin(solution, &order, budget), Ok(puzzle), "{} {symmetry:?}", kernel.name());
            }
        });
    }

    #[test]
    fn numbers_of_givens_match_plain_random_removal() {
        let mut rng = Rng::from_seed(12);
        let cells = orbits(Symmetry::None);
        let puzzles = 1500_u32;
        let [mut sum, mut squares] = [0.0, 0.0];
        for _ in 0..puzzles {
            let mut budget = Budget::of_nodes(1_000_000);
            let solution = random_grid(&mut rng);
            let givens = f64::from(thin_fully(&solution, &cells, &mut rng, &mut budget).unwrap().givens());
            sum += givens;
            squares += givens * givens;
        }
        let mean = sum / f64::from(puzzles);
        let deviation = (squares / f64::from(puzzles) - mean * mean).sqrt();
        // Within five standard errors of what other tools measure for removal one by one.
        assert!((mean - 24.4).abs() < 0.15, "mean {mean}");
        assert!((deviation - 1.1).abs() < 0.12, "standard deviation {deviation}");
    }

    #[test]
    fn a_number_of_givens_that_the_orbits_allow_is_met_exactly() {
        each_symmetry(|symmetry, solution, rng, budget| {
            let orbits = orbits(symmetry);
            for givens in [80, 77, 61, 57, 52].into_iter().filter(|&givens| reachable(orbits.iter()) & bit(givens) != 0)
            {
                let puzzle = thin_to(solution, &orbits, givens, rng, budget).unwrap();
                assert_eq!(puzzle.givens(), givens, "{symmetry:?}");
                assert_eq!(Kernel::fastest().count(&puzzle, 2, budget), Ok(1), "{symmetry:?} {puzzle:?}");
                assert!(is_symmetric(&puzzle, &orbits), "{symmetry:?} {puzzle:?}");
            }
        });
    }

    #[test]
    fn unreachable_number_of_givens_ends_above_it_and_unique() {
        each_symmetry(|symmetry, solution, rng, budget| {
            let puzzle = thin_to(solution, &orbits(symmetry), 17, rng, budget).unwrap();
            assert!(puzzle.givens() >= 17, "{symmetry:?} {puzzle:?}");
            assert_eq!(Kernel::fastest().count(&puzzle, 2, budget), Ok(1), "{symmetry:?} {puzzle:?}");
        });
    }

    #[test]
    fn a_raised_flag_ends_the_thinning() {
        let raised = AtomicBool::new(true);
        let mut rng = Rng::from_seed(1);
        let solution = random_grid(&mut rng);
        let outcome = thin_fully(&solution, &orbits(Symmetry::None), &mut rng, &mut Budget::new(1_000, &raised));
        assert_eq!(outcome, Err(OutOfBudget::Cancelled));
    }

    #[test]
    fn a_scattered_puzzle_is_unique_and_minimal() {
        let mut rng = Rng::from_seed(14);
        for orbits in Symmetry::ALL.map(orbits) {
            let mut budget = Budget::of_nodes(1_000_000);
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
        let (orbits, mut rng) = (orbits(Symmetry::None), Rng::from_seed(13));
        let is_hard = |_: &u32| {
            let mut budget = Budget::of_nodes(1_000_000);
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
