//! A `[[series]]` table of the configuration file. `puzzled serve` reads it as a declared daily series, and `--show-config`
//! writes it. The same checks apply as to a call of
//! `CreateDailySeries`.

use serde::{Deserialize, Serialize};

use super::criteria_keys::{DayTable, NumberOrRange, field};
use crate::{operate::CommandError, series::series_wish};
use puzzled_api::{v1 as pb, words};
use puzzled_cli::input::spec;
use puzzled_store::series::daily_series::SeriesWish;

/// One table. Its criteria apply to all days. `levels` or `weekdays` sets them for each weekday, Monday first.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeriesTable {
    name: String,
    kind: Option<String>,
    variant: Option<String>,
    time_zone: Option<String>,
    level: Option<String>,
    min_rating: Option<f64>,
    max_rating: Option<f64>,
    symmetry: Option<String>,
    technique: Option<String>,
    givens: Option<NumberOrRange>,
    levels: Option<Vec<String>>,
    weekdays: Option<Vec<DayTable>>,
}

impl SeriesTable {
    /// Returns the series that the table asks for. `number` identifies the table in errors, from 1.
    ///
    /// # Errors
    /// [`CommandError::Series`] if a field is not allowed.
    pub(crate) fn wish(&self, number: usize) -> Result<SeriesWish, CommandError> {
        let (name_of_sets, days) = self.days().map_err(|reason| CommandError::Series(number, reason))?;
        let request = self.request(&days).map_err(|reason| CommandError::Series(number, reason))?;
        series_wish(&request).map_err(|reason| {
            // If one set holds for all days, its fields are keys of the table itself.
            let reason = match name_of_sets {
                Some(name) => reason.replace("criteria", name),
                None => reason.replace("criteria[0].", ""),
            };
            CommandError::Series(number, reason)
        })
    }

    /// Returns the criteria of the days. If `levels` or `weekdays` has seven sets, also returns the name of that key.
    fn days(&self) -> Result<(Option<&'static str>, Vec<DayTable>), String> {
        let own = DayTable {
            level: self.level.clone(),
            min_rating: self.min_rating,
            max_rating: self.max_rating,
            symmetry: self.symmetry.clone(),
            technique: self.technique.clone(),
            givens: self.givens.clone(),
        };
        let (name, days) = match (&self.levels, &self.weekdays) {
            (None, None) => return Ok((None, vec![own])),
            (Some(_), Some(_)) => return Err("levels: set together with weekdays; set one of them".to_owned()),
            (Some(_), None) if own.level.is_some() => {
                return Err("levels: set together with level; set one of them".to_owned());
            }
            (Some(levels), None) => {
                let of_level = |level: &String| DayTable { level: Some(level.clone()), ..own.clone() };
                ("levels", levels.iter().map(of_level).collect())
            }
            (None, Some(_)) if own.is_set() => {
                return Err("weekdays: set together with criteria for all days; move them into weekdays".to_owned());
            }
            (None, Some(days)) => ("weekdays", days.clone()),
        };
        if days.len() != 7 {
            return Err(format!("{name}: {} are set; set seven, Monday first", days.len()));
        }
        Ok((Some(name), days))
    }

    fn request(&self, days: &[DayTable]) -> Result<pb::CreateDailySeriesRequest, String> {
        let kind =
            spec::or_first(field("kind", self.kind.as_deref(), spec::kind)?).map_err(|error| error.to_string())?;
        Ok(pb::CreateDailySeriesRequest {
            name: self.name.clone(),
            kind: words::kind(kind.name()).into(),
            variant: self.variant.clone().unwrap_or_default(),
            time_zone: self.time_zone.clone().unwrap_or_default(),
            criteria: days.iter().map(DayTable::criteria).collect::<Result<_, _>>()?,
            effective_date: String::new(),
        })
    }
}

impl From<&SeriesWish> for SeriesTable {
    fn from(wish: &SeriesWish) -> Self {
        let mut days: Vec<DayTable> = wish.days.iter().map(DayTable::from).collect();
        let (own, weekdays) = if days.len() == 1 { (days.remove(0), None) } else { (DayTable::default(), Some(days)) };
        Self {
            name: wish.name.clone(),
            kind: Some(wish.kind.clone()),
            variant: Some(wish.variant.clone()),
            time_zone: Some(wish.zone.name().to_owned()),
            level: own.level,
            min_rating: own.min_rating,
            max_rating: own.max_rating,
            symmetry: own.symmetry,
            technique: own.technique,
            givens: own.givens,
            levels: None,
            weekdays,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(table: &str) -> Result<SeriesWish, String> {
        let table: SeriesTable = toml::from_str(table).unwrap();
        table.wish(1).map_err(|error| error.to_string())
    }

    #[test]
    fn levels_are_short_for_seven_sets() {
        let levels = "levels = ['easy', 'easy', 'medium', 'medium', 'hard', 'expert', 'evil']";
        let days =
            "weekdays = [{level = 'easy'}, {level = 'easy'}, {level = 'medium'}, {level = 'medium'}, {level = 'hard'},
                                {level = 'expert'}, {level = 'evil'}]";
        let [short, long] =
            [levels, days].map(|days| wish(&format!("name = 'daily'\ntime_zone = 'Asia/Tokyo'\n{days}")));
        assert_eq!(short.as_ref().unwrap().days.len(), 7);
        assert_eq!(short, long);
    }

    #[test]
    fn fault_names_the_field_of_the_table() {
        for (table, fault) in [
            ("name = 'A'", "name: \"A\" has other characters than a to z, 0 to 9, ., _, and -"),
            ("name = 'a'\ntime_zone = 'Mars'", "time_zone: \"Mars\" is not an IANA time zone; use one such as"),
            ("name = 'a'\nmin_rating = 99.0", "min_rating: 99 is outside 0.0 to 13.4"),
            ("name = 'a'\nlevels = ['easy']", "levels: 1 are set; set seven, Monday first"),
            ("name = 'a'\nlevel = 'hard'\nlevels = ['easy']", "levels: set together with level; set one of them"),
            ("name = 'a'\nlevel = 'hard'\nweekdays = []", "weekdays: set together with criteria for all days;"),
        ] {
            let refused = wish(table).unwrap_err();
            assert!(refused.starts_with(&format!("configuration file: [[series]] 1: {fault}")), "{refused}");
        }
    }
}
