//! The queue as a whole, as the store keeps it: what stops it, how long it is, what workers have lost, and what is cleared away.

use super::{
    growth::{Full, GrowthState},
    job::{JobId, JobState},
};
use crate::clock::Millis;

/// The queue at one moment, over all processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueState {
    /// Set while it is paused.
    pub pause: Option<Pause>,
    /// Jobs in each state, in the order of [`JobState::ALL`].
    pub jobs: [u32; JobState::ALL.len()],
    /// Slices of open jobs that were begun and that nobody holds, such as the rest of one that was cut short.
    pub waiting_slices: u32,
    /// Slices of open jobs under a lease that has not run out.
    pub leased_slices: u32,
    /// Of the queued jobs whose time has come, how long the one has waited that has waited longest, in milliseconds.
    pub oldest_wait_ms: Option<i64>,
    /// Leases taken back within the last hour.
    pub reclaimed_slices_last_hour: u32,
    /// Leases taken back, ever.
    pub reclaimed_slices: u64,
    /// How far the stock has grown, and whether it is full.
    pub growth: GrowthState,
}

impl QueueState {
    /// Jobs in a state.
    #[must_use]
    pub fn jobs_in(&self, state: JobState) -> u32 {
        let counted = JobState::ALL.into_iter().zip(self.jobs);
        counted.filter(|(counted, _)| *counted == state).map(|(_, jobs)| jobs).sum()
    }
}

/// Why the queue stands still.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    /// Since when.
    pub at: Millis,
    /// What whoever paused it said; may be empty.
    pub reason: String,
}

/// What keeps all workers from claiming.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stops {
    /// Set while the queue is paused.
    pub pause: Option<Pause>,
    /// Set while the stock is full.
    pub full: Option<Full>,
}

impl Stops {
    /// Whether anything does.
    #[must_use]
    pub fn are_any(&self) -> bool {
        self.pause.is_some() || self.full.is_some()
    }
}

/// A lease that ran out before its slice was committed: whoever held it died or hangs, and the slice is offered to others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReclaimedSlice {
    /// The job.
    pub job_id: JobId,
    /// Row of the slice.
    pub slice_id: i64,
    /// Index at which the slice's work goes on.
    pub first_index: u32,
    /// Who held the lease.
    pub worker: String,
}

/// How far back [`QueueState::reclaimed_slices_last_hour`] looks, in milliseconds.
pub const HOUR_MS: i64 = 3_600_000;

/// What is old enough to be cleared away; none keeps all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prune {
    /// Jobs that ended before are taken off the lists.
    pub ended_before: Option<Millis>,
    /// Of jobs that were taken off before, the names of their requests are forgotten.
    pub pruned_before: Option<Millis>,
    /// Deliveries from before are forgotten.
    pub delivered_before: Option<Millis>,
    /// Rows of processes that were last renewed before are deleted.
    pub seen_before: Option<Millis>,
    /// Most rows of each.
    pub rows_max: u32,
}

/// What was cleared away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pruned {
    /// Jobs taken off the lists.
    pub jobs: u64,
    /// Names of requests forgotten.
    pub requests: u64,
    /// Jobs deleted: those that left neither a puzzle nor the name of a request.
    pub deleted: u64,
    /// Deliveries forgotten.
    pub deliveries: u64,
    /// Rows of processes deleted.
    pub processes: u64,
}

impl Pruned {
    /// The largest of the numbers.
    #[must_use]
    pub fn most(&self) -> u64 {
        let Self { jobs, requests, deleted, deliveries, processes } = *self;
        jobs.max(requests).max(deleted).max(deliveries).max(processes)
    }
}
