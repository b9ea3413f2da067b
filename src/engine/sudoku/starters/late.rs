//! The search for the starters of 8.0 to 8.4, the last section of the table. It finds the same ones each time:
//! `cargo test --release --lib starters::late -- --ignored --nocapture`, more than half an hour of one thread.
//!
//! Most puzzles that need such chains leave too many cells open to be filled anew in many ways. Some leave few, since their hard
//! steps come late: those are taken, and of them the ones whose fillings are the least alike. Each brings its neighbours along,
//! which have the same cells open and other digits in some of them.

use std::{cmp::Reverse, collections::BTreeSet};

use super::{
    super::{
        board::CELLS,
        canonical::solved,
        goal::Goal,
        grids::random_grid,
        orbits::orbits,
        scattered::thin_scattered,
        techniques::{Bounds, Candidates, climb, sort},
    },
    Puzzled, TABLE,
    search::{budget, filled_up, fillings, moved, rating, reaches, spec},
};
use crate::engine::{level::Tenths, rng::Rng, symmetry::Symmetry};

/// Its name in the table.
pub(super) const NAME: &str = "8.0 to 8.4";

/// Grids that are thinned at most, and how often each.
const GRIDS: u64 = 6_000_000;
const THINNED: u32 = 4;

/// Cells that are open at most when everything up to Hidden Triplets is done.
const OPEN_MAX: u32 = 33;
const DONE_UP_TO: Tenths = Tenths(40);

/// Puzzles that are filled up, in so many orders; the best of them, filled up in so many more; and those that are kept.
const PUZZLES: usize = 8_000;
const ORDERS: u32 = 2;
const BETTER: usize = 160;
const ORDERS_OF_BETTER: u32 = 20;
const FAMILIES: usize = 40;

/// Starters of one family, and the moves by which they are found.
const FAMILY_MAX: usize = 6;
const MOVES: u32 = 600;

/// Fillings are counted up to this number.
const FILLINGS_MAX: usize = 200_000;

/// Fillings of a starter by chance, and how many may be the same up to symmetry; and of all starters: among a thousand
/// puzzles a hundredth of that is to be expected.
const DRAWN: usize = 2_000;
const ALIKE_MAX: usize = 50;
const DRAWN_OF_SECTION: usize = 10_000;
const ALIKE_OF_SECTION_MAX: usize = 10;

#[test]
#[ignore = "takes more than half an hour; `.ci/soak` runs it"]
fn the_starters_of_8_0_to_8_4_are_found_anew() {
    let goal = Goal::of(&spec(NAME));
    let mut rng = Rng::from_seed(NAME.bytes().fold(11, |seed, byte| seed * 31 % 1_000_003 + u64::from(byte)));
    let late = (0..GRIDS).flat_map(|grid| late_in(&goal, grid)).take(PUZZLES).collect();
    let better = of_most_fillings(&goal, late, ORDERS, &mut rng);
    let better = of_most_fillings(&goal, better, ORDERS_OF_BETTER, &mut rng);
    let mut varied: Vec<_> = better.into_iter().map(|full| (alike(&[full], DRAWN, &mut rng), full)).collect();
    varied.sort_by_key(|(alike, _)| *alike);
    let firsts = varied.into_iter().filter(|(alike, _)| *alike <= ALIKE_MAX).take(FAMILIES);
    let starters: Vec<_> = firsts.flat_map(|(_, first)| family(&goal, first, &mut rng)).collect();
    let lines = starters.iter().map(|full| format!("{} {}\n", rating(&goal, &full.puzzle), full.puzzle.dotted()));
    let section = format!("# {NAME}\n{}", lines.collect::<String>());
    print!("{section}");
    let alike = alike(&starters, DRAWN_OF_SECTION, &mut rng);
    assert!(alike <= ALIKE_OF_SECTION_MAX, "{alike} of {DRAWN_OF_SECTION} are alike");
    assert!(TABLE.ends_with(&section), "the section is another");
}

/// Puzzles of one grid that reach the goal and leave few cells open.
fn late_in(goal: &Goal, grid: u64) -> Vec<Puzzled> {
    let (mut rng, cells, sorts) = (Rng::from_seed(grid), orbits(Symmetry::None), goal.sorts().unwrap());
    let (solution, mut late) = (random_grid(&mut rng), Vec::new());
    for _ in 0..THINNED {
        let thin = thin_scattered(&solution, &cells, &mut rng, &mut budget()).unwrap();
        let mut position = Candidates::of(&thin).unwrap();
        climb(&mut position, Bounds::up_to(DONE_UP_TO), &mut budget(), |_, _| ());
        let (puzzle, is_late) = (*position.grid(), (1..=OPEN_MAX).contains(&position.empty().count_ones()));
        if is_late && sorts.contains(&sort(&thin, *sorts.end(), &mut budget()).unwrap()) && reaches(goal, &puzzle) {
            late.push(Puzzled { puzzle, solution });
        }
    }
    late
}

/// Those that can be filled in most ways when they are as full as can be.
fn of_most_fillings(goal: &Goal, of: Vec<Puzzled>, orders: u32, rng: &mut Rng) -> Vec<Puzzled> {
    let full = of.into_iter().map(|puzzled| filled_up(goal, puzzled, orders, rng));
    let mut counted: Vec<_> = full.map(|full| (fillings(&full, FILLINGS_MAX), full)).collect();
    counted.sort_by_key(|(fillings, full)| (Reverse((*fillings, full.puzzle.givens())), full.puzzle));
    counted.dedup_by_key(|(_, full)| full.puzzle);
    counted.into_iter().take(BETTER).map(|(_, full)| full).collect()
}

/// A starter and neighbours of it.
fn family(goal: &Goal, first: Puzzled, rng: &mut Rng) -> Vec<Puzzled> {
    let mut family = vec![first];
    for _ in 0..MOVES {
        let from = family[rng.index(family.len())];
        let Some(there) = moved(goal, &from, rng) else { continue };
        let full = filled_up(goal, there, 0, rng);
        let is_new = family.iter().all(|other| open_cells(other) != open_cells(&full));
        if is_new && alike(&[full], DRAWN, rng) <= ALIKE_MAX {
            family.push(full);
        }
        if family.len() == FAMILY_MAX {
            break;
        }
    }
    family
}

/// The digits of the cells that are open, relabelled in the order of the cells; 0 for a given.
fn open_cells(full: &Puzzled) -> [usize; CELLS] {
    let mut met = Vec::new();
    let mut cells = [0; CELLS];
    for (cell, digit) in full.solution.cells().iter().enumerate().filter(|(cell, _)| full.puzzle.cells()[*cell] == 0) {
        cells[cell] = met.iter().position(|other| *other == digit).unwrap_or(met.len()) + 1;
        if cells[cell] > met.len() {
            met.push(digit);
        }
    }
    cells
}

/// Fillings of starters by chance that are the same up to symmetry as an earlier one.
fn alike(starters: &[Puzzled], drawn: usize, rng: &mut Rng) -> usize {
    let mut seen = BTreeSet::new();
    (0..drawn).filter(|_| !seen.insert(solved(&starters[rng.index(starters.len())].mixed(rng).solution))).count()
}
