//! Builds tower layers. A layer implements [`Around`], which handles one call; this file supplies the rest of the layer
//! and of its service.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use http::{Request, Response};
use tonic::{body::Body, server::NamedService};
use tower::{Layer, Service};

/// The response to a call, to be awaited.
pub(crate) type Answer = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

/// A service that a layer can wrap: gRPC handlers, or handlers that other layers wrap already.
pub(crate) trait Handlers:
    Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send + 'static>
{
}

impl<S> Handlers for S where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send + 'static>
{
}

/// What a layer does with each call.
pub(crate) trait Around: Clone {
    /// Answers a call with the response of `inner` or with an error.
    fn call(&self, inner: &mut impl Handlers, request: Request<Body>) -> Answer;
}

/// The tower layer of an [`Around`].
#[derive(Debug, Clone)]
pub(crate) struct AroundLayer<A>(pub(crate) A);

impl<S, A: Around> Layer<S> for AroundLayer<A> {
    type Service = Surrounded<S, A>;

    fn layer(&self, inner: S) -> Surrounded<S, A> {
        Surrounded { inner, around: self.0.clone() }
    }
}

/// A service with a layer around it.
#[derive(Debug, Clone)]
pub(crate) struct Surrounded<S, A> {
    inner: S,
    around: A,
}

impl<S: Handlers, A: Around> Service<Request<Body>> for Surrounded<S, A> {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Answer {
        self.around.call(&mut self.inner, request)
    }
}

impl<S: NamedService, A> NamedService for Surrounded<S, A> {
    const NAME: &'static str = S::NAME;
}
