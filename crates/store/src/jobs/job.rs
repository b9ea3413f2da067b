//! Rule: the data of jobs and the counts of their tries, and the results of changes to jobs.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    access::actor::Actor,
    deliveries::holder::Holder,
    jobs::{growth::Full, open_quotas::OverQuota, repeat::Fields},
};
use puzzled_base::{
    clock::Millis,
    ids::{JobId, TargetId},
};
use puzzled_engine::shared::{spec::Spec, tries::Tally};

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobState {
    /// Waits for a worker, or for its start time.
    Queued,
    /// At least one slice was claimed.
    Running,
    /// All wanted puzzles are stored.
    Succeeded,
    /// Stopped by a fault, by the limit on shelves, because an index used all its tries, or because the spec is
    /// unreachable.
    Failed,
    /// A person cancelled it.
    Cancelled,
    /// Only for refills: the window closed, or the target was filled without this job. Only for top-ups: the working time is
    /// spent, and there is a puzzle.
    Ended,
}

impl JobState {
    /// All states.
    pub const ALL: [Self; 6] =
        [Self::Queued, Self::Running, Self::Succeeded, Self::Failed, Self::Cancelled, Self::Ended];

    /// The word in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Ended => "ended",
        }
    }

    /// Whether slices of the job may be claimed and committed.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }

    /// Whether the job finished before all wanted puzzles were stored. Such a job can be retried.
    #[must_use]
    pub fn is_unfinished(self) -> bool {
        matches!(self, Self::Failed | Self::Cancelled | Self::Ended)
    }
}

/// The kind of a job's error, for those that programs act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobError {
    /// The spec is unreachable; see [`need::is_unreachable`](crate::targets::need::is_unreachable).
    Unreachable,
}

impl JobError {
    /// All kinds.
    pub const ALL: [Self; 1] = [Self::Unreachable];

    /// The word in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
        }
    }
}

/// A job with its progress.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// The job's id.
    pub id: JobId,
    /// The job's state.
    pub state: JobState,
    /// What each puzzle must be.
    pub spec: Spec,
    /// The number of wanted puzzles, from 1.
    pub wanted: u32,
    /// The number of puzzles stored so far, also those that were withdrawn or deleted later.
    pub made: u32,
    /// The first index that no slice has covered yet.
    pub next_index: u32,
    /// The seed of all random choices.
    pub seed: u64,
    /// The priority, from -100 to 100; the highest goes first.
    pub priority: i32,
    /// The maximum number of tries per index.
    pub tries_max: u32,
    /// Tries so far, by result.
    pub tally: Tally,
    /// Work done, in milliseconds of worker time.
    pub work_ms: i64,
    /// The work after which a commit ends the job if it has a puzzle, in milliseconds; only for top-ups.
    pub work_ms_max: Option<i64>,
    /// The number of failed attempts at slices since the job was queued or retried.
    pub failed_attempts: u32,
    /// The number of leases on slices that expired before the commit, since the job was first queued.
    pub reclaimed_slices: u32,
    /// Why the job failed, or the error of the last failed attempt, which will be repeated.
    pub error: Option<String>,
    /// The kind of the error, if programs act on it.
    pub error_reason: Option<JobError>,
    /// The ID of the request that queued the job.
    pub request_id: Option<String>,
    /// The name of the principal that queued the job; `None` if the planner did.
    pub principal: Option<String>,
    /// Who holds its puzzles; `None` if they go on the shelves.
    pub holder: Option<Holder>,
    /// The span in which the job was queued, in the format of the header `traceparent`; `None` without a trace.
    pub traceparent: Option<String>,
    /// The labels that the caller gave to the job.
    pub labels: Labels,
    /// The oldest engine version that can make its puzzles.
    pub needed_version: u32,
    /// The earliest time at which it may start.
    pub not_before_at: Millis,
    /// The stock target that it fills, if it is a refill and the target still exists.
    pub target_id: Option<TargetId>,
    /// The time at which the window closes. A refill that is not done by then is ended.
    pub not_after_at: Option<Millis>,
    /// When it was queued.
    pub created_at: Millis,
    /// When its first slice was claimed.
    pub started_at: Option<Millis>,
    /// When it finished: the time of its final state.
    pub ended_at: Option<Millis>,
    /// When it was pruned. A pruned job is no longer listed.
    pub pruned_at: Option<Millis>,
}

/// Names and values, each free text of the caller that queued the job.
pub type Labels = BTreeMap<String, String>;

