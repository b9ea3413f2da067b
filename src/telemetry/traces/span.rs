//! Sampled spans, and their export. Logs when the collector is lost and found again.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use opentelemetry::{
    KeyValue, Value,
    trace::{Span as _, Status},
};
use opentelemetry_otlp::SpanExporter as OtlpExporter;
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    trace::{Span, SpanData, SpanExporter},
};

use puzzled_base::{counters::Counter, lasting::Lasting, message::bounded};

/// Sampled spans that have ended, and those of them that the collector has accepted.
pub(super) static ENDED: Counter = Counter::new();
pub(super) static EXPORTED: Counter = Counter::new();

/// The name of spans that are not exported.
const DISCARDED: &str = "";

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

impl Drop for TraceSpan {
    fn drop(&mut self) {
        ENDED.one();
    }
}

/// The trace ID in a [`TraceSpan::traceparent`], as it appears in the log.
#[must_use]
pub fn trace_id(traceparent: &str) -> &str {
    traceparent.split('-').nth(1).unwrap_or_default()
}

/// An exporter whose failures are logged.
#[derive(Debug)]
pub(super) struct Reported {
    exporter: OtlpExporter,
    failing: Mutex<Lasting>,
}

impl Reported {
    pub(super) fn new(exporter: OtlpExporter) -> Self {
        Self { exporter, failing: Mutex::default() }
    }

    fn report(&self, exported: &OTelSdkResult) {
        let mut failing = self.failing.lock().unwrap_or_else(PoisonError::into_inner);
        match exported {
            Ok(()) => {
                if let Some(failures) = failing.end() {
                    tracing::info!(failures, "spans exported again after failures");
                }
            }
            Err(error) => {
                if failing.met() {
                    let error = bounded(error.to_string());
                    tracing::warn!(
                        error,
                        "spans not exported; check the collector that otlp_endpoint names; spans are dropped until it answers"
                    );
                }
            }
        }
    }
}

impl SpanExporter for Reported {
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len() as u64;
        batch.retain(|span| span.name != DISCARDED);
        if batch.is_empty() {
            EXPORTED.add(spans);
            return Ok(());
        }
        let exported = self.exporter.export(batch).await;
        EXPORTED.add(if exported.is_ok() { spans } else { 0 });
        self.report(&exported);
        exported
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}
