//! The shared gauges: metrics of the stock, the stock targets, the daily series, and the queue, which are the same for all servers of a
//! database. Each server reads them every 10 seconds, so that a scrape reads no database.

use std::{fmt, sync::Arc, time::Duration};

use super::{Telemetry, scrape::Page};
use puzzled_base::{lasting::Lasting, log_lasting};
use puzzled_engine::registry;
use puzzled_store::{
    StoreError,
    jobs::{
        job::{Job, JobState},
        queue_state::QueueState,
    },
    series::plan::SeriesOutlook,
    stock::{draws::Stock, puzzle_counts::stock_by_level},
    targets::{
        need::{Need, Outlook},
        target::Stop,
    },
};

/// Time between two reads.
const READ_EVERY: Duration = Duration::from_secs(10);

const TARGET_STATES: [&str; 6] = ["stocked", "filling", "due", "waiting", "resting", "unreachable"];

/// The shared gauges at one moment.
#[derive(Debug)]
pub(super) struct SharedGauges {
    queue: QueueState,
    workers: u64,
    stock: Vec<(&'static str, &'static str, u64)>,
    targets: Vec<TargetsOfKind>,
    /// The series that have not ended, each with the number of its days that are ready.
    series: Vec<(String, usize)>,
    wal_bytes: Option<u64>,
}

/// The stock targets of a kind.
#[derive(Debug)]
struct TargetsOfKind {
    kind: &'static str,
    /// In the order of [`TARGET_STATES`].
    states: [u32; TARGET_STATES.len()],
    below_low_water: u32,
    behind_window: u32,
}

/// Reads the gauges again and again. After a failed read they are absent.
pub async fn follow_shared_gauges(telemetry: Arc<Telemetry>, stock: Arc<Stock>) {
    let mut failing = Lasting::default();
    loop {
        telemetry.set_shared(log_lasting!(
            failing, read(&stock).await,
            begins: "shared metrics not read; they are absent until a read succeeds",
            ends: "shared metrics read again after failures"
        ));
        tokio::time::sleep(READ_EVERY).await;
    }
}

async fn read(stock: &Stock) -> Result<SharedGauges, StoreError> {
    let store = stock.store();
    let queue = store.queue_state().await?;
    let outlooks = stock.planner().outlooks().await?;
    Ok(SharedGauges {
        queue,
        workers: store.running_workers().await?,
        stock: stock_by_level(&store.shelves().await?),
        targets: registry::kinds().iter().map(|kind| of_kind(kind.name(), &outlooks)).collect(),
        series: stock.series_outlooks().await?.into_iter().filter_map(days_ready).collect(),
        wal_bytes: store.wal_bytes(),
    })
}

/// The name of a series with the number of its days that are ready; `None` if the series has ended.
fn days_ready(outlook: SeriesOutlook) -> Option<(String, usize)> {
    let ready = outlook.ready();
    outlook.series.ended_at.is_none().then_some((outlook.series.name, ready))
}

fn of_kind(kind: &'static str, outlooks: &[Outlook]) -> TargetsOfKind {
    let of_kind = || outlooks.iter().filter(|outlook| outlook.target.wish.spec.kind == kind);
    let mut states = [0; TARGET_STATES.len()];
    for outlook in of_kind() {
        states[state(outlook.need)] += 1;
    }
    let counted = |is: fn(&Outlook) -> bool| of_kind().filter(|outlook| is(outlook)).map(|_| 1).sum();
    let below = |outlook: &Outlook| outlook.have < u64::from(outlook.target.wish.low_water_mark());
    TargetsOfKind { kind, states, below_low_water: counted(below), behind_window: counted(is_behind_window) }
}

/// The index in [`TARGET_STATES`] of the state that `GetStock` shows.
fn state(need: Need) -> usize {
    match need {
        Need::Nothing => 0,
        Need::Filling | Need::EnoughWithoutJob | Need::TooLateForJob => 1,
        Need::Job { .. } => 2,
        Need::Window { .. } => 3,
        Need::Rest { .. } => 4,
        Need::Unreachable => 5,
    }
}

