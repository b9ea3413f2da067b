//! What a spec may request: the techniques, the hardest rating, and the numbers of givens. Also lists the rare goals, which
//! cannot be combined with a symmetry or a number of givens.
//!
//! `cargo bench --bench hits -- --rare` prints how many puzzles each goal yields in 60 seconds on one core, from random grids
//! alone. A technique is offered if it has starters (`starters/table.txt`), or if it yields at least 6 puzzles. A goal that
//! yields fewer than 6 is rare. Techniques with a `(+…)` in their names and half points from 9.5 on yield none.

use std::{ops::RangeInclusive, sync::LazyLock};

use super::wanted;
use crate::{
    FIRST_VERSION,
    shared::{
        level::Tenths,
        spec::{Spec, SpecError},
        symmetry::Symmetry,
        variant::{TechniqueGoal, TechniqueInfo},
    },
    sudoku::techniques,
};

/// The hardest rating that is generated: the end of the last half point that has starters.
pub(in crate::sudoku) const GENERATED_MAX: Tenths = Tenths(104);

/// The numbers of givens that a spec may request. Below 19, one core makes fewer than one puzzle in 10 seconds. With 81, nothing
/// is left to solve.
pub(super) const CLUES: RangeInclusive<u16> = 19..=80;

/// Every goal from this rating on is rare.
const RARE_FROM: Tenths = Tenths(95);

/// The rare techniques. Each has starters.
const RARE: [&str; 5] = [
    "Dynamic Contradiction Forcing Chains (+)",
    "Dynamic Cell Forcing Chains (+)",
    "Dynamic Region Forcing Chains (+)",
    "Dynamic Cell Forcing Chains (+ Forcing Chains)",
    "Dynamic Region Forcing Chains (+ Forcing Chains)",
];

/// The techniques that a spec may not request, because their goals yield too few puzzles.
const REFUSED: [&str; 17] = [
    "Direct Claiming",
    "Dynamic Double Forcing Chains",
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
        TechniqueInfo { name: known.name, rating: known.rating, goal, since: since(known.name) }
    };
    techniques::TECHNIQUES.iter().map(info).collect()
});

/// Refuses a rare goal combined with a symmetry or a number of givens. Rare goals are made from starters, which have no symmetry
/// and no choice of givens.
pub(super) fn check_rare(spec: &Spec) -> Result<(), SpecError> {
    let rare = match spec.technique.as_deref() {
        Some(name) if RARE.contains(&name) => format!("{name}, which is too rare"),
        _ if *wanted::ratings(spec.difficulty).start() >= RARE_FROM => {
            format!("ratings from {RARE_FROM} on, which are too rare")
        }
        _ => return Ok(()),
    };
    let refused = |field, value: &str, allowed: &str| {
        let reason = format!("{value} cannot be combined with {rare}; {allowed}");
        Err(SpecError::Invalid { field, reason })
    };
    match (spec.symmetry, spec.clues) {
        (Symmetry::None, None) => Ok(()),
        (Symmetry::None, Some(clues)) => refused("clues", &clues.to_string(), "omit the number"),
        (symmetry, _) => refused("symmetry", symmetry.name(), "only none is allowed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::make::starters::{SECTIONS, tests::spec};

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
    fn every_technique_of_the_table_is_offered() {
        let of_table = SECTIONS.keys().filter(|name| !name.contains(" to "));
        let missing: Vec<_> = of_table.filter(|name| !is_offered(name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert!(RARE.iter().all(|name| SECTIONS.contains_key(name)));
    }

    #[test]
    fn a_rare_goal_is_refused_with_a_symmetry_or_a_number_of_givens() {
        let check = |name: &str, symmetry, clues| match check_rare(&Spec { symmetry, clues, ..spec(name) }) {
            Ok(()) => String::new(),
            Err(error) => error.to_string(),
        };
        let (none, full) = (Symmetry::None, Symmetry::Full);
        let range = "cannot be combined with ratings from 9.5 on, which are too rare";
        let technique = "cannot be combined with Dynamic Cell Forcing Chains (+), which is too rare";
        for (name, symmetry, clues, refusal) in [
            ("9.5 to 13.4", none, None, String::new()),
            ("9.4 to 10.4", full, Some(24), String::new()),
            ("9.5 to 9.9", full, None, format!("symmetry: full {range}; only none is allowed")),
            ("9.8 to 10.4", none, Some(24), format!("clues: 24 {range}; omit the number")),
            ("Region Forcing Chains", full, Some(24), String::new()),
            ("Dynamic Cell Forcing Chains (+)", none, None, String::new()),
            ("Dynamic Cell Forcing Chains (+)", none, Some(24), format!("clues: 24 {technique}; omit the number")),
            (
                "Dynamic Cell Forcing Chains (+)",
                full,
                None,
                format!("symmetry: full {technique}; only none is allowed"),
            ),
        ] {
            assert_eq!(check(name, symmetry, clues), refusal, "{name} {symmetry:?} {clues:?}");
        }
    }
}
