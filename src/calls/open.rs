//! Opens each call: gives it its ID and its context. Counts and logs it once at its end, with its status and duration, even if its caller
//! disconnects. A stream ends with its last message. Also adds the ID of the call to its error.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use http::{HeaderMap, HeaderValue, Request, Response};
use http_body::{Frame, SizeHint};
use prost::bytes::Bytes;
use tonic::{Code, Status, body::Body};
use tonic_types::{ErrorDetails, ErrorInfo, StatusExt as _};

use super::{
    around::{Answer, Around, Handlers},
    context::{CallContext, HEADER},
    log::{CallLog, EndedCall, is_own},
};
use crate::telemetry::{
    Telemetry,
    calls::{MethodPlace, code_name},
    traces::TraceSpan,
};
use puzzled_api::{reasons, v1::ErrorReason};
use puzzled_base::{chance::Chance, clock::Clock};

/// The trailer with the status of a call.
const STATUS: &str = "grpc-status";

/// Puts a [`CallContext`] on each request of a service, and counts, logs, and traces the calls.
#[derive(Debug, Clone)]
pub(crate) struct Calls {
    chance: Arc<Chance>,
    record: Arc<CallRecord>,
}

impl Calls {
    /// Calls without an ID of their caller get a random one from `chance`.
    pub(crate) fn new(chance: Arc<Chance>, record: Arc<CallRecord>) -> Self {
        Self { chance, record }
    }
}

impl Around for Calls {
    fn call(&self, inner: &mut impl Handlers, mut request: Request<Body>) -> Answer {
        let Self { chance, record } = self;
        let place = record.telemetry.calls.place(request.uri().path());
        let span = record.span(place, request.headers());
        let context = CallContext::of(request.headers(), request.extensions().get(), span.as_ref(), chance);
        let context = Arc::new(context);
        let open = OpenCall::begin(record, &context, place, span);
        // This never fails, because a header allows all characters of an ID.
        let id = HeaderValue::from_str(&context.id);
        request.extensions_mut().insert(context);
        let call = inner.call(request);
        Box::pin(async move {
            let mut response = open.until_ended(call.await?);
            if let Ok(id) = id {
                response.headers_mut().insert(HEADER, id);
            }
            Ok(response)
        })
    }
}

/// Where calls are counted, logged, and traced.
#[derive(Debug)]
pub(crate) struct CallRecord {
    /// Counts and traces the calls.
    pub(crate) telemetry: Arc<Telemetry>,
    /// Measures the calls.
    pub(crate) clock: Arc<dyn Clock>,
    /// Logs the calls.
    pub(crate) log: CallLog,
}

impl CallRecord {
    /// Begins the span of a call of a method. `None` if it is not traced; health and reflection never are.
    fn span(&self, place: MethodPlace, headers: &HeaderMap) -> Option<TraceSpan> {
        let traces = self.telemetry.traces()?;
        let names = self.telemetry.calls.names(place);
        if is_own(names.0) { traces.call(headers, names) } else { None }
    }
}

/// A call in flight. If it is dropped before its status is known, the caller has gone.
#[derive(Debug)]
struct OpenCall {
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
    fn begin(
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
    fn until_ended(mut self, mut response: Response<Body>) -> Response<Body> {
        if response.headers().contains_key(STATUS) {
            self.end_by(response.headers_mut());
            return response;
        }
        response.map(|body| Body::new(Watched { body, call: self }))
    }

    fn end_by(&mut self, status: &mut HeaderMap) {
        let code = status.get(STATUS).map_or(Code::Unknown, |code| Code::from_bytes(code.as_bytes()));
        let info = if code == Code::Ok { None } else { add_request_info(status, &self.context.id) };
        if let Some(info) = &info {
            self.count(info);
        }
        self.end(code, info.and_then(|info| reasons::known(&info.reason)).map(reasons::name));
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

/// Adds the ID of the call, as `google.rpc.RequestInfo`, to the status of `headers`, so that the caller can quote it. The
/// headers may be the trailers of a stream. Audit entries have the same ID. Other details are kept. Returns the reason of
/// the error, if it has one.
fn add_request_info(headers: &mut HeaderMap, call_id: &str) -> Option<ErrorInfo> {
    let status = Status::from_header_map(headers)?;
    let mut details: ErrorDetails = status.get_error_details();
    let info = details.error_info().cloned();
    details.set_request_info(call_id, "");
    let named = Status::with_error_details(status.code(), status.message(), details);
    // Replace only the headers of the status, and keep all others.
    let mut written = HeaderMap::new();
    if named.add_header(&mut written).is_ok() {
        for (name, value) in written {
            if let Some(name) = name {
                headers.insert(name, value);
            }
        }
    }
    info
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_keeps_its_details_and_gets_the_id_of_its_call() {
        let mut details =
            ErrorDetails::with_error_info("BUSY", "puzzled.v1", [("bound".to_owned(), "server".to_owned())]);
        details.set_retry_info(Some(Duration::from_secs(1)));
        let mut headers = HeaderMap::new();
        Status::with_error_details(Code::ResourceExhausted, "the server is busy", details)
            .add_header(&mut headers)
            .unwrap();
        headers.insert("x-other", HeaderValue::from_static("kept"));
        assert_eq!(add_request_info(&mut headers, "night-7").unwrap().reason, "BUSY");
        let status = Status::from_header_map(&headers).unwrap();
        let details = status.get_error_details();
        assert_eq!((status.code(), status.message()), (Code::ResourceExhausted, "the server is busy"));
        assert_eq!(details.request_info().unwrap().request_id, "night-7");
        assert_eq!(details.error_info().unwrap().reason, "BUSY");
        assert!(details.retry_info().unwrap().retry_delay.is_some());
        assert_eq!(headers["x-other"], "kept");
    }
}
