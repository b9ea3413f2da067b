//! The properties of a kind's variants: their levels, symmetries, techniques, and rater. Also finds a technique by a name that a
//! person typed.

use std::ops::RangeInclusive;

use super::{
    givens::{Givens, GivensLimits, Style},
    level::{Level, LevelBorder, Tenths},
    names::{self, kind_in_words},
    phrases::range,
    spec::{Difficulty, SpecError},
    symmetry::{Symmetry, SymmetryInfo},
};

/// The symbols of the digits from 1 to 16. A variant uses as many of them as it has digits.
pub(crate) const SYMBOLS: &str = "123456789ABCDEFG";

/// The properties of a variant, or of all variants that share them.
#[derive(Debug, Clone, Copy)]
pub struct VariantInfo {
    /// The variant's name, such as `9x9`; for several variants, the pattern of their names, such as `WxH`.
    pub name: &'static str,
    /// The rules in one English sentence of at most 120 characters of ASCII.
    pub rules: &'static str,
    /// The first [`ENGINE_VERSION`](crate::ENGINE_VERSION) that makes it, without options.
    pub since: u32,
    /// The symbols of the digits from 1 in texts, drawings, and pictures.
    pub symbols: &'static str,
    /// The size of the boxes; `None` if the board has none, or if they are not rectangles.
    pub boxes: Option<BoxSize>,
    /// Whether another puzzle with the same solution up to symmetry counts as a repeat, see
    /// [`PuzzleKind::solved`](super::kind::PuzzleKind::solved).
    pub repeats_by_solution: bool,
    /// The levels that it has with their borders, easiest first and without gaps. The last one ends at `rating_max`.
    pub levels: &'static [LevelBorder],
    /// The symmetries that the generator offers.
    pub symmetries: &'static [SymmetryInfo],
    /// The numbers of givens that a request can state. `None` if they are no criterion.
    pub givens: Option<GivensLimits>,
    /// Whether the hardest technique is a criterion.
    pub has_technique: bool,
    /// The techniques of the rater, easiest first.
    pub techniques: &'static [TechniqueInfo],
    /// The style of each level, easiest first. Empty if the levels have none.
    pub styles: &'static [Style],
    /// A range of ratings or a technique that begins here or above gets no style, because its puzzles are made from starters.
    pub unstyled_from: Tenths,
    /// Name of the rater, such as `puzzled-se`.
    pub rater: &'static str,
    /// Version of the rater; it rises whenever the result for any puzzle may change.
    pub rater_version: u32,
    /// The hardest rating that the rater gives.
    pub rating_max: Tenths,
    /// The hardest rating that is generated; at most `rating_max`.
    pub generated_max: Tenths,
}

/// The size of the boxes of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoxSize {
    /// Rows of a box, from 2.
    pub rows: u8,
    /// Columns of a box, from 2.
    pub columns: u8,
}

/// A technique that a rater knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TechniqueInfo {
    /// Its usual name, such as `X-Wing`; unique among the techniques of a variant.
    pub name: &'static str,
    /// Rating of the easiest step by it, on the kind's scale.
    pub min_rating: Tenths,
    /// An upper bound of the ratings of its steps; at least `min_rating`.
    pub max_rating: Tenths,
    /// Whether a spec may ask for puzzles with this hardest technique.
    pub goal: TechniqueGoal,
    /// The first [`ENGINE_VERSION`](crate::ENGINE_VERSION) that makes such puzzles, if a spec may ask for them.
    pub since: u32,
}

impl VariantInfo {
    /// The ratings that meet a difficulty and are generated; if any rating is accepted, all that the rater gives. `None` if the
    /// variant lacks the level.
    #[must_use]
    pub fn ratings(&self, difficulty: Difficulty) -> Option<RangeInclusive<Tenths>> {
        let (min, max) = self.bounds(difficulty)?;
        Some(min..=if difficulty == Difficulty::Any { max } else { max.min(self.generated_max) })
    }

    /// The lowest and the highest rating that meet a difficulty. `None` if the variant lacks the level.
    pub(crate) fn bounds(&self, difficulty: Difficulty) -> Option<(Tenths, Tenths)> {
        match difficulty {
            Difficulty::Any => self.levels.first().map(|easiest| (easiest.min, self.rating_max)),
            Difficulty::Level(level) => level.range(self.levels),
            Difficulty::Range { min, max } => Some((min, max)),
        }
    }

