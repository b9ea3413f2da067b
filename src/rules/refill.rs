//! Decides, in the transaction that queues a refill, whether the target still needs it and how many puzzles it makes. Also
//! decides whether an open refill may be ended. Pure functions: the store first reads the target, its last job, and the stock.

use std::sync::Arc;

use super::{
    actor::Actor,
    job::{Job, Labels, NewJob},
    target::{Asked, Refill, Refilled, StockTarget, Stop},
};
use crate::clock::Millis;
use puzzled_engine::registry;

/// Returns why no job is needed; `None` if a job is needed.
pub(crate) fn needless(target: &StockTarget, refill: &Refill, last: Option<Job>, have: u64) -> Option<Refilled> {
    let last_id = last.as_ref().map(|job| job.id);
    if let Some(open) = last.filter(|job| job.state.is_open()) {
        return Some(Refilled::Open(open));
    }
    let wanted = match &refill.asked {
        Asked::Planned { last: known, .. } if *known != last_id => return Some(Refilled::Overtaken),
        Asked::Planned { .. } => target.wish.low_water_mark(),
        Asked::Manual(_) => target.wish.target,
    };
    (have >= u64::from(wanted)).then_some(Refilled::Enough { have })
}

/// Whether a job is an open refill that must stop now. For [`Stop::TooLate`], its deadline must have passed.
pub(crate) fn may_stop(job: &Job, stop: Stop, now: Millis) -> bool {
    let is_over = match stop {
        Stop::Full => true,
        Stop::TooLate => job.not_after_at.is_some_and(|at| at <= now),
    };
    job.state.is_open() && job.target_id.is_some() && is_over
}

/// Builds a job for all missing puzzles, or for the maximum number of puzzles per job.
pub(crate) fn new_job(target: StockTarget, refill: &Refill, have: u64) -> NewJob {
    let missing = u64::from(target.wish.target).saturating_sub(have);
    NewJob {
        needed_version: registry::needed_version(&target.wish.spec),
        spec: target.wish.spec,
        wanted: u32::try_from(missing).expect("at most the target").min(refill.count_max),
        seed: refill.seed,
        priority: target.wish.priority,
        tries_max: refill.tries_max,
        not_before_at: Millis::default(),
        labels: Labels::new(),
        no_surplus: refill.no_surplus || target.wish.no_surplus,
        request: None,
        shortfall: None,
        by: asked_by(refill).cloned(),
    }
}

/// The time at which the window of the job closes, if it has one.
pub(crate) fn not_after_at(refill: &Refill) -> Option<Millis> {
    match refill.asked {
        Asked::Planned { not_after_at, .. } => not_after_at,
        Asked::Manual(_) => None,
    }
}

/// Who requested the refill; `None` if the planner did.
pub(crate) fn asked_by(refill: &Refill) -> Option<&Arc<Actor>> {
    match &refill.asked {
        Asked::Planned { .. } => None,
        Asked::Manual(by) => Some(by),
    }
}
