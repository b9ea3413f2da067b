//! Stock targets in the configuration file: `[[target]]` tables with the names of the wire's fields.

use serde::Deserialize;

use super::{CliError, spec};
use crate::{clock::SystemClock, stock::targets::draft::Draft, store::target::Wish};
use puzzled_engine::{
    level::{Level, Tenths},
    spec::Target,
    symmetry::Symmetry,
};

/// One table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TargetTable {
    kind: Option<String>,
    variant: Option<String>,
    symmetry: Option<String>,
    level: Option<String>,
    min_rating: Option<f64>,
    max_rating: Option<f64>,
    target: u32,
    low_water: Option<u32>,
    priority: Option<i32>,
    cron: Option<String>,
    time_zone: Option<String>,
    window_minutes: Option<u32>,
    #[serde(default)]
    no_extras: bool,
}

impl TargetTable {
    /// What it wants. `number` tells it from the others, from 1.
    ///
    /// # Errors
    /// [`CliError::Target`] with field, value and limit.
    pub(super) fn wish(&self, number: usize) -> Result<Wish, CliError> {
        let fault = |reason: String| CliError::Target { number, reason };
        let spec = self.spec().map_err(fault)?;
        let (_, spec) = spec.checked().map_err(|error| fault(error.to_string()))?;
        let draft = Draft {
            target: self.target,
            low_water: self.low_water,
            priority: self.priority,
            cron: self.cron.clone(),
            time_zone: self.time_zone.clone(),
            window_minutes: self.window_minutes,
            no_extras: self.no_extras,
        };
        draft.wish(spec, SystemClock::shared().now()).map_err(|faults| {
            let sentences: Vec<_> = faults.iter().map(|fault| format!("{}: {}", fault.field, fault.reason)).collect();
            fault(sentences.join("; "))
        })
    }

    fn spec(&self) -> Result<spec::SpecArgs, String> {
        let rating = |value: Option<f64>| value.map(|value| spec::tenths(&value.to_string())).transpose();
        let level = self.level.as_ref().map(|level| level.parse::<Level>()).transpose()?;
        if level.is_some() && (self.min_rating.is_some() || self.max_rating.is_some()) {
            return Err("level: it goes with neither min_rating nor max_rating".to_owned());
        }
        Ok(spec::SpecArgs {
            kind: self.kind.as_ref().map(|kind| spec::kind(kind)).transpose()?,
            variant: self.variant.clone(),
            level,
            min_rating: rating(self.min_rating).map_err(|error| format!("min_rating: {error}"))?,
            max_rating: rating(self.max_rating).map_err(|error| format!("max_rating: {error}"))?,
            symmetry: self.symmetry.as_ref().map_or(Ok(Symmetry::None), |symmetry| symmetry.parse())?,
            clues: None,
            technique: None,
        })
    }
}

/// A target as a table that would declare it, after an empty line.
pub(super) fn as_toml(wish: &Wish) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let rating = |tenths: Tenths| tenths.to_string();
    let spec = &wish.spec;
    let mut lines = vec![
        ("kind", quoted(&spec.kind)),
        ("variant", quoted(&spec.variant)),
        ("symmetry", quoted(spec.symmetry.name())),
    ];
    match spec.target {
        Target::Any => {}
        Target::Level(level) => lines.push(("level", quoted(level.name()))),
        Target::Range { min, max } => lines.extend([("min_rating", rating(min)), ("max_rating", rating(max))]),
    }
    lines.extend([
        ("target", wish.target.to_string()),
        ("low_water", wish.low_water.to_string()),
        ("priority", wish.priority.to_string()),
    ]);
    if wish.no_extras {
        lines.push(("no_extras", "true".to_owned()));
    }
    if let Some(schedule) = &wish.schedule {
        lines.extend([
            ("cron", quoted(&schedule.cron)),
            ("time_zone", quoted(&schedule.time_zone)),
            ("window_minutes", schedule.window_minutes.to_string()),
        ]);
    }
    let lines: Vec<_> = lines.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
    format!("\n[[target]]\n{}", lines.concat())
}