    /// Checks that the variant has a level.
    ///
    /// # Errors
    /// [`SpecError`] with the levels of the variant.
    pub fn check_level(&self, kind: &str, level: Level) -> Result<(), SpecError> {
        if level.range(self.levels).is_some() {
            return Ok(());
        }
        let levels: Vec<_> = self.levels.iter().map(|border| border.level.name()).collect();
        let (kind, variant, level, levels) = (kind_in_words(kind), self.name, level.name(), levels.join(", "));
        Err(SpecError::invalid("level", format!("{kind} {variant} has no level {level}; use {levels}")))
    }

    /// Checks that puzzles of a difficulty are generated.
    ///
    /// # Errors
    /// [`SpecError`] with the field, the value, and what is allowed.
    pub fn check_difficulty(&self, kind: &str, difficulty: Difficulty) -> Result<(), SpecError> {
        let invalid = |field, reason| Err(SpecError::Invalid { field, reason });
        if let Difficulty::Level(level) = difficulty {
            self.check_level(kind, level)?;
        }
        let (Some((min, max)), Some(easiest)) = (self.bounds(difficulty), self.levels.first()) else { return Ok(()) };
        if max < easiest.min {
            let (min, kind) = (easiest.min, kind_in_words(kind));
            return invalid("max_rating", format!("{max} is below {min}, the easiest rating of {kind}"));
        }
        if min > max {
            return Err(SpecError::RatingsCrossed { min, max });
        }
        if min > self.generated_max {
            return Err(SpecError::RatingUnsupported { wanted_min: min, supported_max: self.generated_max });
        }
        Ok(())
    }

    /// What has the criteria of this variant, for messages: `the kind kakuro` if all its entries have the same, otherwise
    /// `the variant 6x6 of sudoku`.
    #[must_use]
    pub fn in_words(&self, kind: &str, entries: &[Self]) -> String {
        let kind = kind_in_words(kind);
        let criteria = |of: &Self| (of.givens.is_some(), of.has_technique);
        if entries.iter().all(|entry| criteria(entry) == criteria(self)) {
            format!("the kind {kind}")
        } else {
            format!("the variant {} of {kind}", self.name)
        }
    }

    /// Checks a range of givens: it is made, and the symmetry allows a number of it. `reachable_within` lists the numbers of a range that
    /// a pattern with the symmetry can have, in increasing order.
    pub(crate) fn check_givens(
        &self,
        kind: &str,
        givens: Givens,
        symmetry: Symmetry,
        reachable_within: impl Fn(Givens) -> Vec<u16>,
    ) -> Result<(), SpecError> {
        let Some(GivensLimits { made, .. }) = self.givens else {
            return Err(SpecError::lacks_givens("min_givens", kind, self.name));
        };
        let invalid = |field, reason: String| Err(SpecError::Invalid { field, reason });
        let Givens { min, max } = givens;
        for (field, number) in [("min_givens", min), ("max_givens", max)] {
            if !made.contains(number) {
                return invalid(field, format!("{number} is not allowed; use {}", range(made.min, made.max)));
            }
        }
        if min > max {
            return invalid("min_givens", format!("{min} is above max_givens, {max}"));
        }
        if !reachable_within(givens).is_empty() {
            return Ok(());
        }
        let reachable = reachable_within(made);
        let below = reachable.iter().rfind(|number| **number < min);
        let above = reachable.iter().find(|number| **number > max);
        let nearest: Vec<_> = [below, above].into_iter().flatten().map(u16::to_string).collect();
        let symmetry = symmetry.name();
        let reason =
            format!("no pattern of {givens} givens has the symmetry {symmetry}; nearest: {}", nearest.join(" and "));
        invalid("min_givens", reason)
    }

