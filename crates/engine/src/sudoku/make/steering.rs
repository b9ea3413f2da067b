//! How a puzzle for each goal is made, as one table: where the candidate puzzles come from, which of them pass, and how the try
//! finishes. A try uses the first row that applies to its goal. In "prove" rows, the proof finds the rating.
//!
//! | goals | source | filter | finish |
//! |---|---|---|---|
//! | a number of givens | random grid, thinned to that number | every puzzle | move givens until the goal is reached |
//! | any puzzle | random grid, thinned | every puzzle | prove |
//! | starters exist; hard chains | starter, rewritten | every puzzle | prove |
//! | starters exist; other steps | starter, rewritten | every puzzle | rate, and remove givens while the goal is reached |
//! | ratings from 7.0–7.4 up to 7.4 or above | random grid, thinned | easier steps do not solve it | prove |
//! | ratings from 7.5 up; Nishio | random grid, thinned, givens scattered | class of reasoning | prove |
//! | other techniques from 7.5 up | random grid, thinned, givens scattered | class of reasoning | rate until one reaches it |
//! | singles | random grid, thinned | every puzzle | rate; ease each puzzle that is too hard |
//! | all others | random grid, thinned | every puzzle | rate; ease a puzzle that is too hard if its step is rare |
//!
//! `cargo bench --bench hits` prints what each goal costs with and without steering. The numbers below were chosen with it.

use std::ops::RangeInclusive;

use super::goal::Goal;
use crate::{
    shared::level::Tenths,
    sudoku::techniques::{ALIGNED_TRIPLET, Class, Technique},
};

/// The maximum number of candidate puzzles that one try filters. A candidate takes about 0.2 ms. Most classes need 10 to 40 of
/// them, and Aligned Triplet Exclusion needs 500. A higher limit makes tries longer and misses rarer.
pub(super) const FILTERED_MAX: u32 = 2_000;

/// The maximum number of ratings in one try. A rating takes about a millisecond. A higher limit makes tries longer and misses
/// rarer.
const RATINGS_MAX: u32 = 200;

/// The maximum number of ratings in one try for a technique of hard chains. Each takes about ten milliseconds.
const RATINGS_OF_HARD_MAX: u32 = 40;

/// The maximum number of ratings of rewritten starters in one try. Each success moves the puzzle further from its starter:
/// fewer ratings make a try faster and its puzzles more similar.
const RATINGS_OF_STARTER_MAX: u32 = 16;

/// A wanted step is rare if at most one in this many new puzzles has it. If a puzzle with a rare step is too hard, it is eased,
/// and its neighbors are rated. A higher number prefers new puzzles, which cost less and differ more.
pub(super) const RARE_ONE_IN: u32 = 10;

/// The number of neighbors of a puzzle with a rare step that are rated before it is given up. A higher number costs time where
/// neighbors have the step but rarely reach the goal.
pub(super) const NEAR_MAX: u32 = 12;

/// The maximum number of orbits that easing puts back into one puzzle, and the maximum number that it rates to choose each of
/// them. Higher numbers ease more puzzles, take more time per puzzle, and leave more givens.
pub(super) const EASED_BY_MAX: u32 = 12;
pub(super) const EASED_TRIED: usize = 6;

/// The highest rating of goals for which every puzzle that is too hard is eased. Putting givens back preserves the wanted step
/// only if it is a single.
const SINGLES_UP_TO: Tenths = Tenths(19);

/// The lowest ratings of common goals: most puzzles that easier steps do not solve reach such a goal.
const COMMON_FROM: RangeInclusive<Tenths> = Tenths(70)..=Tenths(74);

/// By rating, the easiest and the hardest of the classes of reasoning, one of which nearly all puzzles need. A row
/// applies from its rating up to that of the next row. Below the first row, there are no such classes.
const CLASSES: [(Tenths, Class, Class); 4] = [
    (Tenths(75), Class::Nishio, Class::Nishio),
    (Tenths(80), Class::Multiple, Class::Multiple),
    (Tenths(85), Class::Long, Class::Dynamic),
    (Tenths(90), Class::Dynamic, Class::Dynamic),
];

