//! The search for the starters that need a double chain with further chains or patterns in its branches. It prints the same table
//! each time: `cargo test --release -p puzzled-engine --lib starters::doubles -- --ignored --nocapture`, some ten minutes of one thread.
//!
//! What follows both from a candidate and from its fall mostly follows otherwise too, but by longer chains: without double ones a
//! puzzle is rated higher. Only a whole rating tells.

use std::collections::BTreeSet;

use super::{
    super::{
        board::Grid,
        canonical::solved,
        goal::BRANCHES_FROM,
        techniques::{Bounds, Candidates, Climb, climb},
    },
    DOUBLES_TABLE, HARDEST_TABLE, NESTED_TABLE,
    hardest::{line, published_hardest, solution, solutions_of},
    nested::published_nested,
    search::budget,
    starter,
};
use crate::rng::Rng;

/// Walks from a starter, and the looks of one.
const WALKS: u32 = 4;
const LOOKS_PER_WALK: u32 = 1_000;

/// Nodes for a rating.
const NODES_MAX: u64 = 20_000_000;

#[test]
#[ignore = "takes ten minutes; `.ci/soak` runs it"]
fn those_that_need_double_chains_with_more_in_their_branches_are_found_anew() {
    let tables = HARDEST_TABLE.lines().chain(NESTED_TABLE.lines());
    let starters: Vec<_> = tables.map(|line| starter(line, false).unwrap().puzzle).collect();
    let mut solutions = solutions_of(&[published_hardest(), published_nested(), starters.clone()].concat());
    let mut table = String::new();
    for (number, puzzle) in (0..).zip(&starters) {
        for line in near(puzzle, &mut Rng::from_seed(number), &mut solutions) {
            print!("{line}");
            table += &line;
        }
    }
    assert!(table == DOUBLES_TABLE, "the table is another");
}

/// The first line of each double technique that is met on walks from a puzzle.
fn near(puzzle: &Grid, rng: &mut Rng, solutions: &mut BTreeSet<String>) -> Vec<String> {
    let (first, mut met, mut lines) = (solution(puzzle), BTreeSet::new(), Vec::new());
    for _ in 0..WALKS {
        let mut here = first;
        for _ in 0..LOOKS_PER_WALK {
            let Some(there) = here.hard_neighbour(rng, &mut budget()).unwrap() else { continue };
            here = there;
            if solutions.insert(solved(&here.solution))
                && uses_double(&here.puzzle)
                && let Some(line) = line(&here.puzzle, BRANCHES_FROM, NODES_MAX)
                && doubles(&line).filter(|name| met.insert((*name).to_owned())).count() > 0
            {
                lines.push(line);
            }
        }
    }
    lines
}

/// The double techniques with more in their branches that stand in a line.
fn doubles(line: &str) -> impl Iterator<Item = &str> {
    line.trim_end().splitn(4, ' ').skip(3).flat_map(|names| names.split(", ")).filter(|name| is_double(name))
}

fn is_double(name: &str) -> bool {
    name.starts_with("Dynamic Double Forcing Chains (+")
}

fn uses_double(puzzle: &Grid) -> bool {
    let (mut position, mut uses) = (Candidates::of(puzzle).unwrap(), false);
    let end = climb(&mut position, Bounds::NONE, &mut budget().renewed(NODES_MAX), |_, find| {
        uses |= is_double(find.technique.name);
    });
    end == Climb::Solved && uses
}
