//! Opens each call: gives it its ID and its context, and starts its counting, logging, and tracing.

use std::sync::Arc;

use http::{HeaderValue, Request};
use tonic::body::Body;

use super::{
    around::{Answer, Around, Handlers},
    context::{CallContext, HEADER},
    end::{CallRecord, OpenCall},
};
use puzzled_base::chance::Chance;

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