/// The same for puzzles whose hardest technique is wanted, by the rating of its easiest form.
const CLASSES_OF_TECHNIQUES: [(Tenths, Class, Class); 3] = [
    (Tenths(75), Class::Nishio, Class::Nishio),
    (Tenths(80), Class::Multiple, Class::Long),
    (Tenths(85), Class::Dynamic, Class::Dynamic),
];

/// A row of the table above.
#[derive(Debug)]
pub(in crate::sudoku) struct Row {
    serves: fn(&Goal) -> bool,
    pub(super) source: Source,
    pub(super) filter: Filter,
    pub(super) finish: Finish,
}

/// Where candidate puzzles come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sudoku) enum Source {
    /// A starter for the goal (`starters/`), rewritten.
    Starter,
    /// A random grid with as many givens removed as possible, in random order.
    Thinned,
    /// The same, but three scattered cells of each box are removed last (`thin.rs`).
    Scattered,
    /// A random grid, thinned to the wanted number of givens.
    ThinnedToNumber,
}

/// Which candidate puzzles pass the filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sudoku) enum Filter {
    All,
    /// Puzzles that steps below the wanted ratings do not solve.
    HardEnough,
    /// Puzzles that need a class of reasoning of the goal (`techniques/rough/`).
    Class,
}

/// How a try finishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sudoku) enum Finish {
    /// Prove the first puzzle that passes; the proof finds its rating.
    Prove,
    /// Rate puzzles until one reaches the goal. With `eases_all`, every puzzle that is too hard is eased, otherwise only one
    /// whose wanted step is rare.
    Rate { ratings_max: u32, eases_all: bool },
    /// Put givens back and remove others, as long as the distance to the goal does not grow.
    Move { ratings_max: u32 },
}

static ROWS: [Row; 9] = [
    Row {
        serves: |goal| goal.givens.is_some(),
        source: Source::ThinnedToNumber,
        filter: Filter::All,
        finish: Finish::Move { ratings_max: RATINGS_MAX },
    },
    Row { serves: |goal| goal.is_any, source: Source::Thinned, filter: Filter::All, finish: Finish::Prove },
    Row {
        serves: |goal| !goal.starters.is_empty() && goal.classes.is_some(),
        source: Source::Starter,
        filter: Filter::All,
        finish: Finish::Prove,
    },
    Row {
        serves: |goal| !goal.starters.is_empty(),
        source: Source::Starter,
        filter: Filter::All,
        finish: Finish::Rate { ratings_max: RATINGS_OF_STARTER_MAX, eases_all: false },
    },
    Row { serves: is_common, source: Source::Thinned, filter: Filter::HardEnough, finish: Finish::Prove },
    Row { serves: is_told_by_class, source: Source::Scattered, filter: Filter::Class, finish: Finish::Prove },
    Row {
        serves: |goal| goal.classes.is_some(),
        source: Source::Scattered,
        filter: Filter::Class,
        finish: Finish::Rate { ratings_max: RATINGS_OF_HARD_MAX, eases_all: false },
    },
    Row {
        serves: |goal| *goal.wanted.end() <= SINGLES_UP_TO,
        source: Source::Thinned,
        filter: Filter::All,
        finish: Finish::Rate { ratings_max: RATINGS_MAX, eases_all: true },
    },
    Row {
        serves: |_| true,
        source: Source::Thinned,
        filter: Filter::All,
        finish: Finish::Rate { ratings_max: RATINGS_MAX, eases_all: false },
    },
];

/// The first row that applies to a goal.
pub(in crate::sudoku) fn row(goal: &Goal) -> &'static Row {
    ROWS.iter().find(|row| (row.serves)(goal)).unwrap_or(&ROWS[ROWS.len() - 1])
}

/// Whether most puzzles that easier steps do not solve reach the goal.
fn is_common(goal: &Goal) -> bool {
    let is_wide = goal.wanted.end() >= COMMON_FROM.end();
    goal.technique.is_none() && COMMON_FROM.contains(goal.wanted.start()) && is_wide
}

