//! Finds and prints starters of hard chains: the command `hard-chains`. The goals are ER 8.0 to 8.4, Aligned Triplet Exclusion,
//! Region Forcing Chains, and Cell Forcing Chains, each as the hardest technique of its puzzles.
//!
//! The search removes only givens of four digits, because the other five digits can then change places. With equally
//! few empty cells, these puzzles need multiple chains twice as often as puzzles whose empty cells have any digits. The
//! search keeps the puzzles whose givens can be replaced in the most ways. The weight of a starter estimates how many
//! different puzzles it can become: the fewer of its random rewritings are equal up to symmetry, the larger is the
//! weight.

use std::{cmp::Reverse, collections::BTreeSet};

use puzzled_engine::{
    shared::{level::Tenths, rng::Rng, symmetry::Symmetry},
    sudoku::{
        board::Grid,
        canonical::solved,
        kernel::Kernel,
        make::grids::random_grid,
        orbits::{Orbit, orbits},
        techniques::Class,
        tools::Goal,
    },
};

use crate::{
    common::{Puzzled, budget, class_of, rating, reaches, seed, spec, start},
    search::{filled_up, fillings},
};

/// The goals of this search.
const NAMES: [&str; 4] = ["8.0 to 8.4", "Aligned Triplet Exclusion", "Region Forcing Chains", "Cell Forcing Chains"];

/// Number of grids to thin, how often to thin each, and the number of digits whose cells are removed.
const GRIDS: u64 = 27_000_000;
const THINNED: u32 = 4;
pub(crate) const DIGITS: usize = 4;

/// The maximum number of cells that may be open once all steps up to Hidden Triplets are done.
const OPEN_MAX: u32 = 33;
const DONE_UP_TO: Tenths = Tenths(40);

/// Number of puzzles of a goal to fill up, and of orders to try for each; then the same two numbers for the best
/// puzzles.
const PUZZLES: usize = 8_000;
const ORDERS: u32 = 2;
const BETTER: usize = 160;
const ORDERS_OF_BETTER: u32 = 20;

/// The number at which counting fillings stops.
const FILLINGS_MAX: usize = 200_000;

/// The greatest weight. With a higher one, a few starters, perhaps slow ones, would be drawn most of the time.
const WEIGHT_MAX: u32 = 200;

/// Number of random fillings of one starter, and of a section. The last constant limits how many of a section's
/// fillings may repeat another one up to symmetry. Among 1,000 puzzles, expect a hundredth as many repeats.
const DRAWN: usize = 2_000;
const DRAWN_OF_SECTION: usize = 10_000;
const ALIKE_MAX: [usize; 4] = [10, 20, 10, 20];

/// Finds and prints the starters of the goals whose names contain `only`.
///
/// # Errors
/// A message if too many fillings are equal up to symmetry.
pub(crate) fn find(only: &str) -> Result<(), String> {
    let wanted: Vec<_> = NAMES.into_iter().zip(ALIKE_MAX).filter(|(name, _)| name.contains(only)).collect();
    let goals: Vec<_> = wanted.iter().map(|(name, _)| Goal::of(&spec(name))).collect();
    for (((name, alike_max), goal), found) in wanted.into_iter().zip(&goals).zip(found(&goals)) {
        let mut rng = Rng::from_seed(seed(name, 11));
        let better = of_most_fillings(goal, found, ORDERS, &mut rng);
        let better = of_most_fillings(goal, better, ORDERS_OF_BETTER, &mut rng);
        let weighed: Vec<_> = better.into_iter().map(|full| (weight(&full, &mut rng), full)).collect();
        print(name, goal, &weighed);
        let alike = alike(&weighed, DRAWN_OF_SECTION, &mut rng);
        if alike > alike_max {
            return Err(format!(
                "{name}: {alike} of {DRAWN_OF_SECTION} fillings repeat another one; the limit is {alike_max}"
            ));
        }
    }
    Ok(())
}

/// The puzzles of each goal, at most [`PUZZLES`], in the order of their grids.
fn found(goals: &[Goal]) -> Vec<Vec<Puzzled>> {
    let mut found = vec![Vec::new(); goals.len()];
    for grid in 0..GRIDS {
        let wanted: Vec<_> = (0..goals.len()).filter(|&at| found[at].len() < PUZZLES).collect();
        if wanted.is_empty() {
            break;
        }
        for (at, puzzled) in found_in(goals, &wanted, grid) {
            found[at].push(puzzled);
        }
    }
    for found in &mut found {
        found.truncate(PUZZLES);
    }
    found
}

