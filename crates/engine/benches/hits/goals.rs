//! Lists the goals that the bench `hits` measures: each level, each half point of ER, such as 9.5 to 9.9, and each
//! technique that a request may name. Each goal has the spec of a request that states nothing else.

use puzzled_engine::{
    shared::{
        criteria::Criteria,
        kind::PuzzleKind as _,
        level::Tenths,
        spec::{Difficulty, Spec},
        variant::{TechniqueGoal, TechniqueInfo, VariantInfo},
    },
    sudoku::Sudoku,
};

/// The half points of ER that the engine generates, 1.0 to 10.4; n stands for the ratings from n / 2.
const HALF_POINTS: std::ops::Range<u8> = 2..21;

/// A goal: a row of the table. It has a spec, and the ratings and the technique by which a plain try counts as a hit.
pub(crate) struct Goal {
    pub(crate) name: String,
    pub(crate) spec: Spec,
    pub(crate) ratings: (Tenths, Tenths),
    pub(crate) technique: Option<&'static str>,
    pub(crate) is_offered: bool,
}

pub(crate) fn all() -> Vec<Goal> {
    let levels = nine().levels.iter().map(|border| {
        let difficulty = Difficulty::Level(border.level);
        goal(border.level.name().to_owned(), difficulty, (border.min, border.max), None)
    });
    levels.chain(half_points()).chain(techniques().filter(|goal| goal.is_offered)).collect()
}

pub(crate) fn half_points() -> impl Iterator<Item = Goal> {
    HALF_POINTS.map(|half| {
        let (min, max) = (Tenths(half * 5), Tenths(half * 5 + 4));
        goal(format!("{min} to {max}"), Difficulty::Range { min, max }, (min, max), None)
    })
}

/// Every technique of the ladder, even if no request may name it.
pub(crate) fn techniques() -> impl Iterator<Item = Goal> {
    let all = nine().techniques.iter();
    all.map(|known| goal(known.name.to_owned(), Difficulty::Any, (known.min_rating, known.max_rating), Some(known)))
}

fn goal(
    name: String,
    difficulty: Difficulty,
    ratings: (Tenths, Tenths),
    technique: Option<&'static TechniqueInfo>,
) -> Goal {
    let named = technique.map(|known| known.name.to_owned());
    let spec = Criteria { technique: named, ..Criteria::from(difficulty) }.spec(&Sudoku).expect("one criterion");
    let is_offered = technique.is_none_or(|known| known.goal != TechniqueGoal::Refused);
    Goal { name, spec, ratings, technique: technique.map(|known| known.name), is_offered }
}

fn nine() -> &'static VariantInfo {
    Sudoku.variant("9x9").expect("the only variant")
}
