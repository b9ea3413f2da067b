//! Jobs, slices and leases as the store keeps them.

use std::{collections::BTreeMap, fmt, str::FromStr};

pub use super::admission::{Batch, Enqueued, Refusal};
use super::{growth::Full, repeat::Fields, target::TargetId};
use crate::clock::Millis;
use puzzled_engine::{
    kind::{Made, Miss, MissReason},
    spec::Spec,
};

/// Number of a job, from 1; on the wire `job-17`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub i64);

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "job-{}", self.0)
    }
}

impl FromStr for JobId {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        number_after("job-", text).map(Self).ok_or(())
    }
}

/// The number of an id such as `job-17`; none for any other spelling, `job-017` included.
pub(super) fn number_after(prefix: &str, text: &str) -> Option<i64> {
    let number = text.strip_prefix(prefix)?.parse().ok().filter(|&number: &i64| number > 0)?;
    (format!("{prefix}{number}") == text).then_some(number)
}

/// State of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobState {
    /// Waits for a worker, or for its time.
    Queued,
    /// A slice of it has been claimed.
    Running,
    /// All puzzles are stored.
    Succeeded,
    /// Given up.
    Failed,
    /// Cancelled.
    Cancelled,
    /// Of a refill: its window closed, or its target was filled otherwise.
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

    /// Whether slices of it may be claimed and committed.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }

    /// Whether it is over before all wanted puzzles are stored. Such a job can be retried.
    #[must_use]
    pub fn is_unfinished(self) -> bool {
        matches!(self, Self::Failed | Self::Cancelled | Self::Ended)
    }
}

/// A job with its progress.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Id.
    pub id: JobId,
    /// State.
    pub state: JobState,
    /// What it makes.
    pub spec: Spec,
    /// Puzzles wanted, from 1.
    pub wanted: u32,
    /// Puzzles stored so far that are as wanted.
    pub made: u32,
    /// Puzzles stored besides: the good ones of tries that missed the wanted ratings.
    pub surplus: u32,
    /// First index that no slice has covered yet.
    pub next_index: u32,
    /// Its seed.
    pub seed: u64,
    /// Priority; higher goes first.
    pub priority: i32,
    /// Tries allowed at one index.
    pub tries_max: u32,
    /// Tries so far and what became of them.
    pub tally: Tally,
    /// Work done, in milliseconds of worker time.
    pub work_ms: i64,
    /// Failed attempts of its slices since it was queued or retried.
    pub failed_attempts: u32,
    /// Leases on its slices that ran out before the commit, since it was first queued.
    pub reclaimed_slices: u32,
    /// Why it failed, or the last fault that it is getting over.
    pub error: Option<String>,
    /// Name of the request that queued it.
    pub request_id: Option<String>,
    /// What whoever queued it noted on it.
    pub labels: Labels,
    /// Whether tries that miss the wanted ratings are given up at once.
    pub no_surplus: bool,
    /// The oldest version of the engine that makes it.
    pub needed_version: u32,
    /// It does not start before.
    pub not_before_at: Millis,
    /// The stock target that it fills, if it was queued for one that is still there.
    pub target_id: Option<TargetId>,
    /// A refill that is not done by then is ended: its window closes.
    pub not_after_at: Option<Millis>,
    /// When it was queued.
    pub created_at: Millis,
    /// When its first slice was claimed.
    pub started_at: Option<Millis>,
    /// When it reached an end.
    pub ended_at: Option<Millis>,
    /// When it was taken off the lists, long after its end.
    pub pruned_at: Option<Millis>,
}

/// Names and values, each free text of whoever queues a job.
pub type Labels = BTreeMap<String, String>;

impl Job {
    /// Why the job fails when an index has had all its tries.
    #[must_use]
    pub fn out_of_tries(&self, index: u32) -> String {
        let Tally { tries, repeats, unrated, off_target, clues, unproven, solvers_disagreed, nearest } = &self.tally;
        let nearest = nearest.as_ref().map_or("nothing came near", |(_, what)| what);
        format!(
            "no puzzle for index {index} within {} tries; the job made {} of {} puzzles and {} surplus ones in {tries} tries: \
             {repeats} repeats, {unrated} unrated, {off_target} off target, {clues} with other numbers of givens, \
             {unproven} unproven, {solvers_disagreed} on which the solvers disagreed; nearest: {nearest}",
            self.tries_max, self.made, self.wanted, self.surplus,
        )
    }
}

/// Tries and what became of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// All tries.
    pub tries: u64,
    /// Puzzles that the stock had already: itself, an isomorph, or another one with the same solution up to symmetry.
    pub repeats: u64,
    /// Tries that ended with [`MissReason::Unrated`].
    pub unrated: u64,
    /// Tries that ended with [`MissReason::OffTarget`].
    pub off_target: u64,
    /// Tries that ended with [`MissReason::Clues`].
    pub clues: u64,
    /// Tries that ended with [`MissReason::Unproven`].
    pub unproven: u64,
    /// Tries that ended with [`MissReason::SolversDisagree`].
    pub solvers_disagreed: u64,
    /// The miss that came nearest: its distance and what it was.
    pub nearest: Option<(u32, String)>,
}

impl Tally {
    /// Adds the tries of another tally.
    pub fn add(&mut self, other: &Self) {
        let Self { tries, repeats, unrated, off_target, clues, unproven, solvers_disagreed, nearest } = other;
        self.tries += tries;
        self.repeats += repeats;
        self.unrated += unrated;
        self.off_target += off_target;
        self.clues += clues;
        self.unproven += unproven;
        self.solvers_disagreed += solvers_disagreed;
        self.nearer(nearest.clone());
    }

