//! The codes of failed calls as the Connect protocol writes them, and their HTTP statuses.

use http::StatusCode;
use tonic::Code;

/// The names of the codes of failed calls, each with its HTTP status, in the order of their numbers.
pub fn codes() -> impl Iterator<Item = (&'static str, u16)> {
    (1..=16).map(Code::from).map(|status| (code(status), http_status(status).as_u16()))
}

/// The name of a code in JSON.
#[must_use]
pub fn code(code: Code) -> &'static str {
    match code {
        Code::Ok | Code::Unknown => "unknown",
        Code::Cancelled => "canceled",
        Code::InvalidArgument => "invalid_argument",
        Code::DeadlineExceeded => "deadline_exceeded",
        Code::NotFound => "not_found",
        Code::AlreadyExists => "already_exists",
        Code::PermissionDenied => "permission_denied",
        Code::ResourceExhausted => "resource_exhausted",
        Code::FailedPrecondition => "failed_precondition",
        Code::Aborted => "aborted",
        Code::OutOfRange => "out_of_range",
        Code::Unimplemented => "unimplemented",
        Code::Internal => "internal",
        Code::Unavailable => "unavailable",
        Code::DataLoss => "data_loss",
        Code::Unauthenticated => "unauthenticated",
    }
}

/// The HTTP status of a code, by the specification of Connect.
#[must_use]
pub fn http_status(code: Code) -> StatusCode {
    let status = match code {
        Code::Cancelled => 499,
        Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange => 400,
        Code::DeadlineExceeded => 504,
        Code::NotFound => 404,
        Code::AlreadyExists | Code::Aborted => 409,
        Code::PermissionDenied => 403,
        Code::ResourceExhausted => 429,
        Code::Unimplemented => 501,
        Code::Unavailable => 503,
        Code::Unauthenticated => 401,
        Code::Ok | Code::Unknown | Code::Internal | Code::DataLoss => 500,
    };
    StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
