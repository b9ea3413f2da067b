//! Calls that tonic itself refuses, before any of our code sees them: they get a reason like all others.

use std::collections::HashMap;

use http::Response;
use tonic::{Code, Status, body::Body};
use tonic_types::{ErrorDetails, StatusExt as _};

use super::{
    errors::DOMAIN,
    reasons::{code_of, name},
};
use crate::{message::bounded, proto::v1::ErrorReason};

/// Gives a reason to an answer with which tonic itself has refused a call; all others have theirs.
pub(super) fn with_reason(response: Response<Body>) -> Response<Body> {
    let refused = Status::from_header_map(response.headers())
        .filter(|status| status.code() != Code::Ok && status.details().is_empty());
    let Some(status) = refused else { return response };
    let reason = reason_of(&status);
    // To an unknown method tonic says nothing at all.
    let message = if status.message().is_empty() { status.code().description() } else { status.message() };
    let message = bounded(message.to_owned());
    tracing::debug!(reason = name(reason), error = message, "a call was refused");
    let details = ErrorDetails::with_error_info(name(reason), DOMAIN, HashMap::new());
    // The metadata says which compression the server reads.
    let metadata = status.metadata().clone();
    Status::with_error_details_and_metadata(code_of(reason), message, details, metadata).into_http()
}

/// Why tonic itself has refused a call.
pub(super) fn reason_of(status: &Status) -> ErrorReason {
    match status.code() {
        Code::Unimplemented if status.message().is_empty() => ErrorReason::MethodUnknown,
        Code::Unimplemented => ErrorReason::CompressionUnsupported,
        Code::OutOfRange => ErrorReason::MessageTooLarge,
        Code::NotFound => ErrorReason::ServiceUnknown,
        _ => ErrorReason::Protocol,
    }
}
