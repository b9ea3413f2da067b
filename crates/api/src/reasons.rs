//! The reasons of errors: the name of each in the details, and its status code. The comments in `errors.proto` state the codes too, and a
//! test of the server compares them.

use tonic::Code;

use super::v1::ErrorReason;

/// The prefix of the enum's value names.
const PREFIX: &str = "ERROR_REASON_";

/// The name of a reason in the details of an error, such as `STOCK_EXHAUSTED`.
#[must_use]
pub fn name(reason: ErrorReason) -> &'static str {
    let name = reason.as_str_name();
    name.strip_prefix(PREFIX).unwrap_or(name)
}

/// The reason with this name, as [`name`] returns it. `None` if there is no such reason.
#[must_use]
pub fn known(text: &str) -> Option<ErrorReason> {
    ErrorReason::from_str_name(&format!("{PREFIX}{text}"))
}

/// The status code of every error that has the reason.
#[must_use]
pub fn code_of(reason: ErrorReason) -> Code {
    match reason {
        ErrorReason::InvalidField
        | ErrorReason::NotUnique
        | ErrorReason::NoSolution
        | ErrorReason::Contradiction
        | ErrorReason::AlreadySolved => Code::InvalidArgument,
        ErrorReason::KindUnsupported
        | ErrorReason::RatingUnsupported
        | ErrorReason::TargetDeclared
        | ErrorReason::SeriesDeclared
        | ErrorReason::SeriesEnded
        | ErrorReason::ProcessTooOld
        | ErrorReason::Unreachable
        | ErrorReason::StockExhausted => Code::FailedPrecondition,
        ErrorReason::PuzzleNotFound
        | ErrorReason::JobNotFound
        | ErrorReason::TargetNotFound
        | ErrorReason::SeriesNotFound
        | ErrorReason::ServiceUnknown => Code::NotFound,
        ErrorReason::RequestIdReused | ErrorReason::TargetExists | ErrorReason::SeriesExists => Code::AlreadyExists,
        ErrorReason::TargetsFull
        | ErrorReason::SeriesFull
        | ErrorReason::RefillsFull
        | ErrorReason::BacklogFull
        | ErrorReason::StockFull
        | ErrorReason::QuotaExceeded
        | ErrorReason::OutOfBudget
        | ErrorReason::RatingOutOfBudget
        | ErrorReason::Busy => Code::ResourceExhausted,
        ErrorReason::Unauthenticated => Code::Unauthenticated,
        ErrorReason::PermissionDenied | ErrorReason::HostNotAllowed => Code::PermissionDenied,
        ErrorReason::DeadlineExceeded => Code::DeadlineExceeded,
        ErrorReason::CallerGone => Code::Cancelled,
        ErrorReason::DrawUnlucky
        | ErrorReason::ShuttingDown
        | ErrorReason::DatabaseFull
        | ErrorReason::DatabaseReadOnly
        | ErrorReason::DatabaseReplaced
        | ErrorReason::DatabaseUnavailable => Code::Unavailable,
        ErrorReason::MethodUnknown | ErrorReason::CompressionUnsupported => Code::Unimplemented,
        ErrorReason::MessageTooLarge => Code::OutOfRange,
        ErrorReason::Unspecified | ErrorReason::SolversDisagree | ErrorReason::Internal | ErrorReason::Protocol => {
            Code::Internal
        }
    }
}
