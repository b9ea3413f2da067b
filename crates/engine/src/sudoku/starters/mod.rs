//! Starters: positions found by our own searches (`search.rs`, `few_digits.rs`, `plus.rs`) that need a rare technique, or lie in a
//! rare half point of ER, each as full as it can be without losing that. A try takes one by chance and writes it anew
//! (`rewrite.rs`). For the hardest puzzles, starters are such themselves (`hardest.rs`, `nested.rs`, `rare.rs`, `doubles.rs`), and
//! a try looks near one of them (`near.rs`, `digits.rs`).

mod digits;
#[cfg(test)]
mod doubles;
#[cfg(test)]
mod few_digits;
#[cfg(test)]
mod hardest;
#[cfg(test)]
mod masks;
mod near;
#[cfg(test)]
mod nested;
#[cfg(test)]
mod plus;
#[cfg(test)]
mod rare;
mod rewrite;
#[cfg(test)]
mod search;

use std::{collections::BTreeMap, ops::RangeInclusive, sync::LazyLock};

use super::{board::Grid, techniques::Technique};
use crate::{level::Tenths, rng::Rng};

pub(super) use near::{HARDEST_FROM, near};
pub(super) use rewrite::{Puzzled, rewrite};

/// By goal, a line `# goal` and then a line a starter: its ER, its 81 cells and, where it was told, its weight; and then, with
/// commas between them, techniques that it needs, of which it is a starter too.
const TABLE: &str = include_str!("table.txt");

/// The hardest, a line each: ER, cells, a weight that is the same for all, and the techniques with further chains or patterns
/// in their branches that it needs.
const HARDEST_TABLE: &str = include_str!("hardest.txt");

/// Lines as those of the hardest, of puzzles that need dynamic chains within dynamic chains.
const NESTED_TABLE: &str = include_str!("nested.txt");

/// And of puzzles that need such a technique which those do not need.
const RARE_TABLE: &str = include_str!("rare.txt");

/// And of puzzles that need a double chain with further chains or patterns in its branches, which may be easier.
const DOUBLES_TABLE: &str = include_str!("doubles.txt");

static HARDEST: LazyLock<Vec<Starter>> = LazyLock::new(|| all_hardest(&[HARDEST_TABLE, NESTED_TABLE, RARE_TABLE]));

/// Starters of their techniques alone.
static DOUBLES: LazyLock<Vec<Starter>> = LazyLock::new(|| all_hardest(&[DOUBLES_TABLE]));

static SECTIONS: LazyLock<BTreeMap<&str, Vec<Starter>>> = LazyLock::new(|| sections(TABLE));

/// Starters below which a goal is steered to without them: its puzzles would be too much alike.
const STARTERS_MIN: usize = 8;

/// The last half point that has some ends here.
const STARTERS_UP_TO: Tenths = Tenths(104);

/// The fewest of the hardest starters that a goal has.
const HARDEST_MIN: usize = 24;

/// The weight of starters that have none in the table: they have so many thousands of fillings at least.
const WEIGHT: u32 = 200;

/// A puzzle with as many givens as can be, or one of the hardest with as few.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Starter {
    pub(super) er: Tenths,
    pub(super) puzzle: Grid,
    /// Whether it has as many givens as can be, so that they can be filled anew.
    pub(super) is_full: bool,
    /// Thousands of different fillings: where starters have few, those that have more are taken more often.
    weight: u32,
    /// The techniques that it is a starter of since it needs them, with commas between them.
    needs: &'static str,
}

impl Starter {
    /// Whether it is known to need a technique.
    pub(super) fn needs(&self, technique: &Technique) -> bool {
        self.techniques().any(|name| name == technique.name)
    }

    fn techniques(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.needs.split(", ").filter(|name| !name.is_empty())
    }
}

fn all_hardest(tables: &[&'static str]) -> Vec<Starter> {
    tables.iter().copied().flat_map(str::lines).filter_map(|line| starter(line, false)).collect()
}

/// One of these by chance, by their weights.
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

/// The starters with one of these ratings that need the technique; of a goal without one, all with these ratings, if each half
/// point that it reaches into has some of its own: others are common, and plain tries do as well, or are harder than all
/// starters. None where there are few.
pub(super) fn starters(wanted: &RangeInclusive<Tenths>, technique: Option<&Technique>) -> Vec<&'static Starter> {
    let up_to_hardest = *wanted.start()..=STARTERS_UP_TO.min(*wanted.end());
    let is_rare = || half_points(&up_to_hardest).iter().all(|name| SECTIONS.contains_key(name.as_str()));
    let sections: Vec<_> = match technique {
        Some(technique) => SECTIONS.get(technique.name).into_iter().collect(),
        None if is_rare() => SECTIONS.values().collect(),
        None => Vec::new(),
    };
    let starters = sections.into_iter().flatten().filter(|starter| wanted.contains(&starter.er));
    let starters: Vec<_> = starters.collect();
    if starters.len() < STARTERS_MIN { Vec::new() } else { starters }
}