    /// Counts a try that gave nothing.
    pub fn miss(&mut self, miss: Miss) {
        let counter = match miss.reason {
            MissReason::Unrated => &mut self.unrated,
            MissReason::OffTarget => &mut self.off_target,
            MissReason::Clues => &mut self.clues,
            MissReason::Unproven => &mut self.unproven,
            MissReason::SolversDisagree(_) => &mut self.solvers_disagreed,
        };
        *counter += 1;
        self.tries += 1;
        self.nearer(Some((miss.distance, miss.nearest)));
    }

    /// Keeps the nearer of two misses; of equally near ones, the one that it has.
    pub fn nearer(&mut self, other: Option<(u32, String)>) {
        let is_nearer = match (&self.nearest, &other) {
            (Some((ours, _)), Some((theirs, _))) => theirs < ours,
            (None, Some(_)) => true,
            (_, None) => false,
        };
        if is_nearer {
            self.nearest = other;
        }
    }
}

/// A job to be queued.
#[derive(Debug, Clone, PartialEq)]
pub struct NewJob {
    /// What it makes.
    pub spec: Spec,
    /// Puzzles wanted, from 1.
    pub wanted: u32,
    /// Seed.
    pub seed: u64,
    /// Priority.
    pub priority: i32,
    /// Tries allowed at one index.
    pub tries_max: u32,
    /// The oldest version of the engine that makes it: workers of older ones do not claim it.
    pub needed_version: u32,
    /// It does not start before.
    pub not_before_at: Millis,
    /// What is noted on it.
    pub labels: Labels,
    /// Whether tries that miss the wanted ratings are given up at once, instead of being finished and stored.
    pub no_surplus: bool,
    /// The name of the request and the fields that it is compared by, where it has a name.
    pub request: Option<NamedRequest>,
    /// What it is to make up for. While a job is open that makes up for the same, no other is queued.
    pub shortfall: Option<String>,
}

/// A request that its sender has named.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NamedRequest {
    /// The name.
    pub request_id: String,
    /// What another request under this name would have to be equal to.
    pub fields: Fields,
}

/// What came of queueing a job again.
#[derive(Debug, Clone, PartialEq)]
pub enum Retried {
    /// The job: in the queue, or as it is if it cannot be retried.
    Job(Box<Job>),
    /// It stays as it is, because the stock is full.
    StockFull(Full),
    /// There is no such job.
    NoJob,
}

/// Which jobs to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobFilter {
    /// Only in these states; empty means any.
    pub states: Vec<JobState>,
    /// Only of this kind.
    pub kind: Option<String>,
    /// Only with all of these labels.
    pub labels: Labels,
    /// Only those that fill this target.
    pub target_id: Option<TargetId>,
}

/// How to choose the job of the next slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimOrder {
    /// Highest priority first; jobs of equal priority take turns.
    Priority,
    /// Whatever the priority, the job that has waited longest for its turn.
    Turn,
}

/// The right to work on a slice, and to commit it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lease {
    /// Row of the slice.
    pub slice_id: i64,
    /// Its job.
    pub job_id: JobId,
    /// A random number that only the holder knows.
    pub token: i64,
}

/// A claimed slice: the work to do next.
#[derive(Debug, Clone, PartialEq)]
pub struct Slice {
    /// The lease on it.
    pub lease: Lease,
    /// What to make.
    pub spec: Spec,
    /// The job's seed.
    pub seed: u64,
    /// First index to work on.
    pub first_index: u32,
    /// The index after the last one.
    pub end_index: u32,
    /// The try to begin with at the first index; the others begin with 0.
    pub first_try: u32,
    /// Tries allowed at one index.
    pub tries_max: u32,
    /// Whether tries that miss the wanted ratings are given up at once.
    pub no_surplus: bool,
    /// Attempts at this slice that have failed so far.
    pub failed_attempts: u32,
}

/// What a worker has done with a slice.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SliceWork {
    /// The puzzles, by rising index.
    pub made: Vec<MadeAt>,
    /// Good puzzles of tries that missed the wanted ratings.
    pub surplus: Vec<MadeAt>,
    /// The tries.
    pub tally: Tally,
    /// Index at which the work goes on; the slice's end when it is done.
    pub next_index: u32,
    /// The try to begin with there. At or above the slice's `tries_max` it means that this index has had all its tries.
    pub next_try: u32,
    /// Time spent, in milliseconds.
    pub work_ms: i64,
}

impl SliceWork {
    /// Counts a try at the next index that gave nothing that was wanted.
    pub fn miss(&mut self, miss: Miss) {
        self.tally.miss(miss);
        self.next_try += 1;
    }
}

/// A puzzle and where in its job it was made.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeAt {
    /// Index in the job.
    pub index: u32,
    /// Try at that index.
    pub attempt: u32,
    /// The puzzle.
    pub made: Made,
}

/// What came of an action that a lease has to allow.
#[derive(Debug, Clone, PartialEq)]
pub enum Guarded<T> {
    /// The lease stood, and it is done.
    Done(T),
    /// The lease was lost, or the job has ended; nothing has changed.
    LeaseLost,
}

/// An attempt at a slice that failed by a fault of the program or of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedAttempt {
    /// What happened.
    pub error: String,
    /// Time until the slice is offered again, in milliseconds.
    pub backoff_ms: i64,
    /// Failed attempts at one slice with which its job fails.
    pub attempts_max: u32,
}
