//! A `[[target]]` table of the configuration file. `puzzled serve` reads it as a declared target, `puzzled target
//! apply` sends it as a request, and `--show-config` writes it.

use serde::{Deserialize, Serialize};

use super::criteria_keys::{DayTable, NumberOrRange, field};
use crate::operate::CommandError;
use puzzled_api::{criteria::StatesCriteria as _, v1 as pb};
use puzzled_base::clock::SystemClock;
use puzzled_cli::input::spec;
use puzzled_engine::shared::{criteria::Criteria, level::Level, spec::Words, symmetry::Symmetry};
use puzzled_store::targets::{draft::Draft, target::Wish};

/// One table.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TargetTable {
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

impl TargetTable {
    /// Returns the wish of the table. `number` identifies the table in errors, from 1.
    ///
    /// # Errors
    /// [`CommandError::Target`] if a field is not allowed.
    pub(crate) fn wish(&self, number: usize) -> Result<Wish, CommandError> {
        let fault = |reason: String| CommandError::Target(number, reason);
        let kind = field("kind", self.kind.as_deref(), spec::kind).map_err(fault)?;
        let spec = self.criteria().map_err(fault)?.resolve(spec::or_first(kind)?);
        let spec =
            spec.map_err(|faults| fault(faults.first().map(|it| it.in_words(Words::Table)).unwrap_or_default()))?;
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
    /// [`CommandError::Target`] if a field is not allowed.
    pub(crate) fn request(&self, number: usize) -> Result<pb::CreateStockTargetRequest, CommandError> {
        let wish = self.wish(number)?;
        let schedule = wish.schedule;
        let request = pb::CreateStockTargetRequest {
            target: wish.count,
            low_water: wish.low_water.unwrap_or_default(),
            priority: Some(wish.priority),
            cron: schedule.as_ref().map(|schedule| schedule.cron.clone()).unwrap_or_default(),
            window_minutes: schedule.as_ref().map_or(0, |schedule| schedule.window_minutes),
            time_zone: schedule.map(|schedule| schedule.time_zone).unwrap_or_default(),
            ..pb::CreateStockTargetRequest::default()
        };
        Ok(request.stating(&Criteria::from(&wish.spec)))
    }

    /// Whether the table states no symmetry, so that its level decides.
    pub(crate) fn leaves_symmetry_open(&self) -> bool {
        self.symmetry.is_none()
    }

    fn criteria(&self) -> Result<Criteria, String> {
        let rating =
            |name, value: Option<f64>| field(name, value.map(|value| value.to_string()).as_deref(), spec::tenths);
        let givens = self.givens.as_ref().map(NumberOrRange::givens).transpose()?;
        Ok(Criteria {
            kind: self.kind.clone(),
            variant: self.variant.clone(),
            symmetry: field("symmetry", self.symmetry.as_deref(), str::parse::<Symmetry>)?,
            level: field("level", self.level.as_deref(), str::parse::<Level>)?,
            min_rating: rating("min_rating", self.min_rating)?,
            max_rating: rating("max_rating", self.max_rating)?,
            technique: self.technique.clone(),
            min_givens: givens.map(|givens| givens.min),
            max_givens: givens.map(|givens| givens.max),
        })
    }
}

impl From<&Wish> for TargetTable {
    fn from(wish: &Wish) -> Self {
        let DayTable { kind, variant, level, min_rating, max_rating, symmetry, technique, givens } =
            DayTable::from(&Criteria::from(&wish.spec));
        let schedule = wish.schedule.clone();
        Self {
            kind,
            variant,
            symmetry,
            level,
            min_rating,
            max_rating,
            technique,
            givens,
            target: wish.count,
            low_water: wish.low_water,
            priority: Some(wish.priority),
            cron: schedule.as_ref().map(|schedule| schedule.cron.clone()),
            window_minutes: schedule.as_ref().map(|schedule| schedule.window_minutes),
            time_zone: schedule.map(|schedule| schedule.time_zone),
        }
    }
}