/// Puzzles of one grid that reach a wanted goal and have few open cells, each with the index of its goal.
fn found_in(goals: &[Goal], wanted: &[usize], grid: u64) -> Vec<(usize, Puzzled)> {
    let mut rng = Rng::from_seed(grid);
    let (solution, mut found) = (random_grid(&mut rng), Vec::new());
    for _ in 0..THINNED {
        let thin = thinned(&solution, &cells_of_few_digits(&solution, &mut rng), &mut rng);
        let multiple = class_of(&thin, Class::Long);
        if multiple < Class::Nishio {
            continue;
        }
        let (puzzle, open) = late(&thin);
        if !(1..=OPEN_MAX).contains(&open) {
            continue;
        }
        let is_of_class = |goal: &Goal| match goal.classes() {
            Some(classes) if *classes.end() == Class::Aligned => class_of(&thin, Class::Aligned) == Class::Aligned,
            Some(classes) => classes.contains(&multiple),
            None => false,
        };
        let reached = wanted.iter().filter(|at| is_of_class(&goals[**at]) && reaches(&goals[**at], &puzzle));
        found.extend(reached.map(|at| (*at, Puzzled { puzzle, solution })));
    }
    found
}

/// All cells of [`DIGITS`] random digits.
pub(crate) fn cells_of_few_digits(solution: &Grid, rng: &mut Rng) -> Vec<Orbit> {
    let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    rng.shuffle(&mut digits);
    let is_one = |cell: &Orbit| digits[..DIGITS].contains(&solution.cells()[usize::from(cell.cells()[0])]);
    orbits(Symmetry::None).into_iter().filter(is_one).collect()
}

/// Removes as many of these cells as possible while the solution stays unique, tried in random order.
pub(crate) fn thinned(solution: &Grid, cells: &[Orbit], rng: &mut Rng) -> Grid {
    let mut order = cells.to_vec();
    rng.shuffle(&mut order);
    Kernel::fastest().thin(solution, &order, &mut budget()).expect("the budget is enough")
}

/// The puzzle after all steps up to [`DONE_UP_TO`], and the number of cells that are open then.
pub(crate) fn late(puzzle: &Grid) -> (Grid, u32) {
    let mut position = start(puzzle);
    position.climb_up_to(DONE_UP_TO, &mut budget());
    (*position.grid(), position.empty().count_ones())
}

/// Fills up each puzzle, and keeps the [`BETTER`] that can be refilled in the most ways.
fn of_most_fillings(goal: &Goal, of: Vec<Puzzled>, orders: u32, rng: &mut Rng) -> Vec<Puzzled> {
    let full = of.into_iter().map(|puzzled| filled_up(goal, puzzled, orders, rng));
    let mut counted: Vec<_> = full.map(|full| (fillings(&full, FILLINGS_MAX), full)).collect();
    counted.sort_by_key(|(fillings, full)| (Reverse((*fillings, full.puzzle.givens())), full.puzzle));
    counted.dedup_by_key(|(_, full)| full.puzzle);
    counted.into_iter().take(BETTER).map(|(_, full)| full).collect()
}

/// Prints the starters of a goal with their weights.
fn print(name: &str, goal: &Goal, starters: &[(u32, Puzzled)]) {
    let line =
        |(weight, full): &(u32, Puzzled)| format!("{} {} {weight}\n", rating(goal, &full.puzzle), full.puzzle.dotted());
    print!("# {name}\n{}", starters.iter().map(line).collect::<String>());
}

/// The number of different fillings in thousands, at most [`WEIGHT_MAX`]. It is estimated from the number of repeats among
/// [`DRAWN`] random fillings.
pub(crate) fn weight(full: &Puzzled, rng: &mut Rng) -> u32 {
    let alike = repeated(DRAWN, || solved(&full.mixed(rng).solution));
    u32::try_from(DRAWN * DRAWN / 2 / (1 + alike) / 1_000).unwrap_or(WEIGHT_MAX).min(WEIGHT_MAX)
}

/// The number of random fillings, out of `drawn`, that are equal to an earlier one up to symmetry. Starters are drawn by weight.
pub(crate) fn alike(starters: &[(u32, Puzzled)], drawn: usize, rng: &mut Rng) -> usize {
    let sum = starters.iter().map(|(weight, _)| u64::from(*weight)).sum();
    repeated(drawn, || {
        let mut at = rng.below(sum);
        let is_drawn = |(weight, _): &&(u32, Puzzled)| {
            let is_here = at < u64::from(*weight);
            at = at.saturating_sub(u64::from(*weight));
            is_here
        };
        let (_, starter) = starters.iter().find(is_drawn).expect("it is below the sum");
        solved(&starter.mixed(rng).solution)
    })
}

/// The number of draws, out of `drawn`, that repeat an earlier one.
fn repeated(drawn: usize, mut draw: impl FnMut() -> String) -> usize {
    let mut seen = BTreeSet::new();
    (0..drawn).filter(|_| !seen.insert(draw())).count()
}
