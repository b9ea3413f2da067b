//! The search that the table of the hardest was made by. It prints the same table each time:
//! `cargo test --release -p puzzled-engine --lib starters::hardest -- --ignored --nocapture`, some forty minutes of one thread.
//!
//! It walks from each of the hardest puzzles of the published sets that the tests have (`tests/data`), and then from what it found
//! that outlasts chains with chains in their branches. Those that do, and a few others, become starters if their
//! solutions are new.

use std::collections::BTreeSet;

use super::{
    super::{
        board::Grid,
        canonical::solved,
        rating::{Outcome, outcome},
        techniques::{Branches, outlasts},
    },
    DOUBLES, HARDEST, HARDEST_TABLE, Puzzled,
    near::{HARDEST_FROM, NEIGHBOURS_MAX},
    nested::published_nested,
    plus::needs_of,
    search::budget,
};
use crate::{budget::Budget, level::Tenths, rng::Rng};

/// Puzzle, solution, clues, ER, and more.
const REFERENCE: &str = include_str!("../../../tests/data/sudoku_ratings.csv");
const HARDEST_SETS: [&str; 2] = [
    include_str!("../../../tests/data/sudoku_counts/hardest_se11.txt"),
    include_str!("../../../tests/data/sudoku_counts/hardest1106.txt"),
];

/// Walks from a published puzzle, and from so many that were found on them.
const WALKS: u32 = 5;
const FOUND_WALKED_FROM: usize = 3;
const WALKS_FROM_FOUND: u32 = 3;

/// Nodes for a rating.
const NODES_MAX: u64 = 50_000_000;

/// Of one published puzzle so many are kept that outlast chains in branches, and so many that do not.
const BEYOND_CHAINS_MAX: usize = 4;
const OTHERS_MAX: usize = 2;

#[test]
#[ignore = "takes forty minutes; `.ci/soak` runs it"]
fn the_hardest_are_found_anew() {
    let published = published_hardest();
    let mut solutions = solutions_of(&[published.clone(), published_nested()].concat());
    let mut table = String::new();
    for (number, puzzle) in (0..).zip(&published) {
        for found in near_published(puzzle, &mut Rng::from_seed(number)) {
            if let (true, Some(line)) =
                (solutions.insert(solved(&found.solution)), line(&found.puzzle, HARDEST_FROM, NODES_MAX))
            {
                print!("{line}");
                table += &line;
            }
        }
    }
    assert!(table == HARDEST_TABLE, "the table is another");
}

#[test]
fn no_two_of_the_hardest_share_a_solution_and_none_has_that_of_a_published_puzzle() {
    let mut solutions = solutions_of(&[published_hardest(), published_nested()].concat());
    let mut is_new = |puzzle: &Grid| solutions.insert(solved(&solution(puzzle).solution));
    let puzzles = HARDEST.iter().chain(DOUBLES.iter()).map(|starter| starter.puzzle);
    let shared: Vec<_> = puzzles.filter(|puzzle| !is_new(puzzle)).map(|puzzle| puzzle.dotted()).collect();
    assert!(shared.is_empty(), "{}", shared.join("\n"));
}

/// The hardest of the published puzzles, without those that are walked from elsewhere (`nested.rs`).
pub(super) fn published_hardest() -> Vec<Grid> {
    let rows = REFERENCE.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
    let hardest = rows.filter(|row| row[3].replace('.', "").parse::<u8>().unwrap() >= HARDEST_FROM.0);
    let of_reference: Vec<_> = hardest.map(|row| Grid::parse(row[0]).unwrap()).collect();
    let of_sets = HARDEST_SETS.into_iter().flat_map(str::lines).map(|line| Grid::parse(line).unwrap());
    of_reference.into_iter().chain(of_sets).collect()
}

pub(super) fn solutions_of(puzzles: &[Grid]) -> BTreeSet<String> {
    puzzles.iter().map(|puzzle| solved(&solution(puzzle).solution)).collect()
}

pub(super) fn solution(puzzle: &Grid) -> Puzzled {
    Puzzled::of(puzzle, &mut budget()).unwrap()
}

/// What is kept of all walks from a published puzzle and from what was found on them.
fn near_published(puzzle: &Grid, rng: &mut Rng) -> Vec<Puzzled> {
    let first = solution(puzzle);
    let mut found = Found { solutions: [solved(&first.solution)].into(), kept: [Vec::new(), Vec::new()] };
    (0..WALKS).for_each(|_| found.walk(first, rng));
    for at in 0..FOUND_WALKED_FROM {
        let Some(&from) = found.kept[1].get(at) else { break };
        (0..WALKS_FROM_FOUND).for_each(|_| found.walk(from, rng));
    }
    found.kept.concat()
}

struct Found {
    /// Of all that were met.
    solutions: BTreeSet<String>,
    /// Those that do not outlast chains in branches, and those that do.
    kept: [Vec<Puzzled>; 2],
}

impl Found {
    fn walk(&mut self, from: Puzzled, rng: &mut Rng) {
        let mut here = from;
        for _ in 0..NEIGHBOURS_MAX {
            let Some(there) = here.hard_neighbour(rng, &mut budget()).unwrap() else { continue };
            here = there;
            if self.solutions.insert(solved(&here.solution)) {
                let is_beyond = outlasts(&here.puzzle, Branches::Chains, &mut budget()).unwrap();
                let of_sort = &mut self.kept[usize::from(is_beyond)];
                if of_sort.len() < [OTHERS_MAX, BEYOND_CHAINS_MAX][usize::from(is_beyond)] {
                    of_sort.push(here);
                }
            }
        }
    }
}

/// None of a puzzle whose rating would take more nodes, or that is easier than that.
pub(super) fn line(puzzle: &Grid, from: Tenths, nodes_max: u64) -> Option<String> {
    let er = rating(puzzle, nodes_max).filter(|er| *er >= from)?;
    Some(format!("{er} {} 1 {}", puzzle.dotted(), needs_of(puzzle).join(", ")).trim_end().to_owned() + "\n")
}

fn rating(puzzle: &Grid, nodes_max: u64) -> Option<Tenths> {
    static NEVER: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
    match outcome(puzzle, &mut Budget::new(nodes_max, &NEVER)) {
        Outcome::Rated(ratings) => Some(ratings.er),
        _ => None,
    }
}
