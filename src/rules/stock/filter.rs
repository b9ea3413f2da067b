//! Filters of shelves: which shelves match the criteria of a caller or a stock target, whether a job may make a
//! matching puzzle, and whether two filters overlap. Pure functions.

use super::puzzle::ShelfKey;
use puzzled_engine::{
    registry,
    shared::{
        kind::PuzzleKind,
        level::Tenths,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        variant::VariantInfo,
    },
};

/// A filter of shelves. Every field that is set must match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShelfFilter {
    /// The kind; `None` matches any.
    pub kind: Option<String>,
    /// The variants.
    pub variant: VariantFilter,
    /// The symmetry; `None` matches any.
    pub symmetry: Option<Symmetry>,
    /// The level or range of ratings. The variant of each shelf decides which ratings a level has.
    pub difficulty: Difficulty,
    /// The technique that the puzzles were made with.
    pub technique: Option<String>,
    /// The number of givens that the puzzles were made with.
    pub clues: Option<u16>,
}

/// A filter of variants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VariantFilter {
    /// All variants.
    Any,
    /// All variants with this base: the same size and rules, with any options.
    OfBase(String),
    /// The variant with this name.
    Exactly(String),
}

impl VariantFilter {
    /// The filter for a variant's name. The name of a base matches all its variants; a name with options matches only
    /// itself. `kind` is a kind that has such a variant, if there is one.
    #[must_use]
    pub fn named(kind: Option<&dyn PuzzleKind>, name: &str) -> Self {
        let Some(kind) = kind else { return Self::Exactly(name.to_owned()) };
        let name = kind.variant_name(name);
        if kind.base(&name) == name { Self::OfBase(name) } else { Self::Exactly(name) }
    }

    /// The name in the criteria; `None` if any variant matches.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Any => None,
            Self::OfBase(name) | Self::Exactly(name) => Some(name),
        }
    }

    fn fits(&self, key: &ShelfKey) -> bool {
        match self {
            Self::Any => true,
            Self::OfBase(base) => *base == key.base,
            Self::Exactly(name) => *name == key.variant,
        }
    }

    /// Whether one variant could match both filters.
    fn meets(&self, other: &Self, kind: Option<&dyn PuzzleKind>) -> bool {
        let base = |name: &str| kind.map_or_else(|| name.to_owned(), |kind| kind.base(name));
        match (self, other) {
            (Self::Any, _) | (_, Self::Any) => true,
            (Self::OfBase(one), Self::OfBase(other)) | (Self::Exactly(one), Self::Exactly(other)) => one == other,
            (Self::OfBase(of), Self::Exactly(name)) | (Self::Exactly(name), Self::OfBase(of)) => base(name) == *of,
        }
    }
}

impl ShelfFilter {
    /// Matches every shelf.
    pub const ANY: Self = Self {
        kind: None,
        variant: VariantFilter::Any,
        symmetry: None,
        difficulty: Difficulty::Any,
        technique: None,
        clues: None,
    };

    /// The filter for the shelves whose puzzles count for a spec. A draw with the same criteria uses the same shelves.
    #[must_use]
    pub fn of(spec: &Spec) -> Self {
        Self {
            kind: Some(spec.kind.clone()),
            variant: VariantFilter::named(registry::kind(&spec.kind), &spec.variant),
            symmetry: Some(spec.symmetry),
            difficulty: spec.difficulty,
            technique: spec.technique.clone(),
            clues: spec.clues,
        }
    }

    /// Whether a shelf matches. Must be fast, because each draw checks every shelf.
    #[must_use]
    pub fn fits(&self, key: &ShelfKey) -> bool {
        self.fits_but_for_rating(key)
            && match self.difficulty {
                Difficulty::Any => true,
                Difficulty::Range { min, max } => (min..=max).contains(&key.rating),
                Difficulty::Level(_) => {
                    self.ratings_of(key.variant_info()).is_some_and(|(min, max)| (min..=max).contains(&key.rating))
                }
            }
    }

    fn fits_but_for_rating(&self, key: &ShelfKey) -> bool {
        self.kind.as_ref().is_none_or(|kind| *kind == key.kind)
            && self.variant.fits(key)
            && self.symmetry.is_none_or(|symmetry| symmetry == key.symmetry)
            && self.technique.as_ref().is_none_or(|technique| key.technique.as_ref() == Some(technique))
            && self.clues.is_none_or(|clues| key.clues == Some(clues))
    }

