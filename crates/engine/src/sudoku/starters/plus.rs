//! The search for the starters above 9.4, the last sections of the table. It finds the same ones each time:
//! `cargo test --release -p puzzled-engine --lib starters::plus -- --ignored --nocapture`, an hour of one thread.
//!
//! They are met on walks among masks (`masks.rs`), filled up, and weighed like the others. A starter's line ends with the
//! techniques that it needs of those with further chains or patterns in their branches: it is one of their starters too.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    super::{
        board::Grid,
        canonical::canonical,
        goal::{BRANCHES_FROM, Goal},
        need::needed,
        rating::{Outcome, outcome},
    },
    Puzzled, STARTERS_MIN, TABLE,
    few_digits::{alike, weight},
    masks::walk,
    near::HARDEST_FROM,
    search::{budget, filled_up, reaches, spec},
};
use crate::{budget::Budget, level::Tenths, rng::Rng};

/// In the order of the table.
pub(super) const PLUS_NAMES: [&str; 2] = ["9.5 to 9.9", "10.0 to 10.4"];

/// Walks among masks, each some three seconds, and the seed of the first.
const WALKS: u64 = 900;
const FIRST_SEED: u64 = 9_500_000;

/// Nodes for a rating.
const NODES_MAX: u64 = 3_000_000;

/// Fillings of the starters of a section by chance, and how many may be the same up to symmetry.
const DRAWN: usize = 1_000;
const ALIKE_MAX: [usize; 2] = [5, 40];

#[test]
#[ignore = "takes an hour; `.ci/soak` runs it"]
fn the_starters_above_9_4_are_found_anew() {
    let mut seen = BTreeSet::new();
    let found = (0..WALKS).flat_map(of_walk).filter(|(_, full)| seen.insert(open_part(full)));
    let needing: Vec<_> = found.map(|(er, full)| (er, needs_of(&full.puzzle), full)).collect();
    let sections = sections(&needing);
    print!("{sections}");
    assert!(TABLE.ends_with(&sections), "the sections are others");
}

/// The puzzles above 9.4 of one walk, each as full as can be in its half point.
fn of_walk(number: u64) -> Vec<(Tenths, Puzzled)> {
    let mut rng = Rng::from_seed(FIRST_SEED + number);
    let found = walk(&mut rng).into_iter();
    let hard = found.filter_map(|late| rating_of(&late.puzzle).filter(|er| *er >= HARDEST_FROM).map(|er| (er, late)));
    let full = hard.map(|(er, late)| filled_up(&half_point(er), late, 0, &mut rng));
    full.filter_map(|full| Some((rating_of(&full.puzzle)?, full))).collect()
}

/// The sections of the table.
fn sections(found: &[(Tenths, Vec<&'static str>, Puzzled)]) -> String {
    let mut times = BTreeMap::<_, usize>::new();
    found.iter().flat_map(|(_, needs, _)| needs).for_each(|name| *times.entry(*name).or_default() += 1);
    let (mut rng, mut lines) = (Rng::from_seed(95), Vec::new());
    for (name, alike_max) in PLUS_NAMES.into_iter().zip(ALIKE_MAX) {
        let (goal, mut weighed) = (Goal::of(&spec(name)), Vec::new());
        lines.push(format!("# {name}"));
        for (er, needs, full) in found.iter().filter(|(.., full)| reaches(&goal, &full.puzzle)) {
            let weight = weight(full, &mut rng).max(1);
            let often: Vec<_> = needs.iter().copied().filter(|name| times[name] >= STARTERS_MIN).collect();
            let line = format!("{er} {} {weight} {}", full.puzzle.dotted(), often.join(", "));
            lines.push(line.trim_end().to_owned());
            weighed.push((weight, *full));
        }
        let alike = alike(&weighed, DRAWN, &mut rng);
        println!("{name}: {alike} of {DRAWN} are alike");
        assert!(alike <= alike_max, "{name}: {alike} of {DRAWN} are alike");
    }
    lines.join("\n") + "\n"
}

/// What the open cells hold, the same for all puzzles in which they hold the same up to symmetry.
fn open_part(of: &Puzzled) -> String {
    let is_open = |cell: usize| of.puzzle.cells()[cell] == 0;
    canonical(&Grid(std::array::from_fn(|cell| if is_open(cell) { of.solution.cells()[cell] } else { 0 })))
}

/// The techniques with further chains or patterns in their branches that a puzzle needs.
pub(super) fn needs_of(puzzle: &Grid) -> Vec<&'static str> {
    needed(puzzle, BRANCHES_FROM, &mut budget().renewed(u64::MAX)).unwrap()
}

/// None of a puzzle whose rating would take too long.
fn rating_of(puzzle: &Grid) -> Option<Tenths> {
    static NEVER: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
    match outcome(puzzle, &mut Budget::new(NODES_MAX, &NEVER)) {
        Outcome::Rated(ratings) => Some(ratings.er),
        _ => None,
    }
}

/// The goal of a rating's half point.
fn half_point(er: Tenths) -> Goal {
    let first = er.0 / 5 * 5;
    Goal::of(&spec(&format!("{} to {}", Tenths(first), Tenths(first + 4))))
}
