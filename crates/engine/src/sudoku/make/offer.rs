//! What a spec may request: the techniques, the hardest rating, and the numbers of givens. Also lists the rare goals, which
//! cannot be combined with a symmetry or with givens.
//!
//! `cargo bench --bench hits -- --rare` prints how many puzzles each goal yields in 60 seconds on one core, in the style of its
//! level and without one. A technique is offered if it yields at least 6, and rare if it does so only without a style. Most rare
//! techniques are made from starters (`starters/table.txt`). Techniques with a `(+…)` in their names and half points from 9.5 on
//! yield none from random grids.

use std::sync::LazyLock;

use crate::{
    FIRST_VERSION,
    shared::{
        givens::Givens,
        level::{Level, Tenths},
        phrases::range,
        spec::{Difficulty, Spec, SpecError},
        symmetry::Symmetry,
        variant::{TechniqueGoal, TechniqueInfo},
    },
    sudoku::{nine, rate::rating::RATING_MAX, techniques},
};

/// The hardest rating that is generated: the end of the last half point that has starters.
pub(in crate::sudoku) const GENERATED_MAX: Tenths = Tenths(104);

/// By level, the numbers of givens with which one core makes at least 6 puzzles in 60 seconds without a symmetry, as
/// `cargo bench --bench hits -- --givens` prints it.
const GIVENS: [(Level, Givens); 5] = [
    (Level::Easy, Givens::new(19, 80)),
    (Level::Medium, Givens::new(19, 54)),
    (Level::Hard, Givens::new(19, 49)),
    (Level::Expert, Givens::new(19, 55)),
    (Level::Evil, Givens::new(19, 49)),
];

/// Every goal from this rating on is rare.
const RARE_FROM: Tenths = Tenths(95);

/// The rare techniques. All but the first are made from starters.
const RARE: [&str; 6] = [
    "Hidden Quad",
    "Dynamic Contradiction Forcing Chains (+)",
    "Dynamic Cell Forcing Chains (+)",
    "Dynamic Region Forcing Chains (+)",
    "Dynamic Cell Forcing Chains (+ Forcing Chains)",
    "Dynamic Region Forcing Chains (+ Forcing Chains)",
];

/// The techniques that a spec may not request, because their goals yield too few puzzles.
const REFUSED: [&str; 17] = [
    "Last Cell",
    "Direct Claiming",
    "Dynamic Double Forcing Chains (+)",
    "Dynamic Contradiction Forcing Chains (+ Forcing Chains)",
    "Dynamic Double Forcing Chains (+ Forcing Chains)",
    "Dynamic Contradiction Forcing Chains (+ Multiple Forcing Chains)",
    "Dynamic Double Forcing Chains (+ Multiple Forcing Chains)",
    "Dynamic Cell Forcing Chains (+ Multiple Forcing Chains)",
    "Dynamic Region Forcing Chains (+ Multiple Forcing Chains)",
    "Dynamic Contradiction Forcing Chains (+ Dynamic Forcing Chains)",
    "Dynamic Double Forcing Chains (+ Dynamic Forcing Chains)",
    "Dynamic Cell Forcing Chains (+ Dynamic Forcing Chains)",
    "Dynamic Region Forcing Chains (+ Dynamic Forcing Chains)",
    "Dynamic Contradiction Forcing Chains (+ Nested Dynamic Forcing Chains)",
    "Dynamic Double Forcing Chains (+ Nested Dynamic Forcing Chains)",
    "Dynamic Cell Forcing Chains (+ Nested Dynamic Forcing Chains)",
    "Dynamic Region Forcing Chains (+ Nested Dynamic Forcing Chains)",
];

/// Whether a spec may request a technique of the ladder.
pub(super) fn is_offered(technique: &str) -> bool {
    !REFUSED.contains(&technique)
}

/// The techniques that a spec could not request in [`FIRST_VERSION`], each with the first version in which it can.
const LATER: [(&str, u32); 0] = [];

/// The first engine version in which a spec can request the technique.
fn since(technique: &str) -> u32 {
    LATER.iter().find(|(later, _)| *later == technique).map_or(FIRST_VERSION, |(_, since)| *since)
}

/// All techniques of the ladder, easiest first, each with whether a spec may request it.
pub(in crate::sudoku) static TECHNIQUE_INFOS: LazyLock<Vec<TechniqueInfo>> = LazyLock::new(|| {
    let info = |known: &techniques::Technique| {
        let goal = match known.name {
            name if RARE.contains(&name) => TechniqueGoal::Rare,
            name if is_offered(name) => TechniqueGoal::Generated,
            _ => TechniqueGoal::Refused,
        };
        let (min_rating, max_rating) = (known.rating, techniques::max_rating(known).min(RATING_MAX));
        TechniqueInfo { name: known.name, min_rating, max_rating, goal, since: since(known.name) }
    };
    techniques::TECHNIQUES.iter().map(info).collect()
});

