//! Checks a Kakuro spec before its job is queued, and turns its difficulty into a range of ratings.

use std::ops::RangeInclusive;

use super::{offer, shares};
use crate::{
    kakuro::{
        VARIANTS,
        layouts::{self, Wanted, has_symmetry, needs_square, never_unique},
        variant::{MADE_MIN, Variant},
    },
    shared::{
        budget::Budget,
        level::Tenths,
        rng::Rng,
        spec::{Difficulty, Spec, SpecError},
        symmetry::Symmetry,
    },
};

/// Boards up to this width or height, including the outer row or column, are narrow.
const NARROW: usize = 5;

/// Checks whether puzzles of a spec can be made.
pub(in crate::kakuro) fn check(spec: &Spec) -> Result<(), SpecError> {
    let variant = variant(&spec.variant).map_err(|reason| SpecError::Invalid { field: "variant", reason })?;
    check_symmetry(&variant, spec)?;
    if spec.givens.is_some() {
        return Err(SpecError::lacks_givens("min_givens", "kakuro", &spec.variant));
    }
    if spec.technique.is_some() {
        return Err(SpecError::lacks_technique("kakuro", &spec.variant));
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
            "no layout of {MADE_MIN} by {} has runs of at most {} cells and a white cell in each outer row and column; the longest \
             side is {max}",
            variant.width.max(variant.height),
            variant.run_max
        )),
        _ => Ok(()),
    }
}

/// The maximum side of a board that has three inner rows or columns. The middle line has a block only where all three
/// lines have one, because a block in the middle line alone would isolate a white cell. A line of three blocks inside
/// the board would cut it in two, and one at an end would be an outer line without a white cell. So one run spans the whole middle
/// row or column.
fn narrow_max(variant: &Variant) -> Option<usize> {
    let narrow = variant.width.min(variant.height) == MADE_MIN;
    narrow.then_some(variant.run_max + 1)
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
        None if !has_layout(variant, spec.symmetry) => invalid(format!(
            "no layout of {} with the symmetry {name} was found; allow longer runs, or ask for another symmetry or size",
            variant.name()
        )),
        _ => Ok(()),
    }
}

/// Whether a layout can be made. Only narrow boards leave so little room that none may exist, so only these are tried, which takes
/// milliseconds. The seed is fixed, so the answer is always the same.
fn has_layout(variant: &Variant, symmetry: Symmetry) -> bool {
    let Variant { width, height, run_max, .. } = *variant;
    let [white_min, _] = shares::limits(variant);
    let wanted = Wanted { width, height, run_max, white_min, symmetry };
    width.min(height) > NARROW
        || layouts::make(&wanted, &mut Rng::from_seed(1), &Budget::of_nodes(0)).is_ok_and(|layout| layout.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::{givens::Givens, level::Level};

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
        let narrow = "no layout of 4 by 9 has runs of at most 7 cells and a white cell in each outer row and column; the longest side \
                      is 8";
        let without_layout = |variant: &str, symmetry: &str| {
            format!(
                "no layout of {variant} with the symmetry {symmetry} was found; allow longer runs, or ask for another symmetry or size"
            )
        };
        let own = "4x4:####,#..#,#...,##..";
        let cases = [
            ("8x10", Symmetry::None, Ok(())),
            ("5x30", Symmetry::Rotation180, Ok(())),
            ("4x8", Symmetry::None, Ok(())),
            ("4x9", Symmetry::None, invalid("variant", narrow)),
            ("30x30-runs9-white70", Symmetry::Full, Ok(())),
            ("3x10", Symmetry::None, invalid("variant", "width 3 is below 4, the minimum for generated boards")),
            ("8x10", Symmetry::Diagonal, invalid("symmetry", "diagonal needs a square board, and 8x10 is not square")),
            ("5x10-runs5", Symmetry::None, Ok(())),
            ("5x10-runs5", Symmetry::Rotation180, invalid("symmetry", &without_layout("5x10-runs5", "rotation180"))),
            ("5x9", Symmetry::Horizontal, invalid("symmetry", &without_layout("5x9", "horizontal"))),
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
        let reason = "numbers of givens are no criterion of kakuro 8x10; leave it out";
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
            (range(26, 25), Err(SpecError::RatingsCrossed { min: Tenths(26), max: Tenths(25) })),
        ];
        for (difficulty, wanted) in cases {
            assert_eq!(check(&spec("8x10", Symmetry::None, difficulty, None)), wanted, "{difficulty:?}");
        }
    }
}
