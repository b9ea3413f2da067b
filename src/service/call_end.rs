//! The end of each call or stream: counted once, with its status and its time, however it ends.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use http::{HeaderMap, Response};
use http_body::{Frame, SizeHint};
use prost::bytes::Bytes;
use tonic::{Code, Status, body::Body};
use tonic_types::ErrorInfo;

use super::{call::CallContext, reasons, request_info};
use crate::{
    clock::Clock,
    proto::v1::ErrorReason,
    telemetry::{Telemetry, calls::MethodPlace},
};

/// The trailer with the status of a call.
const STATUS: &str = "grpc-status";

/// A call that is under way. If it is dropped before its status is known, the caller has gone.
#[derive(Debug)]
pub(super) struct OpenCall {
    telemetry: Arc<Telemetry>,
    clock: Arc<dyn Clock>,
    context: Arc<CallContext>,
    place: MethodPlace,
    started: Duration,
    is_counted: bool,
}

impl OpenCall {
    /// Counts the start of a call of the method with this path.
    pub(super) fn begin(
        telemetry: &Arc<Telemetry>,
        clock: &Arc<dyn Clock>,
        context: &Arc<CallContext>,
        path: &str,
    ) -> Self {
        let place = telemetry.calls.place(path);
        telemetry.calls.started(place);
        Self {
            telemetry: Arc::clone(telemetry),
            clock: Arc::clone(clock),
            context: Arc::clone(context),
            place,
            started: clock.elapsed(),
            is_counted: false,
        }
    }

    /// Counts the end of the call when its answer has its status: now, if the headers have it, otherwise with the trailers.
    /// Errors get the ID of the call.
    pub(super) fn until_ended(mut self, mut response: Response<Body>) -> Response<Body> {
        if response.headers().contains_key(STATUS) {
            self.end_by(response.headers_mut());
            return response;
        }
        response.map(|body| Body::new(Watched { body, call: self }))
    }

    fn end_by(&mut self, status: &mut HeaderMap) {
        let code = status.get(STATUS).map_or(Code::Unknown, |code| Code::from_bytes(code.as_bytes()));
        if code != Code::Ok
            && let Some(info) = request_info::add(status, &self.context.id)
        {
            self.count(&info);
        }
        self.end(code);
    }

    /// Counts the errors that have a metric of their own.
    fn count(&self, info: &ErrorInfo) {
        if info.reason == reasons::name(ErrorReason::SolversDisagree) {
            self.telemetry.disagreements.one();
        }
        // Only refusals by a quota name one.
        if let Some(quota) = info.metadata.get("quota") {
            self.telemetry.refused_by_quota(quota);
        }
    }

    fn end(&mut self, code: Code) {
        if std::mem::replace(&mut self.is_counted, true) {
            return;
        }
        let took = self.clock.elapsed().saturating_sub(self.started);
        self.telemetry.calls.ended(self.place, code, took);
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        self.end(Code::Cancelled);
    }
}

/// The body of an answer whose status comes with its trailers.
struct Watched {
    body: Body,
    call: OpenCall,
}

impl http_body::Body for Watched {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let Self { body, call } = self.get_mut();
        let mut frame = std::task::ready!(Pin::new(body).poll_frame(cx));
        match &mut frame {
            Some(Ok(frame)) => {
                if let Some(trailers) = frame.trailers_mut() {
                    call.end_by(trailers);
                }
            }
            Some(Err(status)) => call.end(status.code()),
            None => call.end(Code::Unknown),
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
