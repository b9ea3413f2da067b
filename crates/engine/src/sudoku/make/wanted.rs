//! Checks a Sudoku spec before its job is queued, and turns its difficulty and technique into a range of ratings.

use std::ops::RangeInclusive;

use super::{
    offer::{check_offered, check_rare, is_offered},
    thin::reachable_within,
};
use crate::{
    shared::{
        level::Tenths,
        spec::{Difficulty, Spec, SpecError},
        variant::TechniqueInfo,
    },
    sudoku::{check_variant, nine},
};

/// Refuses a spec that no puzzle can fulfill or that is not offered.
pub(in crate::sudoku) fn check(spec: &Spec) -> Result<(), SpecError> {
    check_variant(&spec.variant).map_err(|reason| SpecError::Invalid { field: "variant", reason })?;
    if let Some(givens) = spec.givens {
        nine().check_givens("sudoku", givens, spec.symmetry, |range| reachable_within(range, spec.symmetry))?;
    }
    nine().check_difficulty("sudoku", spec.difficulty)?;
    let technique = spec.technique.as_ref().map(|name| offered(name)).transpose()?;
    let difficulty = nine().narrowed(spec.difficulty, technique)?;
    check_rare(spec, difficulty)?;
    spec.givens.map_or(Ok(()), |givens| check_offered(givens, difficulty))
}

/// The technique of this exact name, if a spec may ask for it.
fn offered(name: &str) -> Result<&'static TechniqueInfo, SpecError> {
    let known = nine().techniques.iter().find(|known| known.name == name && is_offered(name));
    known.ok_or_else(|| SpecError::Invalid { field: "technique", reason: nine().unknown_technique(name) })
}

/// The ratings of a checked spec that are generated: those of its difficulty, narrowed to the ratings of its technique,
/// if there is one.
pub(super) fn ratings(spec: &Spec) -> RangeInclusive<Tenths> {
    let technique = spec.technique.as_ref().and_then(|name| nine().techniques.iter().find(|known| known.name == name));
    let difficulty = nine().narrowed(spec.difficulty, technique).unwrap_or(spec.difficulty);
    ratings_of(difficulty)
}

/// The ratings that meet a difficulty of a checked spec and are generated.
fn ratings_of(difficulty: Difficulty) -> RangeInclusive<Tenths> {
    nine().ratings(difficulty).expect("the only variant has all levels")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        shared::{givens::Givens, level::Level, symmetry::Symmetry},
        sudoku::{VARIANT, make::offer::GENERATED_MAX, rate::rating::RATING_MAX},
    };

    fn spec(symmetry: Symmetry, difficulty: Difficulty, givens: Option<Givens>) -> Spec {
        Spec { kind: "sudoku".to_owned(), variant: VARIANT.to_owned(), symmetry, difficulty, givens, technique: None }
    }

    fn invalid(field: &'static str, reason: &str) -> Result<(), SpecError> {
        Err(SpecError::Invalid { field, reason: reason.to_owned() })
    }

    #[test]
    fn range_of_givens_must_be_made_and_fit_the_symmetry() {
        let wrong_sum = "no pattern of 26–27 givens has the symmetry rotation90; nearest: 25 and 28";
        let wrong_full = "no pattern of 22 givens has the symmetry full; nearest: 21 and 24";
        let cases = [
            (Symmetry::None, (18, 30), invalid("min_givens", "18 is not allowed; use 19 to 80")),
            (Symmetry::None, (30, 81), invalid("max_givens", "81 is not allowed; use 19 to 80")),
            (Symmetry::None, (30, 24), invalid("min_givens", "30 is above max_givens, 24")),
            (Symmetry::None, (19, 80), Ok(())),
            (Symmetry::Rotation180, (23, 23), Ok(())),
            (Symmetry::Rotation90, (26, 27), invalid("min_givens", wrong_sum)),
            (Symmetry::Rotation90, (26, 28), Ok(())),
            (Symmetry::Diagonal, (27, 27), Ok(())),
            (Symmetry::Full, (20, 20), Ok(())),
            (Symmetry::Full, (22, 22), invalid("min_givens", wrong_full)),
        ];
        for (symmetry, (min, max), wanted) in cases {
            let spec = spec(symmetry, Difficulty::Any, Some(Givens::new(min, max)));
            assert_eq!(check(&spec), wanted, "{symmetry:?} {min} {max}");
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
            (range(26, 25), Err(SpecError::RatingsCrossed { min: Tenths(26), max: Tenths(25) })),
            (range(26, 26), Ok(())),
        ];
        for (difficulty, wanted) in cases {
            assert_eq!(check(&spec(Symmetry::None, difficulty, None)), wanted, "{difficulty:?}");
        }
    }

    #[test]
    fn an_unknown_variant_is_refused_with_the_known_ones() {
        let small = Spec { variant: "5x5".to_owned(), ..spec(Symmetry::None, Difficulty::Any, None) };
        assert_eq!(
            check(&small),
            invalid(
                "variant",
                "unknown variant \"5x5\" of sudoku; use 9x9, 4x4, 6x6, 8x8, 9x9-x, 9x9-windoku, 10x10, 12x12, 16x16"
            )
        );
    }

    #[test]
    fn target_is_capped_at_the_hardest_generated_rating() {
        assert_eq!(ratings_of(Difficulty::Level(Level::Evil)), Tenths(70)..=Tenths(104));
        assert_eq!(ratings_of(Difficulty::Any), Tenths(10)..=RATING_MAX);
    }
}
