//! From the wire to the domain and back. Knows both, decides nothing.

pub(super) mod date;
pub(super) mod hint;
pub(super) mod job;
pub(super) mod puzzle;
pub(super) mod queue;
pub(super) mod solution;
pub(super) mod stock;
pub(super) mod target;

use prost_types::Timestamp;

use crate::{clock::Millis, proto::v1 as pb};
use puzzled_engine::{
    kind::PuzzleKind,
    level::{self, Level, Tenths},
    registry,
    symmetry::Symmetry,
};

/// What the names of the wire's kinds begin with; the rest is the engine's name in capitals.
const KIND_PREFIX: &str = "KIND_";

/// How far from a whole number of tenths a rating may lie: what a 32-bit float makes of 25.5 is nearer.
const TENTHS_SLACK: f64 = 1e-4;

/// The engine's kind, if it has one of this name.
pub(super) fn kind_of(kind: pb::Kind) -> Option<&'static dyn PuzzleKind> {
    registry::kind(&kind.as_str_name().strip_prefix(KIND_PREFIX)?.to_ascii_lowercase())
}

/// The wire's kind of an engine's or stored name. A name that only a newer version knows is `KIND_UNSPECIFIED`.
pub(super) fn kind(name: &str) -> pb::Kind {
    pb::Kind::from_str_name(&format!("{KIND_PREFIX}{}", name.to_ascii_uppercase())).unwrap_or_default()
}

/// The level; none if it is not said.
pub(super) fn level_of(level: pb::Level) -> Option<Level> {
    match level {
        pb::Level::Unspecified => None,
        pb::Level::Easy => Some(Level::Easy),
        pb::Level::Medium => Some(Level::Medium),
        pb::Level::Hard => Some(Level::Hard),
        pb::Level::Expert => Some(Level::Expert),
        pb::Level::Evil => Some(Level::Evil),
    }
}

/// The wire's level.
pub(super) fn level(level: Level) -> pb::Level {
    match level {
        Level::Easy => pb::Level::Easy,
        Level::Medium => pb::Level::Medium,
        Level::Hard => pb::Level::Hard,
        Level::Expert => pb::Level::Expert,
        Level::Evil => pb::Level::Evil,
    }
}

/// The wire's level of a rating; `LEVEL_UNSPECIFIED` for a kind that only a newer version knows.
pub(super) fn level_at(kind: &str, rating: Tenths) -> pb::Level {
    registry::kind(kind).map_or(pb::Level::Unspecified, |kind| level(level::level_of(kind.levels(), rating)))
}

/// The symmetry; none if it is not said.
pub(super) fn symmetry_of(symmetry: pb::Symmetry) -> Option<Symmetry> {
    match symmetry {
        pb::Symmetry::Unspecified => None,
        pb::Symmetry::None => Some(Symmetry::None),
        pb::Symmetry::Rotation180 => Some(Symmetry::Rotation180),
        pb::Symmetry::Rotation90 => Some(Symmetry::Rotation90),
        pb::Symmetry::Horizontal => Some(Symmetry::Horizontal),
        pb::Symmetry::Vertical => Some(Symmetry::Vertical),
        pb::Symmetry::Diagonal => Some(Symmetry::Diagonal),
        pb::Symmetry::AntiDiagonal => Some(Symmetry::AntiDiagonal),
        pb::Symmetry::Full => Some(Symmetry::Full),
    }
}

/// The wire's symmetry.
pub(super) fn symmetry(symmetry: Symmetry) -> pb::Symmetry {
    match symmetry {
        Symmetry::None => pb::Symmetry::None,
        Symmetry::Rotation180 => pb::Symmetry::Rotation180,
        Symmetry::Rotation90 => pb::Symmetry::Rotation90,
        Symmetry::Horizontal => pb::Symmetry::Horizontal,
        Symmetry::Vertical => pb::Symmetry::Vertical,
        Symmetry::Diagonal => pb::Symmetry::Diagonal,
        Symmetry::AntiDiagonal => pb::Symmetry::AntiDiagonal,
        Symmetry::Full => pb::Symmetry::Full,
    }
}

/// The wire's rating.
pub(super) fn rating(tenths: Tenths) -> f64 {
    f64::from(tenths.0) / 10.0
}

