//! Decides which spans are sampled: children like their parents, and the first span of a trace by its link or by the
//! ratio.

use opentelemetry::{
    Context, KeyValue,
    trace::{Link, SpanKind, TraceId},
};
use opentelemetry_sdk::trace::{Sampler, SamplingResult, ShouldSample};

/// The sampler with this ratio, from 0 to 1.
pub(super) fn of(ratio: f64) -> Sampler {
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
