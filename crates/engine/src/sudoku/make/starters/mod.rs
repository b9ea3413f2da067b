//! The table of starters: stored positions that have a rare hardest technique or a rare rating. A try draws one of them at random
//! and rewrites it as a new puzzle (`rewrite.rs`).
//!
//! The searches of the package `tools` found them. Each has as many givens as it can have without another rating or hardest
//! technique.

mod rewrite;

use std::{collections::BTreeMap, ops::RangeInclusive, sync::LazyLock};

use crate::{
    shared::{level::Tenths, rng::Rng},
    sudoku::{board::Grid, techniques::Technique},
};

pub(in crate::sudoku) use rewrite::{Puzzled, rewrite};

/// The table, in sections: a line `#` with a technique, then one line for each starter whose hardest technique it is. A line has
/// the ER, the 81 cells, and an optional weight. `cargo run --release -p puzzled-tools -- table` prints it.
pub(in crate::sudoku) const TABLE: &str = include_str!("table.txt");

/// The starters by technique.
pub(super) static SECTIONS: LazyLock<BTreeMap<&str, Vec<Starter>>> = LazyLock::new(|| sections(TABLE));

/// The minimum number of starters with which a goal uses them. With fewer, the puzzles would be too similar, so tries start
/// from random grids.
const STARTERS_MIN: usize = 8;

/// The weight of a starter that has none in the table. Such a starter has at least this many thousands of fillings.
const WEIGHT: u32 = 200;

/// A line of the table: a puzzle with as many givens as it can have and still reach its goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sudoku) struct Starter {
    pub(super) er: Tenths,
    pub(super) puzzle: Grid,
    /// The number of different fillings in thousands, 1–200. Starters are drawn in proportion to it.
    weight: u32,
}

