//! Rule: when a target may be filled: windows that open by a cron expression in a time zone. Pure functions.

use croner::{
    Cron,
    parser::{CronParser, Seconds, Year},
};
use jiff::{Timestamp, Zoned, tz::TimeZone};

use crate::targets::target::{Fault, Schedule};
use puzzled_base::clock::Millis;

/// The longest window, in minutes: a week. A target that may always be filled needs no schedule.
pub(crate) const MINUTES_MAX: u32 = 7 * 24 * 60;

/// The maximum number of characters of a cron expression or of the name of a time zone.
const LEN_MAX: usize = 128;

/// The fields of an expression, each with the values that it may have.
const CRON_FIELDS: [(&str, &str); 5] = [
    ("minute", "0 to 59"),
    ("hour", "0 to 23"),
    ("day", "1 to 31"),
    ("month", "1 to 12 or JAN to DEC"),
    ("weekday", "0 to 7 or SUN to SAT"),
];

/// A parsed schedule.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    cron: Cron,
    zone: TimeZone,
    length_ms: i64,
}

impl Window {
    /// Parses a schedule.
    ///
    /// # Errors
    /// [`Fault`] if a field has a value that is not allowed, or if the expression matches no time after `now`.
    pub(crate) fn read(schedule: &Schedule, now: Millis) -> Result<Self, Fault> {
        let Schedule { cron: expression, time_zone, window_minutes } = schedule;
        let fault = |field, reason| Fault { field, reason };
        for (field, text) in [("cron", expression), ("time_zone", time_zone)] {
            if text.len() > LEN_MAX {
                return Err(fault(field, format!("{} characters; at most {LEN_MAX} are allowed", text.len())));
            }
        }
        // Windows are measured in minutes, so an expression needs no seconds. Years would end the recurrence.
        let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
        let cron = parser.parse(expression).map_err(|_| fault("cron", cron_fault(parser, expression)))?;
        let zone = TimeZone::get(time_zone).map_err(|_| {
            fault("time_zone", format!("{time_zone:?} is not an IANA time zone; use one such as Europe/Berlin"))
        })?;
        if !(1..=MINUTES_MAX).contains(window_minutes) {
            return Err(fault("window_minutes", format!("{window_minutes} is outside 1 to {MINUTES_MAX}")));
        }
        let window = Self { cron, zone, length_ms: i64::from(*window_minutes) * 60_000 };
        if window.opens_after(now).is_none() {
            return Err(fault("cron", format!("{expression:?} never occurs; use a day that its month has")));
        }
        Ok(window)
    }

    /// The time at which the current window closes; `None` if no window is open.
    #[must_use]
    pub(crate) fn closes_at(&self, now: Millis) -> Option<Millis> {
        let opened = self.cron.find_previous_occurrence(&self.zoned(now)?, true).ok()?;
        let closes_at = millis(&opened).plus_ms(self.length_ms);
        (closes_at > now).then_some(closes_at)
    }

    /// The time after `now` at which the next window opens.
    #[must_use]
    pub(crate) fn opens_after(&self, now: Millis) -> Option<Millis> {
        self.cron.find_next_occurrence(&self.zoned(now)?, false).ok().map(|opens| millis(&opens))
    }

    fn zoned(&self, at: Millis) -> Option<Zoned> {
        Some(Timestamp::from_millisecond(at.0).ok()?.to_zoned(self.zone.clone()))
    }
}

/// The IANA name of a time zone in its usual spelling; the name itself if there is no such zone.
pub(crate) fn usual_name(zone: &str) -> String {
    TimeZone::get(zone).ok().and_then(|zone| zone.iana_name().map(str::to_owned)).unwrap_or_else(|| zone.to_owned())
}

/// Why an expression cannot be read: its number of fields, or the first field with a value that is not allowed.
fn cron_fault(parser: CronParser, expression: &str) -> String {
    let fields: Vec<_> = expression.split_whitespace().collect();
    if fields.len() != CRON_FIELDS.len() {
        let found = fields.len();
        return format!(
            "{expression:?} has {found} fields; use minute, hour, day, month, and weekday, such as 0 1 * * *"
        );
    }
    let alone =
        |at: usize| (0..fields.len()).map(|i| if i == at { fields[at] } else { "*" }).collect::<Vec<_>>().join(" ");
    match (0..fields.len()).find(|&at| parser.parse(&alone(at)).is_err()) {
        Some(at) => {
            let (name, allowed) = CRON_FIELDS[at];
            format!("{name} {:?} is not allowed; use {allowed}", fields[at])
        }
        None => format!("{expression:?} is not a cron expression; use one such as 0 1 * * *"),
    }
}

