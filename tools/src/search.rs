//! The search for the starters of patterns and single chains, the first sections of the table.
//!
//! Steering without starters makes puzzles that reach a goal. Each is filled with digits of its solution as far as it
//! still does, again and again in another order; of what comes of it those are kept that can be filled anew in most ways, if
//! of thousands of fillings hardly any are the same up to symmetry.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use puzzled_engine::{
    level::Tenths,
    rng::Rng,
    sudoku::{
        board::{CELLS, Grid},
        canonical::solved,
        grids::random_grid,
        tools::{Goal, TABLE, grid},
    },
};

use crate::common::{Puzzled, budget, rating, reaches, seed, solutions, spec, start, with};

/// Starters of a goal that come from one puzzle.
const FAMILY_MAX: usize = 5;

/// Tries in which the puzzles of a goal are found.
const TRIES_MAX: u32 = 100_000;

/// The most givens that a starter loses before it is filled in another order.
const EMPTIED_MAX: usize = 8;

/// Fillings that a starter must have, lest its puzzles share solutions; they are counted no further. Many of them may be the
/// same up to symmetry: of so many by chance so few may be.
const FILLINGS_MAX: usize = 200_000;
const FILLINGS_DRAWN: usize = 2_000;
const ALIKE_MAX: usize = 3;

/// Starters that are kept.
const KEPT: usize = 32;

/// Neighbours of a starter that are looked at for one that reaches the goal, and how many of its open cells they let go.
const MOVES_MAX: u32 = 60;
const FREED: [usize; 4] = [2, 3, 4, 6];

/// How a goal's starters are found: from so many puzzles, each filled up so many times and in so many orders, and then by so
/// many moves from one that has many fillings to another. The longer a look takes, the fewer.
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

/// In the order of the table.
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

/// Finds the sections whose names contain `only`.
pub(crate) fn find(only: &str) -> Result<(), String> {
    for of in SECTIONS.iter().filter(|of| of.name.contains(only)) {
        let lines = section(of).into_iter().map(|(er, puzzle)| format!("{er} {}\n", puzzle.dotted()));
        let section = format!("# {}\n{}", of.name, lines.collect::<String>());
        print!("{section}");
        if !TABLE.contains(&format!("{section}# ")) {
            return Err(format!("the section {} of the table is another", of.name));
        }
    }
    Ok(())
}

/// A goal's starters: those of the most fillings.
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
        // The best are moved from most often.
        let among = 1 + rng.index(best.len());
        let Found { full, family, .. } = best[rng.index(among)];
        if let Some(moved) = moved(&goal, &full, &mut rng) {
            let full = filled_up(&goal, moved, of.orders, &mut rng);
            let fillings = fillings(&full, FILLINGS_MAX);
            // Neighbours that can be filled in equally many ways differ in little else.
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

/// A starter, with the number of the puzzle that it comes from.
#[derive(Debug, Clone, Copy)]
struct Found {
    fillings: usize,
    full: Puzzled,
    family: usize,
}

/// Those of the most fillings, and of these the fullest, a few of each family.
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

/// Puzzles that reach a goal.
fn made(goal: &Goal, puzzles: usize, rng: &mut Rng) -> Vec<Puzzled> {
    let mut made = Vec::new();
    for _ in 0..TRIES_MAX {
        let solution = random_grid(rng);
        if let Ok(Some(puzzle)) = goal.steered(&solution, rng, &mut budget())
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

/// A neighbour that reaches the goal too: some cells of its hard part hold other digits.
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

/// Fills what can be filled, in random order.
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

/// Empties some cells and fills what can be filled, unless that makes it emptier.
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

/// In how many ways the given cells can be filled. Digits that no open cell holds can take each other's places: in the row of
/// the fewest givens they stay where they are.
pub(crate) fn fillings(full: &Puzzled, max: usize) -> usize {
    let (puzzle, solution) = (full.puzzle.cells(), full.solution.cells());
    let is_open = |digit: u8| (0..CELLS).any(|cell| puzzle[cell] == 0 && solution[cell] == digit);
    let givens = |row: &usize| puzzle[9 * row..][..9].iter().filter(|digit| **digit != 0).count();
    let row = (0..9).min_by_key(givens).unwrap_or(0);
    let is_kept = |cell: usize| puzzle[cell] == 0 || cell / 9 == row && !is_open(solution[cell]);
    let kept = grid(std::array::from_fn(|cell| if is_kept(cell) { solution[cell] } else { 0 }));
    solutions(&kept, max)
}

/// Whether of fillings by chance hardly any are the same up to symmetry.
fn are_varied(full: &Puzzled, rng: &mut Rng) -> bool {
    let mut seen = BTreeSet::new();
    (1..=FILLINGS_DRAWN).all(|drawn| {
        seen.insert(solved(&full.mixed(rng).solution));
        drawn - seen.len() <= ALIKE_MAX
    })
}
