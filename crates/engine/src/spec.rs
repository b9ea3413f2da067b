//! What a puzzle has to be: the part of a request that the engine sees.

use std::fmt::{self, Display, Formatter};

use super::{
    level::{Level, LevelBorder, Tenths},
    symmetry::Symmetry,
};

/// What is wanted of a puzzle. Two equal specs with equal seeds yield equal puzzles.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Spec {
    /// Name of the kind, a key of the registry: `sudoku`.
    pub kind: String,
    /// Name of the variant, one of its kind's: `9x9`.
    pub variant: String,
    /// Symmetry of the givens or of the layout.
    pub symmetry: Symmetry,
    /// How hard it has to be.
    pub target: Target,
    /// How many givens it has to have, where the kind counts them; none leaves it open.
    pub clues: Option<u16>,
    /// A technique, by the name that its kind knows it by, that every way to solve it at its rating has to use; none leaves
    /// it open.
    pub technique: Option<String>,
}

/// How hard a puzzle has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// As it comes, wherever the rater reaches.
    Any,
    /// Of this level.
    Level(Level),
    /// Rated within these bounds, both included.
    Range {
        /// The easiest rating allowed.
        min: Tenths,
        /// The hardest rating allowed.
        max: Tenths,
    },
}

impl Target {
    /// A range of ratings on a kind's scale. Ends that are open become the ends of the scale, so that equal wishes are
    /// equal specs, and yield equal puzzles.
    #[must_use]
    pub fn within(borders: &[LevelBorder; 5], min: Option<Tenths>, max: Option<Tenths>) -> Self {
        let [easiest, .., hardest] = borders;
        let (min, max) = (min.unwrap_or(easiest.min), max.unwrap_or(hardest.max));
        Self::Range { min: min.max(easiest.min), max: max.min(hardest.max) }
    }
}

/// Why a spec cannot be worked on at all; found before a job is queued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpecError {
    /// A field has a value that the kind does not know or allow.
    Invalid {
        /// The field's name on the wire.
        field: &'static str,
        /// What was given, and what is allowed.
        reason: String,
    },
    /// The wanted ratings lie above those that the kind generates.
    RatingUnsupported {
        /// The easiest rating that was wanted.
        wanted_min: Tenths,
        /// The hardest rating that is generated.
        supported_max: Tenths,
    },
}

impl Display for SpecError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { field, reason } => write!(f, "{field}: {reason}"),
            Self::RatingUnsupported { wanted_min, supported_max } => {
                write!(f, "min_rating: {wanted_min} is above {supported_max}, the hardest rating that is generated")
            }
        }
    }
}

impl Spec {
    /// A stable 64-bit fingerprint (FNV-1a over [`Self::words`]), part of every try's seed.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let words = self.words();
        words.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    /// The spec as one line that no other spec has, fixed for ever: `sudoku|9x9|none|expert|any`.
    #[must_use]
    pub fn words(&self) -> String {
        let target = match self.target {
            Target::Any => "any".to_owned(),
            Target::Level(level) => level.name().to_owned(),
            Target::Range { min, max } => format!("{min}-{max}"),
        };
        let clues = self.clues.map_or_else(|| "any".to_owned(), |clues| clues.to_string());
        let mut words = [&self.kind, &self.variant, self.symmetry.name(), &target, &clues].join("|");
        if let Some(technique) = &self.technique {
            words = [&words, technique.as_str()].join("|");
        }
        words
    }
}
