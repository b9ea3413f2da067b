//! Defines a sampled span.

use opentelemetry::{
    KeyValue, Value,
    trace::{Span as _, Status},
};
use opentelemetry_sdk::trace::Span;

use super::exporter::DISCARDED;

/// A sampled span. It ends when it is dropped.
#[derive(Debug)]
pub struct TraceSpan(Span);

impl TraceSpan {
    /// `None` if the span is not sampled.
    pub(super) fn sampled(span: Span) -> Option<Self> {
        span.span_context().is_sampled().then_some(Self(span))
    }

    /// The span in the format of the header `traceparent`: `00-`, the trace ID, `-`, the span's ID, `-01`.
    #[must_use]
    pub fn traceparent(&self) -> String {
        let context = self.0.span_context();
        format!("00-{}-{}-{:02x}", context.trace_id(), context.span_id(), context.trace_flags())
    }

    /// Adds an attribute.
    pub fn set(&mut self, name: &'static str, value: impl Into<Value>) {
        self.0.set_attribute(KeyValue::new(name, value));
    }

    pub(super) fn rename(&mut self, name: String) {
        self.0.update_name(name);
    }

    /// Marks the work of this span as failed.
    pub fn fail(&mut self, reason: impl Into<String>) {
        self.0.set_status(Status::error(reason.into()));
    }

    /// Ends the span without an export, because its work has not taken place.
    pub fn discard(mut self) {
        self.0.update_name(DISCARDED);
    }
}

/// The trace ID in a [`TraceSpan::traceparent`], as it appears in the log.
#[must_use]
pub fn trace_id(traceparent: &str) -> &str {
    traceparent.split('-').nth(1).unwrap_or_default()
}