/// The hardest starters with these ratings that need a technique with further chains or patterns in its branches.
pub(super) fn needing(wanted: &RangeInclusive<Tenths>, technique: &Technique) -> Vec<&'static Starter> {
    let starters = HARDEST.iter().chain(DOUBLES.iter()).filter(|starter| starter.needs(technique));
    starters.filter(|starter| wanted.contains(&starter.er)).collect()
}

/// The hardest starters with these ratings, and where they are few the next ones: what is wanted lies near, not in them.
pub(super) fn hardest(wanted: &RangeInclusive<Tenths>) -> Vec<&'static Starter> {
    let distance = |starter: &Starter| {
        let below = wanted.start().0.saturating_sub(starter.er.0);
        below + starter.er.0.saturating_sub(wanted.end().0)
    };
    let mut nearest: Vec<_> = HARDEST.iter().collect();
    nearest.sort_by_key(|starter| distance(starter));
    let fitting = nearest.iter().filter(|starter| distance(starter) == 0).count();
    nearest.truncate(fitting.max(HARDEST_MIN));
    nearest
}

/// The names of the half points that some of these ratings lie in: `5.0 to 5.4`.
fn half_points(wanted: &RangeInclusive<Tenths>) -> Vec<String> {
    let halves = wanted.start().0 / 5..=wanted.end().0 / 5;
    halves.map(|half| format!("{} to {}", Tenths(half * 5), Tenths(half * 5 + 4))).collect()
}

