//! Counts, for the metrics, what the workers of this process have done: the waits of jobs, slices, tries with the
//! reasons of misses, and puzzles made.

use std::time::Duration;

use crate::{
    jobs::slice::SliceWork,
    stock::puzzle_counts::{PuzzleCounters, level_of_shelf},
};
use puzzled_base::counters::{Counter, Durations, LONG_US};
use puzzled_engine::shared::{spec::Spec, tries::Tally};

/// The reasons of misses, in the order of [`QueueCounters::misses`].
pub const MISS_REASONS: [&str; 5] = ["unrated", "off_target", "givens", "unproven", "solvers_disagreed"];

/// The outcomes of puzzles that were made, in the order of [`QueueCounters::made`].
pub const OUTCOMES: [&str; 2] = ["stored", "lost"];

/// The counters of the workers of one process.
#[derive(Debug)]
pub struct QueueCounters {
    /// How long jobs wait: from when a job may start until its first slice is claimed.
    pub job_waits: Durations,
    /// Working times of slices.
    pub slices: Durations,
    /// Slices with expired leases that this process reclaimed.
    pub reclaimed_slices: Counter,
    /// Tries that missed, by reason. Repeats are not counted.
    pub misses: [Counter; MISS_REASONS.len()],
    /// Puzzles made, by outcome: committed, or lost with the lease of their slice.
    pub made: [PuzzleCounters; OUTCOMES.len()],
}

impl Default for QueueCounters {
    fn default() -> Self {
        Self {
            job_waits: Durations::new(LONG_US),
            slices: Durations::new(LONG_US),
            reclaimed_slices: Counter::default(),
            misses: std::array::from_fn(|_| Counter::default()),
            made: std::array::from_fn(|_| PuzzleCounters::default()),
        }
    }
}

impl QueueCounters {
    /// Tries on which the solvers disagreed.
    #[must_use]
    pub fn disagreements(&self) -> u64 {
        let [.., disagreements] = &self.misses;
        disagreements.get()
    }

    /// Counts the work on a slice.
    pub fn worked(&self, spec: &Spec, work: &SliceWork, is_committed: bool) {
        self.slices.add(Duration::from_millis(work.work_ms.unsigned_abs()));
        let Tally { unrated, off_target, givens, unproven, solvers_disagreed, .. } = work.tally;
        for (counter, misses) in self.misses.iter().zip([unrated, off_target, givens, unproven, solvers_disagreed]) {
            counter.add(misses);
        }
        let [stored, lost] = &self.made;
        let counters = if is_committed { stored } else { lost };
        for made in &work.made {
            counters.one(&spec.kind, level_of_shelf(&made.shelf(spec)));
        }
    }

    /// Counts the wait of a job whose first slice was claimed.
    pub(super) fn waited(&self, waited_ms: Option<i64>) {
        if let Some(ms) = waited_ms {
            // The clock may have been set back since the job was queued.
            self.job_waits.add(Duration::from_millis(ms.max(0).unsigned_abs()));
        }
    }
}
