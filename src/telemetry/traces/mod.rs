//! Makes the spans of calls, slices, and planned refills, and sends them to a collector by OTLP over gRPC. Libraries make
//! no spans.

mod span;

use std::{fmt, time::Duration};

use http::HeaderMap;
use opentelemetry::{
    Context, KeyValue,
    propagation::{Extractor, TextMapPropagator as _},
    trace::{Link, SpanBuilder, SpanKind, TraceContextExt as _, TraceId, Tracer as _, TracerProvider as _},
};
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::{
    Resource,
    propagation::TraceContextPropagator,
    trace::{
        BatchConfigBuilder, BatchSpanProcessor, Sampler, SamplingResult, SdkTracer, SdkTracerProvider, ShouldSample,
    },
};

use super::scrape::Page;
use crate::settings::ProcessSettings;
use puzzled_store::{jobs::slice::Slice, targets::target::StockTarget};

use span::Reported;
pub use span::{TraceSpan, trace_id};

/// The maximum number of spans that wait for export; further ones are dropped. They take some megabytes.
const WAITING_MAX: usize = 2_048;

/// The maximum number of spans in one message to the collector.
const BATCH_MAX: usize = 512;

/// Time between two exports while fewer than [`BATCH_MAX`] spans wait.
const EXPORT_EVERY: Duration = Duration::from_secs(1);

/// Time in which the collector must answer.
const ANSWER_MAX: Duration = Duration::from_secs(5);

/// Time in which the end of the process exports the remaining spans.
const END_MAX: Duration = Duration::from_secs(1);

/// Makes the spans of a process and exports them.
#[derive(Debug)]
pub struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    propagator: TraceContextPropagator,
}

impl Traces {
    /// Starts the export of spans; `None` without a collector. Must be called on the runtime. It does not wait for the
    /// collector.
    ///
    /// # Errors
    /// [`ExporterBuildError`]. The address of a [`Collector`](crate::settings::Collector) was checked and does not cause it.
    pub fn start(settings: &ProcessSettings, process: &str) -> Result<Option<Self>, ExporterBuildError> {
        let Some(collector) = &settings.otlp_endpoint else { return Ok(None) };
        let exporter =
            SpanExporter::builder().with_tonic().with_endpoint(collector.url()).with_timeout(ANSWER_MAX).build()?;
        let batches = BatchConfigBuilder::default()
            .with_max_queue_size(WAITING_MAX)
            .with_max_export_batch_size(BATCH_MAX)
            .with_scheduled_delay(EXPORT_EVERY)
            .build();
        let processor = BatchSpanProcessor::builder(Reported::new(exporter)).with_batch_config(batches).build();
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let instance = KeyValue::new("service.instance.id", process.to_owned());
        let resource = Resource::builder().with_service_name("puzzled").with_attributes([version, instance]).build();
        let provider = SdkTracerProvider::builder()
            .with_span_processor(processor)
            .with_sampler(sampler(settings.trace_ratio))
            .with_resource(resource)
            .build();
        let tracer = provider.tracer("puzzled");
        Ok(Some(Self { provider, tracer, propagator: TraceContextPropagator::new() }))
    }

    /// Begins the span of a call. It is a child of the caller's span, if the headers name one. `None` if it is not sampled.
    #[must_use]
    pub fn call(&self, headers: &HeaderMap, (service, method): (&str, &str)) -> Option<TraceSpan> {
        let parent = self.propagator.extract_with_context(&Context::new(), &Headers(headers));
        // Most calls are not sampled and need no name.
        let mut span = self.begin(SpanBuilder::from_name("").with_kind(SpanKind::Server), &parent)?;
        span.rename(format!("{service}/{method}"));
        span.set("rpc.system", "grpc");
        span.set("rpc.service", service.to_owned());
        span.set("rpc.method", method.to_owned());
        Some(span)
    }

    /// Begins the span of the work on a slice. It is linked to the span in which the job was queued, and is sampled if
    /// that span is. It is not a child, because a job may run long after its call. `None` if it is not sampled.
    #[must_use]
    pub fn slice(&self, slice: &Slice, worker: &str) -> Option<TraceSpan> {
        let queued = slice.traceparent.as_deref().map(|text| self.linked(text));
        let span = SpanBuilder::from_name("slice").with_kind(SpanKind::Consumer);
        let mut span = self.begin(span.with_links(queued.into_iter().collect()), &Context::new())?;
        span.set("puzzled.job", slice.lease.job_id.to_string());
        span.set("puzzled.slice", slice.lease.slice_id);
        span.set("puzzled.worker", worker.to_owned());
        span.set("puzzled.kind", slice.spec.kind.clone());
        Some(span)
    }

    /// Begins the span of a planned refill. `None` if it is not sampled.
    #[must_use]
    pub fn refill(&self, target: &StockTarget) -> Option<TraceSpan> {
        let span = SpanBuilder::from_name("refill").with_kind(SpanKind::Producer);
        let mut span = self.begin(span, &Context::new())?;
        span.set("puzzled.stock_target", target.id.to_string());
        Some(span)
    }

    /// Exports the remaining spans, for at most a second. No span begins after that.
    pub async fn end(&self) {
        let provider = self.provider.clone();
        // The shutdown blocks, and needs the runtime meanwhile. Spans that are not exported in time are lost, as they
        // are while the collector is away. The exporter has logged that.
        let _ = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(END_MAX)).await;
    }

    fn begin(&self, span: SpanBuilder, parent: &Context) -> Option<TraceSpan> {
        TraceSpan::sampled(self.tracer.build_with_context(span, parent))
    }

    fn linked(&self, traceparent: &str) -> Link {
        let context = self.propagator.extract(&Stored(traceparent));
        Link::with_context(context.span().span_context().clone())
    }
}

pub(super) fn write_metrics(page: &mut Page<'_>) -> fmt::Result {
    page.counters("puzzled_spans", "Sampled spans that have ended.", [(Vec::new(), &span::ENDED)])?;
    let help = "Spans that the collector has accepted; the others wait, or were dropped.";
    page.counters("puzzled_spans_exported", help, [(Vec::new(), &span::EXPORTED)])
}

/// The headers of a call, as the propagator reads them.
struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|value| value.to_str().ok())
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}

/// The stored `traceparent` of a job, as the propagator reads it.
struct Stored<'a>(&'a str);

impl Extractor for Stored<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        (key == "traceparent").then_some(self.0)
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent"]
    }
}

/// The sampler with this ratio, from 0 to 1.
fn sampler(ratio: f64) -> Sampler {
    Sampler::ParentBased(Box::new(First(Sampler::TraceIdRatioBased(ratio))))
}

/// Decides on the first span of a trace.
#[derive(Debug, Clone)]
struct First(Sampler);

impl ShouldSample for First {
    fn should_sample(
        &self,
        parent: Option<&Context>,
        trace_id: TraceId,
        name: &str,
        kind: &SpanKind,
        attributes: &[KeyValue],
        links: &[Link],
    ) -> SamplingResult {
        let is_linked = links.iter().any(|link| link.span_context.is_sampled());
        let sampler = if is_linked { &Sampler::AlwaysOn } else { &self.0 };
        sampler.should_sample(parent, trace_id, name, kind, attributes, links)
    }
}
