//! The search for starters that need a technique with more in its branches which no other starter needs. It prints the same table
//! each time: `cargo test --release -p puzzled-engine --lib starters::rare -- --ignored --nocapture`, an hour of one thread.
//!
//! It walks from a starter or from what it has found, as often from what it has found of late: so it goes far. What it meets with
//! a new solution is rated, or of some walks only what outlasts chains in branches: only a whole rating tells. The last walks
//! are those that change digits too (`digits.rs`), from published puzzles and on past known solutions.

use std::collections::BTreeSet;

use super::{
    super::{
        board::Grid,
        canonical::solved,
        rating::NODES_PER_RATING_MAX,
        techniques::{Bounds, Branches, Candidates, Climb, climb, outlasts},
    },
    DOUBLES_TABLE, HARDEST_TABLE, NESTED_TABLE, Puzzled, RARE_TABLE, Starter, all_hardest,
    hardest::{published_hardest, solution, solutions_of},
    nested::published_nested,
    plus::needs_of,
    search::budget,
};
use crate::{level::Tenths, rng::Rng};

/// Seeds, what is rated, and walks.
const SEARCHES: [(u64, Rated, usize); 3] =
    [(31, Rated::All, 2_497), (32, Rated::All, 609), (33, Rated::BeyondChains, 10_913)];

/// Seed and walks of those that change digits.
const WITH_DIGITS: (u64, usize) = (41, 105);

/// Looks of a walk, and how many of the last finds are those of late.
const LOOKS_PER_WALK: u32 = 400;
const LOOKS_PER_WALK_WITH_DIGITS: u32 = 4_000;
const LATE: usize = 200;

/// Nodes for a rating, and for that of a puzzle that outlasts chains in branches.
const NODES_MAX: u64 = 20_000_000;
const NODES_BEYOND_CHAINS_MAX: u64 = 100_000_000;

/// To ask a harder one what it needs takes a minute.
const LONGEST_ASKED: Tenths = Tenths(109);

#[test]
#[ignore = "takes an hour; `.ci/soak` runs it"]
fn those_that_need_what_no_other_starter_needs_are_found_anew() {
    let mut table = String::new();
    for (seed, rated, walks) in SEARCHES {
        let mut search = Search::new(seed);
        (0..walks).for_each(|_| search.walk(rated));
        table += &search.table;
    }
    let (seed, walks) = WITH_DIGITS;
    let (mut search, published) = (Search::new(seed), published_nested());
    (0..walks).for_each(|_| search.walk_with_digits(&published));
    table += &search.table;
    assert!(table == RARE_TABLE, "the table is another");
}

#[test]
fn all_but_the_longest_need_what_the_table_says() {
    let starters = all_hardest(&[RARE_TABLE]);
    for starter in starters.iter().filter(|starter| starter.er <= LONGEST_ASKED) {
        assert_eq!(needs_of(&starter.puzzle), starter.techniques().collect::<Vec<_>>(), "{:?}", starter.puzzle);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rated {
    All,
    BeyondChains,
}

struct Search {
    rng: Rng,
    starters: Vec<Starter>,
    /// The starters and all that were found, and those of them that outlast chains in branches.
    puzzles: Vec<Puzzled>,
    beyond_chains: Vec<Puzzled>,
    solutions: BTreeSet<String>,
    table: String,
}

impl Search {
    fn new(seed: u64) -> Self {
        let starters = all_hardest(&[HARDEST_TABLE, NESTED_TABLE, DOUBLES_TABLE]);
        let givens: Vec<_> = starters.iter().map(|starter| starter.puzzle).collect();
        let puzzles: Vec<_> = givens.iter().map(solution).collect();
        let beyond_chains = puzzles.iter().copied().filter(outlasts_chains).collect();
        let solutions = solutions_of(&[published_hardest(), published_nested(), givens].concat());
        Self { rng: Rng::from_seed(seed), starters, puzzles, beyond_chains, solutions, table: String::new() }
    }

    fn walk(&mut self, rated: Rated) {
        let mut here = drawn(&self.puzzles, &mut self.rng);
        if rated == Rated::BeyondChains && self.rng.index(2) == 0 {
            here = drawn(&self.beyond_chains, &mut self.rng);
        }
        for _ in 0..LOOKS_PER_WALK {
            let Some(there) = here.hard_neighbour(&mut self.rng, &mut budget()).unwrap() else { continue };
            here = there;
            if !self.solutions.insert(solved(&here.solution)) {
                continue;
            }
            self.puzzles.push(here);
            let is_beyond = outlasts_chains(&here);
            if is_beyond {
                self.beyond_chains.push(here);
            }
            if is_beyond || rated == Rated::All {
                self.rate(&here.puzzle, if is_beyond { NODES_BEYOND_CHAINS_MAX } else { NODES_MAX });
            }
        }
    }

    /// Rates what outlasts multiple chains in branches.
    fn walk_with_digits(&mut self, from: &[Grid]) {
        let mut here = solution(&from[self.rng.index(from.len())]);
        for _ in 0..LOOKS_PER_WALK_WITH_DIGITS {
            for there in here.look(&mut self.rng, &mut budget()).unwrap() {
                if !outlasts_chains(&there) {
                    continue;
                }
                here = there;
                let solution = solved(&here.solution);
                if !self.solutions.contains(&solution)
                    && outlasts(&here.puzzle, Branches::Multiple, &mut budget()).unwrap()
                {
                    self.solutions.insert(solution);
                    self.rate(&here.puzzle, NODES_PER_RATING_MAX);
                }
            }
        }
    }

    fn rate(&mut self, puzzle: &Grid, nodes_max: u64) {
        let (mut er, mut uses_rare) = (Tenths(0), false);
        let mut position = Candidates::of(puzzle).unwrap();
        let end = climb(&mut position, Bounds::NONE, &mut budget().renewed(nodes_max), |_, find| {
            er = er.max(find.technique.rating);
            uses_rare |= self.is_rare(find.technique.name);
        });
        let needs = if end == Climb::Solved && uses_rare { needs_of(puzzle) } else { Vec::new() };
        if needs.iter().any(|name| self.is_rare(name)) {
            let line = format!("{er} {} 1 {}\n", puzzle.dotted(), needs.join(", "));
            print!("{line}");
            self.table += &line;
        }
    }

    /// Whether more stands in the branches of a technique, and no other starter needs it.
    fn is_rare(&self, technique: &str) -> bool {
        let needs = |starter: &Starter| starter.techniques().any(|name| name == technique);
        technique.contains("(+") && !self.starters.iter().any(needs)
    }
}

/// One of all, or as often one of late.
fn drawn(puzzles: &[Puzzled], rng: &mut Rng) -> Puzzled {
    let number = puzzles.len();
    let at = if rng.index(2) == 0 { number - 1 - rng.index(LATE.min(number)) } else { rng.index(number) };
    puzzles[at]
}

fn outlasts_chains(puzzle: &Puzzled) -> bool {
    puzzle.outlasts_chains(&mut budget()).unwrap()
}
