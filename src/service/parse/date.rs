//! Converts days to and from UTC dates such as `2026-11-21`, and finds whether a date is later than today.

use prost_types::Timestamp;

use crate::system::clock::Millis;

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// The day of an instant, in days since 1970-01-01 UTC.
pub(super) fn day_at(at: Millis) -> i64 {
    at.0.div_euclid(1_000 * DAY_SECONDS)
}

/// The date of a day. In the years 0 to 9999, an instant starts with the ten characters of its date.
pub(super) fn date(day: i64) -> String {
    let instant = Timestamp { seconds: day.saturating_mul(DAY_SECONDS), nanos: 0 }.to_string();
    instant.chars().take_while(|character| *character != 'T').collect()
}

/// The day of a date; `None` if the date does not exist or has another spelling.
pub(super) fn day_of(text: &str) -> Option<i64> {
    let midnight: Timestamp = format!("{text}T00:00:00Z").parse().ok()?;
    let day = midnight.seconds.div_euclid(DAY_SECONDS);
    (date(day) == text).then_some(day)
}

/// Whether a date is later than today (UTC). False for a text that is not a date.
pub(in crate::service) fn is_ahead(text: &str, now: Millis) -> bool {
    day_of(text).is_some_and(|day| day > day_at(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_one_spelling_and_must_exist() {
        for (text, wanted) in [
            ("1970-01-01", Some(0)),
            ("1969-12-31", Some(-1)),
            ("2000-02-29", Some(11_016)),
            ("2026-11-21", Some(20_778)),
            ("9999-12-31", Some(2_932_896)),
            ("2026-02-29", None),
            ("1900-02-29", None),
            ("2026-11-31", None),
            ("2026-13-01", None),
            ("2026-00-01", None),
            ("2026-1-1", None),
            ("26-01-01", None),
            ("+2026-01-01", None),
            ("10000-01-01", None),
            ("2026-11-21 ", None),
            ("2026-11-21T00:00:00Z", None),
            ("21.11.2026", None),
            ("today", None),
            ("", None),
        ] {
            assert_eq!(day_of(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn every_day_survives_as_a_date() {
        for day in (-10_000..100_000).step_by(7) {
            assert_eq!(day_of(&date(day)), Some(day));
        }
    }

    #[test]
    fn day_lasts_from_midnight_to_midnight() {
        let midnight = Millis(20_778 * 86_400_000);
        let days = [-1, 0, 86_399_999, 86_400_000].map(|ms| day_at(midnight.plus_ms(ms)));
        assert_eq!(days, [20_777, 20_778, 20_778, 20_779]);
    }
}
