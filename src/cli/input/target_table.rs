//! A `[[target]]` table of the configuration file. `puzzled serve` reads it as a declared target, `puzzled target
//! apply` sends it as a request, and `--show-config` writes it.

use serde::{Deserialize, Serialize};

use super::spec;
use crate::{
    cli::{CliError, client::wire},
    proto::v1 as pb,
    rules::targets::{draft::Draft, target::Wish},
    system::clock::SystemClock,
};
use puzzled_engine::shared::{
    givens::Givens,
    level::{Level, Tenths},
    spec::Difficulty,
    symmetry::Symmetry,
};

/// One table.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli) struct TargetTable {
    kind: Option<String>,
    variant: Option<String>,
    symmetry: Option<String>,
    level: Option<String>,
    min_rating: Option<f64>,
    max_rating: Option<f64>,
    technique: Option<String>,
    givens: Option<NumberOrRange>,
    target: u32,
    low_water: Option<u32>,
    priority: Option<i32>,
    cron: Option<String>,
    time_zone: Option<String>,
    window_minutes: Option<u32>,
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

impl TargetTable {
    /// Returns the wish of the table. `number` identifies the table in errors, from 1.
    ///
    /// # Errors
    /// [`CliError::Target`] if a field is not allowed.
    pub(in crate::cli) fn wish(&self, number: usize) -> Result<Wish, CliError> {
        let fault = |reason: String| CliError::Target(number, reason);
        let spec = self.spec().map_err(fault)?;
        let (_, spec) = spec.checked().map_err(|error| fault(as_field(&error.to_string())))?;
        let draft = Draft {
            count: self.target,
            low_water: self.low_water,
            priority: self.priority,
            cron: self.cron.clone(),
            time_zone: self.time_zone.clone(),
            window_minutes: self.window_minutes,
        };
        draft.wish(spec, SystemClock::shared().now()).map_err(|faults| {
            let sentences: Vec<_> = faults.iter().map(|fault| format!("{}: {}", fault.field, fault.reason)).collect();
            fault(sentences.join("; "))
        })
    }

    /// Returns the request that creates the target. `number` identifies the table in errors, from 1.
    ///
    /// # Errors
    /// [`CliError::Target`] if a field is not allowed.
    pub(in crate::cli) fn request(&self, number: usize) -> Result<pb::CreateStockTargetRequest, CliError> {
        let wish = self.wish(number)?;
        let kind = spec::kind(&wish.spec.kind).map_err(|reason| CliError::Target(number, reason))?;
        let (level, range) = match wish.spec.difficulty {
            Difficulty::Any => (None, None),
            Difficulty::Level(level) => (Some(level), None),
            Difficulty::Range { min, max } => (None, Some((min, max))),
        };
        let schedule = wish.schedule;
        Ok(pb::CreateStockTargetRequest {
            kind: wire::kind(Some(kind)),
            variant: wish.spec.variant,
            symmetry: wire::symmetry(Some(wish.spec.symmetry)),
            level: wire::level(level),
            min_rating: range.map(|(min, _)| wire::rating(min)),
            max_rating: range.map(|(_, max)| wire::rating(max)),
            target: wish.count,
            low_water: wish.low_water.unwrap_or_default(),
            priority: Some(wish.priority),
            cron: schedule.as_ref().map(|schedule| schedule.cron.clone()).unwrap_or_default(),
            window_minutes: schedule.as_ref().map_or(0, |schedule| schedule.window_minutes),
            time_zone: schedule.map(|schedule| schedule.time_zone).unwrap_or_default(),
            technique: wish.spec.technique.unwrap_or_default(),
            min_givens: wish.spec.givens.map(|givens| givens.min.into()),
            max_givens: wish.spec.givens.map(|givens| givens.max.into()),
        })
    }

    /// Whether the table states no symmetry, so that its level decides.
    pub(in crate::cli) fn leaves_symmetry_open(&self) -> bool {
        self.symmetry.is_none()
    }

    fn spec(&self) -> Result<spec::SpecArgs, String> {
        let rating =
            |name, value: Option<f64>| field(name, value.map(|value| value.to_string()).as_deref(), spec::tenths);
        Ok(spec::SpecArgs {
            kind: field("kind", self.kind.as_deref(), spec::kind)?,
            variant: self.variant.clone(),
            level: field("level", self.level.as_deref(), str::parse::<Level>)?,
            min_rating: rating("min_rating", self.min_rating)?,
            max_rating: rating("max_rating", self.max_rating)?,
            symmetry: field("symmetry", self.symmetry.as_deref(), str::parse::<Symmetry>)?,
            givens: self.givens.as_ref().map(NumberOrRange::givens).transpose()?,
            technique: self.technique.clone(),
        })
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

/// Converts the error of a flag to that of the field with the same name.
fn as_field(fault: &str) -> String {
    match fault.strip_prefix("--").and_then(|fault| fault.split_once(':')) {
        Some((flag, reason)) => format!("{}:{}", flag.replace('-', "_"), reason.replace("--max-rating", "max_rating")),
        None => fault.to_owned(),
    }
}

impl From<&Wish> for TargetTable {
    fn from(wish: &Wish) -> Self {
        let rating = |tenths: Tenths| f64::from(tenths.0) / 10.0;
        let (level, min_rating, max_rating) = match wish.spec.difficulty {
            Difficulty::Any => (None, None, None),
            Difficulty::Level(level) => (Some(level.name().to_owned()), None, None),
            Difficulty::Range { min, max } => (None, Some(rating(min)), Some(rating(max))),
        };
        let schedule = wish.schedule.clone();
        Self {
            kind: Some(wish.spec.kind.clone()),
            variant: Some(wish.spec.variant.clone()),
            symmetry: Some(wish.spec.symmetry.name().to_owned()),
            level,
            min_rating,
            max_rating,
            technique: wish.spec.technique.clone(),
            givens: wish.spec.givens.map(NumberOrRange::of),
            target: wish.count,
            low_water: wish.low_water,
            priority: Some(wish.priority),
            cron: schedule.as_ref().map(|schedule| schedule.cron.clone()),
            window_minutes: schedule.as_ref().map(|schedule| schedule.window_minutes),
            time_zone: schedule.map(|schedule| schedule.time_zone),
        }
    }
}
