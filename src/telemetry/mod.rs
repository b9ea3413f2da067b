//! What a process reports to operators: logs, readiness, metrics, and traces. This file collects the metrics of all parts
//! for a scrape.

pub mod calls;
mod log_lines;
mod logs;
mod own_work;
pub mod readiness;
mod reloads;
mod resources;
mod scrape;
mod shared;
pub mod traces;

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, prometheus_text, text},
    registry::Registry,
};

pub use log_lines::end as end_log;
#[cfg(test)]
pub(crate) use logs::logged;
pub use logs::{TelemetryError, filter, init, set_filter};

pub use reloads::{Reloaded, report_certificate_expiry, report_reload};
pub use shared::follow_shared_gauges;

use calls::CallCounters;
use puzzled_base::{
    clock::{Clock, Millis},
    counters::Counter,
    live::Live,
};
use puzzled_store::{
    jobs::queue::Queue,
    stock::{draws::Stock, puzzle_counts::PuzzleCounters},
};
use readiness::Readiness;
use scrape::Page;
use shared::SharedGauges;
use traces::Traces;

/// The quotas of a principal.
const QUOTAS: [&str; 4] = ["calls_per_second", "compute_seconds_per_minute", "open_jobs", "open_puzzles"];

/// What one process counts and reports.
#[derive(Debug)]
pub struct Telemetry {
    /// Whether the process is ready for calls, or for work.
    pub readiness: Readiness,
    /// The calls of the API.
    pub calls: CallCounters,
    /// Requests that failed because no puzzle in stock fits, by their kind and level.
    pub exhausted: PuzzleCounters,
    /// Calls that failed because the solvers disagreed.
    pub disagreements: Counter,
    /// Requests that were refused because of their host.
    pub host_refusals: Counter,
    /// Calls that a quota refused, in the order of [`QUOTAS`].
    quota_refusals: [Counter; QUOTAS.len()],
    // Of each `OnceLock`, the first value stays.
    queue: OnceLock<Arc<Queue>>,
    stock: OnceLock<Arc<Stock>>,
    compute: OnceLock<ComputeWaiting>,
    traces: OnceLock<Traces>,
    shared: Live<Shared>,
    started_at: Millis,
}

/// The shared gauges.
#[derive(Debug)]
enum Shared {
    /// This process does not read them, or has not yet.
    Unread,
    Read(Box<SharedGauges>),
    /// The last read failed.
    Failed,
}

