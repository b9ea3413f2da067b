//! Ratings in integer tenths, and the levels, easy to evil, that each name a range of ratings. A variant has the levels
//! that its table lists.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::names::{hint, quoted};

/// A rating in tenths, 0–255: 26 is 2.6 on the kind's scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Tenths(pub u8);

impl Tenths {
    /// Higher than any rating that a rater gives.
    pub const MAX: Self = Self(u8::MAX);

    /// The rating as a decimal number, 0.0–25.5.
    #[must_use]
    pub fn decimal(self) -> f64 {
        f64::from(self.0) / 10.0
    }
}

impl Serialize for Tenths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.decimal())
    }
}

impl<'de> Deserialize<'de> for Tenths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let decimal = f64::deserialize(deserializer)?;
        let same = |tenths: &Self| tenths.decimal().to_bits() == decimal.to_bits();
        let found = (0..=u8::MAX).map(Self).find(same);
        found.ok_or_else(|| de::Error::custom(format_args!("{decimal} is not a rating in tenths")))
    }
}

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

/// How hard a puzzle is for a person, in five words that puzzle magazines use. Each variant has a table of borders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Solved by looking, without notes.
    Easy,
    /// Needs some searching, but still no notes.
    Medium,
    /// Needs notes of the candidates, and simple patterns of them.
    Hard,
    /// Needs patterns over several houses, or short chains.
    Expert,
    /// Needs long chains and contradictions.
    Evil,
}

impl Level {
    /// All levels, easiest first.
    pub const ALL: [Self; 5] = [Self::Easy, Self::Medium, Self::Hard, Self::Expert, Self::Evil];

    /// The lower-case word that the command line and the database use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Expert => "expert",
            Self::Evil => "evil",
        }
    }

    /// The lowest and the highest rating of this level in a variant's table; `None` if the variant lacks the level.
    #[must_use]
    pub fn range(self, borders: &[LevelBorder]) -> Option<(Tenths, Tenths)> {
        borders.iter().find(|border| border.level == self).map(|border| (border.min, border.max))
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|level| level.name() == word).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|level| level.name()).collect();
            format!("unknown level {}; {}", quoted(word), hint(word, &names))
        })
    }
}

/// One row of a variant's table of levels. The rows go from the easiest to the hardest level and leave no gap.
#[derive(Debug, Clone, Copy)]
pub struct LevelBorder {
    /// The level of ratings from `min` to `max`.
    pub level: Level,
    /// The lowest rating of the level.
    pub min: Tenths,
    /// The highest rating of the level.
    pub max: Tenths,
    /// What a player needs at this level and not below, for people.
    pub reason: &'static str,
}

/// The border of a level between two ratings in tenths.
pub(crate) const fn level(level: Level, min: u8, max: u8, reason: &'static str) -> LevelBorder {
    LevelBorder { level, min: Tenths(min), max: Tenths(max), reason }
}

/// The level of a rating in a variant's table. A rating above the table has the hardest level.
#[must_use]
pub fn level_of(borders: &[LevelBorder], rating: Tenths) -> Level {
    let border = borders.iter().find(|border| rating <= border.max).or(borders.last());
    border.map_or(Level::Evil, |border| border.level)
}
