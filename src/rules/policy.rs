//! The numbers that the queue keeps to, and the rules that follow from them: how large a slice is, how long a failed one
//! rests, and how long things are kept.

pub use super::growth::Growth;
use super::{job::Job, process::KEPT_MS, queue::Prune};
use crate::clock::Millis;
use puzzled_engine::rng::Rng;

/// One claim in so many goes to the job that has waited longest, whatever its priority: low priorities get at least an
/// eighth of the workers.
pub const TURN_EVERY: u32 = 8;

/// Work that a slice should take, in milliseconds; what is lost at most when a process is killed.
pub const SLICE_MS: i64 = 1_000;

/// Longest rest after a failed attempt.
const BACKOFF_MS_MAX: i64 = 300_000;

/// Most rows of a kind that are cleared away in one write, so that it holds up nobody for long.
pub const PRUNED_AT_ONCE: u32 = 500;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Bounds and times of a queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Length of a lease, in milliseconds. A killed process's slice is offered again after so long.
    pub lease_ms: i64,
    /// Failed attempts at one slice with which its job fails.
    pub attempts_max: u32,
    /// Rest after the first failed attempt, in milliseconds; doubles with each further one, up to five minutes.
    pub backoff_ms: i64,
    /// Most jobs queued or running.
    pub open_jobs_max: u32,
    /// Tries at one index with which its job fails.
    pub tries_max: u32,
    /// How large the stock and its database may grow.
    pub growth: Growth,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            lease_ms: 15_000,
            attempts_max: 8,
            backoff_ms: 1_000,
            open_jobs_max: 1_000,
            tries_max: 2_000,
            growth: Growth::default(),
        }
    }
}

/// How long things are kept, in days; none keeps them for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Jobs, from their end on.
    pub jobs_days: Option<u32>,
    /// Names of requests, from when their jobs are no longer kept.
    pub requests_days: Option<u32>,
    /// Deliveries, but for those of days.
    pub deliveries_days: Option<u32>,
}

impl Default for Retention {
    fn default() -> Self {
        Self { jobs_days: Some(30), requests_days: Some(30), deliveries_days: None }
    }
}

impl Retention {
    /// What it lets be cleared away at a moment.
    #[must_use]
    pub fn prune(&self, now: Millis) -> Prune {
        let before = |days: Option<u32>| days.map(|days| now.plus_ms(-i64::from(days) * DAY_MS));
        Prune {
            ended_before: before(self.jobs_days),
            pruned_before: before(self.requests_days),
            delivered_before: before(self.deliveries_days),
            seen_before: Some(now.plus_ms(-KEPT_MS)),
            rows_max: PRUNED_AT_ONCE,
        }
    }
}

/// How many of a job's next indices a slice takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SliceSize {
    /// Indices of a job's first slices, before its pace is known.
    pub first: u32,
    /// Work of a later slice at the job's pace so far, in milliseconds.
    pub work_ms: i64,
    /// Most indices of a later slice: bounds the size of a commit.
    pub max: u32,
}

impl Default for SliceSize {
    fn default() -> Self {
        Self { first: 8, work_ms: SLICE_MS, max: 512 }
    }
}

impl SliceSize {
    /// The index after the last one of the job's next slice, which has at least one index.
    #[must_use]
    pub fn end_index(self, job: &Job) -> u32 {
        let indices = if job.made == 0 { self.first } else { self.of_measured(job) };
        job.next_index.saturating_add(indices.max(1)).min(job.wanted)
    }

    fn of_measured(self, job: &Job) -> u32 {
        let ms_per_puzzle = (job.work_ms / i64::from(job.made)).max(1);
        u32::try_from((self.work_ms / ms_per_puzzle).clamp(0, self.max.into())).expect("at most `max`")
    }
}

/// Rest before the next attempt, after `failed_before` attempts had failed already: exponential, with a jitter of a
/// quarter either way, so that slices that failed together do not come back together.
#[must_use]
pub fn backoff_ms(policy: &Policy, failed_before: u32, rng: &mut Rng) -> i64 {
    let doubled = policy.backoff_ms.saturating_mul(1_i64.checked_shl(failed_before.min(30)).unwrap_or(i64::MAX));
    let rest = doubled.clamp(1, BACKOFF_MS_MAX);
    let spread = rest / 2;
    let jitter = rng.below(spread.unsigned_abs() + 1).cast_signed();
    rest - spread / 2 + jitter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_doubles_with_each_failure_and_stays_within_a_quarter_of_it() {
        let policy = Policy::default();
        let mut rng = Rng::from_seed(1);
        for (failed_before, rest) in [(0, 1_000), (1, 2_000), (4, 16_000), (8, 256_000), (9, 300_000), (4_000, 300_000)]
        {
            for _ in 0..100 {
                let got = backoff_ms(&policy, failed_before, &mut rng);
                assert!((rest * 3 / 4..=rest * 5 / 4).contains(&got), "{failed_before} failures: {got} ms");
            }
        }
    }
}
