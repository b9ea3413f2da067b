//! Wraps every call: refuses it if too many calls are in progress (except health checks), applies the deadline that its
//! `grpc-timeout` sets, and adds a reason to errors that tonic itself raises.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use http::{HeaderMap, Request, Response};
use tokio::time::Instant;
use tonic::{Code, Status, body::Body};
use tonic_types::{ErrorDetails, StatusExt as _};

use super::{
    around::{Answer, Around, Handlers},
    context::Peer,
    errors::{ServiceError, details::DOMAIN, fields::Invalid},
    traffic::Call,
};
use crate::settings::CurrentSettings;
use puzzled_api::{
    reasons::{code_of, name},
    v1::ErrorReason,
};
use puzzled_base::message::bounded;

/// Health checks pass at any load, because a busy server is healthy.
const HEALTH: &str = "/grpc.health.v1.Health/";

/// The header by which a caller sets the deadline of a call.
const TIMEOUT: &str = "grpc-timeout";

/// The maximum number of digits that the gRPC specification allows.
const DIGITS_MAX: usize = 8;

/// The layer around all services, within the one that identifies callers.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    calls: Arc<AtomicU32>,
    current: Arc<CurrentSettings>,
}

impl Edge {
    /// Answers as many calls at a time as the current settings allow.
    pub(crate) fn new(current: Arc<CurrentSettings>) -> Self {
        Self { calls: Arc::default(), current }
    }

    /// Counts one more call until the returned place is dropped.
    ///
    /// # Errors
    /// [`ServiceError::Busy`] if the limit is reached.
    fn permit(&self) -> Result<Permit, ServiceError> {
        let max = self.current.get().limits.max_calls;
        let more = |calls: u32| (calls < max).then_some(calls + 1);
        match self.calls.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more) {
            Ok(_) => Ok(Permit(Arc::clone(&self.calls))),
            Err(_) => Err(ServiceError::Busy { subject: "calls being answered", max }),
        }
    }
}

/// The place of a call that is being answered.
#[derive(Debug)]
struct Permit(Arc<AtomicU32>);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The deadline of a call. [`Edge`] adds it to the request's extensions for streams and waits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline {
    pub(crate) at: Instant,
    /// The time from the call's arrival to that instant.
    pub(crate) timeout: Duration,
}

impl Around for Edge {
    fn call(&self, inner: &mut impl Handlers, mut request: Request<Body>) -> Answer {
        let timeout = match timeout(request.headers()) {
            Ok(timeout) => timeout,
            Err(error) => return Box::pin(async { Ok(answer(error)) }),
        };
        let permit = match self.permit() {
            Ok(permit) => Some(permit),
            Err(_) if request.uri().path().starts_with(HEALTH) => None,
            Err(error) => return Box::pin(async { Ok(answer(error)) }),
        };
        // The timer starts now, not at the first poll. Thus it ends before tonic's own timer, which would answer
        // CANCELLED.
        let timer = timeout.map(tokio::time::sleep);
        if let (Some(timer), Some(timeout)) = (&timer, timeout) {
            request.extensions_mut().insert(Deadline { at: timer.deadline(), timeout });
        }
        let under_way = request.extensions().get::<Peer>().map(|peer| Call::begin(&peer.traffic));
        let call = inner.call(request);
        Box::pin(async move {
            let _permit = permit;
            let response = match timer {
                None => call.await?,
                Some(timer) => tokio::select! {
                    biased;
                    response = call => response?,
                    () = timer => return Ok(answer(ServiceError::DeadlineExceeded)),
                },
            };
            let response = with_reason(response);
            Ok(match under_way {
                Some(call) => call.until_sent(response),
                None => response,
            })
        })
    }
}

fn answer(error: ServiceError) -> Response<Body> {
    Status::from(error).into_http()
}

/// The time until the caller's deadline; `None` if the caller sets none.
///
/// # Errors
/// [`ServiceError::Invalid`] if the header does not have the form of the gRPC specification.
fn timeout(headers: &HeaderMap) -> Result<Option<Duration>, ServiceError> {
    let Some(value) = headers.get(TIMEOUT) else { return Ok(None) };
    match value.to_str().ok().and_then(parse) {
        Some(timeout) => Ok(Some(timeout)),
        None => Err(Invalid::one(
            TIMEOUT,
            format!("{value:?} is not a timeout; use 1 to {DIGITS_MAX} digits and a unit: H, M, S, m, u, or n"),
        )),
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

/// Adds a reason to an error that tonic raised itself. All other errors have one.
fn with_reason(response: Response<Body>) -> Response<Body> {
    let refused = Status::from_header_map(response.headers())
        .filter(|status| status.code() != Code::Ok && status.details().is_empty());
    let Some(status) = refused else { return response };
    let reason = reason_of(&status);
    // For an unknown method, tonic sends no message.
    let message = if status.message().is_empty() { status.code().description() } else { status.message() };
    let message = bounded(message.to_owned());
    tracing::debug!(reason = name(reason), error = message, "call refused");
    let details = ErrorDetails::with_error_info(name(reason), DOMAIN, HashMap::new());
    // The metadata contains the compressions that the server reads.
    let metadata = status.metadata().clone();
    Status::with_error_details_and_metadata(code_of(reason), message, details, metadata).into_http()
}

/// The reason for an error that tonic raised itself.
pub(crate) fn reason_of(status: &Status) -> ErrorReason {
    match status.code() {
        Code::Unimplemented if status.message().is_empty() => ErrorReason::MethodUnknown,
        Code::Unimplemented => ErrorReason::CompressionUnsupported,
        Code::OutOfRange => ErrorReason::MessageTooLarge,
        Code::NotFound => ErrorReason::ServiceUnknown,
        _ => ErrorReason::Protocol,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_read_as_the_specification_writes_them() {
        for (text, expected) in [
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
            assert_eq!(parse(text), expected, "{text:?}");
        }
    }

    #[test]
    fn call_without_the_header_has_no_deadline() {
        assert!(timeout(&HeaderMap::new()).unwrap().is_none());
    }
}
