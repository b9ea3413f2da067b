//! Finds and prints starters of patterns and single chains: the command `patterns`. The goals are the techniques from Claiming to
//! Bidirectional Cycle, each as the hardest of its puzzles, and the half points of ER 3.0 to 6.4.
//!
//! Steering without starters makes puzzles that reach a goal (the technique or the half point). The search adds
//! digits of the solution as long as the puzzle still reaches the goal, repeatedly in different orders. It keeps the
//! results whose givens can be replaced in the most ways, if hardly any of thousands of random rewritings are equal up
//! to symmetry.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use puzzled_engine::{
    shared::{level::Tenths, rng::Rng},
    sudoku::{
        board::{CELLS, Grid},
        canonical::solved,
        make::grids::random_grid,
        tools::{Goal, grid},
    },
};

use crate::common::{Puzzled, budget, rating, reaches, seed, solutions, spec, start, with};

/// The maximum number of starters of a goal that come from one puzzle.
const FAMILY_MAX: usize = 5;

/// The maximum number of tries for the puzzles of a goal.
const TRIES_MAX: u32 = 100_000;

/// The maximum number of givens that a starter loses before it is filled in another order.
const EMPTIED_MAX: usize = 8;

/// The minimum number of fillings of a starter: with fewer, its puzzles would share solutions. Counting stops here. Because
/// many fillings may be equal up to symmetry, a second test draws random fillings, of which only a few may repeat another one.
const FILLINGS_MAX: usize = 200_000;
const FILLINGS_DRAWN: usize = 2_000;
const ALIKE_MAX: usize = 3;

/// The maximum number of starters of a goal.
const KEPT: usize = 32;

/// The maximum number of neighbors to test until one reaches the goal, and the numbers of open cells that may change in
/// a neighbor.
const MOVES_MAX: u32 = 60;
const FREED: [usize; 4] = [2, 3, 4, 6];

/// How the starters of a goal are found. The search makes `puzzles` puzzles, fills up each `times` times in `orders` further
/// orders, and then makes `moves` moves from starters with many fillings to their neighbors. Numbers are lower for goals whose
/// tests take longer.
#[derive(Debug)]
struct Section {
    name: &'static str,
    puzzles: usize,
    times: u32,
    orders: u32,
    moves: u32,
}

const fn of(name: &'static str, puzzles: usize, [times, orders, moves]: [u32; 3]) -> Section {
    Section { name, puzzles, times, orders, moves }
}

/// The goals of this search.
const SECTIONS: [Section; 39] = [
    of("Claiming", 800, [1, 15, 500]),
    of("Naked Pair", 800, [1, 15, 500]),
    of("X-Wing", 800, [1, 15, 500]),
    of("Hidden Pair", 800, [1, 15, 500]),
    of("Naked Triplet", 800, [1, 15, 1_000]),
    of("Swordfish", 800, [1, 15, 500]),
    of("Hidden Triplet", 1_600, [1, 15, 2_000]),
    of("XY-Wing", 800, [1, 15, 500]),
    of("XYZ-Wing", 800, [1, 15, 500]),
    of("Unique Rectangle 1", 800, [1, 15, 500]),
    of("Unique Rectangle 2", 800, [1, 15, 500]),
    of("Unique Rectangle 3", 800, [1, 15, 500]),
    of("Unique Rectangle 4", 800, [1, 15, 500]),
    of("Unique Loop 1", 800, [1, 15, 500]),
    of("Unique Loop 2", 800, [1, 15, 500]),
    of("Unique Loop 3", 300, [4, 20, 1_000]),
    of("Unique Loop 4", 240, [2, 20, 500]),
    of("Naked Quad", 400, [1, 20, 500]),
    of("Jellyfish", 96, [4, 20, 500]),
    of("Hidden Quad", 300, [4, 20, 1_000]),
    of("Bivalue Universal Grave 1", 480, [1, 10, 0]),
    of("Bivalue Universal Grave 2", 400, [1, 10, 120]),
    of("Bivalue Universal Grave 4", 192, [2, 10, 200]),
    of("Bivalue Universal Grave 3", 96, [4, 20, 200]),
    of("Aligned Pair Exclusion", 400, [1, 15, 300]),
    of("Bidirectional X-Cycle", 480, [1, 15, 400]),
    of("Bidirectional Y-Cycle", 480, [1, 15, 400]),
    of("Skyscraper", 480, [1, 15, 400]),
    of("Two-String Kite", 480, [1, 15, 400]),
    of("Turbot Fish", 480, [1, 15, 400]),
    of("Forcing X-Chain", 480, [1, 15, 400]),
    of("Bidirectional Cycle", 480, [1, 15, 1_400]),
    of("3.0 to 3.4", 800, [1, 15, 500]),
    of("3.5 to 3.9", 1_600, [1, 15, 2_000]),
    of("4.0 to 4.4", 800, [1, 15, 500]),
    of("4.5 to 4.9", 800, [1, 15, 500]),
    of("5.0 to 5.4", 800, [1, 15, 1_000]),
    of("5.5 to 5.9", 800, [1, 15, 500]),
    of("6.0 to 6.4", 800, [1, 15, 500]),
];

