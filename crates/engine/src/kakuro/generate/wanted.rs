//! Checks a Kakuro spec before its job is queued, and turns its difficulty into a range of ratings.

use std::ops::RangeInclusive;

use super::offer;
use crate::{
    kakuro::{
        VARIANTS,
        layouts::{has_symmetry, needs_square, never_unique},
        variant::{MADE_MIN, Variant},
    },
    shared::{
        level::Tenths,
        spec::{Difficulty, Spec, SpecError},
    },
};

/// Checks whether puzzles of a spec can be made.
pub(in crate::kakuro) fn check(spec: &Spec) -> Result<(), SpecError> {
    let variant = variant(&spec.variant).map_err(|reason| SpecError::Invalid { field: "variant", reason })?;
    check_symmetry(&variant, spec)?;
    if spec.givens.is_some() {
        return Err(SpecError::lacks("kakuro", "min_givens", "its givens, which are the runs of its layout"));
    }
    if spec.technique.is_some() {
        return Err(SpecError::lacks_technique("kakuro"));
    }
    VARIANTS[0].check_difficulty("kakuro", spec.difficulty)?;
    offer::check(spec, &variant)
}

/// The variant with this name, if puzzles of it can be made.
pub(in crate::kakuro) fn variant(name: &str) -> Result<Variant, String> {
    let variant = Variant::parse(name)?;
    check_size(&variant)?;
    Ok(variant)
}

/// The ratings that meet a difficulty of a checked spec and that the rater can give.
pub(super) fn ratings(difficulty: Difficulty) -> RangeInclusive<Tenths> {
    VARIANTS[0].ratings(difficulty).expect("each variant has all levels")
}

fn check_size(variant: &Variant) -> Result<(), String> {
    if let Some(layout) = &variant.layout {
        return match never_unique(layout) {
            None => Ok(()),
            Some(twins) => {
                let [one, other] = twins.map(|run| layout.name(usize::from(layout.runs()[run].whites()[0])));
                Err(format!(
                    "{one} and {other}: two runs of 9 cells through the same crossing runs can always be exchanged, so no \
                     puzzle on this layout has one solution"
                ))
            }
        };
    }
    for (side, len) in [("width", variant.width), ("height", variant.height)] {
        if len < MADE_MIN {
            return Err(format!("{side} {len} is below {MADE_MIN}, the minimum for generated boards"));
        }
    }
    match narrow_max(variant) {
        Some(max) if variant.width.max(variant.height) > max => Err(format!(
            "no layout of {MADE_MIN} by {} has runs of at most {} cells and {} percent white; the longest side is {max}",
            variant.width.max(variant.height),
            variant.run_max,
            variant.white_min
        )),
        _ => Ok(()),
    }
}

/// The maximum side of a board that has three inner rows or columns. The middle line has a block only where all three
/// lines have one, because a block in the middle line alone would isolate a white cell. A line of three blocks inside
/// the board would cut it in two. So one run spans the middle row or column, except for blocks at its ends.
fn narrow_max(variant: &Variant) -> Option<usize> {
    let narrow = variant.width.min(variant.height) == MADE_MIN;
    narrow.then(|| 100 * variant.run_max / variant.white_min + 1)
}

fn check_symmetry(variant: &Variant, spec: &Spec) -> Result<(), SpecError> {
    let invalid = |reason: String| Err(SpecError::Invalid { field: "symmetry", reason });
    let (name, Variant { width, height, .. }) = (spec.symmetry.name(), variant);
    if needs_square(spec.symmetry) && width != height {
        return invalid(format!("{name} needs a square board, and {width}x{height} is not square"));
    }
    match &variant.layout {
        Some(layout) if !has_symmetry(layout, spec.symmetry) => {
            invalid(format!("the layout lacks the symmetry {name}"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::{givens::Givens, level::Level, symmetry::Symmetry};

    fn spec(variant: &str, symmetry: Symmetry, difficulty: Difficulty, givens: Option<Givens>) -> Spec {
        Spec { kind: "kakuro".to_owned(), variant: variant.to_owned(), symmetry, difficulty, givens, technique: None }
    }

    fn invalid(field: &'static str, reason: &str) -> Result<(), SpecError> {
        Err(SpecError::Invalid { field, reason: reason.to_owned() })
    }

    #[test]
    fn layout_must_be_possible() {
        let nine = "#.........";
        let twins = format!("10x3:##########,{nine},{nine}");
        let exchanged = "r2c2 and r3c2: two runs of 9 cells through the same crossing runs can always be exchanged, so no \
                         puzzle on this layout has one solution";
        let narrow = "no layout of 4 by 13 has runs of at most 7 cells and 62 percent white; the longest side is 12";
        let own = "4x4:####,#..#,#...,##..";
        let cases = [
            ("8x10", Symmetry::None, Ok(())),
            ("5x30", Symmetry::Rotation180, Ok(())),
            ("4x12", Symmetry::None, Ok(())),
            ("4x13", Symmetry::None, invalid("variant", narrow)),
            ("30x30-runs9-white70", Symmetry::Full, Ok(())),
            ("3x10", Symmetry::None, invalid("variant", "width 3 is below 4, the minimum for generated boards")),
            ("8x10", Symmetry::Diagonal, invalid("symmetry", "diagonal needs a square board, and 8x10 is not square")),
            (&twins, Symmetry::None, invalid("variant", exchanged)),
            (own, Symmetry::Rotation180, Ok(())),
            (own, Symmetry::Diagonal, Ok(())),
            (own, Symmetry::Vertical, invalid("symmetry", "the layout lacks the symmetry vertical")),
        ];
        for (variant, symmetry, wanted) in cases {
            assert_eq!(check(&spec(variant, symmetry, Difficulty::Any, None)), wanted, "{variant} {symmetry:?}");
        }
    }

    #[test]
    fn givens_and_technique_are_no_criteria() {
        let givens = spec("8x10", Symmetry::None, Difficulty::Any, Some(Givens::new(45, 45)));
        let reason = "kakuro cannot be asked for by its givens, which are the runs of its layout; leave it out";
        assert_eq!(check(&givens), invalid("min_givens", reason));
        let technique = spec("8x10", Symmetry::None, Difficulty::Any, None);
        let technique = Spec { technique: Some("Sum Cut".to_owned()), ..technique };
        assert!(matches!(check(&technique), Err(SpecError::Invalid { field: "technique", .. })));
    }

    #[test]
    fn target_must_be_on_the_scale_and_within_reach() {
        let range = |min, max| Difficulty::Range { min: Tenths(min), max: Tenths(max) };
        let unsupported = Err(SpecError::RatingUnsupported { wanted_min: Tenths(80), supported_max: Tenths(79) });
        let cases = [
            (Difficulty::Level(Level::Evil), Ok(())),
            (range(79, 90), Ok(())),
            (range(80, 90), unsupported),
            (range(0, 9), invalid("max_rating", "0.9 is below 1.0, the easiest rating of kakuro")),
            (range(26, 25), invalid("min_rating", "2.6 is above max_rating, 2.5")),
        ];
        for (difficulty, wanted) in cases {
            assert_eq!(check(&spec("8x10", Symmetry::None, difficulty, None)), wanted, "{difficulty:?}");
        }
    }
}
