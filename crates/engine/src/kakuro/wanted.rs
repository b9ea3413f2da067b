//! Checks a Kakuro spec before its job is queued, and turns its target into a range of ratings.

use std::ops::RangeInclusive;

use super::{
    layouts::{has_symmetry, needs_square, never_unique},
    rating::{LEVELS, RATING_MAX},
    variant::{MADE_MIN, Variant},
};
use crate::{
    level::Tenths,
    spec::{Spec, SpecError, Target},
};

/// The easiest rating on the scale.
const RATING_MIN: Tenths = Tenths(10);

/// Checks whether puzzles of a spec can be made.
pub(super) fn check(spec: &Spec) -> Result<(), SpecError> {
    let variant = variant(&spec.variant).map_err(|reason| SpecError::Invalid { field: "variant", reason })?;
    check_symmetry(&variant, spec)?;
    if let Some(clues) = spec.clues {
        let reason = format!("{clues} clues cannot be requested; a kakuro has as many clues as its layout has runs");
        return Err(SpecError::Invalid { field: "clues", reason });
    }
    if let Some(technique) = &spec.technique {
        let reason = format!("{technique:?} cannot be requested; the rating of a kakuro says which reasoning it needs");
        return Err(SpecError::Invalid { field: "technique", reason });
    }
    check_target(spec.target)
}

/// The variant with this name, if puzzles of it can be made.
pub(super) fn variant(name: &str) -> Result<Variant, String> {
    let variant = Variant::parse(name)?;
    check_size(&variant)?;
    Ok(variant)
}

/// The ratings that meet a target and that the rater can give.
pub(super) fn ratings(target: Target) -> RangeInclusive<Tenths> {
    let (min, max) = bounds(target);
    min..=max.min(RATING_MAX)
}

fn bounds(target: Target) -> (Tenths, Tenths) {
    match target {
        Target::Any => (RATING_MIN, RATING_MAX),
        Target::Level(level) => level.range(&LEVELS),
        Target::Range { min, max } => (min, max),
    }
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

fn check_target(target: Target) -> Result<(), SpecError> {
    let (min, max) = bounds(target);
    if min > max {
        let reason = format!("{min} is above max_rating, {max}");
        return Err(SpecError::Invalid { field: "min_rating", reason });
    }
    if max < RATING_MIN {
        let reason = format!("{max} is below {RATING_MIN}, the easiest rating of kakuro");
        return Err(SpecError::Invalid { field: "max_rating", reason });
    }
    if min > RATING_MAX {
        return Err(SpecError::RatingUnsupported { wanted_min: min, supported_max: RATING_MAX });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{level::Level, symmetry::Symmetry};

    fn spec(variant: &str, symmetry: Symmetry, target: Target, clues: Option<u16>) -> Spec {
        Spec { kind: "kakuro".to_owned(), variant: variant.to_owned(), symmetry, target, clues, technique: None }
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
            assert_eq!(check(&spec(variant, symmetry, Target::Any, None)), wanted, "{variant} {symmetry:?}");
        }
    }

    #[test]
    fn clues_cannot_be_requested() {
        let reason = "45 clues cannot be requested; a kakuro has as many clues as its layout has runs";
        assert_eq!(check(&spec("8x10", Symmetry::None, Target::Any, Some(45))), invalid("clues", reason));
    }

    #[test]
    fn target_must_be_on_the_scale_and_within_reach() {
        let range = |min, max| Target::Range { min: Tenths(min), max: Tenths(max) };
        let unsupported = Err(SpecError::RatingUnsupported { wanted_min: Tenths(80), supported_max: Tenths(79) });
        let cases = [
            (Target::Level(Level::Evil), Ok(())),
            (range(79, 90), Ok(())),
            (range(80, 90), unsupported),
            (range(0, 9), invalid("max_rating", "0.9 is below 1.0, the easiest rating of kakuro")),
            (range(26, 25), invalid("min_rating", "2.6 is above max_rating, 2.5")),
        ];
        for (target, wanted) in cases {
            assert_eq!(check(&spec("8x10", Symmetry::None, target, None)), wanted, "{target:?}");
        }
    }
}
