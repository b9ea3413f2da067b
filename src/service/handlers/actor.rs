//! Builds the actor of a request for the audit trail: its principal, address, method, and call ID. A request without an
//! identity is an internal error.

use std::sync::Arc;

use http::Extensions;
use tonic::Request;

use crate::{
    access::Caller,
    rules::access::actor::Actor,
    service::{errors::ServiceError, layers::call::CallContext},
};

/// The actor of a request to a method.
///
/// # Errors
/// Those of [`caller_of`] and [`call_of`].
pub(in crate::service) fn of<T>(request: &Request<T>, method: &'static str) -> Result<Actor, ServiceError> {
    let extensions = request.extensions();
    Ok(call_of(extensions)?.actor(&caller_of(extensions)?.principal, method))
}

/// The identity that `authorize` put on a request.
///
/// # Errors
/// [`ServiceError::Internal`] if there is none: no call is answered, and no change is made, in the name of an unknown caller.
pub(in crate::service) fn caller_of(extensions: &Extensions) -> Result<Arc<Caller>, ServiceError> {
    extensions.get().cloned().ok_or_else(|| internal("a call whose caller is unknown"))
}

/// The context that `call` put on a request.
///
/// # Errors
/// [`ServiceError::Internal`] if there is none.
pub(in crate::service) fn call_of(extensions: &Extensions) -> Result<Arc<CallContext>, ServiceError> {
    extensions.get().cloned().ok_or_else(|| internal("a call without an ID"))
}

fn internal(what: &str) -> ServiceError {
    ServiceError::Internal(what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_without_a_caller_has_no_actor() {
        let made = of(&Request::new(()), "CancelJob");
        assert!(matches!(made, Err(ServiceError::Internal(_))), "{made:?}");
        assert!(matches!(caller_of(&Extensions::new()), Err(ServiceError::Internal(_))));
    }
}
