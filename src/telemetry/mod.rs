//! What a process tells about itself: logs, readiness, and metrics. Everything here is read by operators and their tools.

pub mod calls;
mod logs;
pub mod readiness;
mod resources;
mod scrape;

use std::sync::Arc;

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, prometheus_text, text},
    registry::Registry,
};

#[cfg(test)]
pub(crate) use logs::logged;
pub use logs::{LogFormat, TelemetryError, filter, init, set_filter};

use crate::clock::{Clock, Millis};
use calls::CallCounters;
use readiness::Readiness;
use scrape::Page;

/// What one process counts and reports.
#[derive(Debug)]
pub struct Telemetry {
    /// Whether the process is ready for calls, or for work.
    pub readiness: Readiness,
    /// The calls of the API.
    pub calls: CallCounters,
    started_at: Millis,
}

/// A text format of metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricFormat {
    /// OpenMetrics 1.0.
    OpenMetrics,
    /// The older format of Prometheus, for tools that do not accept OpenMetrics.
    Prometheus,
}

impl Telemetry {
    /// That of a process that starts now.
    #[must_use]
    pub fn new(clock: &dyn Clock) -> Arc<Self> {
        Arc::new(Self { readiness: Readiness::default(), calls: CallCounters::new(), started_at: clock.now() })
    }

    /// All metrics as a text. It reads counters and this process's entries in `/proc`, and asks no database.
    #[must_use]
    pub fn scrape(self: &Arc<Self>, format: MetricFormat) -> String {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(Metrics(Arc::clone(self))));
        let mut page = String::new();
        let written = match format {
            MetricFormat::OpenMetrics => text::encode(&mut page, &registry),
            MetricFormat::Prometheus => prometheus_text::encode(&mut page, &registry),
        };
        // A string takes any text.
        debug_assert!(written.is_ok(), "{written:?}");
        page
    }

    fn write(&self, page: &mut Page<'_>) -> std::fmt::Result {
        page.infos("puzzled_build", "Version of this process.", &[("version", env!("CARGO_PKG_VERSION"))])?;
        self.calls.write(page)?;
        resources::write(page, self.started_at)
    }
}

#[derive(Debug)]
struct Metrics(Arc<Telemetry>);

impl Collector for Metrics {
    fn encode(&self, encoder: DescriptorEncoder) -> std::fmt::Result {
        self.0.write(&mut Page::new(encoder))
    }
}