/// Refuses a range of givens if no level of the wanted ratings is made with any number of it.
pub(super) fn check_offered(givens: Givens, difficulty: Difficulty) -> Result<(), SpecError> {
    let offered = |level: Level| GIVENS.iter().find(|(of, _)| *of == level).map(|(_, offered)| *offered);
    let touched: Vec<_> = nine().touched(difficulty).filter_map(|level| Some((level, offered(level)?))).collect();
    if touched.iter().any(|(_, offered)| offered.meets(givens)) {
        return Ok(());
    }
    let names: Vec<_> = touched.iter().map(|(level, _)| level.name()).collect();
    let has = |(level, Givens { min, max }): &(Level, Givens)| format!("{} has {}", level.name(), range(min, max));
    let has: Vec<_> = touched.iter().map(has).collect();
    let reason = format!("{} with {givens} givens is not made; {}", names.join(" or "), has.join(", "));
    Err(SpecError::Invalid { field: "min_givens", reason })
}

/// Refuses a rare goal combined with a symmetry or with givens. Most rare goals are made from starters, which have no symmetry
/// and no choice of givens. `difficulty` is that of the spec, narrowed to its technique.
pub(super) fn check_rare(spec: &Spec, difficulty: Difficulty) -> Result<(), SpecError> {
    let rare = match spec.technique.as_deref() {
        Some(name) if RARE.contains(&name) => format!("{name}, which is too rare"),
        _ if nine().bounds(difficulty).is_some_and(|(min, _)| min >= RARE_FROM) => {
            format!("ratings from {RARE_FROM} on, which are too rare")
        }
        _ => return Ok(()),
    };
    let refused = |field, value: &str, allowed: &str| {
        let reason = format!("{value} cannot be combined with {rare}; {allowed}");
        Err(SpecError::Invalid { field, reason })
    };
    match (spec.symmetry, spec.givens) {
        (Symmetry::None, None) => Ok(()),
        (Symmetry::None, Some(givens)) => refused("min_givens", &format!("{givens} givens"), "omit the givens"),
        (symmetry, _) => refused("symmetry", symmetry.name(), "only none is allowed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::make::starters::tests::{self as tests_of_starters, spec};

    #[test]
    fn every_technique_offered_after_the_first_version_states_its_own() {
        // The first version offers 53. A technique that is offered later must be listed in `LATER`.
        let offered = techniques::TECHNIQUES.iter().filter(|technique| is_offered(technique.name));
        assert_eq!(offered.count() - LATER.len(), 53);
        let is_known = |name: &str| techniques::TECHNIQUES.iter().any(|known| known.name == name);
        assert!(REFUSED.iter().all(|name| is_known(name)));
        assert!(LATER.iter().all(|(name, since)| is_known(name) && is_offered(name) && *since > FIRST_VERSION));
    }

    #[test]
    fn every_rare_technique_but_the_first_has_starters() {
        for name in &RARE[1..] {
            assert!(is_offered(name) && !tests_of_starters::of_technique(name).is_empty(), "{name}");
        }
    }

    #[test]
    fn rare_goal_is_refused_with_a_symmetry_or_givens() {
        let check = |name: &str, symmetry, givens: Option<u16>| {
            let givens = givens.map(|number| Givens::new(number, number));
            let spec = Spec { symmetry, givens, ..spec(name) };
            let technique = spec.technique.as_deref().and_then(|name| nine().technique(name));
            let checked = check_rare(&spec, nine().narrowed(spec.difficulty, technique).unwrap());
            checked.err().map(|error| error.to_string()).unwrap_or_default()
        };
        let (none, full) = (Symmetry::None, Symmetry::Full);
        let range = "cannot be combined with ratings from 9.5 on, which are too rare";
        let technique = "cannot be combined with Dynamic Cell Forcing Chains (+), which is too rare";
        for (name, symmetry, givens, refusal) in [
            ("9.5 to 13.4", none, None, String::new()),
            ("9.4 to 10.4", full, Some(24), String::new()),
            ("9.5 to 9.9", full, None, format!("symmetry: full {range}; only none is allowed")),
            ("9.8 to 10.4", none, Some(24), format!("min_givens: 24 givens {range}; omit the givens")),
            ("Region Forcing Chains", full, Some(24), String::new()),
            ("Dynamic Cell Forcing Chains (+)", none, None, String::new()),
            (
                "Dynamic Cell Forcing Chains (+)",
                none,
                Some(24),
                format!("min_givens: 24 givens {technique}; omit the givens"),
            ),
            (
                "Dynamic Cell Forcing Chains (+)",
                full,
                None,
                format!("symmetry: full {technique}; only none is allowed"),
            ),
        ] {
            assert_eq!(check(name, symmetry, givens), refusal, "{name} {symmetry:?} {givens:?}");
        }
    }
}
