//! Rule: the filters for two of the criteria: variants, and numbers of givens. Pure functions.

use crate::stock::puzzle::ShelfKey;
use puzzled_engine::shared::{givens::Givens, kind::PuzzleKind, level::Tenths, variant::VariantInfo};

/// A filter of variants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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

    pub(crate) fn fits(&self, key: &ShelfKey) -> bool {
        match self {
            Self::Any => true,
            Self::OfBase(base) => *base == key.base,
            Self::Exactly(name) => *name == key.variant,
        }
    }

    /// Whether one variant could match both filters.
    pub(crate) fn meets(&self, other: &Self, kind: Option<&dyn PuzzleKind>) -> bool {
        let base = |name: &str| kind.map_or_else(|| name.to_owned(), |kind| kind.base(name));
        match (self, other) {
            (Self::Any, _) | (_, Self::Any) => true,
            (Self::OfBase(one), Self::OfBase(other)) | (Self::Exactly(one), Self::Exactly(other)) => one == other,
            (Self::OfBase(of), Self::Exactly(name)) | (Self::Exactly(name), Self::OfBase(of)) => base(name) == *of,
        }
    }
}

/// A filter of numbers of givens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GivensFilter {
    /// All numbers.
    Any,
    /// The numbers from `min` to `max`. The level of each puzzle has a range that it delivers. If an end is missing here, the
    /// end of that range replaces it, or the stated end if that lies beyond it. If both ends are missing, a variant without
    /// this criterion matches, too.
    Within {
        /// The smallest number.
        min: Option<u16>,
        /// The largest number.
        max: Option<u16>,
    },
}

impl GivensFilter {
    /// The range that the level of each puzzle delivers. It is part of the style of the level.
    pub const STYLED: Self = Self::Within { min: None, max: None };

    /// The smallest number, if it is stated.
    #[must_use]
    pub fn min(self) -> Option<u16> {
        if let Self::Within { min, .. } = self { min } else { None }
    }

    /// The largest number, if it is stated.
    #[must_use]
    pub fn max(self) -> Option<u16> {
        if let Self::Within { max, .. } = self { max } else { None }
    }

    /// The numbers that match for puzzles of a variant with this rating. `None` if none matches, because the variant does not
    /// have this criterion.
    pub(crate) fn range(self, variant: Option<&VariantInfo>, rating: Tenths) -> Option<Givens> {
        const ALL: Givens = Givens::new(0, u16::MAX);
        let Self::Within { min, max } = self else { return Some(ALL) };
        let Some(info) = variant.filter(|info| info.givens.is_some()) else {
            return (min.is_none() && max.is_none()).then_some(ALL);
        };
        let Givens { min: lowest, max: highest } = info.delivered(rating).unwrap_or(ALL);
        Some(match (min, max) {
            (None, None) => Givens::new(lowest, highest),
            (Some(min), None) => Givens::new(min, highest.max(min)),
            (None, Some(max)) => Givens::new(lowest.min(max), max),
            (Some(min), Some(max)) => Givens::new(min, max),
        })
    }
}
