//! Finds and prints the starters of ER 9.5 to 10.4: the command `above-9-4`. `masks.rs` finds the puzzles. This file adds givens to
//! each, and gives it a weight, as for the other starters.

use std::collections::BTreeSet;

use puzzled_engine::{
    shared::{level::Tenths, rng::Rng},
    sudoku::{
        board::Grid,
        canonical::canonical,
        rate::rating::{Outcome, outcome},
        tools::Goal,
    },
};

use crate::{
    common::{Puzzled, budget_of, reaches, spec},
    few_digits::{alike, weight},
    masks::walk,
    search::filled_up,
};

/// The lowest ER of these starters.
const HARDEST_FROM: Tenths = Tenths(95);

/// The goals of this search.
const PLUS_NAMES: [&str; 2] = ["9.5 to 9.9", "10.0 to 10.4"];

/// Number of walks among masks, each of about three seconds, and the seed of the first.
const WALKS: u64 = 900;
const FIRST_SEED: u64 = 9_500_000;

/// Nodes for one rating. A puzzle that needs more is dropped.
const NODES_MAX: u64 = 3_000_000;

/// Number of random fillings drawn per goal, and the limit of repeats for each goal.
const DRAWN: usize = 1_000;
const ALIKE_MAX: [usize; 2] = [5, 40];

/// Finds and prints the starters.
///
/// # Errors
/// A message if too many fillings are equal up to symmetry.
pub(crate) fn find() -> Result<(), String> {
    let mut seen = BTreeSet::new();
    let found = (0..WALKS).flat_map(of_walk).filter(|(_, full)| seen.insert(canonical(&full.open_part())));
    let (found, mut rng): (Vec<_>, _) = (found.collect(), Rng::from_seed(95));
    for (name, alike_max) in PLUS_NAMES.into_iter().zip(ALIKE_MAX) {
        let (goal, mut weighed) = (Goal::of(&spec(name)), Vec::new());
        println!("# {name}");
        for (er, full) in found.iter().filter(|(_, full)| reaches(&goal, &full.puzzle)) {
            let weight = weight(full, &mut rng).max(1);
            println!("{er} {} {weight}", full.puzzle.dotted());
            weighed.push((weight, *full));
        }
        let alike = alike(&weighed, DRAWN, &mut rng);
        if alike > alike_max {
            return Err(format!("{name}: {alike} of {DRAWN} fillings repeat another one; the limit is {alike_max}"));
        }
    }
    Ok(())
}

/// The puzzles of one walk that are rated above 9.4, with as many added givens as keep the rating in its half point.
fn of_walk(number: u64) -> Vec<(Tenths, Puzzled)> {
    let mut rng = Rng::from_seed(FIRST_SEED + number);
    let found = walk(&mut rng).into_iter();
    let hard = found.filter_map(|late| rating_of(&late.puzzle).filter(|er| *er >= HARDEST_FROM).map(|er| (er, late)));
    let full = hard.map(|(er, late)| filled_up(&half_point(er), late, 0, &mut rng));
    full.filter_map(|full| Some((rating_of(&full.puzzle)?, full))).collect()
}

/// ER of a puzzle; `None` if the rating needs more than [`NODES_MAX`] nodes.
fn rating_of(puzzle: &Grid) -> Option<Tenths> {
    match outcome(puzzle, &mut budget_of(NODES_MAX)) {
        Outcome::Rated(ratings) => Some(ratings.er),
        _ => None,
    }
}

/// The goal whose ratings are the half point that contains `er`.
fn half_point(er: Tenths) -> Goal {
    let first = er.0 / 5 * 5;
    Goal::of(&spec(&format!("{} to {}", Tenths(first), Tenths(first + 4))))
}