/// Finds and prints the starters of the goals whose names contain `only`.
///
/// # Errors
/// A message if there is no such goal.
pub(crate) fn find(only: &str) -> Result<(), String> {
    if !SECTIONS.iter().any(|of| of.name.contains(only)) {
        return Err(format!(
            "{only}: no goal of this search contains this text; run `patterns` without GOAL to see all"
        ));
    }
    for of in SECTIONS.iter().filter(|of| of.name.contains(only)) {
        let lines = section(of).into_iter().map(|(er, puzzle)| format!("{er} {}\n", puzzle.dotted()));
        print!("# {}\n{}", of.name, lines.collect::<String>());
    }
    Ok(())
}

/// The starters of a goal with the most fillings, with their ER.
fn section(of: &Section) -> Vec<(Tenths, Grid)> {
    let goal = Goal::of(&spec(of.name));
    let mut rng = Rng::from_seed(seed(of.name, 7));
    let mut found = Vec::new();
    for (family, made) in made(&goal, of.puzzles, &mut rng).into_iter().enumerate() {
        for _ in 0..of.times {
            let full = Puzzled { puzzle: filled_by_singles(&made.puzzle), ..made };
            let full = filled_up(&goal, full, of.orders, &mut rng);
            if reaches(&goal, &full.puzzle) {
                found.push(Found { fillings: fillings(&full, FILLINGS_MAX), full, family });
            }
        }
    }
    for _ in 0..of.moves {
        let best = best(&mut found);
        if best.is_empty() {
            break;
        }
        // Moves start most often from the best starters.
        let among = 1 + rng.index(best.len());
        let Found { full, family, .. } = best[rng.index(among)];
        if let Some(moved) = moved(&goal, &full, &mut rng) {
            let full = filled_up(&goal, moved, of.orders, &mut rng);
            let fillings = fillings(&full, FILLINGS_MAX);
            // Neighbors with equally many fillings hardly differ.
            let is_like_another = |other: &Found| other.fillings == fillings && fillings < FILLINGS_MAX;
            if !found.iter().any(is_like_another) {
                found.push(Found { fillings, full, family });
            }
        }
    }
    found.retain(|found| found.fillings >= FILLINGS_MAX && are_varied(&found.full, &mut rng));
    let best = best(&mut found).into_iter();
    best.map(|found| (rating(&goal, &found.full.puzzle), found.full.puzzle)).collect()
}

/// A possible starter, its number of fillings, and the index of the puzzle that it comes from (its family).
#[derive(Debug, Clone, Copy)]
struct Found {
    fillings: usize,
    full: Puzzled,
    family: usize,
}

/// The [`KEPT`] starters with the most fillings, then the most givens; at most [`FAMILY_MAX`] of each family.
fn best(found: &mut Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|found| (Reverse((found.fillings, found.full.puzzle.givens())), found.full.puzzle));
    found.dedup_by_key(|found| found.full.puzzle);
    let mut of_family = BTreeMap::<usize, usize>::new();
    let fits = |found: &&Found| {
        let of_family = of_family.entry(found.family).or_default();
        *of_family += 1;
        *of_family <= FAMILY_MAX
    };
    found.iter().filter(fits).take(KEPT).copied().collect()
}

