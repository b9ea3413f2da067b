//! Rule: the state of the whole queue: pauses, counts of jobs, reclaimed slices, and whether the stock is full. Also the
//! limits and results of pruning.

use crate::jobs::{
    growth::{Full, GrowthState},
    job::JobState,
};
use puzzled_base::{clock::Millis, ids::JobId};

/// The queue at one moment, over all processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueState {
    /// The pause, while it is paused.
    pub pause: Option<Pause>,
    /// Jobs in each state, in the order of [`JobState::ALL`].
    pub jobs: [u32; JobState::ALL.len()],
    /// Slices of open jobs that were begun and have no lease, such as the remainder of a slice whose worker
    /// yielded.
    pub waiting_slices: u32,
    /// Slices of open jobs under a lease that has not expired.
    pub leased_slices: u32,
    /// The longest wait of a queued job whose start time has come, in milliseconds.
    pub oldest_wait_ms: Option<i64>,
    /// Leases that expired and were reclaimed within the last hour.
    pub reclaimed_slices_last_hour: u32,
    /// Leases that expired and were reclaimed since the database was created.
    pub reclaimed_slices: u64,
    /// The growth of the stock, and whether it is full.
    pub growth: GrowthState,
}

impl QueueState {
    /// The number of jobs in a state.
    #[must_use]
    pub fn jobs_in(&self, state: JobState) -> u32 {
        let counted = JobState::ALL.into_iter().zip(self.jobs);
        counted.filter(|(counted, _)| *counted == state).map(|(_, jobs)| jobs).sum()
    }
}

/// A pause of the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    /// The time since which the queue is paused.
    pub at: Millis,
    /// The reason that the caller gave; may be empty.
    pub reason: String,
}

/// The conditions that stop all claims.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stops {
    /// Set while the queue is paused.
    pub pause: Option<Pause>,
    /// Set while the stock is full.
    pub full: Option<Full>,
}

impl Stops {
    /// Whether anything stops claims.
    #[must_use]
    pub fn are_any(&self) -> bool {
        self.pause.is_some() || self.full.is_some()
    }
}

/// A slice whose lease expired before the commit, because its worker died or hangs. It is offered to other workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReclaimedSlice {
    /// The job.
    pub job_id: JobId,
    /// Row of the slice.
    pub slice_id: i64,
    /// Index at which the work on the slice resumes.
    pub first_index: u32,
    /// The worker that held the lease.
    pub worker: String,
}

/// The period of [`QueueState::reclaimed_slices_last_hour`], in milliseconds.
pub const HOUR_MS: i64 = 3_600_000;

/// The times before which rows are pruned; `None` keeps all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prune {
    /// Jobs that finished before this time are no longer listed.
    pub finished_before: Option<Millis>,
    /// If a job was pruned before this time, its request ID is deleted.
    pub pruned_before: Option<Millis>,
    /// Deliveries made before this time are deleted.
    pub delivered_before: Option<Millis>,
    /// Rows of processes that were last renewed before this time are deleted.
    pub seen_before: Option<Millis>,
    /// Entries of the audit trail made before this time are deleted.
    pub audited_before: Option<Millis>,
    /// The maximum number of rows of each type.
    pub rows_max: u32,
}

/// The numbers of rows that were pruned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pruned {
    /// Jobs that are no longer listed.
    pub jobs: u64,
    /// Request IDs deleted.
    pub requests: u64,
    /// Jobs deleted: those without puzzles and without a request ID.
    pub deleted: u64,
    /// Deliveries deleted.
    pub deliveries: u64,
    /// Rows of processes deleted.
    pub processes: u64,
    /// Entries of the audit trail deleted.
    pub audit_entries: u64,
}

impl Pruned {
    /// The largest of the numbers.
    #[must_use]
    pub fn most(&self) -> u64 {
        let Self { jobs, requests, deleted, deliveries, processes, audit_entries } = *self;
        jobs.max(requests).max(deleted).max(deliveries).max(processes).max(audit_entries)
    }
}
