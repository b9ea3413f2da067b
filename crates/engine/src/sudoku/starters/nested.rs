//! The search for the starters that need dynamic chains within dynamic chains. It prints the same table each time:
//! `cargo test --release -p puzzled-engine --lib starters::nested -- --ignored --nocapture`, an hour of one thread.
//!
//! It walks (`digits.rs`) from all of eight thousand published puzzles that outlast chains with multiple chains in their branches. What is
//! found becomes a starter if its solution is new: nearly all are those of other published puzzles.

use super::{
    super::{board::Grid, canonical::solved, rating::NODES_PER_RATING_MAX},
    HARDEST_TABLE, NESTED_TABLE, digits,
    hardest::{line, published_hardest, solution, solutions_of},
    near::HARDEST_FROM,
    search::budget,
    starter,
};
use crate::rng::Rng;

const LOOKS_PER_WALK_MAX: u32 = 5_000;

const PUBLISHED: &str = include_str!("../../../tests/data/sudoku_nested.txt");

#[test]
#[ignore = "takes an hour; `.ci/soak` runs it"]
fn those_that_need_dynamic_chains_within_dynamic_chains_are_found_anew() {
    let published = published_nested();
    let starters = HARDEST_TABLE.lines().map(|line| starter(line, false).unwrap().puzzle).collect();
    let mut solutions = solutions_of(&[published_hardest(), published.clone(), starters].concat());
    let mut table = String::new();
    for (number, puzzle) in (0..).zip(&published) {
        let mut rng = Rng::from_seed(number);
        if let Some(found) = digits::walk(solution(puzzle), LOOKS_PER_WALK_MAX, &mut rng, &mut budget()).unwrap()
            && solutions.insert(solved(&found.solution))
            && let Some(line) = line(&found.puzzle, HARDEST_FROM, NODES_PER_RATING_MAX)
        {
            print!("{line}");
            table += &line;
        }
    }
    assert!(table == NESTED_TABLE, "the table is another");
}

pub(super) fn published_nested() -> Vec<Grid> {
    PUBLISHED.lines().map(|line| Grid::parse(line).unwrap()).collect()
}