/// Puzzles that reach a goal; fewer than `puzzles` if [`TRIES_MAX`] tries do not make as many.
fn made(goal: &Goal, puzzles: usize, rng: &mut Rng) -> Vec<Puzzled> {
    let mut made = Vec::new();
    for _ in 0..TRIES_MAX {
        let solution = random_grid(rng);
        if let Ok(puzzle) = goal.steered(&solution, rng, &mut budget())
            && reaches(goal, &puzzle)
        {
            made.push(Puzzled { puzzle, solution });
        }
        if made.len() >= puzzles {
            break;
        }
    }
    made
}

/// A neighbor, which has other digits in some open cells, and also reaches the goal.
fn moved(goal: &Goal, parent: &Puzzled, rng: &mut Rng) -> Option<Puzzled> {
    let mut moves = (0..MOVES_MAX).map(|_| parent.refilled(FREED[rng.index(FREED.len())], rng));
    let is_new = |there: &Puzzled| there.open_part() != parent.open_part() && there.is_unique();
    moves.find(|there| is_new(there) && reaches(goal, &there.puzzle))
}

pub(crate) fn filled_up(goal: &Goal, mut full: Puzzled, orders: u32, rng: &mut Rng) -> Puzzled {
    fill_up(goal, &mut full, rng);
    for _ in 0..orders {
        reorder(goal, &mut full, rng);
    }
    full
}

fn filled_by_singles(puzzle: &Grid) -> Grid {
    let mut position = start(puzzle);
    while position.fill_singles() {}
    *position.grid()
}

/// Fills open cells, in random order, as long as the puzzle reaches the goal.
fn fill_up(goal: &Goal, full: &mut Puzzled, rng: &mut Rng) {
    let mut order: Vec<_> = (0..CELLS).filter(|&cell| full.puzzle.cells()[cell] == 0).collect();
    rng.shuffle(&mut order);
    for cell in order {
        let fuller = with(&full.puzzle, cell, full.solution.cells()[cell]);
        if reaches(goal, &fuller) {
            full.puzzle = fuller;
        }
    }
}

/// Empties some cells and fills up again in another order. Keeps the result unless it has fewer givens.
fn reorder(goal: &Goal, full: &mut Puzzled, rng: &mut Rng) {
    let mut given: Vec<_> = (0..CELLS).filter(|&cell| full.puzzle.cells()[cell] != 0).collect();
    rng.shuffle(&mut given);
    let mut emptier = full.puzzle;
    for &cell in given.iter().take(1 + rng.index(EMPTIED_MAX)) {
        emptier = with(&emptier, cell, 0);
    }
    let mut other = Puzzled { puzzle: emptier, ..*full };
    if !other.is_unique() || !reaches(goal, &emptier) {
        return;
    }
    fill_up(goal, &mut other, rng);
    if other.puzzle.givens() >= full.puzzle.givens() {
        *full = other;
    }
}

/// The number of ways to fill the given cells, at most `max`. Digits that no open cell holds could simply be exchanged. To count
/// such fillings once, these digits stay as they are in the row with the fewest givens.
pub(crate) fn fillings(full: &Puzzled, max: usize) -> usize {
    let (puzzle, solution) = (full.puzzle.cells(), full.solution.cells());
    let is_open = |digit: u8| (0..CELLS).any(|cell| puzzle[cell] == 0 && solution[cell] == digit);
    let givens = |row: &usize| puzzle[9 * row..][..9].iter().filter(|digit| **digit != 0).count();
    let row = (0..9).min_by_key(givens).unwrap_or(0);
    let is_kept = |cell: usize| puzzle[cell] == 0 || cell / 9 == row && !is_open(solution[cell]);
    let kept = grid(std::array::from_fn(|cell| if is_kept(cell) { solution[cell] } else { 0 }));
    solutions(&kept, max)
}

/// Whether hardly any random fillings are equal up to symmetry.
fn are_varied(full: &Puzzled, rng: &mut Rng) -> bool {
    let mut seen = BTreeSet::new();
    (1..=FILLINGS_DRAWN).all(|drawn| {
        seen.insert(solved(&full.mixed(rng).solution));
        drawn - seen.len() <= ALIKE_MAX
    })
}
