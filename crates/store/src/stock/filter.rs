//! Rule: filters of shelves: which shelves match the criteria of a caller or a stock target, whether a job may make a
//! matching puzzle, and whether two filters overlap. Pure functions.

use crate::stock::{
    criterion::{GivensFilter, VariantFilter},
    puzzle::ShelfKey,
};
use puzzled_engine::{
    registry,
    shared::{
        givens::Givens,
        level::Tenths,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        variant::VariantInfo,
    },
};

/// A filter of shelves. Every field that is set must match.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ShelfFilter {
    /// The kind; `None` matches any.
    pub kind: Option<String>,
    /// The variants.
    pub variant: VariantFilter,
    /// The symmetry; `None` matches any. A symmetry also matches those that include it.
    pub symmetry: Option<Symmetry>,
    /// The level or range of ratings. The variant of each shelf decides which ratings a level has.
    pub difficulty: Difficulty,
    /// The hardest technique; `None` matches any.
    pub technique: Option<String>,
    /// The numbers of givens.
    pub givens: GivensFilter,
}

impl ShelfFilter {
    /// Matches every shelf.
    pub const ANY: Self = Self {
        kind: None,
        variant: VariantFilter::Any,
        symmetry: None,
        difficulty: Difficulty::Any,
        technique: None,
        givens: GivensFilter::Any,
    };

    /// The filter for the shelves whose puzzles count for a spec.
    #[must_use]
    pub fn of(spec: &Spec) -> Self {
        let within = |Givens { min, max }| GivensFilter::Within { min: Some(min), max: Some(max) };
        Self {
            kind: Some(spec.kind.clone()),
            variant: VariantFilter::named(registry::kind(&spec.kind), &spec.variant),
            symmetry: Some(spec.symmetry),
            difficulty: spec.difficulty,
            technique: spec.technique.clone(),
            givens: spec.givens.map_or(GivensFilter::STYLED, within),
        }
    }

    /// Whether a shelf matches.
    #[must_use]
    pub fn fits(&self, key: &ShelfKey) -> bool {
        let needs_info = matches!(self.difficulty, Difficulty::Level(_)) || self.givens != GivensFilter::Any;
        let info = if needs_info { key.variant_info() } else { None };
        self.kind.as_ref().is_none_or(|kind| *kind == key.kind)
            && self.variant.fits(key)
            && self.fits_symmetry(key.symmetry)
            && self.technique.as_ref().is_none_or(|technique| *technique == key.technique)
            && self.ratings_of(info).is_some_and(|(min, max)| (min..=max).contains(&key.rating))
            && self.givens_of(info, key.rating).is_some_and(|givens| givens.contains(key.givens))
    }

    /// Whether puzzles that were made with a symmetry match.
    #[must_use]
    pub fn fits_symmetry(&self, made: Symmetry) -> bool {
        self.symmetry.is_none_or(|wanted| includes(made, wanted))
    }

    /// The ratings of its difficulty on the scale of a variant; `None` for a level of an unknown
    /// variant, and for one that the variant lacks.
    #[must_use]
    pub fn ratings_of(&self, variant: Option<&VariantInfo>) -> Option<(Tenths, Tenths)> {
        ratings(self.difficulty, variant)
    }

    /// The numbers of givens that match at a rating of a variant; `None` if no number matches.
    pub(crate) fn givens_of(&self, variant: Option<&VariantInfo>, rating: Tenths) -> Option<Givens> {
        self.givens.range(variant, rating)
    }

    /// Whether a puzzle that a job of this spec wants can be on a matching shelf.
    #[must_use]
    pub(crate) fn may_get(&self, spec: &Spec) -> bool {
        self.fits_symmetry(spec.symmetry) && self.meets_but_for_symmetry(&Self::of(spec))
    }

