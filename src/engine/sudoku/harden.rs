//! Moves near a puzzle that is too easy: a few givens are put back and others taken, as long as that brings the rating
//! nearer to what is wanted. Hard puzzles lie near hard ones, so this takes far fewer ratings than fresh tries.

use std::ops::RangeInclusive;

use super::{
    board::Grid,
    kernel::Kernel,
    orbits::Orbit,
    rating::{Outcome, outcome_up_to},
};
use crate::engine::{
    budget::{Budget, OutOfBudget},
    level::Tenths,
    rng::Rng,
};

/// The easiest wanted rating for which moves pay: below it a fresh try costs less than the moves that it saves.
const HARDENED_FROM: Tenths = Tenths(45);

/// Moves of one try. With the rating of each this bounds its work.
const MOVES_MAX: u32 = 60;

/// Orbits that one move puts back.
const PUT_BACK: usize = 2;

/// Nodes for one question whether a removal leaves the solution unique.
const NODES_PER_REMOVAL_MAX: u64 = 20_000;

/// Nodes for a rating on the way: a tenth of a second at most. What takes more is harder than can be told.
pub(super) const NODES_PER_RATING_MAX: u64 = 1_000_000;

/// The rating up to `limit`, or a bound below it where it is above that or more would take too long; none if the ladder
/// does not finish the puzzle.
///
/// # Errors
/// [`OutOfBudget::Cancelled`].
pub(super) fn rating_at_least(
    puzzle: &Grid,
    limit: Tenths,
    budget: &mut Budget<'_>,
) -> Result<Option<Tenths>, OutOfBudget> {
    match budget.within(NODES_PER_RATING_MAX, |budget| outcome_up_to(puzzle, limit, budget)) {
        Outcome::OutOfBudget { why: OutOfBudget::Cancelled, .. } => Err(OutOfBudget::Cancelled),
        Outcome::Rated(ratings) | Outcome::Harder(ratings) | Outcome::OutOfBudget { at_least: ratings, .. } => {
            Ok(Some(ratings.er))
        }
        Outcome::Stuck(_) | Outcome::Clash => Ok(None),
    }
}

/// Moves a minimal puzzle until its rating reaches what is wanted, or the moves are used up; never to an easier one.
///
/// # Errors
/// [`OutOfBudget`] if some removal could not be decided, or the flag is up.
pub(super) fn harden(
    minimal: Grid,
    solution: &Grid,
    orbits: &[Orbit],
    wanted: &RangeInclusive<Tenths>,
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Grid, OutOfBudget> {
    if *wanted.start() < HARDENED_FROM {
        return Ok(minimal);
    }
    let mut puzzle = minimal;
    let mut best = rating_at_least(&puzzle, *wanted.end(), budget)?;
    for _ in 0..MOVES_MAX {
        if best.is_none_or(|rating| rating >= *wanted.start()) {
            break;
        }
        let moved = neighbour(&puzzle, solution, orbits, rng, budget)?;
        let rating = rating_at_least(&moved, *wanted.end(), budget)?;
        if rating >= best {
            (puzzle, best) = (moved, rating);
        }
    }
    Ok(puzzle)
}

/// Puts orbits back and then takes whatever can go, in random order, what was put back last.
pub(super) fn neighbour(
    puzzle: &Grid,
    solution: &Grid,
    orbits: &[Orbit],
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Grid, OutOfBudget> {
    let (mut moved, order) = put_back_some(puzzle, solution, orbits, rng);
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
pub(super) fn put_back_some(puzzle: &Grid, solution: &Grid, orbits: &[Orbit], rng: &mut Rng) -> (Grid, Vec<Orbit>) {
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
