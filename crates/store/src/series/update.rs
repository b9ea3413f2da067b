//! Rule: applies an update to a series, or refuses it. Pure functions: the store first reads the series, in the transaction that
//! changes it.

use jiff::civil::Date;

use crate::{
    jobs::process::OlderProcess,
    series::{
        calendar::after,
        daily_series::{Series, SeriesWish, Terms, Zone},
    },
};
use puzzled_base::clock::Millis;
use puzzled_engine::shared::criteria::Criteria;

/// The result of creating a series.
#[derive(Debug, Clone, PartialEq)]
pub enum SeriesCreated {
    /// The series was created.
    Created(Series),
    /// A series already has the name.
    Exists,
    /// The number of series is at its limit.
    TooMany {
        /// The number of series.
        series: u32,
    },
    /// The requested first day is before the current day in the zone of the series.
    TooEarly {
        /// The current day.
        earliest: Date,
    },
    /// Its days have different kinds, and this process plans no such series.
    Older(OlderProcess),
}

/// The result of updating a series.
#[derive(Debug, Clone, PartialEq)]
pub enum SeriesUpdated {
    /// The series after the update.
    Updated(Series),
    /// The series stays as it was.
    Refused(SeriesRefusal),
    /// There is no such series.
    NoSeries,
}

/// The reason why a series is not updated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SeriesRefusal {
    /// The update would replace the kind or the variant of the series. The caller must create another series instead.
    OtherPuzzles {
        /// The kind and the variant of the series.
        was: String,
        /// The kind and the variant of the update.
        wanted: String,
    },
    /// The days would have different kinds, and this process plans no such series.
    Older(OlderProcess),
    /// This configuration declares the series. The caller must edit the configuration instead.
    Declared(String),
    /// The terms would begin before the earliest day that an update can change.
    TooEarly {
        /// The first day on which new terms can hold.
        earliest: Date,
    },
}

/// An update of a series. The name never changes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SeriesChange {
    /// The zone; `None` keeps it.
    pub zone: Option<Zone>,
    /// The criteria, each with a kind and a variant; `None` keeps them.
    pub days: Option<Vec<Criteria>>,
    /// The first day on which the change holds; `None` means the earliest possible day.
    pub effective_date: Option<Date>,
}

impl SeriesChange {
    /// Returns the new terms of a series; `None` if nothing changes. `last` is the last day that has or had a
    /// puzzle.
    pub(crate) fn applied(
        &self,
        series: &Series,
        last: Option<Date>,
        now: Millis,
    ) -> Result<Option<Terms>, SeriesRefusal> {
        if let Some(by) = &series.declared_by {
            return Err(SeriesRefusal::Declared(by.clone()));
        }
        if let Some((was, wanted)) = self.days.as_deref().and_then(|days| series.other_puzzles(days)) {
            return Err(SeriesRefusal::OtherPuzzles { was, wanted });
        }
        let earliest = earliest(series, last, now);
        let effective_date = self.effective_date.unwrap_or(earliest);
        if effective_date < earliest {
            return Err(SeriesRefusal::TooEarly { earliest });
        }
        let Some(old) = series.terms_on(effective_date).or(series.terms.first()) else { return Ok(None) };
        let terms = Terms {
            effective_date,
            zone: self.zone.clone().unwrap_or_else(|| old.zone.clone()),
            days: self.days.clone().unwrap_or_else(|| old.days.clone()),
        };
        Ok(Some(terms).filter(|terms| !is_in_force(series, terms)))
    }
}

/// Returns new terms with which a series fulfills a wish, from the earliest possible day on. `None` if it already fulfills
/// the wish.
pub(crate) fn declared(wish: &SeriesWish, series: &Series, last: Option<Date>, now: Millis) -> Option<Terms> {
    let terms = wish.terms(earliest(series, last, now));
    Some(terms).filter(|terms| !is_in_force(series, terms))
}

/// The earliest day on which new terms can hold: not before the current day, and after each day that has or had a puzzle,
/// because the terms of such a day have been used.
fn earliest(series: &Series, last: Option<Date>, now: Millis) -> Date {
    let first = series.terms.first().map(|terms| terms.effective_date);
    let current = series.current_date(now).or(first).unwrap_or(Date::MIN);
    last.map_or(current, |last| current.max(after(last, 1)))
}

