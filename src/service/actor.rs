//! Builds the actor of a request for the audit trail: its principal, address, method, and call ID. A request without an
//! identity is an internal error.

use std::sync::Arc;

use http::Extensions;
use tonic::Request;

use super::{call::CallContext, errors::ServiceError};
use crate::{access::Identity, store::actor::Actor};

/// The sender of a request, and the method that it calls. Creating one is cheap, because the actor is built only when
/// something changes.
#[derive(Debug, Clone)]
pub(super) struct Sender {
    identity: Arc<Identity>,
    call: Arc<CallContext>,
    method: &'static str,
}

impl Sender {
    /// The sender of a request to a method, such as `CancelJob`.
    ///
    /// # Errors
    /// Those of [`identity_of`].
    pub(super) fn of<T>(request: &Request<T>, method: &'static str) -> Result<Self, ServiceError> {
        let extensions = request.extensions();
        let call = extensions.get().cloned().ok_or_else(|| internal("a call without an ID"))?;
        Ok(Self { identity: identity_of(extensions)?, call, method })
    }

    /// The actor of what the request changes.
    pub(super) fn actor(&self) -> Actor {
        self.call.actor(&self.identity.principal, self.method)
    }
}

/// The actor of a request to a method.
///
/// # Errors
/// Those of [`identity_of`].
pub(super) fn of<T>(request: &Request<T>, method: &'static str) -> Result<Actor, ServiceError> {
    Ok(Sender::of(request, method)?.actor())
}

/// The identity that `authorize` put on a request.
///
/// # Errors
/// [`ServiceError::Internal`] if there is none, because no call may be answered or change anything for an unknown
/// caller.
pub(super) fn identity_of(extensions: &Extensions) -> Result<Arc<Identity>, ServiceError> {
    extensions.get().cloned().ok_or_else(|| internal("a call whose caller is unknown"))
}

fn internal(what: &str) -> ServiceError {
    ServiceError::Internal(what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_without_an_identity_has_no_sender() {
        let made = Sender::of(&Request::new(()), "CancelJob");
        assert!(matches!(made, Err(ServiceError::Internal(_))), "{made:?}");
        assert!(matches!(identity_of(&Extensions::new()), Err(ServiceError::Internal(_))));
    }
}