/// Whether the last window closed before the target was filled, and it still lacks puzzles.
fn is_behind_window(outlook: &Outlook) -> bool {
    let was_late = |job: &Job| job.state == JobState::Ended && job.error.as_deref() == Some(Stop::TooLate.reason());
    match outlook.need {
        Need::TooLateForJob => true,
        Need::Window { .. } => outlook.last.as_ref().is_some_and(was_late),
        _ => false,
    }
}

impl SharedGauges {
    pub(super) fn write(&self, page: &mut Page<'_>) -> fmt::Result {
        self.write_queue(page)?;
        let stock =
            self.stock.iter().map(|(kind, level, puzzles)| (vec![("kind", *kind), ("level", *level)], float(*puzzles)));
        page.gauges("puzzled_stock_puzzles", "Puzzles in stock.", stock)?;
        let states = self.targets.iter().flat_map(|of| {
            let states = TARGET_STATES.into_iter().zip(of.states);
            states.map(|(state, targets)| (vec![("kind", of.kind), ("state", state)], f64::from(targets)))
        });
        page.gauges("puzzled_targets", "Stock targets, by the state that GetStock shows.", states)?;
        let each = |number: fn(&TargetsOfKind) -> u32| {
            self.targets.iter().map(move |of| (vec![("kind", of.kind)], f64::from(number(of))))
        };
        let help = "Stock targets that hold fewer puzzles than their low-water mark.";
        page.gauges("puzzled_targets_below_low_water", help, each(|of| of.below_low_water))?;
        let help = "Stock targets whose last window closed before they were filled.";
        page.gauges("puzzled_targets_behind_window", help, each(|of| of.behind_window))?;
        let help =
            "Days of a daily series that have a puzzle, from the current day up to the first without, at most 31.";
        let series = self.series.iter().map(|(series, days)| (vec![("series", series.as_str())], float(*days as u64)));
        page.gauges("puzzled_daily_days_ready", help, series)
    }

    fn write_queue(&self, page: &mut Page<'_>) -> fmt::Result {
        let queue = &self.queue;
        let jobs = JobState::ALL.into_iter().zip(queue.jobs);
        let jobs = jobs.map(|(state, jobs)| (vec![("state", state.name())], f64::from(jobs)));
        page.gauges("puzzled_jobs", "Jobs that are not pruned, by state.", jobs)?;
        let oldest = queue.oldest_wait_ms.unwrap_or(0).max(0).unsigned_abs();
        let help = "Longest time that a queued job has waited since it could start; 0 if no job waits.";
        page.gauge("puzzled_oldest_wait_seconds", help, float(oldest) / 1_000.0)?;
        page.gauge("puzzled_workers", "Workers of all running processes.", float(self.workers))?;
        let is_paused = f64::from(u8::from(queue.pause.is_some()));
        page.gauge("puzzled_queue_paused", "1 while the queue is paused, otherwise 0.", is_paused)?;
        let growth = [("puzzles", queue.growth.puzzles), ("database_bytes", queue.growth.bytes)];
        let used = growth.map(|(bound, gauge)| (vec![("bound", bound)], float(gauge.used)));
        page.gauges("puzzled_growth_used", "Puzzles or bytes in use, for each limit on growth.", used)?;
        let limits = growth.into_iter().filter_map(|(bound, gauge)| Some((vec![("bound", bound)], float(gauge.max?))));
        page.gauges("puzzled_growth_limit", "Limit on growth; absent without one.", limits)?;
        let help = "Size of the database, read once a minute.";
        page.gauge("puzzled_database_bytes", help, float(queue.growth.bytes.used))?;
        let help = "Size of the write-ahead log; SQLite only.";
        page.gauge("puzzled_database_wal_bytes", help, self.wal_bytes.map(float))
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts and sizes stay below 2^52")]
fn float(number: u64) -> f64 {
    number as f64
}
