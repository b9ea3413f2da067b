//! The google.rpc details of each error: what programs read besides the code and the message.

use std::time::Duration;

use tonic::Code;
use tonic_types::{ErrorDetails, FieldViolation, PreconditionViolation, QuotaViolation};

use super::{ServiceError, fields::Invalid};
use puzzled_api::reasons::{code_of, name};
use puzzled_base::message::bounded;
use puzzled_engine::shared::names::{SHOWN_MAX, head};
use puzzled_store::jobs::process::OlderProcess;

/// Domain of all reasons: the package of [`ErrorReason`].
pub(crate) const DOMAIN: &str = "puzzled.v1";

/// Delay in `RetryInfo` if the cause passes soon: a busy thread, a lock, a restart.
const RETRY_SOON: Duration = Duration::from_secs(1);

/// Delay in `RetryInfo` if the backlog is full, because jobs take longer.
const RETRY_LATER: Duration = Duration::from_secs(10);

impl ServiceError {
    pub(super) fn details(&self) -> ErrorDetails {
        let reason = name(self.reason());
        let mut details = ErrorDetails::with_error_info(reason, DOMAIN, self.metadata());
        let said = bounded(self.to_string());
        let violates = |subject: &str, said| vec![PreconditionViolation::new(reason, subject, said)];
        let alone = if let Self::InBatch { error, .. } = self { error } else { self };
        match alone {
            Self::Invalid(Invalid(fields)) => {
                let fields = fields.iter().map(|(field, fault)| FieldViolation::new(&**field, bounded(fault.clone())));
                details.set_bad_request(fields.collect::<Vec<_>>())
            }
            Self::Access(error) => error.add_to(&mut details, said),
            Self::NotUnique { .. } | Self::NoSolution { .. } | Self::Contradiction { .. } | Self::AlreadySolved => {
                // The name of the field is not repeated.
                let description = alone.to_string().replacen("text: ", "", 1);
                details.set_bad_request(vec![FieldViolation::new("text", bounded(description))])
            }
            Self::KindUnsupported(subject) => details.set_precondition_failure(violates(subject, said)),
            Self::RatingUnsupported { .. } | Self::Unrated { .. } | Self::Unreachable { .. } => {
                details.set_precondition_failure(violates("rating", said))
            }
            Self::StockExhausted(exhausted) => {
                let (wanted, retry) = (exhausted.wanted_in_words(), exhausted.retry());
                details.set_precondition_failure(violates(&wanted, said));
                if retry.is_some() { details.set_retry_info(retry) } else { &mut details }
            }
            Self::SeriesNotFound(name) | Self::SeriesExists(name) => {
                details.set_resource_info("puzzled.v1.DailySeries", head(name, SHOWN_MAX), "", said)
            }
            Self::SeriesDeclared { series: subject, .. }
            | Self::SeriesEnded { series: subject, .. }
            | Self::ProcessTooOld(OlderProcess { host: subject, .. }) => {
                details.set_precondition_failure(violates(subject, said))
            }
            Self::SeriesFull { .. } => details.set_quota_failure(vec![QuotaViolation::new("daily series", said)]),
            Self::PuzzleNotFound(id) => details.set_resource_info("puzzled.v1.Puzzle", head(id, SHOWN_MAX), "", said),
            Self::JobNotFound(id) => details.set_resource_info("puzzled.v1.Job", head(id, SHOWN_MAX), "", said),
            Self::TargetNotFound(id) => {
                details.set_resource_info("puzzled.v1.StockTarget", head(id, SHOWN_MAX), "", said)
            }
            Self::RequestIdReused { job, .. } => details.set_resource_info("puzzled.v1.Job", job.to_string(), "", said),
            Self::DeliveryNamed { puzzle, .. } => {
                details.set_resource_info("puzzled.v1.Puzzle", puzzle.to_string(), "", said)
            }
            Self::TargetExists { target, .. } => {
                details.set_resource_info("puzzled.v1.StockTarget", target.to_string(), "", said)
            }
            Self::TargetDeclared { target: subject, .. } => {
                details.set_precondition_failure(violates(&subject.to_string(), said))
            }
            Self::TargetsFull { .. } => details.set_quota_failure(vec![QuotaViolation::new("stock targets", said)]),
            Self::RefillsFull { .. } => details
                .set_quota_failure(vec![QuotaViolation::new("open refills", said)])
                .set_retry_info(Some(RETRY_LATER)),
            // No RetryInfo, because waiting does not help.
            Self::StockFull(full) => details.set_quota_failure(vec![QuotaViolation::new(full.bound.setting(), said)]),
            Self::OverQuota(over) => details.set_quota_failure(vec![QuotaViolation::new(over.quota.name(), said)]),
            Self::BacklogFull { .. } => details
                .set_quota_failure(vec![QuotaViolation::new("open jobs", said)])
                .set_retry_info(Some(RETRY_LATER)),
            Self::Busy { subject, .. } | Self::CallerBusy { subject, .. } => {
                details.set_quota_failure(vec![QuotaViolation::new(*subject, said)]).set_retry_info(Some(RETRY_SOON))
            }
            Self::OutOfBudget { .. } | Self::RatingOutOfBudget { .. } => {
                details.set_quota_failure(vec![QuotaViolation::new("nodes of search", said)])
            }
            _ => &mut details,
        };
        if code_of(self.reason()) == Code::Unavailable {
            details.set_retry_info(Some(RETRY_SOON));
        }
        details
    }
}
