//! The errors of calls that are refused because of their caller: it has no identity, lacks a role or the right to
//! solutions, has lost access during a stream, or has used up a quota.

use std::{borrow::Cow, sync::Arc};

use tonic_types::{ErrorDetails, QuotaViolation};

use crate::access::{OverRate, Unidentified};
use puzzled_api::v1::ErrorReason;
use puzzled_store::access::principal::Role;

/// Why the caller may not make a call.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AccessError {
    /// The caller is unknown.
    #[error(transparent)]
    Unidentified(#[from] Unidentified),
    /// The method, or a field of the request, needs a higher role.
    #[error("{subject}: {principal:?} has the role {}; this needs the role {}", .has.name(), .needs.name())]
    Role { subject: Cow<'static, str>, principal: Arc<str>, has: Role, needs: Role },
    /// The method, or a field of the request, needs the right to solutions.
    #[error("{subject}: {principal:?} may not see solutions; this needs `solutions = true` in the access file")]
    Solutions { subject: Cow<'static, str>, principal: Arc<str> },
    /// The principal of an open stream lost a role or a right.
    #[error("the role or the rights of {0:?} were reduced; repeat the call")]
    Changed(Arc<str>),
    /// A quota is used up.
    #[error("{}: {principal:?} has used its quota of {}; repeat the call after {:.3} s", .over.quota, .over.max, .over.wait.as_secs_f64())]
    Rate { over: OverRate, principal: Arc<str> },
}

impl AccessError {
    /// The same error for a request in a batch.
    pub(crate) fn in_request(mut self, index: usize) -> Self {
        if let Self::Role { subject, .. } | Self::Solutions { subject, .. } = &mut self {
            *subject = format!("requests[{index}].{subject}").into();
        }
        self
    }

    pub(crate) fn reason(&self) -> ErrorReason {
        match self {
            Self::Unidentified(_) => ErrorReason::Unauthenticated,
            Self::Role { .. } | Self::Solutions { .. } | Self::Changed(_) => ErrorReason::PermissionDenied,
            Self::Rate { .. } => ErrorReason::QuotaExceeded,
        }
    }

    /// Metadata for programs, in addition to the reason.
    pub(crate) fn metadata(&self) -> Vec<(String, String)> {
        let named = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        match self {
            Self::Unidentified(_) | Self::Changed(_) => Vec::new(),
            Self::Role { subject, principal, has: _, needs } => {
                named(&[("role", needs.name()), ("subject", subject), ("principal", principal)])
            }
            Self::Solutions { subject, principal } => {
                named(&[("right", "solutions"), ("subject", subject), ("principal", principal)])
            }
            Self::Rate { over, .. } => named(&[("quota", over.quota)]),
        }
    }

    /// Adds the details that this error has besides its reason. `said` is the message of the error.
    pub(super) fn add_to<'a>(&self, details: &'a mut ErrorDetails, said: String) -> &'a mut ErrorDetails {
        match self {
            Self::Rate { over, .. } => {
                details.set_quota_failure(vec![QuotaViolation::new(over.quota, said)]).set_retry_info(Some(over.wait))
            }
            Self::Unidentified(_) | Self::Role { .. } | Self::Solutions { .. } | Self::Changed(_) => details,
        }
    }
}
