//! Parses and serializes the values of settings.

use std::{ops::RangeInclusive, time::Duration};

use clap::{
    ValueEnum,
    builder::{RangedI64ValueParser, TypedValueParser},
    value_parser,
};
use serde::{Serialize, Serializer};

/// Which calls have a line in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LoggedCalls {
    /// Every call
    All,
    /// Calls that fail or take longer than a second, at most 100 per second and reason; without streams that their callers left
    Slow,
    /// No call
    Off,
}

/// The format of logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Lines for people.
    Human,
    /// One JSON object per line.
    Json,
}

/// Parses a number in a range.
pub(super) fn between(range: RangeInclusive<i64>) -> RangedI64ValueParser<u32> {
    value_parser!(u32).range(range)
}

/// Parses a time that is given in seconds.
pub(super) fn seconds(range: RangeInclusive<u64>) -> impl TypedValueParser<Value = Duration> {
    value_parser!(u64).range(range).map(Duration::from_secs)
}

/// Serializes a time as it is given.
pub(super) fn as_seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(time.as_secs())
}

/// Parses a share.
pub(super) fn ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio));
    ratio.ok_or_else(|| "not a number from 0 to 1".to_owned())
}

/// The entries of a list that is separated by commas.
pub fn entries(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|entry| !entry.is_empty())
}