/// Draws a starter at random in proportion to the weights. `None` if there are no starters.
pub(super) fn drawn(starters: &[&'static Starter], rng: &mut Rng) -> Option<&'static Starter> {
    let sum = starters.iter().map(|starter| u64::from(starter.weight)).sum();
    let mut at = if sum == 0 { 0 } else { rng.below(sum) };
    let is_drawn = |starter: &&&Starter| {
        let is_here = at < u64::from(starter.weight);
        at = at.saturating_sub(u64::from(starter.weight));
        is_here
    };
    starters.iter().find(is_drawn).copied()
}

/// The half points of ER that are too rare for random grids, by their first ratings.
const RARE_HALF_POINTS: [u8; 10] = [30, 35, 40, 45, 50, 55, 60, 80, 95, 100];

/// The starters with one of these ratings whose hardest technique is the wanted one. Without a technique, returns all starters
/// with these ratings, but only if each half point in the range is rare. Returns none if there are fewer than [`STARTERS_MIN`].
pub(super) fn starters(wanted: &RangeInclusive<Tenths>, technique: Option<&Technique>) -> Vec<&'static Starter> {
    let mut half_points = wanted.start().0 / 5..=wanted.end().0 / 5;
    let is_rare = half_points.all(|half| RARE_HALF_POINTS.contains(&(half * 5)));
    let sections: Vec<_> = match technique {
        Some(technique) => SECTIONS.get(technique.name).into_iter().collect(),
        None if is_rare => SECTIONS.values().collect(),
        None => Vec::new(),
    };
    let starters = sections.into_iter().flatten().filter(|starter| wanted.contains(&starter.er));
    let starters: Vec<_> = starters.collect();
    if starters.len() < STARTERS_MIN { Vec::new() } else { starters }
}

fn sections(table: &'static str) -> BTreeMap<&'static str, Vec<Starter>> {
    let mut sections: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let mut name = "";
    for line in table.lines() {
        if let Some(technique) = line.strip_prefix("# ") {
            name = technique;
        } else if let Some(starter) = starter(line) {
            sections.entry(name).or_default().push(starter);
        }
    }
    sections
}

fn starter(line: &'static str) -> Option<Starter> {
    let mut columns = line.split(' ');
    let er = Tenths(columns.next()?.replace('.', "").parse().ok()?);
    let puzzle = Grid::parse(columns.next()?).ok()?;
    let weight = columns.next().map_or(Ok(WEIGHT), str::parse).ok()?;
    Some(Starter { er, puzzle, weight })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{
        shared::{
            budget::Budget,
            spec::{Difficulty, Spec},
            symmetry::Symmetry,
        },
        sudoku::{kernel::Kernel, make::goal::Goal, techniques::TECHNIQUES},
    };

    /// From this ER on, only one starter in [`RATED`] is rated, because a rating takes some tenths of a second.
    const HARDEST_FROM: Tenths = Tenths(95);
    const RATED: usize = 12;

    /// The spec of a goal: of a range, `3.0 to 3.4`, or of a technique.
    pub(in crate::sudoku) fn spec(name: &str) -> Spec {
        let tenths = |text: &str| Tenths(text.replace('.', "").parse().unwrap());
        let (difficulty, technique) = match name.split_once(" to ") {
            Some((min, max)) => (Difficulty::Range { min: tenths(min), max: tenths(max) }, None),
            None => (Difficulty::Any, Some(name.to_owned())),
        };
        let (kind, variant) = ("sudoku".to_owned(), "9x9".to_owned());
        Spec { kind, variant, symmetry: Symmetry::None, difficulty, givens: None, technique }
    }

    /// The starters of a technique, with any rating.
    pub(in crate::sudoku) fn of_technique(name: &str) -> Vec<&'static Starter> {
        starters(&(Tenths(0)..=Tenths::MAX), TECHNIQUES.iter().find(|known| known.name == name))
    }

    pub(super) fn budget() -> Budget<'static> {
        Budget::of_nodes(400_000_000)
    }

    pub(super) fn reaches(goal: &Goal, puzzle: &Grid) -> bool {
        goal.is_met_by(puzzle, &mut budget()).unwrap()
    }

    #[test]
    fn every_starter_is_unique_and_has_its_rating_and_technique() {
        for (name, starters) in SECTIONS.iter() {
            let goal = Goal::of(&spec(name), &mut Rng::from_seed(1));
            for (number, Starter { er, puzzle, weight, .. }) in starters.iter().enumerate() {
                assert_eq!(Kernel::fastest().count(puzzle, 2, &mut budget()), Ok(1), "{name} {puzzle:?}");
                assert!((1..=WEIGHT).contains(weight), "{name} {puzzle:?}");
                if *er < HARDEST_FROM || number.is_multiple_of(RATED) {
                    assert!(reaches(&goal, puzzle), "{name} {puzzle:?}");
                    assert_eq!(goal.look(puzzle, &mut budget()).unwrap().er(), *er, "{name} {puzzle:?}");
                }
            }
        }
    }

    #[test]
    fn starters_are_drawn_by_their_weights() {
        let of = [1, 3].map(|weight| Starter { er: Tenths(80), puzzle: Grid::EMPTY, weight });
        let starters: Vec<&'static Starter> = of.into_iter().map(|starter| &*Box::leak(Box::new(starter))).collect();
        let mut rng = Rng::from_seed(8);
        let heavy = (0..4_000).filter(|_| drawn(&starters, &mut rng).unwrap().weight == 3).count();
        assert!((2_900..3_100).contains(&heavy), "{heavy}");
        assert_eq!(drawn(&[], &mut rng), None);
    }

    #[test]
    fn every_line_of_the_table_is_read_and_occurs_once() {
        let lines = TABLE.lines().filter(|line| !line.starts_with("# "));
        let starters: Vec<_> = SECTIONS.values().flatten().collect();
        assert_eq!(starters.len(), lines.count());
        let puzzles: std::collections::BTreeSet<_> = starters.iter().map(|starter| starter.puzzle).collect();
        assert_eq!(puzzles.len(), starters.len());
        assert!(SECTIONS.keys().all(|name| TECHNIQUES.iter().any(|technique| technique.name == *name)));
    }

    #[test]
    fn range_has_starters_if_each_of_its_half_points_is_rare() {
        let number = |min, max| starters(&(Tenths(min)..=Tenths(max)), None).len();
        assert_eq!(number(30, 44), number(30, 34) + number(35, 39) + number(40, 44));
        assert!(number(30, 34) >= STARTERS_MIN);
        // 6.5 to 6.9 and 7.0 to 7.4 are common.
        assert_eq!([number(60, 69), number(70, 74), number(10, 134)], [0; 3]);
        assert_eq!(number(95, 104), number(95, 99) + number(100, 104));
        assert_eq!(number(105, 134), 0);
    }

    #[test]
    fn starters_of_a_technique_have_a_wanted_rating() {
        let technique = TECHNIQUES.iter().find(|known| known.name == "Unique Loop 2");
        let wanted = Tenths(46)..=Tenths(47);
        let starters = starters(&wanted, technique);
        assert!(!starters.is_empty());
        assert!(starters.iter().all(|starter| wanted.contains(&starter.er)));
    }
}
