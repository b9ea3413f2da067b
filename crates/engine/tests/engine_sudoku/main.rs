//! Tests the Sudoku engine through its public API: generated puzzles and their variety, criteria of specs, agreement
//! of the two solvers, canonical forms, seeds, and what is frozen. This file has the helpers that the tests share.
#![cfg(test)]

mod agreement;
mod criteria;
mod forms;
mod frozen;
mod making;
mod seeds;
mod variety;

use std::sync::atomic::AtomicBool;

use puzzled_engine::{
    shared::{
        budget::Budget,
        criteria::Criteria,
        givens::Givens,
        kind::PuzzleKind,
        rng::{Rng, TrySeed},
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        tries::{Made, Try},
        variant::VariantInfo,
    },
    sudoku::{Sudoku, board::Grid},
};

/// Sets of puzzles: name, lines, and the number of solutions at which counting stops.
const COUNTS: [(&str, &str, usize); 8] = [
    ("easy_naked_singles", include_str!("../data/sudoku_counts/easy_naked_singles.txt"), 2),
    ("random_minimal", include_str!("../data/sudoku_counts/random_minimal.txt"), 2),
    ("clue17", include_str!("../data/sudoku_counts/clue17.txt"), 2),
    ("many_solutions_serg", include_str!("../data/sudoku_counts/many_solutions_serg.txt"), 50),
    ("top1465", TOP, 2),
    ("hardest_se11", include_str!("../data/sudoku_counts/hardest_se11.txt"), 2),
    ("hardest1106", include_str!("../data/sudoku_counts/hardest1106.txt"), 2),
    ("invalid_random_clues", include_str!("../data/sudoku_counts/invalid_random_clues.txt"), 50),
];
const TOP: &str = include_str!("../data/sudoku_counts/top1465.txt");

fn grids(lines: &str) -> impl Iterator<Item = Grid> {
    lines.lines().map(|line| Grid::parse(line).unwrap())
}

fn with_budget<T>(nodes_max: u64, work: impl FnOnce(&mut Budget<'_>) -> T) -> T {
    let never = AtomicBool::new(false);
    work(&mut Budget::new(nodes_max, &never))
}

fn nine() -> &'static VariantInfo {
    Sudoku.variant("9x9").unwrap()
}

fn spec(symmetry: Symmetry, difficulty: Difficulty, givens: Option<Givens>) -> Spec {
    Spec { kind: "sudoku".to_owned(), variant: "9x9".to_owned(), symmetry, difficulty, givens, technique: None }
}

/// The spec of a request that states a difficulty and a technique.
fn styled(difficulty: Difficulty, technique: Option<&str>) -> Spec {
    Criteria { technique: technique.map(str::to_owned), ..Criteria::from(difficulty) }.spec(&Sudoku).unwrap()
}

fn make(spec: &Spec, seed: u64, try_number: u32) -> Try {
    let seed = TrySeed {
        seed,
        spec: spec.fingerprint(),
        index: 0,
        try_number,
        engine_version: Sudoku.seed_version(&spec.variant),
    };
    with_budget(u64::MAX, |budget| Sudoku.make(spec, &mut Rng::for_try(seed), budget))
}

/// The first puzzle that the tries of a seed make, with the number of its try.
fn first_made(spec: &Spec, seed: u64) -> (u32, Made) {
    let mut tries = (0..2_000).map(|try_number| (try_number, make(spec, seed, try_number)));
    tries
        .find_map(|(try_number, end)| match end {
            Try::Made(made) => Some((try_number, *made)),
            Try::Missed(_) | Try::Cancelled => None,
        })
        .unwrap_or_else(|| panic!("no puzzle for {spec:?}"))
}

/// The puzzle without every second given. Such a board has many solutions.
fn halved(puzzle: &Grid) -> Grid {
    let mut givens = 0;
    let keep = |sign: char| {
        givens += u32::from(sign != '.');
        if sign != '.' && givens.is_multiple_of(2) { '.' } else { sign }
    };
    Grid::parse(&puzzle.dotted().chars().map(keep).collect::<String>()).unwrap()
}
