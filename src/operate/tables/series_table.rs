//! A `[[series]]` table of the configuration file. `puzzled serve` reads it as a declared daily series, and `--show-config`
//! writes it. The same checks apply as to a call of
//! `CreateDailySeries`.

use serde::{Deserialize, Serialize};

use super::criteria_keys::{DayTable, NumberOrRange, field};
use crate::{operate::CommandError, series::series_wish};
use puzzled_api::{v1 as pb, words};
use puzzled_cli::input::spec;
use puzzled_store::series::daily_series::SeriesWish;

/// One table. Its criteria apply to all days. `levels` sets the level of each weekday, Monday first; `weekdays` sets any criteria, which come
/// before those of the table.
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
            kind: None,
            variant: None,
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
                ("levels", levels.iter().map(of_level).collect::<Vec<_>>())
            }
            (None, Some(days)) => ("weekdays", days.iter().map(|day| day.over(&own)).collect()),
        };
        if days.len() != 7 {
            return Err(format!("{name}: {} are set; set seven, Monday first", days.len()));
        }
        Ok((Some(name), days))
    }

    fn request(&self, days: &[DayTable]) -> Result<pb::CreateDailySeriesRequest, String> {
        let own = field("kind", self.kind.as_deref(), spec::kind)?;
        let kind = if own.is_none() && days.iter().any(|day| day.kind.is_some()) {
            pb::Kind::Unspecified
        } else {
            words::kind(spec::or_first(own).map_err(|error| error.to_string())?.name())
        };
        Ok(pb::CreateDailySeriesRequest {
            name: self.name.clone(),
            kind: kind.into(),
            variant: self.variant.clone().unwrap_or_default(),
            time_zone: self.time_zone.clone().unwrap_or_default(),
            criteria: days.iter().map(DayTable::criteria).collect::<Result<_, _>>()?,
            effective_date: String::new(),
        })
    }
}

impl From<&SeriesWish> for SeriesTable {
    fn from(wish: &SeriesWish) -> Self {
        let puzzles = wish.puzzles();
        let table = |day| match puzzles {
            Some(_) => DayTable { kind: None, variant: None, ..DayTable::from(day) },
            None => DayTable::from(day),
        };
        let mut days: Vec<DayTable> = wish.days.iter().map(table).collect();
        let (own, weekdays) = if days.len() == 1 { (days.remove(0), None) } else { (DayTable::default(), Some(days)) };
        Self {
            name: wish.name.clone(),
            kind: puzzles.map(|(kind, _)| kind.to_owned()),
            variant: puzzles.map(|(_, variant)| variant.to_owned()),
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
    use puzzled_engine::shared::{criteria::Criteria, level::Level, symmetry::Symmetry};

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
    fn weekdays_come_before_the_criteria_of_the_table() {
        let days = "weekdays = [{}, {}, {}, {}, {}, {level = 'hard'}, {givens = '30', symmetry = 'full'}]";
        let week = wish(&format!("name = 'daily'\nlevel = 'easy'\nsymmetry = 'none'\n{days}")).unwrap().days;
        let stated = |day: &Criteria| (day.level.map(Level::name), day.symmetry.map(Symmetry::name), day.min_givens);
        let (easy, none) = (Some("easy"), Some("none"));
        let told: Vec<_> = week.iter().map(stated).collect();
        assert_eq!(told[4..], [(easy, none, None), (Some("hard"), none, None), (easy, Some("full"), Some(30))]);
    }

    #[test]
    fn kind_of_each_day_is_written_as_it_is_read() {
        let days = [vec!["{kind = 'sudoku', level = 'easy'}"; 6], vec!["{kind = 'kakuro', variant = '6x6'}"]].concat();
        let week = wish(&format!("name = 'daily'\nweekdays = [{}]", days.join(", "))).unwrap();
        let puzzles = |day: &Criteria| (day.kind.clone().unwrap(), day.variant.clone().unwrap());
        assert_eq!(puzzles(&week.days[0]), ("sudoku".to_owned(), "9x9".to_owned()));
        assert_eq!(puzzles(&week.days[6]), ("kakuro".to_owned(), "6x6".to_owned()));
        let table = toml::to_string(&SeriesTable::from(&week)).unwrap();
        assert_eq!(wish(&table), Ok(week));
    }

    #[test]
    fn tables_of_the_page_on_daily_puzzles_are_allowed() {
        #[derive(Deserialize)]
        struct Tables {
            series: Vec<SeriesTable>,
        }
        let page = include_str!("../../../docs/daily.md");
        let blocks: Vec<_> = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
        assert!(blocks.len() >= 3);
        for block in blocks {
            let Tables { series } = toml::from_str(block).unwrap();
            assert!(series[0].wish(1).is_ok(), "{:?}", series[0].wish(1));
        }
    }

    #[test]
    fn fault_names_the_field_of_the_table() {
        for (table, fault) in [
            ("name = 'A'", "name: \"A\" has other characters than a to z, 0 to 9, ., _, and -"),
            ("name = 'a'\ntime_zone = 'Mars'", "time_zone: \"Mars\" is not an IANA time zone; use one such as"),
            ("name = 'a'\nmin_rating = 99.0", "min_rating: 99 is outside 0.0 to 13.4"),
            ("name = 'a'\nlevels = ['easy']", "levels: 1 are set; set seven, Monday first"),
            ("name = 'a'\nlevel = 'hard'\nlevels = ['easy']", "levels: set together with level; set one of them"),
            ("name = 'a'\nlevel = 'hard'\nweekdays = []", "weekdays: 0 are set; set seven, Monday first"),
        ] {
            let refused = wish(table).unwrap_err();
            assert!(refused.starts_with(&format!("configuration file: [[series]] 1: {fault}")), "{refused}");
        }
    }
}