fn sections(table: &'static str) -> BTreeMap<&'static str, Vec<Starter>> {
    let mut sections: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let mut name = "";
    for line in table.lines() {
        if let Some(goal) = line.strip_prefix("# ") {
            name = goal;
            continue;
        }
        let Some(starter) = starter(line, true) else { continue };
        for name in [name].into_iter().chain(starter.techniques()) {
            sections.entry(name).or_default().push(starter);
        }
    }
    sections
}

fn starter(line: &'static str, is_full: bool) -> Option<Starter> {
    let mut columns = line.splitn(4, ' ');
    let er = Tenths(columns.next()?.replace('.', "").parse().ok()?);
    let puzzle = Grid::parse(columns.next()?).ok()?;
    let weight = columns.next().map_or(Ok(WEIGHT), str::parse).ok()?;
    Some(Starter { er, puzzle, is_full, weight, needs: columns.next().unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::{
        plus::needs_of,
        search::{budget, rating, reaches, spec},
        *,
    };
    use crate::sudoku::{
        goal::{BRANCHES_FROM, Goal},
        kernel::Kernel,
        techniques::{Sort, TECHNIQUES, outlasts, sort},
    };

    /// One in so many of the hardest is rated: it takes some tenths of a second.
    const RATED: usize = 12;

    /// Of one in so many it is asked what it needs: that takes some seconds.
    const ASKED: usize = 44;

    #[test]
    fn every_starter_is_what_the_table_says() {
        for (name, starters) in SECTIONS.iter() {
            let goal = Goal::of(&spec(name));
            for (number, Starter { er, puzzle, weight, .. }) in starters.iter().enumerate() {
                assert_eq!(Kernel::fastest().count(puzzle, 2, &mut budget()), Ok(1), "{name} {puzzle:?}");
                assert!((1..=WEIGHT).contains(weight), "{name} {puzzle:?}");
                if *er < HARDEST_FROM || number.is_multiple_of(RATED) {
                    assert!(reaches(&goal, puzzle), "{name} {puzzle:?}");
                    assert_eq!(rating(&goal, puzzle), *er, "{name} {puzzle:?}");
                }
            }
        }
    }

    #[test]
    fn starters_are_drawn_by_their_weights() {
        let of = [1, 3].map(|weight| Starter { er: Tenths(80), puzzle: Grid::EMPTY, is_full: true, weight, needs: "" });
        let starters: Vec<&'static Starter> = of.into_iter().map(|starter| &*Box::leak(Box::new(starter))).collect();
        let mut rng = Rng::from_seed(8);
        let heavy = (0..4_000).filter(|_| drawn(&starters, &mut rng).unwrap().weight == 3).count();
        assert!((2_900..3_100).contains(&heavy), "{heavy}");
        assert_eq!(drawn(&[], &mut rng), None);
    }

    #[test]
    fn every_one_of_the_hardest_is_unique_and_needs_dynamic_chains_and_some_are_as_the_table_says() {
        let lines = [HARDEST_TABLE, NESTED_TABLE, RARE_TABLE].map(|table| table.lines().count());
        assert_eq!([HARDEST.len(), DOUBLES.len()], [lines.iter().sum(), DOUBLES_TABLE.lines().count()]);
        let hardest = HARDEST.iter().map(|hardest| (HARDEST_FROM, hardest));
        let all = hardest.chain(DOUBLES.iter().map(|double| (BRANCHES_FROM, double)));
        for (number, (from, starter @ Starter { er, puzzle, .. })) in all.enumerate() {
            assert!(*er >= from, "{puzzle:?}");
            assert_eq!(Kernel::fastest().count(puzzle, 2, &mut budget()), Ok(1), "{puzzle:?}");
            assert_eq!(sort(puzzle, Sort::Dynamic, &mut budget()), Ok(Sort::Dynamic), "{puzzle:?}");
            let goal = Goal::of(&spec(&format!("{er} to 13.4")));
            assert_eq!(outlasts(puzzle, goal.outlasted(), &mut budget()), Ok(true), "{puzzle:?}");
            if number.is_multiple_of(RATED) {
                assert_eq!(rating(&goal, puzzle), *er, "{puzzle:?}");
            }
            if number.is_multiple_of(ASKED) {
                assert_eq!(needs_of(puzzle), starter.techniques().collect::<Vec<_>>(), "{puzzle:?}");
            }
        }
    }

    #[test]
    fn of_the_hardest_those_of_the_wanted_ratings_are_taken_and_where_they_are_few_the_next_ones() {
        let wanted = Tenths(95)..=Tenths(99);
        assert!(hardest(&wanted).iter().all(|starter| wanted.contains(&starter.er)));
        assert!(hardest(&wanted).len() > HARDEST_MIN);
        let most = hardest(&(Tenths(130)..=Tenths(134)));
        assert_eq!(most.len(), HARDEST_MIN);
        let easiest = most.iter().map(|starter| starter.er).min().unwrap();
        let harder = HARDEST.iter().filter(|starter| starter.er > easiest);
        assert!(harder.into_iter().all(|starter| most.contains(&starter)));
    }

    #[test]
    fn the_hardest_starters_of_a_technique_need_it_and_where_none_does_those_of_its_ratings_are_taken() {
        let of = |name: &str| Goal::of(&spec(name)).starters();
        let needs = |starter: &Starter, name: &str| starter.techniques().any(|known| known == name);
        for name in [
            "Dynamic Contradiction Forcing Chains (+ Multiple Forcing Chains)",
            "Dynamic Cell Forcing Chains (+ Dynamic Forcing Chains)",
            "Dynamic Double Forcing Chains (+)",
            "Dynamic Double Forcing Chains (+ Forcing Chains)",
            "Dynamic Region Forcing Chains (+ Multiple Forcing Chains)",
            "Dynamic Contradiction Forcing Chains (+ Dynamic Forcing Chains)",
        ] {
            assert!(!of(name).is_empty(), "{name}");
            assert!(of(name).iter().all(|starter| needs(starter, name)), "{name}");
        }
        let by_none = "Dynamic Region Forcing Chains (+ Dynamic Forcing Chains)";
        assert!(!of(by_none).is_empty());
        assert!(!of(by_none).iter().any(|starter| needs(starter, by_none)));
    }

    #[test]
    fn every_line_of_the_table_is_read_and_none_stands_there_twice() {
        let lines = TABLE.lines().filter(|line| !line.starts_with("# "));
        let named = lines.map(|line| 1 + line.matches(" Dynamic ").count()).sum::<usize>();
        assert_eq!(SECTIONS.values().map(Vec::len).sum::<usize>(), named);
        for (name, starters) in SECTIONS.iter() {
            assert!(starters.len() >= STARTERS_MIN, "{name} has {}", starters.len());
            let puzzles: std::collections::BTreeSet<_> = starters.iter().map(|starter| starter.puzzle).collect();
            assert_eq!(puzzles.len(), starters.len(), "{name}");
        }
    }

    #[test]
    fn starters_are_taken_where_every_half_point_that_is_wanted_has_some() {
        let number = |min, max| starters(&(Tenths(min)..=Tenths(max)), None).len();
        assert_eq!(number(30, 44), number(30, 34) + number(35, 39) + number(40, 44));
        assert!(number(30, 34) >= STARTERS_MIN);
        // 6.5 to 6.9 and 7.0 to 7.4 are common.
        assert_eq!([number(60, 69), number(70, 74), number(10, 134)], [0; 3]);
        assert_eq!(number(95, 134), number(95, 99) + number(100, 104));
        assert_eq!(number(105, 134), 0);
    }

    #[test]
    fn a_starter_of_a_technique_is_taken_only_for_its_rating() {
        let technique = TECHNIQUES.iter().find(|known| known.name == "Naked Pair");
        let wanted = Tenths(10)..=Tenths(42);
        let starters = starters(&wanted, technique);
        assert!(!starters.is_empty());
        assert!(starters.iter().all(|starter| wanted.contains(&starter.er)));
    }
}
