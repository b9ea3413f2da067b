//! What is done around every call: load is shed, the deadline is kept, and errors that tonic itself answers with get a
//! reason like all others.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use http::{Request, Response};
use tokio::sync::Semaphore;
use tonic::body::Body;
use tower::{Layer, Service};

use super::{
    deadline::{self, Deadline},
    errors::ServiceError,
    refused,
};

/// Calls to health are let through whatever the load: a busy server is not a sick one.
const HEALTH: &str = "/grpc.health.v1.Health/";

/// Puts an [`Edge`] around a service.
#[derive(Debug, Clone)]
pub(super) struct EdgeLayer {
    slots: Arc<Semaphore>,
    calls_max: u32,
}

impl EdgeLayer {
    /// At most `calls_max` calls are answered at a time.
    pub(super) fn new(calls_max: u32) -> Self {
        Self { slots: Arc::new(Semaphore::new(calls_max as usize)), calls_max }
    }
}

impl<S> Layer<S> for EdgeLayer {
    type Service = Edge<S>;

    fn layer(&self, inner: S) -> Edge<S> {
        Edge { inner, layer: self.clone() }
    }
}

/// A service and the border around it.
#[derive(Debug, Clone)]
pub(super) struct Edge<S> {
    inner: S,
    layer: EdgeLayer,
}

impl<S> Service<Request<Body>> for Edge<S>
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

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let timeout = match deadline::timeout(request.headers()) {
            Ok(timeout) => timeout,
            Err(error) => return Box::pin(async { Ok(answer(error)) }),
        };
        let slot = Arc::clone(&self.layer.slots).try_acquire_owned().ok();
        if slot.is_none() && !request.uri().path().starts_with(HEALTH) {
            let error = ServiceError::Busy { subject: "calls being answered", max: self.layer.calls_max };
            return Box::pin(async { Ok(answer(error)) });
        }
        // Begun now, not when first polled: so it ends before tonic's own, which would answer CANCELLED.
        let timer = timeout.map(tokio::time::sleep);
        if let (Some(timer), Some(timeout)) = (&timer, timeout) {
            request.extensions_mut().insert(Deadline { at: timer.deadline(), timeout });
        }
        let call = self.inner.call(request);
        Box::pin(async move {
            let _slot = slot;
            let response = match timer {
                None => call.await?,
                Some(timer) => tokio::select! {
                    biased;
                    response = call => response?,
                    () = timer => return Ok(answer(ServiceError::DeadlineExceeded)),
                },
            };
            Ok(refused::with_reason(response))
        })
    }
}

fn answer(error: ServiceError) -> Response<Body> {
    tonic::Status::from(error).into_http()
}
