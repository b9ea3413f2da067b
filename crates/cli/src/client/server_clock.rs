//! A channel that learns the time of the server from the header `date` of its answers, so that the ages that a command prints do not
//! depend on the clock of its machine.

use std::{
    pin::Pin,
    sync::atomic::{AtomicI64, Ordering::Relaxed},
    task::{Context, Poll},
};

use http::{HeaderMap, Request, Response, header};
use jiff::{Timestamp, fmt::rfc2822};
use tonic::{body::Body, transport::Channel};
use tower::Service;

use puzzled_base::clock::{Millis, SystemClock};

/// How far the clock of the server is ahead of ours, in milliseconds. A command talks to one server.
static AHEAD_MS: AtomicI64 = AtomicI64::new(0);

/// The maximum difference that is ignored, in milliseconds. The header has whole seconds, and an answer takes time.
const SAME_MS: i64 = 2_000;

/// The time of the server. Before its first answer, the time of this machine.
pub(crate) fn now() -> Millis {
    SystemClock::shared().now().plus_ms(AHEAD_MS.load(Relaxed))
}

/// How far the clock in these headers is ahead of `now`, in milliseconds; `None` without the header.
fn ahead_ms(headers: &HeaderMap, now: Millis) -> Option<i64> {
    let date = rfc2822::parse(headers.get(header::DATE)?.to_str().ok()?).ok()?;
    let ahead = Millis(Timestamp::from(date).as_millisecond()).ms_since(now);
    Some(if ahead.abs() <= SAME_MS { 0 } else { ahead })
}

/// A channel that reads the clock of the server from each answer.
#[derive(Debug, Clone)]
pub struct Dated(pub(crate) Channel);

impl Service<Request<Body>> for Dated {
    type Response = Response<Body>;
    type Error = <Channel as Service<Request<Body>>>::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Service::poll_ready(&mut self.0, cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let answer = self.0.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            if let Some(ahead) = ahead_ms(answer.headers(), SystemClock::shared().now()) {
                AHEAD_MS.store(ahead, Relaxed);
            }
            Ok(answer)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_of_the_server_is_read_from_the_date_of_an_answer() {
        let now = Millis(1_764_216_000_000); // 27 November 2025, 04:00 UTC
        for (date, ahead) in [
            ("Thu, 27 Nov 2025 05:00:00 GMT", Some(3_600_000)),
            ("Thu, 27 Nov 2025 03:59:59 GMT", Some(0)),
            ("Thu, 27 Nov 2025 03:58:00 GMT", Some(-120_000)),
            ("yesterday", None),
        ] {
            let headers = HeaderMap::from_iter([(header::DATE, date.parse().unwrap())]);
            assert_eq!(ahead_ms(&headers, now), ahead, "{date}");
        }
        assert_eq!(ahead_ms(&HeaderMap::new(), now), None);
    }
}
