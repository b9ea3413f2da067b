//! Ends open streams whose caller loses its access.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use futures_util::FutureExt as _;
use http::{HeaderMap, Request, Response};
use http_body::{Frame, SizeHint};
use prost::bytes::Bytes;
use tonic::{Status, body::Body, server::NamedService};
use tower::Service;

use super::{access_error::AccessError, actor::identity_of, errors::ServiceError};
use crate::access::{Gate, Identity};

/// Time between two looks at the access of the caller of a stream, because tokens expire by the wall clock, which may jump.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Waits until a caller loses its access, or a role or right that it had.
pub(super) async fn lost_access(gate: Arc<Gate>, identity: Arc<Identity>) -> ServiceError {
    // Before the first look, else a change that lands between is missed.
    let mut changes = gate.changes();
    let before = &identity.principal;
    loop {
        match gate.identify_again(&identity) {
            Err(error) => return AccessError::from(error).into(),
            Ok(now) if now.principal.role < before.role || before.sees_solutions && !now.principal.sees_solutions => {
                let error = AccessError::Changed(Arc::clone(&before.name));
                return error.into();
            }
            // The first of the two; an expired timeout is no failure.
            Ok(_) => drop(tokio::time::timeout(LOOK_EVERY, changes.changed()).await),
        }
    }
}

/// A service without handlers of ours, such as reflection. Its streams end when their callers lose their access.
#[derive(Debug, Clone)]
pub(super) struct Revocable<S> {
    inner: S,
    gate: Arc<Gate>,
}

impl<S> Revocable<S> {
    pub(super) fn new(inner: S, gate: &Arc<Gate>) -> Self {
        Self { inner, gate: Arc::clone(gate) }
    }
}

impl<S: NamedService> NamedService for Revocable<S> {
    const NAME: &'static str = S::NAME;
}

impl<S> Service<Request<Body>> for Revocable<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let identity = match identity_of(request.extensions()) {
            Ok(identity) => identity,
            Err(error) => return Box::pin(async { Ok(Status::from(error).into_http()) }),
        };
        let lost = Box::pin(lost_access(Arc::clone(&self.gate), identity));
        let call = self.inner.call(request);
        Box::pin(async move { Ok(call.await?.map(|body| Body::new(Ending { open: Some((body, lost)) }))) })
    }
}

type Lost = Pin<Box<dyn Future<Output = ServiceError> + Send>>;

/// A body of gRPC that ends with an error when its caller loses its access.
struct Ending {
    /// None after that.
    open: Option<(Body, Lost)>,
}

impl http_body::Body for Ending {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let Some((body, lost)) = &mut self.open else { return Poll::Ready(None) };
        if let Poll::Ready(error) = lost.poll_unpin(cx) {
            self.open = None;
            let mut trailers = HeaderMap::new();
            let written = Status::from(error).add_header(&mut trailers);
            return Poll::Ready(Some(written.map(|()| Frame::trailers(trailers))));
        }
        Pin::new(body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.open.as_ref().is_none_or(|(body, _)| body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        self.open.as_ref().map(|(body, _)| body.size_hint()).unwrap_or_default()
    }
}
