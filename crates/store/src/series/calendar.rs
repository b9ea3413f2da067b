//! Rule: the days of a series: when a day begins, which day it is, and when the next one begins. A day begins at its first instant
//! in the zone that is in force on it. The current day is the latest one that has begun.

use jiff::{
    Timestamp, ToSpan as _,
    civil::Date,
    tz::{AmbiguousOffset, TimeZone},
};

use crate::series::daily_series::{Series, date_at};
use puzzled_base::clock::Millis;

/// The date in any zone differs from the date in UTC by at most this number of days.
const DAYS_FROM_UTC: i64 = 2;

/// The time before a day begins at which it gets a puzzle from the shelves if it has none: 24 hours, in milliseconds.
const URGENT_MS: i64 = 24 * 60 * 60 * 1_000;

/// The date of a text such as `2026-11-21`; `None` if the date does not exist or has another spelling.
#[must_use]
pub fn date_of(text: &str) -> Option<Date> {
    text.parse::<Date>().ok().filter(|date| date.to_string() == text)
}

impl Series {
    /// The time at which a day begins. `None` before the first day of the series.
    #[must_use]
    pub fn begins_at(&self, date: Date) -> Option<Millis> {
        let terms = self.terms_on(date)?;
        Some(Millis(first_instant(date, terms.zone.rules()).as_millisecond()))
    }

    /// The current day: the latest one that has begun. `None` before the first day of the series. If the zone or a change of
    /// the zone skips a day, that day begins together with the next one.
    #[must_use]
    pub fn current_date(&self, now: Millis) -> Option<Date> {
        let utc = utc_date(now);
        let dates = (-DAYS_FROM_UTC..=DAYS_FROM_UTC).rev().map(|days| after(utc, days));
        dates.into_iter().find(|date| self.begins_at(*date).is_some_and(|at| at <= now))
    }

    /// The time at which the current day ends and another one begins.
    #[must_use]
    pub fn next_day_at(&self, now: Millis) -> Option<Millis> {
        let from = match self.current_date(now) {
            Some(date) => after(date, 1),
            None => self.terms.first()?.effective_date,
        };
        // After a change of the zone to the east, a later day may begin before an earlier one.
        (0..=DAYS_FROM_UTC).filter_map(|days| self.begins_at(after(from, days))).min()
    }

    /// The current day and the next `ahead` days. If the series has not begun, the days from its first one on, up to `ahead`
    /// days after the current date in UTC.
    #[must_use]
    pub fn coming_dates(&self, now: Millis, ahead: u32) -> Vec<Date> {
        let current = self.current_date(now);
        let Some(first) = current.or(self.terms.first().map(|terms| terms.effective_date)) else { return Vec::new() };
        let last = after(current.unwrap_or_else(|| utc_date(now)), ahead.into());
        first.series(1.day()).take_while(|date| *date <= last).collect()
    }

    /// Whether a day begins within 24 hours or has begun. Such a day may get a puzzle from the shelves.
    #[must_use]
    pub(crate) fn is_urgent(&self, date: Date, now: Millis) -> bool {
        self.begins_at(date).is_some_and(|at| at.ms_since(now) <= URGENT_MS)
    }
}

/// Adds days to a date. The result stays within the years that [`Date`] can hold.
#[must_use]
pub fn after(date: Date, days: i64) -> Date {
    date.saturating_add(days.days())
}

fn utc_date(now: Millis) -> Date {
    date_at(now, &TimeZone::UTC)
}

