//! The criteria of a series for one day or for all days: what a shelf filter has besides the kind and the variant.

use serde::{Deserialize, Serialize};

use crate::rules::stock::{
    criterion::{GivensFilter, VariantFilter},
    filter::ShelfFilter,
};
use puzzled_engine::{
    registry,
    shared::{
        level::{Level, Tenths},
        spec::Difficulty,
        symmetry::Symmetry,
    },
};

/// The name that stands for all variants of the kind of a series.
pub const ANY_VARIANT: &str = "any";

/// The criteria of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayCriteria {
    /// The symmetry; `None` accepts any.
    pub symmetry: Option<Symmetry>,
    /// The level or range of ratings.
    pub difficulty: Difficulty,
    /// The hardest technique; `None` accepts any.
    pub technique: Option<String>,
    /// The smallest number of givens; `None` stands for the smallest number that the level of a puzzle delivers.
    pub min_givens: Option<u16>,
    /// The largest number of givens; `None` stands for the largest number that the level of a puzzle delivers.
    pub max_givens: Option<u16>,
}

/// The criteria in the database. Fields that are not set are left out.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Column {
    #[serde(skip_serializing_if = "Option::is_none")]
    symmetry: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<String>,
    /// Both ends of the ratings, in tenths.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratings: Option<(u8, u8)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    technique: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_givens: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_givens: Option<u16>,
}

impl DayCriteria {
    /// The criteria of a filter.
    #[must_use]
    pub fn of(filter: &ShelfFilter) -> Self {
        Self {
            symmetry: filter.symmetry,
            difficulty: filter.difficulty,
            technique: filter.technique.clone(),
            min_givens: filter.givens.min(),
            max_givens: filter.givens.max(),
        }
    }

    /// The shelves of a kind and a variant that fit.
    #[must_use]
    pub fn filter(&self, kind: &str, variant: &str) -> ShelfFilter {
        let variant = match variant {
            ANY_VARIANT => VariantFilter::Any,
            name => VariantFilter::named(registry::kind(kind), name),
        };
        ShelfFilter {
            kind: Some(kind.to_owned()),
            variant,
            symmetry: self.symmetry,
            difficulty: self.difficulty,
            technique: self.technique.clone(),
            givens: GivensFilter::Within { min: self.min_givens, max: self.max_givens },
        }
    }

    /// The criteria of the days of a series as one JSON value.
    #[must_use]
    pub fn as_json(days: &[Self]) -> String {
        let columns: Vec<_> = days.iter().map(Self::column).collect();
        serde_json::to_string(&columns).unwrap_or_default()
    }

    /// Reads what [`Self::as_json`] wrote: one set for all days, or seven. `None` if the text is something else.
    #[must_use]
    pub fn from_json(text: &str) -> Option<Vec<Self>> {
        let columns: Vec<Column> = serde_json::from_str(text).ok()?;
        let days: Vec<_> = columns.into_iter().map(Self::read).collect::<Option<_>>()?;
        matches!(days.len(), 1 | 7).then_some(days)
    }

    fn column(&self) -> Column {
        let (level, ratings) = match self.difficulty {
            Difficulty::Any => (None, None),
            Difficulty::Level(level) => (Some(level.name().to_owned()), None),
            Difficulty::Range { min, max } => (None, Some((min.0, max.0))),
        };
        Column {
            symmetry: self.symmetry.map(|symmetry| symmetry.name().to_owned()),
            level,
            ratings,
            technique: self.technique.clone(),
            min_givens: self.min_givens,
            max_givens: self.max_givens,
        }
    }

    fn read(column: Column) -> Option<Self> {
        let Column { symmetry, level, ratings, technique, min_givens, max_givens } = column;
        let difficulty = match (level, ratings) {
            (None, None) => Difficulty::Any,
            (Some(level), None) => Difficulty::Level(level.parse::<Level>().ok()?),
            (None, Some((min, max))) => Difficulty::Range { min: Tenths(min), max: Tenths(max) },
            (Some(_), Some(_)) => return None,
        };
        let symmetry = symmetry.map(|name| name.parse::<Symmetry>()).transpose().ok()?;
        Some(Self { symmetry, difficulty, technique, min_givens, max_givens })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn criteria_survive_the_database() {
        let any = DayCriteria {
            symmetry: None,
            difficulty: Difficulty::Any,
            technique: None,
            min_givens: None,
            max_givens: None,
        };
        let hard = DayCriteria { difficulty: Difficulty::Level(Level::Hard), ..any.clone() };
        let rare = DayCriteria {
            symmetry: Some(Symmetry::Full),
            difficulty: Difficulty::Range { min: Tenths(26), max: Tenths(40) },
            technique: Some("X-Wing".to_owned()),
            min_givens: Some(22),
            max_givens: Some(28),
        };
        // What 0.2 has stored.
        let stored = concat!(
            r#"[{},{"level":"hard"},"#,
            r#"{"symmetry":"full","ratings":[26,40],"technique":"X-Wing","min_givens":22,"max_givens":28}]"#
        );
        assert_eq!(DayCriteria::as_json(&[any.clone(), hard.clone(), rare.clone()]), stored);
        let week = [vec![any.clone(); 5], vec![hard, rare]].concat();
        for days in [vec![any], week] {
            assert_eq!(DayCriteria::from_json(&DayCriteria::as_json(&days)), Some(days));
        }
        for broken in ["", "[]", "[{},{}]", "[{\"level\":\"hard\",\"ratings\":[1,2]}]", "[{\"level\":\"mild\"}]"] {
            assert_eq!(DayCriteria::from_json(broken), None, "{broken}");
        }
    }
}
