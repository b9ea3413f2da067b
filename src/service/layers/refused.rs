//! Adds a reason to errors of calls that tonic refuses before they reach a handler.

use std::collections::HashMap;

use http::Response;
use tonic::{Code, Status, body::Body};
use tonic_types::{ErrorDetails, StatusExt as _};

use crate::{
    base::message::bounded,
    proto::v1::ErrorReason,
    service::errors::{
        DOMAIN,
        reasons::{code_of, name},
    },
};

/// Adds a reason to an error that tonic raised itself. All other errors have one.
pub(in crate::service) fn with_reason(response: Response<Body>) -> Response<Body> {
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
pub(in crate::service) fn reason_of(status: &Status) -> ErrorReason {
    match status.code() {
        Code::Unimplemented if status.message().is_empty() => ErrorReason::MethodUnknown,
        Code::Unimplemented => ErrorReason::CompressionUnsupported,
        Code::OutOfRange => ErrorReason::MessageTooLarge,
        Code::NotFound => ErrorReason::ServiceUnknown,
        _ => ErrorReason::Protocol,
    }
}
