//! [`Spec`], the requirements for a puzzle: kind, variant, symmetry, difficulty, givens, and technique. It is the part of a
//! request that the engine sees.

use std::fmt::{self, Display, Formatter};

use super::{
    givens::Givens,
    level::{Level, LevelBorder, Tenths},
    names::kind_in_words,
    symmetry::Symmetry,
};

/// The requirements for a puzzle. Equal specs with equal seeds yield equal puzzles.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Spec {
    /// Name of the kind in the registry, such as `sudoku`.
    pub kind: String,
    /// Name of a variant of the kind, such as `9x9`.
    pub variant: String,
    /// Symmetry of the pattern of givens or of the layout.
    pub symmetry: Symmetry,
    /// How hard the puzzle must be.
    pub difficulty: Difficulty,
    /// The numbers of givens, for kinds that have them. `None` allows the numbers that the level of the puzzle
    /// delivers, or any number if the variant has no styles.
    pub givens: Option<Givens>,
    /// The name of the technique that must be the hardest of the puzzle. `None` allows any.
    pub technique: Option<String>,
}

/// How hard a puzzle must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Difficulty {
    /// Any rating that the rater gives.
    Any,
    /// Any rating of this level.
    Level(Level),
    /// Any rating in a range that includes both ends.
    Range {
        /// The lowest rating allowed.
        min: Tenths,
        /// The highest rating allowed.
        max: Tenths,
    },
}

impl Difficulty {
    /// A range of ratings on a kind's scale. A missing end becomes the end of the scale, as does a `min` below it or a
    /// `max` above it, so that specs that mean the same are equal and yield equal puzzles. The ends may be exchanged; the caller checks that.
    #[must_use]
    pub fn within(borders: &[LevelBorder], min: Option<Tenths>, max: Option<Tenths>) -> Self {
        let (Some(easiest), Some(hardest)) = (borders.first(), borders.last()) else { return Self::Any };
        let (min, max) = (min.unwrap_or(easiest.min), max.unwrap_or(hardest.max));
        Self::Range { min: min.max(easiest.min), max: max.min(hardest.max) }
    }
}

/// Why a spec is refused before any work on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpecError {
    /// A field has a value that the kind does not allow.
    Invalid {
        /// Name of the field in the API.
        field: &'static str,
        /// What was given, and what is allowed.
        reason: String,
    },
    /// The lowest wanted rating is above the highest.
    RatingsCrossed {
        /// The lowest rating that was wanted.
        min: Tenths,
        /// The highest rating that was wanted.
        max: Tenths,
    },
    /// A spec cannot ask for this hardest technique.
    UnknownTechnique {
        /// Name of the kind.
        kind: String,
        /// What was given, and the nearest techniques.
        reason: String,
    },
    /// All wanted ratings are higher than the kind generates.
    RatingUnsupported {
        /// The lowest rating that was wanted.
        wanted_min: Tenths,
        /// The highest rating that is generated.
        supported_max: Tenths,
    },
}

/// Where a reader of an error has stated the criteria, and so the names by which the error calls them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// In fields of the API: `max_givens`.
    Api,
    /// In flags of a command: `--givens`.
    Flags,
    /// In keys of a table: `givens`.
    Table,
}

impl Words {
    /// The name of a field of the API.
    #[must_use]
    pub fn name(self, field: &str) -> String {
        let stated = if self != Self::Api && field.ends_with("_givens") { "givens" } else { field };
        if self == Self::Flags { format!("--{}", stated.replace('_', "-")) } else { stated.to_owned() }
    }
}

impl SpecError {
    /// A value that the kind does not allow.
    #[must_use]
    pub fn invalid(field: &'static str, reason: impl Into<String>) -> Self {
        Self::Invalid { field, reason: reason.into() }
    }

    /// Name in the API of the field that has the fault.
    #[must_use]
    pub fn field(&self) -> &'static str {
        match self {
            Self::Invalid { field, .. } => field,
            Self::RatingsCrossed { .. } | Self::RatingUnsupported { .. } => "min_rating",
            Self::UnknownTechnique { .. } => "technique",
        }
    }

    /// What was given, and what is allowed.
    #[must_use]
    pub fn reason(&self, words: Words) -> String {
        match self {
            Self::RatingsCrossed { min, max } => format!("{min} is above {max}, the highest rating"),
            Self::UnknownTechnique { kind, reason } if words == Words::Api => {
                let end = if reason.ends_with('?') { "" } else { ";" };
                format!("{reason}{end} GetServerInfo lists all (`puzzled info --kind {kind}`)")
            }
            Self::Invalid { reason, .. } | Self::UnknownTechnique { reason, .. } => reason.clone(),
            Self::RatingUnsupported { wanted_min, supported_max } => {
                format!("{wanted_min} is above {supported_max}, the hardest rating that is generated")
            }
        }
    }

    /// The field, by the name that the reader knows, and the reason.
    #[must_use]
    pub fn in_words(&self, words: Words) -> String {
        format!("{}: {}", words.name(self.field()), self.reason(words))
    }

    /// The hardest technique as a criterion of a variant that lacks it.
    pub(crate) fn lacks_technique(kind: &str, variant: &str) -> Self {
        Self::lacks("technique", "techniques", kind, variant)
    }

    /// Numbers of givens as a criterion of a variant that lacks it. `field` has the number.
    pub(crate) fn lacks_givens(field: &'static str, kind: &str, variant: &str) -> Self {
        Self::lacks(field, "numbers of givens", kind, variant)
    }

    fn lacks(field: &'static str, criteria: &str, kind: &str, variant: &str) -> Self {
        let kind = kind_in_words(kind);
        Self::Invalid { field, reason: format!("{criteria} are no criterion of {kind} {variant}; leave it out") }
    }
}

impl Display for SpecError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(Words::Api))
    }
}

impl Spec {
    /// A 64-bit fingerprint that never changes (FNV-1a over [`Self::words`]). It is part of the seed of each try.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let words = self.words();
        words.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    /// The spec as one line, such as `sudoku|9x9|rotation180|easy|32-38`: unique to the spec, and the same in every version.
    #[must_use]
    pub fn words(&self) -> String {
        let difficulty = match self.difficulty {
            Difficulty::Any => "any".to_owned(),
            Difficulty::Level(level) => level.name().to_owned(),
            Difficulty::Range { min, max } => format!("{min}-{max}"),
        };
        let givens = self.givens.map_or_else(|| "any".to_owned(), |Givens { min, max }| format!("{min}-{max}"));
        let mut words = [&self.kind, &self.variant, self.symmetry.name(), &difficulty, &givens].join("|");
        if let Some(technique) = &self.technique {
            words = [&words, technique.as_str()].join("|");
        }
        words
    }
}