fn millis(at: &Zoned) -> Millis {
    Millis(at.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Millis {
        Millis(text.parse::<Timestamp>().unwrap().as_millisecond())
    }

    fn schedule(cron: &str, time_zone: &str, window_minutes: u32) -> Schedule {
        Schedule { cron: cron.to_owned(), time_zone: time_zone.to_owned(), window_minutes }
    }

    #[test]
    fn window_opens_by_the_clock_of_its_zone_for_its_minutes() {
        // Expression, zone, minutes, now; then the close time if a window is open, and the next open time.
        let cases = [
            ("0 1 * * *", "UTC", 240, "2026-11-21T00:59:59Z", None, "2026-11-21T01:00:00Z"),
            ("0 1 * * *", "UTC", 240, "2026-11-21T01:00:00Z", Some("2026-11-21T05:00:00Z"), "2026-11-22T01:00:00Z"),
            ("0 1 * * *", "UTC", 240, "2026-11-21T04:59:59Z", Some("2026-11-21T05:00:00Z"), "2026-11-22T01:00:00Z"),
            ("0 1 * * *", "UTC", 240, "2026-11-21T05:00:00Z", None, "2026-11-22T01:00:00Z"),
            // One o'clock in Berlin: midnight UTC in winter, 23:00 UTC in summer.
            (
                "0 1 * * *",
                "Europe/Berlin",
                60,
                "2026-11-21T00:30:00Z",
                Some("2026-11-21T01:00:00Z"),
                "2026-11-22T00:00:00Z",
            ),
            (
                "0 1 * * *",
                "Europe/Berlin",
                60,
                "2026-07-01T23:30:00Z",
                Some("2026-07-02T00:00:00Z"),
                "2026-07-02T23:00:00Z",
            ),
            // The hour that spring omits and the hour that autumn repeats open one window each.
            ("30 2 * * *", "Europe/Berlin", 60, "2026-03-29T00:00:00Z", None, "2026-03-29T01:00:00Z"),
            ("30 2 * * *", "Europe/Berlin", 60, "2026-10-24T23:00:00Z", None, "2026-10-25T00:30:00Z"),
            // Overlapping windows are one window that stays open.
            ("* * * * *", "UTC", 5, "2026-11-21T00:00:30Z", Some("2026-11-21T00:05:00Z"), "2026-11-21T00:01:00Z"),
            ("0 22 * * FRI", "UTC", 600, "2026-11-21T03:00:00Z", Some("2026-11-21T08:00:00Z"), "2026-11-27T22:00:00Z"),
        ];
        for (cron, zone, minutes, now, closes, opens) in cases {
            let window = Window::read(&schedule(cron, zone, minutes), at(now)).unwrap();
            assert_eq!(window.closes_at(at(now)), closes.map(at), "{cron} {zone} at {now}");
            assert_eq!(window.opens_after(at(now)), Some(at(opens)), "{cron} {zone} after {now}");
        }
    }

    #[test]
    fn impossible_schedule_is_refused_with_field_value_and_limits() {
        let long = "1".repeat(200);
        let cases = [
            ("every day", "UTC", 60, "cron", "\"every day\" has 2 fields; use minute, hour, day, month, and weekday"),
            ("0 0 1 * * *", "UTC", 60, "cron", "\"0 0 1 * * *\" has 6 fields; use minute"),
            ("61 * * * *", "UTC", 60, "cron", "minute \"61\" is not allowed; use 0 to 59"),
            ("0 0 30 2 *", "UTC", 60, "cron", "\"0 0 30 2 *\" never occurs"),
            (&long, "UTC", 60, "cron", "200 characters; at most 128 are allowed"),
            ("0 1 * * *", "Europe/Atlantis", 60, "time_zone", "\"Europe/Atlantis\" is not an IANA time zone"),
            ("0 1 * * *", "UTC", 0, "window_minutes", "0 is outside 1 to 10080"),
            ("0 1 * * *", "UTC", 10_081, "window_minutes", "10081 is outside 1 to 10080"),
        ];
        for (cron, zone, minutes, field, reason) in cases {
            let fault = Window::read(&schedule(cron, zone, minutes), at("2026-11-21T00:00:00Z")).unwrap_err();
            assert_eq!(fault.field, field, "{fault:?}");
            assert!(fault.reason.starts_with(reason), "{fault:?}");
        }
    }
}
