//! The search that the table of the hardest was made by. It prints the same table each time:
//! `cargo test --release --lib starters::hardest -- --ignored --nocapture`, some minutes of one thread.
//!
//! From each of the hardest puzzles of the published sets that the tests have (`tests/data`) it moves on to neighbours that are
//! hard too. Those that lie some moves away and have a solution of their own become starters.

use std::collections::BTreeSet;

use super::{
    super::{
        board::Grid,
        canonical::solved,
        moves::nodes_per_rating_max,
        rating::{Outcome, outcome},
    },
    HARDEST_TABLE, Puzzled,
    near::HARDEST_FROM,
    search::budget,
};
use crate::engine::{budget::Budget, level::Tenths, rng::Rng};

/// Puzzle, solution, clues, ER, and more.
const REFERENCE: &str = include_str!("../../../../tests/data/sudoku_ratings.csv");
const HARDEST_SETS: [&str; 2] = [
    include_str!("../../../../tests/data/sudoku_counts/hardest_se11.txt"),
    include_str!("../../../../tests/data/sudoku_counts/hardest1106.txt"),
];

/// Neighbours that are looked at from each, one way.
const NEIGHBOURS_MAX: u32 = 1_500;

/// Moves from a published puzzle before one is kept, and how many are kept.
const MOVES_MIN: u32 = 3;
const KEPT: usize = 3;

/// The easiest rating of a starter: near easier ones few are as hard.
const KEPT_FROM: Tenths = Tenths(97);

#[test]
#[ignore = "takes minutes; `.ci/soak` runs it"]
fn the_hardest_are_found_anew() {
    let (mut table, mut solutions) = (String::new(), BTreeSet::new());
    for (number, puzzle) in (0..).zip(published()) {
        for (er, puzzle) in some_moves_away(&puzzle, &mut Rng::from_seed(number), &mut solutions) {
            let line = format!("{er} {}\n", puzzle.dotted());
            print!("{line}");
            table += &line;
        }
    }
    assert!(table == HARDEST_TABLE, "the table is another");
}

fn published() -> Vec<Grid> {
    let rows = REFERENCE.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
    let hardest = rows.filter(|row| row[3].replace('.', "").parse::<u8>().unwrap() >= HARDEST_FROM.0);
    let of_reference: Vec<_> = hardest.map(|row| Grid::parse(row[0]).unwrap()).collect();
    let of_sets = HARDEST_SETS.into_iter().flat_map(str::lines).map(|line| Grid::parse(line).unwrap());
    of_reference.into_iter().chain(of_sets).collect()
}

/// Starters on one way from a puzzle, with solutions that are new.
fn some_moves_away(puzzle: &Grid, rng: &mut Rng, solutions: &mut BTreeSet<String>) -> Vec<(Tenths, Grid)> {
    let mut here = Puzzled::of(puzzle, &mut budget()).unwrap();
    solutions.insert(solved(&here.solution));
    let (mut moves, mut kept) = (0, Vec::new());
    for _ in 0..NEIGHBOURS_MAX {
        let Some(there) = here.neighbour(rng, &mut budget()).unwrap() else { continue };
        let Some(er) = rating(&there.puzzle).filter(|er| *er >= HARDEST_FROM) else { continue };
        moves += u32::from(there.solution != here.solution);
        here = there;
        if moves >= MOVES_MIN && er >= KEPT_FROM && solutions.insert(solved(&here.solution)) {
            kept.push((er, here.puzzle));
        }
        if kept.len() == KEPT {
            break;
        }
    }
    kept
}

/// None of a puzzle whose rating would take too long.
fn rating(puzzle: &Grid) -> Option<Tenths> {
    static NEVER: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
    match outcome(puzzle, &mut Budget::new(nodes_per_rating_max(HARDEST_FROM), &NEVER)) {
        Outcome::Rated(ratings) => Some(ratings.er),
        _ => None,
    }
}
