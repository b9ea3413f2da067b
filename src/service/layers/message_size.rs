//! Applies the current limits on message sizes. tonic sets the limits when a server is built. To apply changed limits
//! without a restart, a copy of the server with the current limits answers each call. A copy costs as much as a
//! pointer.

use std::{
    convert::Infallible,
    sync::Arc,
    task::{Context, Poll},
};

use http::{Request, Response};
use tonic::{body::Body, server::NamedService};
use tower::Service;

use crate::settings::{CurrentSettings, Limits};

/// A tonic server, and the function that sets its limits.
#[derive(Debug)]
pub(in crate::service) struct Bounded<S> {
    server: S,
    current: Arc<CurrentSettings>,
    size: fn(S, &Limits) -> S,
}

impl<S> Bounded<S> {
    pub(in crate::service) fn new(server: S, current: &Arc<CurrentSettings>, size: fn(S, &Limits) -> S) -> Self {
        Self { server, current: Arc::clone(current), size }
    }
}

impl<S: Clone> Clone for Bounded<S> {
    fn clone(&self) -> Self {
        Self { server: self.server.clone(), current: Arc::clone(&self.current), size: self.size }
    }
}

impl<S: NamedService> NamedService for Bounded<S> {
    const NAME: &'static str = S::NAME;
}

impl<S> Service<Request<Body>> for Bounded<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.server.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> S::Future {
        (self.size)(self.server.clone(), &self.current.get().limits).call(request)
    }
}
