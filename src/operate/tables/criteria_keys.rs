//! What both tables of the configuration file share: criteria as keys.

use serde::{Deserialize, Serialize};

use puzzled_api::{v1 as pb, words};
use puzzled_cli::input::spec;
use puzzled_engine::shared::{
    criteria::Criteria,
    givens::Givens,
    level::{Level, Tenths},
    symmetry::Symmetry,
};

/// The criteria of a day.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DayTable {
    pub(super) level: Option<String>,
    pub(super) min_rating: Option<f64>,
    pub(super) max_rating: Option<f64>,
    pub(super) symmetry: Option<String>,
    pub(super) technique: Option<String>,
    pub(super) givens: Option<NumberOrRange>,
}

/// A number of givens, or a range such as `22-28`.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(untagged, expecting = "expected a number, such as 24, or a range, such as \"22-28\"")]
pub(super) enum NumberOrRange {
    Number(u16),
    Range(String),
}

impl NumberOrRange {
    pub(super) fn of(Givens { min, max }: Givens) -> Self {
        if min == max { Self::Number(min) } else { Self::Range(format!("{min}-{max}")) }
    }

    pub(super) fn givens(&self) -> Result<Givens, String> {
        match self {
            Self::Number(number) => Ok(Givens::new(*number, *number)),
            Self::Range(text) => spec::givens(text).map_err(|reason| format!("givens: {reason}")),
        }
    }
}

impl DayTable {
    pub(super) fn is_set(&self) -> bool {
        let ratings = self.min_rating.is_some() || self.max_rating.is_some();
        let others = self.symmetry.is_some() || self.technique.is_some() || self.givens.is_some();
        self.level.is_some() || ratings || others
    }

    pub(super) fn criteria(&self) -> Result<pb::DayCriteria, String> {
        let givens: Option<Givens> = self.givens.as_ref().map(NumberOrRange::givens).transpose()?;
        Ok(pb::DayCriteria {
            level: field("level", self.level.as_deref(), str::parse::<Level>)?.map_or(0, |of| words::level(of).into()),
            min_rating: self.min_rating,
            max_rating: self.max_rating,
            symmetry: field("symmetry", self.symmetry.as_deref(), str::parse::<Symmetry>)?
                .map_or(0, |of| words::symmetry(of).into()),
            technique: self.technique.clone().unwrap_or_default(),
            min_givens: givens.map(|givens| givens.min.into()),
            max_givens: givens.map(|givens| givens.max.into()),
        })
    }
}

impl From<&Criteria> for DayTable {
    fn from(criteria: &Criteria) -> Self {
        let Criteria {
            kind: _,
            variant: _,
            symmetry,
            level,
            min_rating,
            max_rating,
            technique,
            min_givens,
            max_givens,
        } = criteria;
        Self {
            level: level.map(|level| level.name().to_owned()),
            min_rating: min_rating.map(Tenths::decimal),
            max_rating: max_rating.map(Tenths::decimal),
            symmetry: symmetry.map(|symmetry| symmetry.name().to_owned()),
            technique: technique.clone(),
            givens: min_givens.zip(*max_givens).map(|(min, max)| NumberOrRange::of(Givens::new(min, max))),
        }
    }
}

/// Parses the value of a field. An error names the field.
pub(super) fn field<T>(
    name: &str,
    text: Option<&str>,
    parse: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, String> {
    text.map(parse).transpose().map_err(|error| format!("{name}: {error}"))
}
