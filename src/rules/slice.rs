//! The data of slices and leases, and the results of workers.

use super::job::{JobId, Tally};
use puzzled_engine::{
    kind::{Made, Miss},
    spec::Spec,
};

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

/// A claimed slice: the next work of a worker.
#[derive(Debug, Clone, PartialEq)]
pub struct Slice {
    /// The lease on it.
    pub lease: Lease,
    /// What each puzzle must be.
    pub spec: Spec,
    /// The job's seed.
    pub seed: u64,
    /// First index to work on.
    pub first_index: u32,
    /// The index after the last one.
    pub end_index: u32,
    /// The first try at the first index. The other indices start with try 0.
    pub first_try: u32,
    /// The maximum number of tries per index.
    pub tries_max: u32,
    /// Whether tries that miss the wanted ratings are abandoned at once.
    pub no_surplus: bool,
    /// The number of attempts at this slice that have failed so far.
    pub failed_attempts: u32,
    /// The span in which the job was queued; `None` without a trace.
    pub traceparent: Option<String>,
    /// For the first slice of a job, the time from when the job could start until this claim, in milliseconds.
    pub waited_ms: Option<i64>,
}

/// The results of a worker for a slice.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SliceWork {
    /// The wanted puzzles, by rising index.
    pub made: Vec<MadeAt>,
    /// Surplus puzzles: valid puzzles whose ratings were not wanted.
    pub surplus: Vec<MadeAt>,
    /// The tries, by result.
    pub tally: Tally,
    /// The index at which the work resumes, or the slice's `end_index` if the slice is done.
    pub next_index: u32,
    /// The next try at that index. If it is `tries_max` or more, the index has used all its tries.
    pub next_try: u32,
    /// Time spent, in milliseconds.
    pub work_ms: i64,
}

impl SliceWork {
    /// Counts a miss at the next index.
    pub fn miss(&mut self, miss: Miss) {
        self.tally.miss(miss);
        self.next_try += 1;
    }
}

/// A puzzle, and the index and try that made it.
#[derive(Debug, Clone, PartialEq)]
pub struct MadeAt {
    /// Index in the job, from 0.
    pub index: u32,
    /// Try at that index, from 0.
    pub attempt: u32,
    /// The puzzle.
    pub made: Made,
}

/// The result of an action that needs a lease.
#[derive(Debug, Clone, PartialEq)]
pub enum Guarded<T> {
    /// The lease was valid, and the action is done.
    Done(T),
    /// The lease was lost, or the job has ended; nothing has changed.
    LeaseLost,
}

/// An attempt at a slice that failed because of a fault of the program or of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedAttempt {
    /// The fault, in words.
    pub error: String,
    /// Time until the slice is offered again, in milliseconds.
    pub backoff_ms: i64,
    /// The number of failed attempts at one slice at which its job fails.
    pub attempts_max: u32,
}
