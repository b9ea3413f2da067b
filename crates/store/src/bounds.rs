//! The settings that the queue, the stock, and the planner read.

use std::fmt::Debug;

use crate::jobs::growth::Growth;
use puzzled_base::live::Live;

/// Settings of the service, by their names. Their documentation says which values they allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The maximum number of open jobs.
    pub max_open_jobs: u32,
    /// The maximum number of puzzles of a job.
    pub max_count: u32,
    /// The maximum number of tries per puzzle.
    pub max_tries: u32,
    /// The maximum number of open refills.
    pub max_refills: u32,
    /// The maximum number of targets.
    pub max_targets: u32,
    /// The number of workers of this process.
    pub workers: u32,
    /// How long a lease lasts, in milliseconds.
    pub lease_ms: i64,
    /// The number of failed attempts after which a slice fails its job.
    pub max_attempts: u32,
    /// The number of days for which the days of a series get their puzzles ahead.
    pub daily_ahead_days: u32,
    /// The settings `max_puzzles` and `max_database_bytes`.
    pub growth: Growth,
}

/// Where the bounds come from, which a reload may change. A call keeps those with which it began.
pub trait CurrentBounds: Debug + Send + Sync {
    /// The bounds in force.
    fn bounds(&self) -> Bounds;
}

/// Bounds that do not change.
impl CurrentBounds for Bounds {
    fn bounds(&self) -> Bounds {
        *self
    }
}

impl<T: Debug + Send + Sync> CurrentBounds for Live<T>
where
    for<'a> Bounds: From<&'a T>,
{
    fn bounds(&self) -> Bounds {
        (&*self.get()).into()
    }
}
