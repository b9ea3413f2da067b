//! Identifies the caller of each request, and refuses calls of methods that need a higher role. This layer runs before
//! the message of a request is read, so that a refused caller learns nothing else from the call.

use std::{
    convert::Infallible,
    future::{Ready, ready},
    sync::Arc,
    task::{Context, Poll},
};

use futures_util::future::Either;
use http::{Request, Response, header::AUTHORIZATION};
use tonic::body::Body;
use tower::{Layer, Service};

use super::{
    call::CallContext,
    denials::Denials,
    method_roles::{Needs, needs},
};
use crate::{
    access::{Caller, Gate},
    rules::access::principal::Principal,
    service::{
        errors::{ServiceError, access_error::AccessError},
        http::peer::Peer,
    },
};

/// Puts the [`Caller`] of the caller on each request of a service.
#[derive(Debug, Clone)]
pub(in crate::service) struct AccessLayer {
    gate: Arc<Gate>,
    denials: Arc<Denials>,
}

impl AccessLayer {
    /// Identifies callers by `gate`, and counts the denied calls of known callers.
    pub(in crate::service) fn new(gate: Arc<Gate>, denials: Arc<Denials>) -> Self {
        Self { gate, denials }
    }

    fn admit(&self, request: &mut Request<Body>) -> Result<(), AccessError> {
        let path = request.uri().path();
        let needs = needs(path);
        if needs == Needs::Nothing {
            return Ok(());
        }
        let headers: Vec<_> =
            request.headers().get_all(AUTHORIZATION).iter().map(http::HeaderValue::as_bytes).collect();
        let certificate = request.extensions().get::<Peer>().and_then(|peer| peer.certificate.as_ref());
        let caller = self.gate.identify(&headers, certificate)?;
        let Caller { principal, usage, .. } = &caller;
        if let Some(call) = request.extensions().get::<Arc<CallContext>>() {
            // This is the only place that sets it.
            let _ = call.principal.set(Arc::clone(principal));
        }
        if let Needs::Role(needs) = needs
            && principal.role < needs
        {
            let method = path.rsplit('/').next().unwrap_or_default();
            self.note_denied(request, principal, method);
            let subject = method.to_owned().into();
            return Err(AccessError::Role {
                subject,
                principal: Arc::clone(&principal.name),
                has: principal.role,
                needs,
            });
        }
        if let Some(usage) = usage {
            usage.call().map_err(|over| AccessError::Rate { over, principal: Arc::clone(&principal.name) })?;
        }
        request.extensions_mut().insert(Arc::new(caller));
        // No handler needs the token, and without it no log can contain it.
        request.headers_mut().remove(AUTHORIZATION);
        Ok(())
    }
}

impl AccessLayer {
    fn note_denied(&self, request: &Request<Body>, principal: &Principal, method: &str) {
        if let Some(call) = request.extensions().get::<Arc<CallContext>>() {
            self.denials.note(call.actor(principal, method));
        }
    }
}

impl<S> Layer<S> for AccessLayer {
    type Service = Authorized<S>;

    fn layer(&self, inner: S) -> Authorized<S> {
        Authorized { inner, layer: self.clone() }
    }
}

/// A service whose callers are known and may call its methods.
#[derive(Debug, Clone)]
pub(in crate::service) struct Authorized<S> {
    inner: S,
    layer: AccessLayer,
}

impl<S> Service<Request<Body>> for Authorized<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Either<Ready<Result<Response<Body>, Infallible>>, S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        match self.layer.admit(&mut request) {
            Ok(()) => Either::Right(self.inner.call(request)),
            Err(error) => {
                let status = tonic::Status::from(ServiceError::Access(error));
                Either::Left(ready(Ok(status.into_http())))
            }
        }
    }
}