    /// Whether one shelf could match both filters.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        Symmetry::ALL.into_iter().any(|made| self.fits_symmetry(made) && other.fits_symmetry(made))
            && self.meets_but_for_symmetry(other)
    }

    fn meets_but_for_symmetry(&self, other: &Self) -> bool {
        fn agree<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> bool {
            one.zip(other).is_none_or(|(one, other)| one == other)
        }
        let kind = self.kind.as_deref().or(other.kind.as_deref()).and_then(registry::kind);
        let name = self.variant.name().or(other.variant.name());
        let known = kind.map_or(&[][..], |kind| kind.variants());
        let named = kind.zip(name).and_then(|(kind, name)| kind.variant(name));
        agree(self.kind.as_ref(), other.kind.as_ref())
            && self.variant.meets(&other.variant, kind)
            && agree(self.technique.as_ref(), other.technique.as_ref())
            && match named {
                Some(variant) => share_puzzles(self, other, Some(variant)),
                None if known.is_empty() => share_puzzles(self, other, None),
                None => known.iter().any(|variant| share_puzzles(self, other, Some(variant))),
            }
    }
}

/// Whether a pattern that was made with one symmetry fits a filter for the other one. [`Symmetry::None`] in a filter fits only
/// patterns that were made without a symmetry.
fn includes(made: Symmetry, wanted: Symmetry) -> bool {
    match (made, wanted) {
        (Symmetry::Full, wanted) => wanted != Symmetry::None,
        (Symmetry::Rotation90, Symmetry::Rotation180) => true,
        _ => made == wanted,
    }
}

/// See [`ShelfFilter::ratings_of`].
fn ratings(difficulty: Difficulty, variant: Option<&VariantInfo>) -> Option<(Tenths, Tenths)> {
    match difficulty {
        Difficulty::Any => Some((Tenths(0), Tenths::MAX)),
        Difficulty::Range { min, max } => Some((min, max)),
        Difficulty::Level(level) => variant.and_then(|variant| level.range(variant.levels)),
    }
}