/// Whether the series already has these terms from their day on.
fn is_in_force(series: &Series, terms: &Terms) -> bool {
    let is_last = series.terms.last().is_some_and(|last| last.effective_date <= terms.effective_date);
    let is_same = |old: &Terms| (&old.zone, &old.days) == (&terms.zone, &terms.days);
    is_last && series.terms.last().is_some_and(is_same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::{calendar::date_of, daily_series::SeriesId};
    use puzzled_engine::shared::level::Level;

    /// Noon on 25 November in UTC.
    const NOON: Millis = Millis(1_795_608_000_000);

    fn of_level(level: Level) -> Vec<Criteria> {
        let [kind, variant] = ["sudoku", "9x9"].map(|word| Some(word.to_owned()));
        vec![Criteria { kind, variant, level: Some(level), ..Criteria::default() }]
    }

    fn date(text: &str) -> Date {
        date_of(text).unwrap()
    }

    fn terms(from: &str, level: Level) -> Terms {
        Terms { effective_date: date(from), zone: Zone::named("UTC").unwrap(), days: of_level(level) }
    }

    fn series(terms: Vec<Terms>) -> Series {
        Series {
            id: SeriesId(1),
            name: "daily".to_owned(),
            kind: "sudoku".to_owned(),
            variant: "9x9".to_owned(),
            terms,
            declared_by: None,
            ended_at: None,
            created_at: Millis(0),
            updated_at: Millis(0),
        }
    }

    fn easy() -> Series {
        series(vec![terms("2026-11-01", Level::Easy)])
    }

    fn harder(from: Option<&str>) -> SeriesChange {
        SeriesChange { days: Some(of_level(Level::Hard)), effective_date: from.map(date), ..SeriesChange::default() }
    }

    #[test]
    fn update_holds_from_the_first_day_that_has_no_puzzle_yet() {
        for (last, from) in [
            (None, "2026-11-25"),
            (Some("2026-11-20"), "2026-11-25"),
            (Some("2026-11-25"), "2026-11-26"),
            (Some("2026-12-02"), "2026-12-03"),
        ] {
            let new = harder(None).applied(&easy(), last.map(date), NOON);
            assert_eq!(new, Ok(Some(terms(from, Level::Hard))), "{last:?}");
        }
    }

    #[test]
    fn update_from_an_earlier_day_is_refused_with_the_first_possible_one() {
        let last = Some(date("2026-11-28"));
        let earliest = date("2026-11-29");
        assert_eq!(harder(Some("2026-11-28")).applied(&easy(), last, NOON), Err(SeriesRefusal::TooEarly { earliest }));
        for from in ["2026-11-29", "2027-01-01"] {
            assert_eq!(harder(Some(from)).applied(&easy(), last, NOON), Ok(Some(terms(from, Level::Hard))));
        }
        let declared = Series { declared_by: Some("night".to_owned()), ..easy() };
        assert_eq!(harder(None).applied(&declared, None, NOON), Err(SeriesRefusal::Declared("night".to_owned())));
    }

    #[test]
    fn update_without_a_difference_changes_nothing_unless_later_terms_wait() {
        let same = SeriesChange { zone: Zone::named("UTC"), ..SeriesChange::default() };
        for change in [&SeriesChange::default(), &same] {
            assert_eq!(change.applied(&easy(), None, NOON), Ok(None));
        }
        let planned = series(vec![terms("2026-11-01", Level::Easy), terms("2026-12-01", Level::Hard)]);
        assert_eq!(same.applied(&planned, None, NOON), Ok(Some(terms("2026-11-25", Level::Easy))));
    }

    #[test]
    fn terms_of_a_series_that_has_not_begun_can_change_from_its_first_day() {
        let later = series(vec![terms("2026-12-24", Level::Easy)]);
        assert_eq!(harder(None).applied(&later, None, NOON), Ok(Some(terms("2026-12-24", Level::Hard))));
        let earliest = date("2026-12-24");
        let before = harder(Some("2026-12-01")).applied(&later, None, NOON);
        assert_eq!(before, Err(SeriesRefusal::TooEarly { earliest }));
    }
}