impl Job {
    /// The error of a top-up whose working time is spent, if it has a puzzle.
    pub(crate) fn out_of_time(&self) -> Option<String> {
        let max = self.work_ms_max.filter(|&max| self.work_ms >= max && self.made > 0)?;
        let Self { made, wanted, .. } = self;
        Some(format!("the working time of the top-up is spent, {} s; it made {made} of {wanted} puzzles", max / 1_000))
    }

    /// The nearest miss in words.
    #[must_use]
    pub fn nearest(&self) -> &str {
        self.tally.nearest.as_ref().map_or("nothing came near", |(_, what)| what)
    }

    /// The error of the job if an index has used all its tries.
    #[must_use]
    pub(crate) fn out_of_tries(&self, index: u32) -> String {
        let Tally { tries, repeats, unrated, off_target, givens, unproven, solvers_disagreed, .. } = &self.tally;
        format!(
            "no puzzle for index {index} within {} tries; the job made {} of {} puzzles in {tries} tries: {repeats} repeats, \
             {unrated} unrated, {off_target} off target, {givens} with other numbers of givens, {unproven} unproven, \
             {solvers_disagreed} on which the solvers disagreed; nearest: {}",
            self.tries_max,
            self.made,
            self.wanted,
            self.nearest(),
        )
    }
}

/// A job to queue.
#[derive(Debug, Clone, PartialEq)]
pub struct NewJob {
    /// What each puzzle must be.
    pub spec: Spec,
    /// The number of wanted puzzles, from 1.
    pub wanted: u32,
    /// The seed of all random choices.
    pub seed: u64,
    /// The priority, from -100 to 100; the highest goes first.
    pub priority: i32,
    /// The maximum number of tries per index.
    pub tries_max: u32,
    /// The work after which a commit ends the job if it has a puzzle, in milliseconds. It makes the job a top-up.
    pub work_ms_max: Option<i64>,
    /// The oldest engine version that can make its puzzles. Workers with an older engine do not claim it.
    pub needed_version: u32,
    /// The earliest time at which it may start.
    pub not_before_at: Millis,
    /// The labels that the caller gives to the job.
    pub labels: Labels,
    /// The ID of the request and the fields that a repeat must match, if the request has an ID.
    pub request: Option<NamedRequest>,
    /// The shortfall that the job fills. While another job for the same shortfall is open, this job is not queued.
    pub shortfall: Option<String>,
    /// Who queues the job; `None` for the planner.
    pub by: Option<Arc<Actor>>,
    /// Who will hold its puzzles; `None` if they go on the shelves.
    pub holder: Option<Holder>,
}

/// A request with a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NamedRequest {
    /// The name.
    pub request_id: String,
    /// The fields that a repeat with this ID must match.
    pub fields: Fields,
}

/// The result of a cancellation.
#[derive(Debug, Clone, PartialEq)]
pub enum Cancelled {
    /// The job: cancelled, or unchanged if it had already finished.
    Job(Box<Job>),
    /// The job stays as it is, because another principal queued it.
    NotOwn,
    /// There is no such job.
    NoJob,
}

/// The result of a retry.
#[derive(Debug, Clone, PartialEq)]
pub enum Retried {
    /// The job: queued again, or unchanged if it cannot be retried.
    Job(Box<Job>),
    /// The job stays as it is, because another principal queued it.
    NotOwn,
    /// The job stays as it is, because the stock is full.
    StockFull(Full),
    /// The job stays as it is, because it would exceed a quota of its principal.
    OverQuota(OverQuota),
    /// There is no such job.
    NoJob,
}

/// Which jobs to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobFilter {
    /// Only jobs in these states; empty means any.
    pub states: Vec<JobState>,
    /// Only jobs of this kind.
    pub kind: Option<String>,
    /// Only jobs with all of these labels.
    pub labels: Labels,
    /// Only refills of this target.
    pub target_id: Option<TargetId>,
}

/// How to choose the job of the next slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimOrder {
    /// The highest priority first. Jobs of equal priority take turns.
    Priority,
    /// As [`Self::Priority`], but if the first job is a top-up, takes the job that has waited longest and is not one.
    PriorityOrNoTopUp,
    /// The job that has waited longest, whatever its priority. If the first job by priority is a top-up, takes the job that has
    /// waited longest and is not one.
    Turn,
}

impl ClaimOrder {
    /// Whether the job that has waited longest comes first.
    #[must_use]
    pub(crate) fn is_by_turn(self) -> bool {
        self == Self::Turn
    }

    /// Whether top-ups come last while one of them has the highest priority.
    #[must_use]
    pub(crate) fn avoids_top_ups(self) -> bool {
        self != Self::Priority
    }
}