/// A rating as sent, or what is wrong with it.
pub(super) fn tenths_of(value: f64) -> Result<Tenths, String> {
    let tenths = (value * 10.0).round();
    let max = Tenths(u8::MAX);
    if !(0.0..=f64::from(max.0)).contains(&tenths) {
        return Err(format!("{value} is outside {} to {max}", Tenths(0)));
    }
    if (value * 10.0 - tenths).abs() > TENTHS_SLACK {
        return Err(format!("{value} has more than 1 decimal"));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, and within 0 to 255")]
    Ok(Tenths(tenths as u8))
}

/// The wire's instant.
pub(super) fn timestamp(at: Millis) -> Timestamp {
    let nanos = i32::try_from(at.0.rem_euclid(1_000) * 1_000_000).unwrap_or(0);
    Timestamp { seconds: at.0.div_euclid(1_000), nanos }
}

/// An instant as sent, rounded up to the millisecond, or what is wrong with it.
pub(super) fn millis_of(at: Timestamp) -> Result<Millis, String> {
    // The years 1 to 9999, as the message's own definition bounds them.
    const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;
    if !SECONDS.contains(&at.seconds) {
        return Err(format!("{} seconds are outside {} to {}", at.seconds, SECONDS.start(), SECONDS.end()));
    }
    if !(0..1_000_000_000).contains(&at.nanos) {
        return Err(format!("{} nanos are outside 0 to 999999999", at.nanos));
    }
    Ok(Millis(at.seconds * 1_000 + (i64::from(at.nanos) + 999_999) / 1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_have_one_decimal_between_0_and_25_5() {
        for (value, wanted) in [
            (2.6, Ok(26)),
            (f64::from(2.6_f32), Ok(26)),
            (f64::from(25.1_f32), Ok(251)),
            (0.0, Ok(0)),
            (-0.0, Ok(0)),
            (25.5, Ok(255)),
            (2.65, Err("2.65 has more than 1 decimal")),
            (25.6, Err("25.6 is outside 0.0 to 25.5")),
            (-0.1, Err("-0.1 is outside 0.0 to 25.5")),
            (-0.01, Err("-0.01 has more than 1 decimal")),
            (f64::NAN, Err("NaN is outside 0.0 to 25.5")),
            (f64::INFINITY, Err("inf is outside 0.0 to 25.5")),
            (f64::NEG_INFINITY, Err("-inf is outside 0.0 to 25.5")),
        ] {
            assert_eq!(tenths_of(value), wanted.map(Tenths).map_err(str::to_owned), "{value}");
        }
    }

    #[test]
    fn every_rating_survives_the_wire() {
        for tenths in 0..=u8::MAX {
            assert_eq!(tenths_of(rating(Tenths(tenths))), Ok(Tenths(tenths)));
        }
    }

    #[test]
    fn instants_survive_the_wire_and_bad_ones_are_refused() {
        for at in [0, 1, 999, 1_700_000_000_123, -1, -1_001] {
            assert_eq!(millis_of(timestamp(Millis(at))), Ok(Millis(at)));
        }
        for (seconds, nanos, wanted) in [
            (1, 1, Ok(1_001)),
            (253_402_300_800, 0, Err("253402300800 seconds are outside -62135596800 to 253402300799")),
            (0, -1, Err("-1 nanos are outside 0 to 999999999")),
            (0, 1_000_000_000, Err("1000000000 nanos are outside 0 to 999999999")),
        ] {
            assert_eq!(millis_of(Timestamp { seconds, nanos }), wanted.map(Millis).map_err(str::to_owned));
        }
    }

    #[test]
    fn levels_and_symmetries_survive_the_wire() {
        for one in Level::ALL {
            assert_eq!(level_of(level(one)), Some(one));
            assert_eq!(level(one).as_str_name(), format!("LEVEL_{}", one.name().to_ascii_uppercase()));
        }
        for one in Symmetry::ALL {
            assert_eq!(symmetry_of(symmetry(one)), Some(one));
            let name = one.name().to_ascii_uppercase().replace('-', "_");
            assert_eq!(symmetry(one).as_str_name(), format!("SYMMETRY_{name}"));
        }
    }

    #[test]
    fn every_kind_of_the_registry_is_on_the_wire() {
        for known in registry::kinds() {
            assert_ne!(kind(known.name()), pb::Kind::Unspecified, "{}", known.name());
            assert_eq!(kind_of(kind(known.name())).map(PuzzleKind::name), Some(known.name()));
        }
        assert_eq!(kind("of-a-newer-version"), pb::Kind::Unspecified);
    }
}