    /// The technique with this name. Case, hyphens, spaces, and underscores do not matter.
    #[must_use]
    pub fn technique(&self, name: &str) -> Option<&'static TechniqueInfo> {
        let plain = names::plain(name);
        self.techniques.iter().find(|known| names::plain(known.name) == plain)
    }

    /// Why a spec cannot ask for the technique of this name, in one line: the name is unknown, or no puzzles with this
    /// hardest technique are generated. Suggests the nearest names.
    #[must_use]
    pub fn unknown_technique(&self, name: &str) -> String {
        let offered = self.techniques.iter().filter(|known| known.goal != TechniqueGoal::Refused);
        let offered: Vec<_> = offered.map(|known| known.name).collect();
        let hint = names::hint(name, &offered);
        match self.technique(name) {
            Some(known) => format!("no puzzles with the hardest technique {} are generated; {hint}", known.name),
            None => format!("{} is unknown; {hint}", names::quoted(name)),
        }
    }

    /// The first version that makes the variant with a symmetry; `None` if no version does.
    pub(crate) fn symmetry_since(&self, symmetry: Symmetry) -> Option<u32> {
        self.symmetries.iter().find(|info| info.symmetry == symmetry).map(|info| info.since)
    }

    /// The first version in which a spec may ask for a technique; `None` if the technique is unknown.
    pub(crate) fn technique_since(&self, name: &str) -> Option<u32> {
        self.techniques.iter().find(|info| info.name == name).map(|info| info.since)
    }
}

/// Whether a spec may ask for puzzles with a hardest technique.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TechniqueGoal {
    /// A spec may ask for it.
    Generated,
    /// A spec may ask for it, but not together with a symmetry or with givens.
    Rare,
    /// A spec that asks for it is refused.
    Refused,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        registry,
        shared::level::{Level, level_of},
    };

    fn sudoku() -> &'static VariantInfo {
        registry::kind("sudoku").unwrap().variant("9x9").unwrap()
    }

    #[test]
    fn level_that_a_variant_lacks_has_no_ratings_and_is_refused() {
        let nine = sudoku();
        let small = VariantInfo { name: "4x4", levels: &nine.levels[..2], rating_max: Tenths(25), ..*nine };
        let [medium, evil] = [Level::Medium, Level::Evil].map(Difficulty::Level);
        assert_eq!((small.ratings(medium), small.ratings(evil)), (Some(Tenths(16)..=Tenths(25)), None));
        assert_eq!(small.ratings(Difficulty::Any), Some(Tenths(10)..=Tenths(25)));
        assert_eq!(small.check_difficulty("sudoku", medium), Ok(()));
        let reason = "sudoku 4x4 has no level evil; use easy, medium".to_owned();
        assert_eq!(small.check_difficulty("sudoku", evil), Err(SpecError::Invalid { field: "level", reason }));
        assert_eq!(level_of(small.levels, Tenths(26)), Level::Medium, "above the table");
        assert_eq!(
            Difficulty::within(small.levels, None, Some(Tenths(99))),
            Difficulty::Range { min: Tenths(10), max: Tenths(25) }
        );
        assert_eq!(Difficulty::within(&[], None, None), Difficulty::Any);
    }

    #[test]
    fn case_and_separators_of_a_technique_name_do_not_matter() {
        for (written, name) in [
            ("X-Wing", Some("X-Wing")),
            ("x wing", Some("X-Wing")),
            (" x_WING ", Some("X-Wing")),
            ("two string-kite", Some("Two-String Kite")),
            ("xwing", Some("X-Wing")),
            ("uniquerectangle1", Some("Unique Rectangle 1")),
            ("x wings", None),
            ("", None),
        ] {
            assert_eq!(sudoku().technique(written).map(|known| known.name), name, "{written:?}");
        }
        for known in sudoku().techniques {
            assert_eq!(sudoku().technique(known.name), Some(known));
        }
    }

    #[test]
    fn unknown_technique_is_answered_with_the_nearest_names() {
        for (written, wanted) in [
            ("xwings", "\"xwings\" is unknown; did you mean X-Wing?"),
            ("swordfihs", "\"swordfihs\" is unknown; did you mean Swordfish?"),
            (
                "unique rectangle",
                "\"unique rectangle\" is unknown; the nearest are Unique Rectangle 1, Unique Rectangle 2, Unique Rectangle 3",
            ),
            (
                "Direct Claiming",
                "no puzzles with the hardest technique Direct Claiming are generated; the nearest are Direct Pointing, \
                 Claiming, Direct Hidden Pair",
            ),
        ] {
            assert_eq!(sudoku().unknown_technique(written), wanted);
        }
        assert!(sudoku().unknown_technique(&"x".repeat(10_000)).len() < 300);
    }
}
