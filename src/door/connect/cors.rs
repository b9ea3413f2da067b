//! Sets which web pages of other origins may call the API from a browser, with which headers (CORS).

use std::time::Duration;

use http::{HeaderName, HeaderValue, Method, header};
use tower_http::cors::{AllowHeaders, AllowMethods, AllowOrigin, CorsLayer, ExposeHeaders};

use crate::settings::entries;

/// How long a browser may cache a preflight response: two hours, the maximum that browsers accept.
const AGE_MAX: Duration = Duration::from_hours(2);

/// The headers of requests that Connect and this server read. `docs/json.md` names them; a test compares.
const SENT: [&str; 9] = [
    "authorization",
    "connect-protocol-version",
    "connect-timeout-ms",
    "connect-content-encoding",
    "connect-accept-encoding",
    "content-encoding",
    "x-request-id",
    "traceparent",
    "tracestate",
];

/// The headers of answers that a page may read.
const EXPOSED: [&str; 3] = ["connect-content-encoding", "content-encoding", "x-request-id"];

/// A layer that lets pages of these origins call the API. `None` if there are no origins; browsers then block all pages
/// of other origins.
pub(super) fn layer(origins: &str) -> Option<CorsLayer> {
    let origins: Vec<_> = entries(origins).filter_map(|origin| HeaderValue::from_str(origin).ok()).collect();
    if origins.is_empty() {
        return None;
    }
    let sent = SENT.map(HeaderName::from_static).into_iter().chain([header::CONTENT_TYPE]);
    let layer = CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods(AllowMethods::exact(Method::POST))
        .allow_headers(AllowHeaders::list(sent))
        .expose_headers(ExposeHeaders::list(EXPOSED.map(HeaderName::from_static)))
        .max_age(AGE_MAX);
    Some(layer)
}
