//! Lists the goals that the bench `hits` measures: each level, each half point of ER, such as 9.5 to 9.9, and each
//! technique.

use puzzled_engine::{
    shared::{
        kind::PuzzleKind as _,
        level::Tenths,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        variant::TechniqueGoal,
    },
    sudoku::Sudoku,
};

/// The half points of ER that the engine generates, 1.0 to 10.4; n stands for the ratings from n / 2.
const HALF_POINTS: std::ops::Range<u8> = 2..21;

/// A difficulty of one row: its spec, and the ratings and the technique by which a plain try counts as a hit.
pub(crate) struct Goal {
    pub(crate) name: String,
    pub(crate) spec: Spec,
    pub(crate) ratings: (Tenths, Tenths),
    pub(crate) technique: Option<&'static str>,
}

pub(crate) fn all() -> Vec<Goal> {
    let [nine] = Sudoku.variants() else { panic!("sudoku has one variant") };
    let levels = nine.levels.iter().map(|border| {
        let difficulty = Difficulty::Level(border.level);
        goal(border.level.name().to_owned(), difficulty, (border.min, border.max), None)
    });
    let techniques =
        nine.techniques.iter().filter(|known| known.goal != TechniqueGoal::Refused).map(|known| known.name);
    let techniques =
        techniques.map(|name| goal(name.to_owned(), Difficulty::Any, (Tenths(0), Tenths::MAX), Some(name)));
    levels.chain(half_points()).chain(techniques).collect()
}

pub(crate) fn half_points() -> impl Iterator<Item = Goal> {
    HALF_POINTS.map(|half| {
        let (min, max) = (Tenths(half * 5), Tenths(half * 5 + 4));
        goal(format!("{min} to {max}"), Difficulty::Range { min, max }, (min, max), None)
    })
}

fn goal(name: String, difficulty: Difficulty, ratings: (Tenths, Tenths), technique: Option<&'static str>) -> Goal {
    let spec = Spec { technique: technique.map(str::to_owned), ..spec(difficulty) };
    Goal { name, spec, ratings, technique }
}

pub(crate) fn spec(difficulty: Difficulty) -> Spec {
    let (kind, variant) = ("sudoku".to_owned(), "9x9".to_owned());
    Spec { kind, variant, symmetry: Symmetry::None, difficulty, clues: None, technique: None }
}