/// The first instant at which the zone has this date or a later one.
fn first_instant(date: Date, zone: &TimeZone) -> Timestamp {
    let midnight = zone.to_ambiguous_timestamp(date.at(0, 0, 0, 0));
    let is_skipped = matches!(midnight.offset(), AmbiguousOffset::Gap { .. });
    // If midnight occurs twice, the first one counts.
    let Ok(at) = midnight.compatible() else { return Timestamp::MAX };
    if !is_skipped {
        return at;
    }
    // If midnight is skipped, the day begins at the transition that skips it, which is at or before `at`.
    let beyond = at.checked_add(1.second()).unwrap_or(at);
    zone.preceding(beyond).next().map_or(at, |transition| transition.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::daily_series::{SeriesId, Terms, Zone};
    use puzzled_engine::shared::criteria::Criteria;

    fn at(text: &str) -> Millis {
        Millis(text.parse::<Timestamp>().unwrap().as_millisecond())
    }

    fn date(text: &str) -> Date {
        date_of(text).unwrap()
    }

    /// A series with these zones, each from a date on.
    fn series(zones: &[(&str, &str)]) -> Series {
        let terms = zones.iter().map(|(from, zone)| Terms {
            effective_date: date(from),
            zone: Zone::named(zone).unwrap(),
            days: vec![Criteria::default()],
        });
        Series {
            id: SeriesId(1),
            name: "daily".to_owned(),
            kind: "sudoku".to_owned(),
            variant: "9x9".to_owned(),
            terms: terms.collect(),
            declared_by: None,
            ended_at: None,
            created_at: Millis(0),
            updated_at: Millis(0),
        }
    }

    #[test]
    fn dates_have_one_spelling_and_must_exist() {
        for text in ["1970-01-01", "2000-02-29", "2026-11-21", "9999-12-31"] {
            assert_eq!(date_of(text).map(|date| date.to_string()).as_deref(), Some(text));
        }
        for text in [
            "2026-02-29",
            "1900-02-29",
            "2026-11-31",
            "2026-13-01",
            "2026-00-01",
            "2026-1-1",
            "26-01-01",
            "20261121",
            "+2026-01-01",
            "10000-01-01",
            "2026-11-21 ",
            "2026-11-21T00:00:00",
            "21.11.2026",
            "today",
            "",
        ] {
            assert_eq!(date_of(text), None, "{text:?}");
        }
    }

    #[test]
    fn day_begins_at_its_first_instant_in_its_zone() {
        for (zone, day, begins) in [
            ("UTC", "2026-11-25", "2026-11-25T00:00:00Z"),
            ("Asia/Tokyo", "2026-11-26", "2026-11-25T15:00:00Z"),
            ("America/New_York", "2026-11-25", "2026-11-25T05:00:00Z"),
            ("America/New_York", "2026-07-01", "2026-07-01T04:00:00Z"),
            ("Etc/GMT-14", "2026-11-26", "2026-11-25T10:00:00Z"),
            ("Etc/GMT+12", "2026-11-25", "2026-11-25T12:00:00Z"),
            // The clocks go from 00:00 to 01:00, so midnight does not exist.
            ("Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00Z"),
            ("America/Santiago", "2026-09-06", "2026-09-06T04:00:00Z"),
            // The clocks went from 23:30 to 00:30, so the day began half an hour after midnight.
            ("America/Toronto", "1919-03-31", "1919-03-31T04:30:00Z"),
            // Midnight occurs twice, and the first one counts.
            ("America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"),
            // The zone had no 30 December.
            ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z"),
            ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"),
            ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"),
            // Daylight saving time of half an hour.
            ("Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00Z"),
            ("Australia/Lord_Howe", "2026-04-06", "2026-04-05T13:30:00Z"),
        ] {
            let series = series(&[("1900-01-01", zone)]);
            assert_eq!(series.begins_at(date(day)), Some(at(begins)), "{day} in {zone}");
        }
    }

    #[test]
    fn current_day_is_the_latest_that_has_begun() {
        for (zone, now, current, next) in [
            ("Asia/Tokyo", "2026-11-25T14:59:59.999Z", "2026-11-25", "2026-11-25T15:00:00Z"),
            ("Asia/Tokyo", "2026-11-25T15:00:00Z", "2026-11-26", "2026-11-26T15:00:00Z"),
            ("America/New_York", "2026-11-25T04:59:59Z", "2026-11-24", "2026-11-25T05:00:00Z"),
            ("Etc/GMT-14", "2026-11-25T10:00:00Z", "2026-11-26", "2026-11-26T10:00:00Z"),
            ("Etc/GMT+12", "2026-11-25T11:59:59Z", "2026-11-24", "2026-11-25T12:00:00Z"),
            ("Asia/Beirut", "2026-03-28T22:00:00Z", "2026-03-29", "2026-03-29T21:00:00Z"),
            ("America/Santiago", "2026-09-06T03:59:59Z", "2026-09-05", "2026-09-06T04:00:00Z"),
            // In the hour that autumn repeats before midnight, the day does not begin again.
            ("America/Havana", "2026-11-01T05:30:00Z", "2026-11-01", "2026-11-02T05:00:00Z"),
            ("Pacific/Apia", "2011-12-30T09:59:59Z", "2011-12-29", "2011-12-30T10:00:00Z"),
            ("Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31", "2011-12-31T10:00:00Z"),
            ("Australia/Lord_Howe", "2026-04-05T13:00:00Z", "2026-04-05", "2026-04-05T13:30:00Z"),
        ] {
            let series = series(&[("1900-01-01", zone)]);
            assert_eq!(series.current_date(at(now)), Some(date(current)), "{now} in {zone}");
            assert_eq!(series.next_day_at(at(now)), Some(at(next)), "after {now} in {zone}");
        }
    }

    #[test]
    fn change_of_zone_shortens_or_lengthens_one_day() {
        let east = series(&[("2026-11-01", "America/New_York"), ("2026-11-25", "Asia/Tokyo")]);
        let west = series(&[("2026-11-01", "Asia/Tokyo"), ("2026-11-25", "America/New_York")]);
        for (series, now, current, next) in [
            // The 24th lasts ten hours.
            (&east, "2026-11-24T04:59:59Z", "2026-11-23", "2026-11-24T05:00:00Z"),
            (&east, "2026-11-24T05:00:00Z", "2026-11-24", "2026-11-24T15:00:00Z"),
            (&east, "2026-11-24T15:00:00Z", "2026-11-25", "2026-11-25T15:00:00Z"),
            // The 24th lasts 38 hours.
            (&west, "2026-11-23T15:00:00Z", "2026-11-24", "2026-11-25T05:00:00Z"),
            (&west, "2026-11-25T04:59:59Z", "2026-11-24", "2026-11-25T05:00:00Z"),
            (&west, "2026-11-25T05:00:00Z", "2026-11-25", "2026-11-26T05:00:00Z"),
        ] {
            assert_eq!(series.current_date(at(now)), Some(date(current)), "{now}");
            assert_eq!(series.next_day_at(at(now)), Some(at(next)), "after {now}");
        }
        // From one end of the world to the other, a change skips a day, which does not become the current day later.
        let across = series(&[("2026-11-01", "Etc/GMT+12"), ("2026-11-25", "Etc/GMT-14")]);
        assert_eq!(across.current_date(at("2026-11-24T09:59:59Z")), Some(date("2026-11-23")));
        assert_eq!(across.next_day_at(at("2026-11-24T09:59:59Z")), Some(at("2026-11-24T10:00:00Z")));
        for now in ["2026-11-24T10:00:00Z", "2026-11-24T12:00:00Z"] {
            assert_eq!(across.current_date(at(now)), Some(date("2026-11-25")));
            assert_eq!(across.next_day_at(at(now)), Some(at("2026-11-25T10:00:00Z")));
        }
    }

    #[test]
    fn series_has_no_day_before_its_first() {
        let series = series(&[("2026-11-27", "UTC")]);
        let now = at("2026-11-25T12:00:00Z");
        assert_eq!((series.current_date(now), series.begins_at(date("2026-11-26"))), (None, None));
        assert_eq!(series.next_day_at(now), Some(at("2026-11-27T00:00:00Z")));
        assert_eq!(series.coming_dates(now, 1), []);
        assert_eq!(series.coming_dates(now, 3), [date("2026-11-27"), date("2026-11-28")]);
        let dates = series.coming_dates(at("2026-11-28T12:00:00Z"), 2);
        assert_eq!(dates, ["2026-11-28", "2026-11-29", "2026-11-30"].map(date));
        assert!(!series.is_urgent(date("2026-11-27"), now));
        assert!(series.is_urgent(date("2026-11-27"), at("2026-11-26T00:00:00Z")));
    }
}
