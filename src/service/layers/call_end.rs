//! Counts and logs each call once at its end, with its status and duration, even if its caller disconnects. A stream
//! ends with its last message. Also adds the ID of the call to its error.

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

use super::{
    call::CallContext,
    call_log::{CallLog, EndedCall, is_own},
    request_info,
};
use crate::{
    proto::v1::ErrorReason,
    service::errors::reasons,
    system::clock::Clock,
    telemetry::{
        Telemetry,
        calls::{MethodPlace, code_name},
        traces::TraceSpan,
    },
};

/// The trailer with the status of a call.
const STATUS: &str = "grpc-status";

/// Where calls are counted, logged, and traced.
#[derive(Debug)]
pub(in crate::service) struct CallRecord {
    /// Counts and traces the calls.
    pub(in crate::service) telemetry: Arc<Telemetry>,
    /// Measures the calls.
    pub(in crate::service) clock: Arc<dyn Clock>,
    /// Logs the calls.
    pub(in crate::service) log: CallLog,
}

impl CallRecord {
    /// Begins the span of a call of a method. `None` if it is not traced; health and reflection never are.
    pub(in crate::service) fn span(&self, place: MethodPlace, headers: &HeaderMap) -> Option<TraceSpan> {
        let traces = self.telemetry.traces()?;
        let names = self.telemetry.calls.names(place);
        if is_own(names.0) { traces.call(headers, names) } else { None }
    }
}

/// A call in flight. If it is dropped before its status is known, the caller has gone.
#[derive(Debug)]
pub(in crate::service) struct OpenCall {
    record: Arc<CallRecord>,
    /// Set until the call ends, if it is traced.
    span: Option<TraceSpan>,
    context: Arc<CallContext>,
    place: MethodPlace,
    started: Duration,
    /// Bytes of the response so far.
    bytes: u64,
    has_ended: bool,
}

impl OpenCall {
    /// Counts the start of a call of a method.
    pub(in crate::service) fn begin(
        record: &Arc<CallRecord>,
        context: &Arc<CallContext>,
        place: MethodPlace,
        span: Option<TraceSpan>,
    ) -> Self {
        record.telemetry.calls.started(place);
        let started = record.clock.elapsed();
        let (record, context) = (Arc::clone(record), Arc::clone(context));
        Self { record, span, context, place, started, bytes: 0, has_ended: false }
    }

    /// Counts the end of the call when its answer has a status: now if the headers contain it, otherwise with the
    /// trailers. Adds the ID of the call to errors.
    pub(in crate::service) fn until_ended(mut self, mut response: Response<Body>) -> Response<Body> {
        if response.headers().contains_key(STATUS) {
            self.end_by(response.headers_mut());
            return response;
        }
        response.map(|body| Body::new(Watched { body, call: self }))
    }

    fn end_by(&mut self, status: &mut HeaderMap) {
        let code = status.get(STATUS).map_or(Code::Unknown, |code| Code::from_bytes(code.as_bytes()));
        let info = if code == Code::Ok { None } else { request_info::add(status, &self.context.id) };
        if let Some(info) = &info {
            self.count(info);
        }
        self.end(code, info.and_then(|info| reasons::known(&info.reason)));
    }

    /// Counts the errors for which there is a separate metric.
    fn count(&self, info: &ErrorInfo) {
        if info.reason == reasons::name(ErrorReason::SolversDisagree) {
            self.record.telemetry.disagreements.one();
        }
        // Only refusals by a quota have this key.
        if let Some(quota) = info.metadata.get("quota") {
            self.record.telemetry.refused_by_quota(quota);
        }
    }

    fn end(&mut self, code: Code, reason: Option<&'static str>) {
        if std::mem::replace(&mut self.has_ended, true) {
            return;
        }
        let CallRecord { telemetry, clock, log } = &*self.record;
        let took = clock.elapsed().saturating_sub(self.started);
        telemetry.calls.ended(self.place, code, took);
        let names = telemetry.calls.names(self.place);
        log.ended(&EndedCall { names, context: &self.context, code, reason, took, bytes: self.bytes });
        if let Some(span) = self.span.take() {
            end_span(span, &self.context, code, reason);
        }
    }
}

/// Ends the span of a call. By the semantic conventions of OpenTelemetry, only faults of the server are errors of its
/// span.
fn end_span(mut span: TraceSpan, context: &CallContext, code: Code, reason: Option<&'static str>) {
    span.set("rpc.grpc.status_code", i64::from(i32::from(code)));
    span.set("puzzled.call_id", context.id.to_string());
    if let Some(reason) = reason {
        span.set("puzzled.reason", reason);
    }
    if matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Unimplemented
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    ) {
        span.fail(code_name(code));
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        self.end(Code::Cancelled, None);
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
                call.bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
                if let Some(trailers) = frame.trailers_mut() {
                    call.end_by(trailers);
                }
            }
            Some(Err(status)) => call.end(status.code(), None),
            None => call.end(Code::Unknown, None),
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
