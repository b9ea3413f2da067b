//! Formats numbers for commands: counts with separated thousands, durations, and rates.

use indicatif::HumanCount;
use prost_types::{Duration, Timestamp};

use puzzled_base::clock::Millis;

/// A count with separated thousands: `12,345`.
pub(crate) fn count(value: impl Into<u64>) -> String {
    HumanCount(value.into()).to_string()
}

/// A duration with at most two units: `3d 04h`, `12m 05s`, `7s`.
pub(crate) fn duration(duration: &Duration) -> String {
    let seconds = duration.seconds;
    match seconds {
        ..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        3_600..86_400 => format!("{}h {:02}m", seconds / 3_600, seconds / 60 % 60),
        _ => format!("{}d {:02}h", seconds / 86_400, seconds / 3_600 % 24),
    }
}

/// The time from `earlier` to `later`, with at most two units; `0s` if it is negative.
pub(crate) fn between(earlier: &Timestamp, later: &Timestamp) -> String {
    duration(&Duration { seconds: later.seconds.saturating_sub(earlier.seconds).max(0), nanos: 0 })
}

/// A time as the API has it.
pub(crate) fn timestamp(at: Millis) -> Timestamp {
    Timestamp { seconds: at.0.div_euclid(1_000), nanos: 0 }
}

/// A short time, with two or three digits: `0.56 ms`, `4.1 ms`, `120 ms`, `1.2 s`.
pub(crate) fn step(seconds: f64) -> String {
    if seconds < 0.999_5 { format!("{} ms", digits(seconds * 1e3)) } else { format!("{} s", digits(seconds.max(1.0))) }
}

/// A rate or a probability, with two or three digits. Small values have an exponent.
pub(crate) fn short(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        value if value < 0.01 => format!("{value:.1e}"),
        value if value < 1.0 => format!("{value:.3}"),
        value => digits(value),
    }
}

fn digits(value: f64) -> String {
    match value {
        value if value < 1.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at least 100, and rounded on purpose"
        )]
        value => count(value.round() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units_and_steps_one() {
        for (seconds, expected) in
            [(0, "0s"), (59, "59s"), (60, "1m 00s"), (3_599, "59m 59s"), (3_660, "1h 01m"), (90_000, "1d 01h")]
        {
            assert_eq!(duration(&Duration { seconds, nanos: 0 }), expected);
        }
        for (seconds, expected) in [
            (0.000_56, "0.56 ms"),
            (0.004_1, "4.1 ms"),
            (0.12, "120 ms"),
            (0.999_6, "1.0 s"),
            (1.24, "1.2 s"),
            (5_400.0, "5,400 s"),
        ] {
            assert_eq!(step(seconds), expected);
        }
        let [early, late] = [5, 65].map(|seconds| Timestamp { seconds, nanos: 0 });
        assert_eq!([between(&early, &late), between(&late, &early)], ["1m 00s", "0s"]);
    }

    #[test]
    fn rates_have_two_or_three_digits() {
        for (value, expected) in
            [(0.0, "0"), (0.000_56, "5.6e-4"), (0.25, "0.250"), (5.324, "5.3"), (42.0, "42.0"), (11_269.7, "11,270")]
        {
            assert_eq!(short(value), expected);
        }
    }
}
