//! Checks a Sudoku spec before its job is queued, and turns its difficulty into a range of ratings.

use std::ops::RangeInclusive;

use super::{
    offer::{CLUES, check_rare, is_offered},
    thin::reachable,
};
use crate::{
    shared::{
        level::Tenths,
        spec::{Difficulty, Spec, SpecError},
        symmetry::Symmetry,
    },
    sudoku::{
        board::CELLS,
        check_variant, nine,
        orbits::orbits,
        techniques::{TECHNIQUES, Technique},
    },
};

/// Pairs of a technique and a stronger one that finds all that the first finds. From the rating of the second on, no puzzle needs
/// the first.
const STAND_INS: [(&str, &str); 4] = [
    ("Last Cell", "Hidden Single in Line"),
    ("Direct Pointing", "Pointing"),
    ("Direct Hidden Pair", "Hidden Pair"),
    ("Direct Hidden Triplet", "Hidden Triplet"),
];

/// Refuses a spec that no puzzle can fulfill or that is not offered.
pub(in crate::sudoku) fn check(spec: &Spec) -> Result<(), SpecError> {
    check_variant(&spec.variant).map_err(|reason| SpecError::Invalid { field: "variant", reason })?;
    spec.clues.map_or(Ok(()), |clues| check_clues(clues, spec.symmetry))?;
    nine().check_difficulty("sudoku", spec.difficulty)?;
    spec.technique.as_ref().map_or(Ok(()), |name| check_technique(name, spec.difficulty))?;
    check_rare(spec)
}

fn check_technique(name: &str, difficulty: Difficulty) -> Result<(), SpecError> {
    let invalid = |reason: String| Err(SpecError::Invalid { field: "technique", reason });
    let known = TECHNIQUES.iter().find(|known| known.name == name);
    let Some(technique) = known.filter(|_| is_offered(name)) else {
        return invalid(nine().unknown_technique(name));
    };
    let (easiest, hardest) = ratings(difficulty).into_inner();
    if technique.rating > hardest {
        return invalid(format!("{name} is rated {}, above {hardest}, the hardest rating wanted", technique.rating));
    }
    match stand_in(technique) {
        Some(other) if other.rating <= easiest => invalid(format!(
            "{name} is never needed from {} on, where {} does the same, and the easiest rating wanted is {easiest}",
            other.rating, other.name
        )),
        _ => Ok(()),
    }
}

fn stand_in(technique: &Technique) -> Option<&'static Technique> {
    let (_, other) = STAND_INS.iter().find(|(name, _)| *name == technique.name)?;
    TECHNIQUES.iter().find(|known| known.name == *other)
}

/// The ratings that meet a difficulty of a checked spec and are generated.
pub(super) fn ratings(difficulty: Difficulty) -> RangeInclusive<Tenths> {
    nine().ratings(difficulty).expect("the only variant has all levels")
}

/// Refuses a number of givens if no choice of the symmetry's orbits has that many cells.
fn check_clues(clues: u16, symmetry: Symmetry) -> Result<(), SpecError> {
    let (min, max) = (CLUES.start(), CLUES.end());
    let invalid = |reason: String| Err(SpecError::Invalid { field: "clues", reason });
    if !CLUES.contains(&clues) {
        return invalid(format!("{clues} is not allowed; use {min} to {max}"));
    }
    let numbers = reachable(orbits(symmetry).iter());
    let fits = |number: &u16| usize::from(*number) <= CELLS && numbers & (1 << number) != 0;
    if fits(&clues) {
        return Ok(());
    }
    let below = (*min..clues).rev().find(fits);
    let above = (clues..=*max).find(fits);
    let nearest: Vec<_> = [below, above].into_iter().flatten().map(|number| number.to_string()).collect();
    invalid(format!(
        "no pattern of {clues} givens has the symmetry {}: nearest {}",
        symmetry.name(),
        nearest.join(" and ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        shared::level::Level,
        sudoku::{VARIANT, make::offer::GENERATED_MAX, rate::rating::RATING_MAX},
    };

    fn spec(symmetry: Symmetry, difficulty: Difficulty, clues: Option<u16>) -> Spec {
        Spec { kind: "sudoku".to_owned(), variant: VARIANT.to_owned(), symmetry, difficulty, clues, technique: None }
    }

    fn invalid(field: &'static str, reason: &str) -> Result<(), SpecError> {
        Err(SpecError::Invalid { field, reason: reason.to_owned() })
    }

    #[test]
    fn number_of_givens_must_fit_the_symmetry() {
        let wrong_sum = "no pattern of 27 givens has the symmetry rotation90: nearest 25 and 28";
        let wrong_full = "no pattern of 22 givens has the symmetry full: nearest 21 and 24";
        let cases = [
            (Symmetry::None, 18, invalid("clues", "18 is not allowed; use 19 to 80")),
            (Symmetry::None, 19, Ok(())),
            (Symmetry::None, 80, Ok(())),
            (Symmetry::None, 81, invalid("clues", "81 is not allowed; use 19 to 80")),
            (Symmetry::Rotation180, 23, Ok(())),
            (Symmetry::Rotation180, 24, Ok(())),
            (Symmetry::Rotation90, 27, invalid("clues", wrong_sum)),
            (Symmetry::Rotation90, 28, Ok(())),
            (Symmetry::Diagonal, 27, Ok(())),
            (Symmetry::Full, 20, Ok(())),
            (Symmetry::Full, 22, invalid("clues", wrong_full)),
        ];
        for (symmetry, clues, wanted) in cases {
            assert_eq!(check(&spec(symmetry, Difficulty::Any, Some(clues))), wanted, "{symmetry:?} {clues}");
        }
    }

    #[test]
    fn target_must_be_on_the_scale_and_within_reach() {
        let range = |min, max| Difficulty::Range { min: Tenths(min), max: Tenths(max) };
        let unsupported =
            |min| Err(SpecError::RatingUnsupported { wanted_min: Tenths(min), supported_max: GENERATED_MAX });
        let cases = [
            (Difficulty::Any, Ok(())),
            (Difficulty::Level(Level::Easy), Ok(())),
            (Difficulty::Level(Level::Expert), Ok(())),
            (Difficulty::Level(Level::Evil), Ok(())),
            (range(44, 90), Ok(())),
            (range(104, 140), Ok(())),
            (range(105, 140), unsupported(105)),
            (range(0, 10), Ok(())),
            (range(0, 9), invalid("max_rating", "0.9 is below 1.0, the easiest rating of sudoku")),
            (range(26, 25), invalid("min_rating", "2.6 is above max_rating, 2.5")),
            (range(26, 26), Ok(())),
        ];
        for (difficulty, wanted) in cases {
            assert_eq!(check(&spec(Symmetry::None, difficulty, None)), wanted, "{difficulty:?}");
        }
    }

    #[test]
    fn an_unknown_variant_is_refused_with_the_known_ones() {
        let small = Spec { variant: "4x4".to_owned(), ..spec(Symmetry::None, Difficulty::Any, None) };
        assert_eq!(check(&small), invalid("variant", "unknown variant \"4x4\" of sudoku; use 9x9"));
    }

    #[test]
    fn target_is_capped_at_the_hardest_generated_rating() {
        assert_eq!(ratings(Difficulty::Level(Level::Evil)), Tenths(70)..=Tenths(104));
        assert_eq!(ratings(Difficulty::Any), Tenths(10)..=RATING_MAX);
    }
}
