//! Converts times, dates, and durations between messages and the store.

use jiff::civil::Date;
use prost_types::{Duration, Timestamp};

use super::Parser;
use puzzled_base::clock::Millis;
use puzzled_engine::shared::names::quoted;
use puzzled_store::series::calendar::date_of;

/// A duration of this many milliseconds, at least 0.
pub(crate) fn duration_of(ms: i64) -> Duration {
    let nanos = i32::try_from(ms % 1_000 * 1_000_000).expect("less than a second");
    Duration { seconds: ms / 1_000, nanos }
}

/// An instant as sent, rounded up to the millisecond, or its fault.
pub(crate) fn instant(at: Timestamp) -> Result<Millis, String> {
    // The years 1 to 9999, the range of the message type.
    const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;
    if !SECONDS.contains(&at.seconds) {
        return Err(format!("{} seconds are outside {} to {}", at.seconds, SECONDS.start(), SECONDS.end()));
    }
    if !(0..1_000_000_000).contains(&at.nanos) {
        return Err(format!("{} nanos are outside 0 to 999999999", at.nanos));
    }
    Ok(Millis(at.seconds * 1_000 + (i64::from(at.nanos) + 999_999) / 1_000_000))
}

impl Parser {
    /// The time in a field; `None` if unset.
    pub(crate) fn time(&mut self, field: &'static str, sent: Option<Timestamp>) -> Option<Millis> {
        match instant(sent?) {
            Ok(at) => Some(at),
            Err(fault) => {
                self.refuse(field, fault);
                None
            }
        }
    }

    /// A date, or `None` if the text is empty.
    pub(crate) fn optional_date(&mut self, field: &'static str, text: &str) -> Option<Date> {
        if text.is_empty() {
            return None;
        }
        let date = date_of(text).filter(|date| date.year() >= 1970);
        if date.is_none() {
            self.refuse(
                field,
                format!("{} is not a date from 1970-01-01 on; use one such as 2026-11-21", quoted(text)),
            );
        }
        date
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_api::words;

    #[test]
    fn instants_survive_the_wire_and_bad_ones_are_refused() {
        for at in [0, 1, 999, 1_700_000_000_123, -1, -1_001] {
            assert_eq!(instant(words::timestamp(Millis(at))), Ok(Millis(at)));
        }
        for (seconds, nanos, wanted) in [
            (1, 1, Ok(1_001)),
            (253_402_300_800, 0, Err("253402300800 seconds are outside -62135596800 to 253402300799")),
            (0, -1, Err("-1 nanos are outside 0 to 999999999")),
            (0, 1_000_000_000, Err("1000000000 nanos are outside 0 to 999999999")),
        ] {
            assert_eq!(instant(Timestamp { seconds, nanos }), wanted.map(Millis).map_err(str::to_owned));
        }
    }
}
