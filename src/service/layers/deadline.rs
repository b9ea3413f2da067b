//! Parses `grpc-timeout`, by which a caller sets the deadline of a call.

use std::time::Duration;

use http::HeaderMap;
use tokio::time::Instant;

use crate::service::errors::{ServiceError, fields::Invalid};

const HEADER: &str = "grpc-timeout";

/// The maximum number of digits that the gRPC specification allows.
const DIGITS_MAX: usize = 8;

/// The deadline of a call. [`super::edge`] adds it to the request's extensions for streams and waits.
#[derive(Debug, Clone, Copy)]
pub(in crate::service) struct Deadline {
    /// The instant.
    pub(in crate::service) at: Instant,
    /// The time from the call's arrival to that instant.
    pub(in crate::service) timeout: Duration,
}

/// The time until the caller's deadline; `None` if the caller sets none.
///
/// # Errors
/// [`ServiceError::Invalid`] if the header does not have the form of the gRPC specification.
pub(in crate::service) fn timeout(headers: &HeaderMap) -> Result<Option<Duration>, ServiceError> {
    let Some(value) = headers.get(HEADER) else { return Ok(None) };
    match value.to_str().ok().and_then(parse) {
        Some(timeout) => Ok(Some(timeout)),
        None => Err(Invalid::one(HEADER, format!("{value:?} is not up to {DIGITS_MAX} digits and a unit of HMSmun"))),
    }
}

fn parse(text: &str) -> Option<Duration> {
    let unit = text.chars().last()?;
    let digits = text.strip_suffix(unit)?;
    if !(1..=DIGITS_MAX).contains(&digits.len()) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: u64 = digits.parse().ok()?;
    Some(match unit {
        'H' => Duration::from_secs(number * 3_600),
        'M' => Duration::from_secs(number * 60),
        'S' => Duration::from_secs(number),
        'm' => Duration::from_millis(number),
        'u' => Duration::from_micros(number),
        'n' => Duration::from_nanos(number),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_read_as_the_specification_writes_them() {
        for (text, wanted) in [
            ("0n", Some(Duration::ZERO)),
            ("7n", Some(Duration::from_nanos(7))),
            ("250u", Some(Duration::from_micros(250))),
            ("1500m", Some(Duration::from_millis(1_500))),
            ("5S", Some(Duration::from_secs(5))),
            ("2M", Some(Duration::from_mins(2))),
            ("00000001H", Some(Duration::from_hours(1))),
            ("99999999H", Some(Duration::from_hours(99_999_999))),
            ("100000000n", None),
            ("5s", None),
            ("S", None),
            ("5", None),
            ("", None),
            ("-5S", None),
            ("+5S", None),
            ("5 S", None),
            ("5Sé", None),
        ] {
            assert_eq!(parse(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn call_without_the_header_has_no_deadline() {
        assert!(timeout(&HeaderMap::new()).unwrap().is_none());
    }
}
