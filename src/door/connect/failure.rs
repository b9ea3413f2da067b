//! Converts the errors of calls to the form of Connect: an HTTP status, and JSON with the code, the message, and the
//! `google.rpc` details.

use base64::{Engine as _, prelude::BASE64_STANDARD_NO_PAD};
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use prost::Message as _;
use prost_reflect::{DynamicMessage, MethodDescriptor};
use serde::Serialize;
use serde_json::value::RawValue;
use tonic::{Status, body::Body};
use tonic_types::StatusExt as _;

use super::{
    codec::{Codec, json, whole},
    incoming::content_type_error,
    methods::Methods,
};
use puzzled_api::codes::{code, http_status};

/// An error as JSON. The field names are those of the specification.
#[derive(Debug, Serialize)]
pub(super) struct Failure<'a> {
    code: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    message: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    details: Vec<Detail>,
}

/// One of the details: its bytes for programs, and the same as JSON for people.
#[derive(Debug, Serialize)]
struct Detail {
    #[serde(rename = "type")]
    name: String,
    /// In base64 without padding.
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    debug: Option<Box<RawValue>>,
}

impl<'a> Failure<'a> {
    /// The status of a failed call as JSON.
    pub(super) fn of(status: &'a Status, methods: &Methods) -> Self {
        let details = tonic_types::pb::Status::decode(status.details()).map(|status| status.details);
        let details = details.unwrap_or_default().into_iter().map(|detail| Detail::of(&detail, methods));
        Self { code: code(status.code()), message: status.message(), details: details.collect() }
    }
}

impl Detail {
    fn of(detail: &prost_types::Any, methods: &Methods) -> Self {
        let name = detail.type_url.rsplit('/').next().unwrap_or_default().to_owned();
        let message = methods.pool().get_message_by_name(&name);
        let message = message.and_then(|message| DynamicMessage::decode(message, &*detail.value).ok());
        let debug = message.and_then(|message| String::from_utf8(json(&message).ok()?).ok());
        Self {
            name,
            value: BASE64_STANDARD_NO_PAD.encode(&detail.value),
            debug: debug.and_then(|debug| RawValue::from_string(debug).ok()),
        }
    }
}

/// The answer to a unary call that failed.
pub(super) fn answer(status: &Status, methods: &Methods) -> Response<Body> {
    let body = serde_json::to_vec(&Failure::of(status, methods)).unwrap_or_default();
    let mut response = Response::new(whole(body.into(), Body::empty()));
    *response.status_mut() = http_status(status.code());
    let content_type = HeaderValue::from_static(Codec::Json.content_type(false));
    response.headers_mut().insert(header::CONTENT_TYPE, content_type);
    // Proxies and HTTP clients know this header, but not `google.rpc.RetryInfo`.
    if let Some(delay) = status.get_details_retry_info().and_then(|info| info.retry_delay) {
        let seconds = delay.as_secs() + u64::from(delay.subsec_nanos() > 0);
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

/// The answer to a request whose content type its method does not accept.
pub(super) fn content_type(headers: &HeaderMap, method: &MethodDescriptor, methods: &Methods) -> Response<Body> {
    let allowed = [Codec::Json, Codec::Proto].map(|codec| codec.content_type(method.is_server_streaming()));
    let error = content_type_error(headers.get(header::CONTENT_TYPE), allowed);
    let mut response = answer(&Status::from(error), methods);
    *response.status_mut() = StatusCode::UNSUPPORTED_MEDIA_TYPE;
    if let Ok(allowed) = HeaderValue::from_str(&allowed.join(", ")) {
        response.headers_mut().insert("accept-post", allowed);
    }
    response
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tonic::Code;
    use tonic_types::ErrorDetails;

    use super::*;

    #[test]
    fn known_delay_is_a_header_in_whole_seconds() {
        let methods = Methods::load().unwrap();
        let retry_after = |details| {
            let status = Status::with_error_details(Code::Unavailable, "busy", details);
            answer(&status, &methods).headers().get(header::RETRY_AFTER).cloned()
        };
        let delay = ErrorDetails::with_retry_info(Some(Duration::from_millis(1_250)));
        assert_eq!(retry_after(delay).unwrap(), "2");
        assert_eq!(retry_after(ErrorDetails::new()), None);
    }
}
