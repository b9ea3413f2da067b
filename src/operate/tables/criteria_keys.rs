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
    pub(super) kind: Option<String>,
    pub(super) variant: Option<String>,
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
    /// The criteria of this table, and of another one where this one leaves them open.
    pub(super) fn over(&self, other: &Self) -> Self {
        let (one, other) = (self.clone(), other.clone());
        Self {
            kind: one.kind.or(other.kind),
            variant: one.variant.or(other.variant),
            level: one.level.or(other.level),
            min_rating: one.min_rating.or(other.min_rating),
            max_rating: one.max_rating.or(other.max_rating),
            symmetry: one.symmetry.or(other.symmetry),
            technique: one.technique.or(other.technique),
            givens: one.givens.or(other.givens),
        }
    }

    pub(super) fn criteria(&self) -> Result<pb::DayCriteria, String> {
        let givens: Option<Givens> = self.givens.as_ref().map(NumberOrRange::givens).transpose()?;
        let kind = field("kind", self.kind.as_deref(), spec::kind)?;
        Ok(pb::DayCriteria {
            kind: kind.map_or(0, |kind| words::kind(kind.name()).into()),
            variant: self.variant.clone().unwrap_or_default(),
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
        let Criteria { kind, variant, symmetry, level, min_rating, max_rating, technique, min_givens, max_givens } =
            criteria;
        Self {
            kind: kind.clone(),
            variant: variant.clone(),
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
