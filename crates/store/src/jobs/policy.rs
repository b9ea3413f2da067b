//! Rule: the rules of the queue: the order of claims, the size of a slice, and the backoff after a failed attempt.

use crate::jobs::job::{ClaimOrder, Job};
use puzzled_engine::shared::rng::Rng;

/// One claim in this many goes to the job that has waited longest, whatever its priority. So low priorities get at
/// least an eighth of the workers.
const TURN_CLAIM_EVERY: u32 = 8;

/// While a top-up is the most urgent job, one claim in this many goes to another job. So top-ups get at most half of the
/// workers.
const OTHER_CLAIM_EVERY: u32 = 2;

/// The working time of a slice, in milliseconds. A killed process loses at most this much work per worker.
pub const SLICE_MS: i64 = 1_000;

/// The backoff after the first failed attempt, in milliseconds. It doubles with each further failure.
const BACKOFF_MS: i64 = 1_000;

/// The longest backoff after a failed attempt, in milliseconds.
const BACKOFF_MS_MAX: i64 = 300_000;

/// The maximum number of rows of each type that one write prunes. It keeps the delay of other writes short.
pub const PRUNED_AT_ONCE: u32 = 500;

/// The order of a process's claim with this number.
#[must_use]
pub(crate) fn claim_order(claim: u32) -> ClaimOrder {
    if claim % TURN_CLAIM_EVERY == TURN_CLAIM_EVERY - 1 {
        ClaimOrder::Turn
    } else if claim % OTHER_CLAIM_EVERY == OTHER_CLAIM_EVERY - 1 {
        ClaimOrder::PriorityOrNoTopUp
    } else {
        ClaimOrder::Priority
    }
}

/// How many of a job's next indices a slice takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SliceSize {
    /// The number of indices of a job's first slices, before its pace is known.
    pub first: u32,
    /// The working time of a later slice at the job's pace so far, in milliseconds.
    pub work_ms: i64,
    /// The maximum number of indices of a later slice. It limits the size of a commit.
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

/// The backoff before the next attempt, in milliseconds, after `failed_before` earlier failures. It is exponential, with a
/// jitter of up to 25% in either direction, so that slices that failed together are not attempted together again.
#[must_use]
pub fn backoff_ms(failed_before: u32, rng: &mut Rng) -> i64 {
    let doubled = BACKOFF_MS.saturating_mul(1_i64.checked_shl(failed_before.min(30)).unwrap_or(i64::MAX));
    let backoff = doubled.clamp(1, BACKOFF_MS_MAX);
    let spread = backoff / 2;
    let jitter = rng.below(spread.unsigned_abs() + 1).cast_signed();
    backoff - spread / 2 + jitter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_eighth_claim_goes_by_turn_and_every_second_avoids_top_ups() {
        use ClaimOrder::{Priority as P, PriorityOrNoTopUp as N, Turn as T};
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(claim_order), [P, N, P, N, P, N, P, T, P, N]);
    }

    #[test]
    fn backoff_doubles_with_each_failure_within_its_jitter() {
        let mut rng = Rng::from_seed(1);
        for (failed_before, backoff) in
            [(0, 1_000), (1, 2_000), (4, 16_000), (8, 256_000), (9, 300_000), (4_000, 300_000)]
        {
            for _ in 0..100 {
                let got = backoff_ms(failed_before, &mut rng);
                assert!((backoff * 3 / 4..=backoff * 5 / 4).contains(&got), "{failed_before} failures: {got} ms");
            }
        }
    }
}
