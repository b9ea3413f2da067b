//! Identifies the caller of each request. Refuses calls of methods that need a higher role, and calls beyond the quota
//! of the principal. This layer runs before the message of a request is read, so that a refused caller learns nothing
//! else from the call.

use std::{future::ready, sync::Arc};

use http::{HeaderValue, Request, header::AUTHORIZATION};
use tonic::{Status, body::Body};

use super::{
    around::{Answer, Around, Handlers},
    context::CallContext,
    context::Peer,
    denials::Denials,
    errors::{ServiceError, access_error::AccessError},
};
use crate::access::{Caller, Gate};
use puzzled_store::access::principal::Role;

// The roles of all methods by path, from the proto files.
include!(concat!(env!("OUT_DIR"), "/method_roles.rs"));

/// Health checks need no identity, because load balancers have none.
const HEALTH: &str = "/grpc.health.v1.Health/";

/// The prefix of the paths of both versions of reflection.
const REFLECTION: &str = "/grpc.reflection.";

/// Puts the [`Caller`] on each request of a service.
#[derive(Debug, Clone)]
pub(crate) struct Authorize {
    gate: Arc<Gate>,
    denials: Arc<Denials>,
}

impl Authorize {
    /// Identifies callers by `gate`, and counts the denied calls of known callers.
    pub(crate) fn new(gate: Arc<Gate>, denials: Arc<Denials>) -> Self {
        Self { gate, denials }
    }

    fn admit(&self, request: &mut Request<Body>) -> Result<(), AccessError> {
        let path = request.uri().path();
        let needs = needs(path);
        if needs == Needs::Nothing {
            return Ok(());
        }
        let headers: Vec<_> = request.headers().get_all(AUTHORIZATION).iter().map(HeaderValue::as_bytes).collect();
        let certificate = request.extensions().get::<Peer>().and_then(|peer| peer.certificate.as_ref());
        let caller = self.gate.identify(&headers, certificate)?;
        let Caller { principal, usage, .. } = &caller;
        let call = request.extensions().get::<Arc<CallContext>>();
        if let Some(call) = call {
            // This is the only place that sets it.
            let _ = call.principal.set(Arc::clone(principal));
        }
        let name = || Arc::clone(&principal.name);
        if let Needs::Role(needs) = needs
            && principal.role < needs
        {
            let method = path.rsplit('/').next().unwrap_or_default();
            if let Some(call) = call {
                self.denials.note(call.actor(principal, method));
            }
            let subject = method.to_owned().into();
            return Err(AccessError::Role { subject, principal: name(), has: principal.role, needs });
        }
        if let Some(usage) = usage {
            usage.call().map_err(|over| AccessError::Rate { over, principal: name() })?;
        }
        request.extensions_mut().insert(Arc::new(caller));
        // No method needs the token, and without it no log can contain it.
        request.headers_mut().remove(AUTHORIZATION);
        Ok(())
    }
}

impl Around for Authorize {
    fn call(&self, inner: &mut impl Handlers, mut request: Request<Body>) -> Answer {
        match self.admit(&mut request) {
            Ok(()) => Box::pin(inner.call(request)),
            Err(error) => Box::pin(ready(Ok(Status::from(ServiceError::Access(error)).into_http()))),
        }
    }
}

/// What a call needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// Nothing: anyone may call.
    Nothing,
    /// Any identity.
    Identity,
    /// An identity with this role or a higher one.
    Role(Role),
}

/// What a call of the method with this path needs. A method that does not exist needs an identity too, so that
/// strangers learn nothing.
fn needs(path: &str) -> Needs {
    if path.starts_with(HEALTH) {
        return Needs::Nothing;
    }
    if path.starts_with(REFLECTION) {
        return Needs::Role(Role::Reader);
    }
    match ROLES.binary_search_by(|(known, _)| known.cmp(&path)) {
        Ok(at) => Needs::Role(ROLES[at].1),
        Err(_) => Needs::Identity,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_of_a_call_follow_from_its_path() {
        for (path, expected) in [
            ("/grpc.health.v1.Health/Check", Needs::Nothing),
            ("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", Needs::Role(Role::Reader)),
            ("/puzzled.v1.PuzzleService/GetPuzzle", Needs::Role(Role::Reader)),
            ("/puzzled.v1.PuzzleService/Generate", Needs::Role(Role::Maker)),
            ("/puzzled.v1.JobService/PauseQueue", Needs::Role(Role::Ops)),
            ("/puzzled.v1.JobService/PauseQueu", Needs::Identity),
            ("", Needs::Identity),
        ] {
            assert_eq!(needs(path), expected, "{path}");
        }
    }
}