/// Whether most puzzles that need one of the goal's classes reach it.
fn is_told_by_class(goal: &Goal) -> bool {
    goal.classes.as_ref().is_some_and(|classes| goal.technique.is_none() || *classes.end() == Class::Nishio)
}

/// Classes of reasoning, one of which is needed by nearly all puzzles with these ratings and, if stated, this
/// technique. `None` if patterns and chains without branches may be enough.
pub(in crate::sudoku) fn classes(
    ratings: &RangeInclusive<Tenths>,
    technique: Option<&Technique>,
) -> Option<RangeInclusive<Class>> {
    let at = |table: &[(Tenths, Class, Class)], rating: Tenths| {
        table.iter().rfind(|(from, ..)| *from <= rating).map(|&(_, easiest, hardest)| (easiest, hardest))
    };
    match technique {
        Some(technique) if technique.name == ALIGNED_TRIPLET.name => Some(Class::Aligned..=Class::Aligned),
        Some(technique) => at(&CLASSES_OF_TECHNIQUES, technique.rating).map(|(easiest, hardest)| easiest..=hardest),
        None => {
            let (easiest, _) = at(&CLASSES, *ratings.start())?;
            let (_, hardest) = at(&CLASSES, *ratings.end())?;
            Some(easiest..=hardest)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        shared::{
            givens::Givens,
            rng::Rng,
            spec::{Difficulty, Spec},
            symmetry::Symmetry,
        },
        sudoku::make::starters::tests::spec,
    };

    fn goal(spec: &Spec) -> Goal {
        Goal::of(spec, &mut Rng::from_seed(1))
    }

    /// The index of the row that serves a range or a technique.
    fn row_of(name: &str, symmetry: Symmetry, givens: Option<u16>) -> usize {
        let givens = givens.map(|number| Givens::new(number, number));
        let goal = goal(&Spec { symmetry, givens, ..spec(name) });
        ROWS.iter().position(|row| (row.serves)(&goal)).unwrap()
    }

    #[test]
    fn each_row_serves_its_goals() {
        let (none, half_turn) = (Symmetry::None, Symmetry::Rotation180);
        for (name, symmetry, givens, row) in [
            ("4.4 to 6.0", none, Some(28), 0),
            ("XY-Wing", half_turn, Some(28), 0),
            ("Region Forcing Chains", none, None, 2),
            ("8.0 to 8.4", none, None, 2),
            ("9.5 to 13.4", none, None, 2),
            ("XY-Wing", none, None, 3),
            ("3.0 to 3.4", none, None, 3),
            ("7.0 to 10.4", none, None, 4),
            ("7.5 to 7.9", none, None, 5),
            ("8.0 to 8.4", half_turn, None, 5),
            ("Nishio Forcing Chains", none, None, 5),
            ("Region Forcing Chains", half_turn, None, 6),
            ("Aligned Triplet Exclusion", half_turn, None, 6),
            ("1.2 to 1.5", none, None, 7),
            ("Last Cell", none, None, 7),
            ("3.0 to 3.4", half_turn, None, 8),
            ("2.6 to 7.4", none, None, 8),
        ] {
            assert_eq!(row_of(name, symmetry, givens), row, "{name} {symmetry:?} {givens:?}");
        }
        let any = goal(&Spec { difficulty: Difficulty::Any, ..spec("1.0 to 2.0") });
        assert_eq!(ROWS.iter().position(|row| (row.serves)(&any)), Some(1));
    }

    #[test]
    fn a_goal_has_starters_only_if_its_row_takes_one() {
        for (name, symmetry) in
            [("XY-Wing", Symmetry::None), ("XY-Wing", Symmetry::Full), ("1.2 to 1.5", Symmetry::None)]
        {
            let goal = goal(&Spec { symmetry, ..spec(name) });
            assert_eq!(row(&goal).source == Source::Starter, !goal.starters.is_empty(), "{name} {symmetry:?}");
        }
    }
}