/// Returns the number of calls that wait for a compute thread, per class of work.
type Waiting = dyn Fn() -> [(&'static str, u32); 2] + Send + Sync;

struct ComputeWaiting(Box<Waiting>);

impl fmt::Debug for ComputeWaiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ComputeWaiting").field(&(self.0)()).finish()
    }
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
    /// The telemetry of a process that starts now.
    #[must_use]
    pub fn new(clock: &dyn Clock) -> Arc<Self> {
        Arc::new(Self {
            readiness: Readiness::default(),
            calls: CallCounters::new(),
            exhausted: PuzzleCounters::default(),
            disagreements: Counter::default(),
            host_refusals: Counter::default(),
            quota_refusals: std::array::from_fn(|_| Counter::default()),
            queue: OnceLock::new(),
            stock: OnceLock::new(),
            compute: OnceLock::new(),
            traces: OnceLock::new(),
            shared: Live::new(Shared::Unread),
            started_at: clock.now(),
        })
    }

    /// Adds the counts of this queue and its store to the metrics.
    pub fn show_queue(&self, queue: &Arc<Queue>) {
        let _ = self.queue.set(Arc::clone(queue));
    }

    /// Adds the counts of this stock to the metrics.
    pub fn show_stock(&self, stock: &Arc<Stock>) {
        let _ = self.stock.set(Arc::clone(stock));
    }

    /// Adds the calls that wait for a compute thread to the metrics.
    pub fn show_compute(&self, waiting: impl Fn() -> [(&'static str, u32); 2] + Send + Sync + 'static) {
        let _ = self.compute.set(ComputeWaiting(Box::new(waiting)));
    }

    /// Starts to make spans.
    pub fn trace(&self, traces: Traces) {
        let _ = self.traces.set(traces);
    }

    /// What makes the spans of this process; `None` without a collector.
    #[must_use]
    pub fn traces(&self) -> Option<&Traces> {
        self.traces.get()
    }

    /// Counts a call that a quota refused. Ignores a word that is not the name of a quota.
    pub fn refused_by_quota(&self, quota: &str) {
        if let Some((_, refusals)) = QUOTAS.iter().zip(&self.quota_refusals).find(|(name, _)| **name == quota) {
            refusals.one();
        }
    }

    /// Sets the shared gauges; `None` after a failed read.
    fn set_shared(&self, gauges: Option<SharedGauges>) {
        self.shared.set(gauges.map_or(Shared::Failed, |gauges| Shared::Read(Box::new(gauges))));
    }

    /// All metrics as text. Reads counters and this process's entries in `/proc`, but no database.
    #[must_use]
    pub fn scrape(self: &Arc<Self>, format: MetricFormat) -> String {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(Metrics(Arc::clone(self))));
        let mut page = String::new();
        let written = match format {
            MetricFormat::OpenMetrics => text::encode(&mut page, &registry),
            MetricFormat::Prometheus => prometheus_text::encode(&mut page, &registry),
        };
        // Writing to a string does not fail.
        debug_assert!(written.is_ok(), "{written:?}");
        page
    }

    fn write(&self, page: &mut Page<'_>) -> fmt::Result {
        page.infos("puzzled_build", "The version of the program.", &[("version", env!("CARGO_PKG_VERSION"))])?;
        self.calls.write(page)?;
        self.write_refusals(page)?;
        let shared = self.shared.get();
        let is_up = self.readiness.has_database() && !matches!(*shared, Shared::Failed);
        let help = "1 if the database answers this process, otherwise 0.";
        page.gauge("puzzled_database_up", help, if is_up { 1.0 } else { 0.0 })?;
        let help = "1 if the database can be written, as the last renewal of this process's row showed, otherwise 0.";
        page.gauge("puzzled_database_writable", help, if self.readiness.can_write() { 1.0 } else { 0.0 })?;
        if let Shared::Read(gauges) = &*shared {
            gauges.write(page)?;
        }
        if let Some(queue) = self.queue.get() {
            own_work::write_queue(page, queue.counters())?;
            own_work::write_pool(page, queue.store())?;
        }
        if let Some(stock) = self.stock.get() {
            own_work::write_stock(page, stock.counters(), &self.exhausted)?;
        }
        reloads::write(page)?;
        log_lines::write_metric(page)?;
        traces::write_metrics(page)?;
        resources::write(page, self.started_at)
    }

    #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^52")]
    fn write_refusals(&self, page: &mut Page<'_>) -> fmt::Result {
        let refusals = QUOTAS.into_iter().zip(&self.quota_refusals);
        let refusals = refusals.map(|(quota, refusals)| (vec![("quota", quota)], refusals));
        page.counters("puzzled_quota_refusals", "Calls that a quota of their principal refused.", refusals)?;
        let hosts = [(Vec::new(), &self.host_refusals)];
        page.counters("puzzled_host_refusals", "Requests that were refused because of their host.", hosts)?;
        let by_workers = self.queue.get().map_or(0, |queue| queue.counters().disagreements());
        let disagreements = (self.disagreements.get() + by_workers) as f64;
        let help = "Tries and calls in which the two solvers disagreed about a puzzle: a fault of the program.";
        page.counter("puzzled_solver_disagreements", help, disagreements)?;
        let waiting = self.compute.get().map(|compute| (compute.0)());
        let waiting = waiting.into_iter().flatten().map(|(work, calls)| (vec![("work", work)], f64::from(calls)));
        page.gauges("puzzled_compute_waiting", "Calls that wait for a compute thread.", waiting)
    }
}

#[derive(Debug)]
struct Metrics(Arc<Telemetry>);

impl Collector for Metrics {
    fn encode(&self, encoder: DescriptorEncoder) -> fmt::Result {
        self.0.write(&mut Page::new(encoder))
    }
}
