//! Exports spans, and logs when the collector is lost and found again.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use opentelemetry_otlp::SpanExporter as OtlpExporter;
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    trace::{SpanData, SpanExporter},
};

use crate::base::{lasting::Lasting, message::bounded};

/// The name of spans that are not exported.
pub(super) const DISCARDED: &str = "";

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
                    tracing::warn!(error, "spans not exported; they are dropped until the collector answers");
                }
            }
        }
    }
}

impl SpanExporter for Reported {
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        batch.retain(|span| span.name != DISCARDED);
        if batch.is_empty() {
            return Ok(());
        }
        let exported = self.exporter.export(batch).await;
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