/// Whether the two filters have a rating of a variant in common, and at this rating a number of givens. If a filter has a level
/// and the variant is unknown, assumes that they have.
fn share_puzzles(one: &ShelfFilter, other: &ShelfFilter, variant: Option<&VariantInfo>) -> bool {
    let (Some(of_one), Some(of_other)) = (one.ratings_of(variant), other.ratings_of(variant)) else {
        return variant.is_none();
    };
    let (min, max) = (of_one.0.max(of_other.0), of_one.1.min(of_other.1));
    // The numbers of givens change only where a level begins.
    let begins = variant.map_or(&[][..], |info| info.levels).iter().map(|border| border.min);
    let mut ratings = std::iter::once(min).chain(begins.filter(|begin| (min..=max).contains(begin)));
    let has_givens = |rating| {
        one.givens_of(variant, rating)
            .zip(other.givens_of(variant, rating))
            .is_some_and(|(one, other)| one.meets(other))
    };
    min <= max && ratings.any(has_givens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::shared::level::Level;

    fn spec(kind: &str, variant: &str) -> Spec {
        let (kind, variant) = (kind.to_owned(), variant.to_owned());
        Spec { kind, variant, symmetry: Symmetry::None, difficulty: Difficulty::Any, givens: None, technique: None }
    }

    fn range(min: u8, max: u8) -> Difficulty {
        Difficulty::Range { min: Tenths(min), max: Tenths(max) }
    }

    fn variant(name: &str) -> VariantFilter {
        VariantFilter::named(registry::kind("kakuro"), name)
    }

    #[test]
    fn base_fits_all_its_variants_and_options_fit_only_their_own() {
        let names = ["20x20", "20x20-runs9-white70", "20x21", "4x4", "4x4:####,#..#,#...,##.."];
        for (asked, wanted) in [
            ("20x20", &names[..2]),
            ("20x20-white62-runs7", &names[..2]),
            ("20x20-white70-runs9", &names[1..2]),
            ("20x20-runs9", &[]),
            ("4x4", &names[3..]),
            ("4x4:####,#..#,#...,##..", &names[4..]),
        ] {
            let filter = ShelfFilter { variant: variant(asked), ..ShelfFilter::ANY };
            let fits = |name: &&&str| filter.fits(&ShelfKey::of(&spec("kakuro", name), Tenths(10), "", 0));
            assert_eq!(names.iter().filter(fits).copied().collect::<Vec<_>>(), wanted, "{asked}");
        }
        assert_eq!(VariantFilter::named(None, "1x1"), VariantFilter::Exactly("1x1".to_owned()));
    }

    #[test]
    fn variant_of_a_shelf_decides_its_level() {
        let hard = ShelfFilter { difficulty: Difficulty::Level(Level::Hard), ..ShelfFilter::ANY };
        for (kind, variant, rating, fits) in [
            ("sudoku", "9x9", 25, false),
            ("sudoku", "9x9", 26, true),
            ("sudoku", "9x9", 40, true),
            ("sudoku", "9x9", 41, false),
            ("kakuro", "8x10", 39, false),
            ("kakuro", "8x10-runs9", 59, true),
            ("kakuro", "8x10", 60, false),
            ("sudoku", "of a newer version", 30, false),
            ("of a newer version", "9x9", 30, false),
        ] {
            let key = ShelfKey::of(&spec(kind, variant), Tenths(rating), "", 0);
            assert_eq!(hard.fits(&key), fits, "{kind} {variant} {rating}");
        }
    }

    fn within(min: Option<u16>, max: Option<u16>) -> ShelfFilter {
        ShelfFilter { givens: GivensFilter::Within { min, max }, ..ShelfFilter::ANY }
    }

    #[test]
    fn technique_and_givens_are_those_of_the_puzzle() {
        let x_wing = ShelfFilter { technique: Some("X-Wing".to_owned()), ..ShelfFilter::ANY };
        let key = ShelfKey::of(&spec("sudoku", "9x9"), Tenths(32), "X-Wing", 24);
        assert!(x_wing.fits(&key) && within(Some(22), Some(24)).fits(&key));
        assert!(!within(Some(25), Some(30)).fits(&key));
        assert!(!x_wing.fits(&ShelfKey { technique: "Swordfish".to_owned(), ..key }));
        let kakuro = ShelfKey::of(&spec("kakuro", "8x10"), Tenths(32), "Combinations", 24);
        assert_eq!((kakuro.technique.as_str(), kakuro.givens), ("", 0));
        assert!(within(None, None).fits(&kakuro));
        assert!(!within(Some(1), None).fits(&kakuro) && !within(Some(0), Some(0)).fits(&kakuro));
    }

    #[test]
    fn missing_end_is_that_of_the_delivered_range_of_each_level() {
        let info = registry::kind("sudoku").unwrap().variant("9x9").unwrap();
        for border in info.levels {
            let delivered = info.delivered(border.min).unwrap();
            let at = |givens| ShelfKey::of(&spec("sudoku", "9x9"), border.max, "", givens);
            let (below, above) = (delivered.min - 1, delivered.max + 1);
            for (min, max, givens, fits) in [
                (None, None, delivered.min, true),
                (None, None, delivered.max, true),
                (None, None, below, false),
                (None, None, above, false),
                (Some(below), None, below, true),
                (Some(below), None, above, false),
                (Some(above), None, above, true),
                (Some(above), None, above + 1, false),
                (None, Some(above), above, true),
                (None, Some(above), below, false),
                (None, Some(below), below, true),
                (None, Some(below), below - 1, false),
            ] {
                assert_eq!(within(min, max).fits(&at(givens)), fits, "{:?} {min:?} {max:?} {givens}", border.level);
            }
        }
    }

    #[test]
    fn symmetry_fits_those_that_include_it() {
        use Symmetry as S;
        for wanted in S::ALL {
            let filter = ShelfFilter { symmetry: Some(wanted), ..ShelfFilter::ANY };
            let fitting: Vec<_> = S::ALL.into_iter().filter(|&made| filter.fits_symmetry(made)).collect();
            let expected = match wanted {
                S::None => vec![S::None],
                S::Rotation180 => vec![S::Rotation180, S::Rotation90, S::Full],
                S::Full => vec![S::Full],
                other => vec![other, S::Full],
            };
            assert_eq!(fitting, expected, "{wanted:?}");
        }
        let of = |symmetry| ShelfFilter { symmetry: Some(symmetry), ..ShelfFilter::ANY };
        assert!(of(S::Rotation180).meets(&of(S::Diagonal)), "full includes both");
        assert!(!of(S::None).meets(&of(S::Full)));
        assert!(!of(S::Full).may_get(&Spec { symmetry: S::Rotation180, ..spec("sudoku", "9x9") }));
        assert!(of(S::Rotation180).may_get(&Spec { symmetry: S::Rotation90, ..spec("sudoku", "9x9") }));
    }

    #[test]
    fn filters_meet_if_a_shelf_could_fit_both() {
        let of = |difficulty| ShelfFilter {
            kind: Some("sudoku".to_owned()),
            variant: VariantFilter::OfBase("9x9".to_owned()),
            difficulty,
            ..ShelfFilter::ANY
        };
        let kakuro =
            |name: &str| ShelfFilter { kind: Some("kakuro".to_owned()), variant: variant(name), ..ShelfFilter::ANY };
        let technique = |name: &str| ShelfFilter { technique: Some(name.to_owned()), ..of(Difficulty::Any) };
        let givens = |min, max| ShelfFilter {
            givens: GivensFilter::Within { min: Some(min), max: Some(max) },
            ..of(Difficulty::Any)
        };
        let evil = |min, max| ShelfFilter { difficulty: Difficulty::Level(Level::Evil), ..givens(min, max) };
        let easy = ShelfFilter { givens: GivensFilter::STYLED, ..of(Difficulty::Level(Level::Easy)) };
        for (one, other, meets) in [
            (of(Difficulty::Any), ShelfFilter::ANY, true),
            (of(Difficulty::Level(Level::Hard)), of(Difficulty::Level(Level::Hard)), true),
            (of(Difficulty::Level(Level::Hard)), of(Difficulty::Level(Level::Evil)), false),
            (of(Difficulty::Level(Level::Hard)), of(range(40, 50)), true),
            (of(Difficulty::Level(Level::Hard)), of(range(41, 50)), false),
            (of(range(20, 30)), of(range(31, 40)), false),
            (of(Difficulty::Any), kakuro("8x10"), false),
            (kakuro("8x10"), kakuro("8x10-runs9"), true),
            (kakuro("8x10-white70"), kakuro("8x10-runs9"), false),
            (kakuro("8x10"), kakuro("9x10"), false),
            (technique("X-Wing"), of(Difficulty::Any), true),
            (technique("X-Wing"), technique("Swordfish"), false),
            (givens(24, 24), of(Difficulty::Any), true),
            (givens(24, 26), givens(26, 30), true),
            (givens(24, 25), givens(26, 30), false),
            (easy.clone(), givens(17, 22), false),
            (easy.clone(), givens(17, 30), true),
            (easy, evil(30, 40), false),
            (givens(24, 25), kakuro("8x10"), false),
        ] {
            assert_eq!(one.meets(&other), meets, "{one:?} {other:?}");
            assert_eq!(other.meets(&one), meets, "{other:?} {one:?}");
        }
    }

    #[test]
    fn filter_may_get_only_what_a_job_asks_for() {
        let job = Spec { difficulty: Difficulty::Level(Level::Hard), ..spec("kakuro", "8x10-runs9") };
        let at = |difficulty| ShelfFilter { difficulty, ..ShelfFilter::of(&job) };
        let technique = ShelfFilter { technique: Some("X-Wing".to_owned()), ..at(Difficulty::Any) };
        for (filter, wanted) in [
            (at(Difficulty::Any), true),
            (at(range(59, 70)), true),
            (at(range(60, 70)), false),
            (at(Difficulty::Level(Level::Hard)), true),
            (at(Difficulty::Level(Level::Easy)), false),
            (ShelfFilter { variant: variant("8x10"), ..at(Difficulty::Any) }, true),
            (ShelfFilter { symmetry: Some(Symmetry::Full), ..at(Difficulty::Any) }, false),
            (technique, true),
            (ShelfFilter { givens: GivensFilter::Within { min: Some(1), max: None }, ..at(Difficulty::Any) }, false),
        ] {
            assert_eq!(filter.may_get(&job), wanted, "{filter:?}");
        }
    }
}
