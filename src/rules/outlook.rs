//! Computes the outlook of a stock target: its state, and a forecast of when it is full. Pure functions.

use super::{
    job::Job,
    need::{Need, Sight, need},
    target::{Rate, StockTarget},
};

/// From this number of puzzles on, the pace of a running job replaces the making rate of its spec.
const PACE_FROM: u32 = 10;

/// A target and its forecast.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlook {
    /// The target.
    pub target: StockTarget,
    /// The number of puzzles in stock that count for the target.
    pub have: u64,
    /// What it needs.
    pub need: Need,
    /// Why this version refuses the spec, if it does.
    pub refusal: Option<String>,
    /// The making rate of the spec; `None` if the spec has no tries.
    pub rate: Option<Rate>,
    /// Its last job.
    pub last: Option<Job>,
    /// The time that a job takes to fill the target, in seconds; `None` if nothing has been measured yet.
    pub seconds_to_full: Option<f64>,
    /// The maximum number of tries per puzzle, on which [`Need::Unreachable`] depends.
    pub tries_max: u32,
}

impl Outlook {
    /// The number of missing puzzles.
    #[must_use]
    pub fn missing(&self) -> u64 {
        u64::from(self.target.wish.target).saturating_sub(self.have)
    }
}

/// The working time per puzzle, in seconds; `None` without hits.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "an estimate needs few digits")]
pub fn seconds_per_hit(rate: &Rate) -> Option<f64> {
    (rate.hits > 0).then(|| rate.work_ms as f64 / 1_000.0 / rate.hits as f64)
}

/// The outlook of a target if this number of workers makes its puzzles.
#[expect(clippy::cast_precision_loss, reason = "an estimate needs few digits")]
pub(crate) fn outlook(target: &StockTarget, sight: Sight<'_>, workers: u32) -> Outlook {
    let missing = u64::from(target.wish.target).saturating_sub(sight.have) as f64;
    let by_past = sight.rate.and_then(seconds_per_hit).map(|seconds| seconds / f64::from(workers.max(1)));
    let each = sight.last.and_then(|job| pace(job, sight)).or(by_past);
    Outlook {
        target: target.clone(),
        have: sight.have,
        need: need(sight),
        refusal: sight.refusal.map(str::to_owned),
        rate: sight.rate.cloned(),
        last: sight.last.cloned(),
        seconds_to_full: if missing == 0.0 { Some(0.0) } else { each.map(|each| each * missing) },
        tries_max: sight.tries_max,
    }
}

/// The wall-clock time per puzzle of a running job, in seconds. It reflects the number of workers and their other work.
#[expect(clippy::cast_precision_loss, reason = "an estimate needs few digits")]
fn pace(job: &Job, sight: Sight<'_>) -> Option<f64> {
    let started_at = job.started_at.filter(|_| job.state.is_open() && job.made >= PACE_FROM)?;
    let ms = sight.now.ms_since(started_at);
    (ms > 0).then(|| ms as f64 / 1_000.0 / f64::from(job.made))
}