    /// The ratings of its difficulty on the scale of a variant; `None` for a level of an unknown
    /// variant, and for one that the variant lacks.
    #[must_use]
    pub fn ratings_of(&self, variant: Option<&VariantInfo>) -> Option<(Tenths, Tenths)> {
        ratings(self.difficulty, variant)
    }

    /// Whether a puzzle that a job of this spec wants can be on a matching shelf.
    #[must_use]
    pub fn may_get(&self, spec: &Spec) -> bool {
        let key = ShelfKey::of(spec, Tenths(0), false);
        self.fits_but_for_rating(&key) && share_ratings(self.difficulty, spec.difficulty, key.variant_info())
    }

    /// Whether one shelf could match both filters.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        fn agree<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> bool {
            one.zip(other).is_none_or(|(one, other)| one == other)
        }
        let kind = self.kind.as_deref().or(other.kind.as_deref()).and_then(registry::kind);
        let name = self.variant.name().or(other.variant.name());
        let known = kind.map_or(&[][..], |kind| kind.variants());
        let named = kind.zip(name).and_then(|(kind, name)| kind.variant(name));
        agree(self.kind.as_ref(), other.kind.as_ref())
            && self.variant.meets(&other.variant, kind)
            && agree(self.symmetry.as_ref(), other.symmetry.as_ref())
            && agree(self.technique.as_ref(), other.technique.as_ref())
            && agree(self.clues.as_ref(), other.clues.as_ref())
            && match named {
                Some(variant) => share_ratings(self.difficulty, other.difficulty, Some(variant)),
                None if known.is_empty() => share_ratings(self.difficulty, other.difficulty, None),
                None => known.iter().any(|variant| share_ratings(self.difficulty, other.difficulty, Some(variant))),
            }
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

/// Whether the two difficulties have a rating in common. For a level of an unknown variant, it is assumed.
fn share_ratings(one: Difficulty, other: Difficulty, variant: Option<&VariantInfo>) -> bool {
    match (ratings(one, variant), ratings(other, variant)) {
        (Some(one), Some(other)) => one.0 <= other.1 && other.0 <= one.1,
        _ => variant.is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::shared::level::Level;

    fn spec(kind: &str, variant: &str) -> Spec {
        let (kind, variant) = (kind.to_owned(), variant.to_owned());
        Spec { kind, variant, symmetry: Symmetry::None, difficulty: Difficulty::Any, clues: None, technique: None }
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
            let fits = |name: &&&str| filter.fits(&ShelfKey::of(&spec("kakuro", name), Tenths(10), false));
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
            let key = ShelfKey::of(&spec(kind, variant), Tenths(rating), false);
            assert_eq!(hard.fits(&key), fits, "{kind} {variant} {rating}");
        }
    }

    #[test]
    fn technique_and_clues_fit_only_where_they_were_asked_for() {
        let made = |technique: Option<&str>, clues| Spec {
            technique: technique.map(str::to_owned),
            clues,
            ..spec("sudoku", "9x9")
        };
        let x_wing = ShelfFilter { technique: Some("X-Wing".to_owned()), ..ShelfFilter::ANY };
        let of_24 = ShelfFilter { clues: Some(24), ..ShelfFilter::ANY };
        for (spec, is_surplus, wanted) in [
            (made(None, None), false, [true, false, false]),
            (made(Some("X-Wing"), None), false, [true, true, false]),
            (made(Some("X-Wing"), Some(24)), false, [true, true, true]),
            (made(Some("X-Wing"), Some(24)), true, [true, false, false]),
            (made(Some("Swordfish"), Some(25)), false, [true, false, false]),
        ] {
            let key = ShelfKey::of(&spec, Tenths(32), is_surplus);
            let fits = [&ShelfFilter::ANY, &x_wing, &of_24].map(|filter| filter.fits(&key));
            assert_eq!(fits, wanted, "{spec:?} {is_surplus}");
            assert!(!is_surplus || key == ShelfKey::of(&made(None, None), Tenths(32), false));
        }
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
        let clues = |clues| ShelfFilter { clues: Some(clues), ..ShelfFilter::ANY };
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
            (clues(24), of(Difficulty::Any), true),
            (clues(24), clues(25), false),
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
            (technique, false),
        ] {
            assert_eq!(filter.may_get(&job), wanted, "{filter:?}");
        }
    }
}
