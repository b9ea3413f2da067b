//! Ends open streams early: when their caller loses its access, or a role or right that it had, and at a shutdown. The
//! layer in this file does so for services that tonic implements, such as reflection.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use futures_util::FutureExt as _;
use http::{HeaderMap, Request};
use http_body::{Frame, SizeHint};
use prost::bytes::Bytes;
use tokio_util::sync::{CancellationToken, DropGuard, WaitForCancellationFutureOwned};
use tonic::{Status, body::Body};

use super::{
    around::{Answer, Around, Handlers},
    context::caller_of,
    errors::{ServiceError, access_error::AccessError},
};
use crate::access::{Caller, Gate};

/// Time between two checks of a caller's access. The check repeats because tokens expire by the wall clock, which may
/// jump.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The events that end open streams early.
#[derive(Debug, Clone)]
pub(crate) struct Ends {
    pub(crate) gate: Arc<Gate>,
    pub(crate) shutdown: CancellationToken,
}

impl Around for Ends {
    fn call(&self, inner: &mut impl Handlers, request: Request<Body>) -> Answer {
        let caller = match caller_of(request.extensions()) {
            Ok(caller) => caller,
            Err(error) => return Box::pin(async { Ok(Status::from(error).into_http()) }),
        };
        let Self { gate, shutdown } = self.clone();
        let end = Box::pin(async move {
            tokio::select! {
                error = lost_access(gate, caller) => error,
                () = shutdown.cancelled() => ServiceError::ShuttingDown,
            }
        });
        let answered = CancellationToken::new();
        let requests = |body| Requests { body, answered: Box::pin(answered.clone().cancelled_owned()) };
        let call = inner.call(request.map(|body| Body::new(requests(body))));
        Box::pin(async move {
            let open = |body| Open { body, end, _answered: answered.drop_guard() };
            Ok(call.await?.map(|body| Body::new(Responses { open: Some(open(body)) })))
        })
    }
}

/// Waits until a caller loses its access, or a role or right that it had.
pub(super) async fn lost_access(gate: Arc<Gate>, caller: Arc<Caller>) -> ServiceError {
    // Subscribe before the first check. Otherwise a change in between would be missed.
    let mut changes = gate.changes();
    let before = &caller.principal;
    loop {
        match gate.identify_again(&caller) {
            Err(error) => return AccessError::from(error).into(),
            Ok(now) if now.principal.role < before.role || before.sees_solutions && !now.principal.sees_solutions => {
                let error = AccessError::Changed(Arc::clone(&before.name));
                return error.into();
            }
            // Wait for a change or the next check. An expired timeout is not a failure.
            Ok(_) => drop(tokio::time::timeout(LOOK_EVERY, changes.changed()).await),
        }
    }
}

/// The messages of a caller. They end when the responses end. Otherwise, reflection would wait for more messages and keep the stream
/// open.
struct Requests {
    body: Body,
    answered: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl http_body::Body for Requests {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        match self.answered.poll_unpin(cx) {
            Poll::Ready(()) => Poll::Ready(None),
            Poll::Pending => Pin::new(&mut self.body).poll_frame(cx),
        }
    }
}

/// The responses. They end early with an error if an event of [`Ends`] occurs.
struct Responses {
    /// `None` after the error.
    open: Option<Open>,
}

struct Open {
    body: Body,
    end: Pin<Box<dyn Future<Output = ServiceError> + Send>>,
    /// Ends the requests when it is dropped.
    _answered: DropGuard,
}

impl http_body::Body for Responses {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let Some(Open { body, end, .. }) = &mut self.open else { return Poll::Ready(None) };
        if let Poll::Ready(error) = end.poll_unpin(cx) {
            self.open = None;
            let mut trailers = HeaderMap::new();
            let written = Status::from(error).add_header(&mut trailers);
            return Poll::Ready(Some(written.map(|()| Frame::trailers(trailers))));
        }
        Pin::new(body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.open.as_ref().is_none_or(|open| open.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        self.open.as_ref().map(|open| open.body.size_hint()).unwrap_or_default()
    }
}
