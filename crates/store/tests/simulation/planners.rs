//! Simulates the planners of three processes, which read the stock targets and act on what they read at once or much later.

use std::sync::Arc;

use puzzled_base::clock::ManualClock;
use puzzled_store::{jobs::job::JobState, targets::need::Need};

use crate::{
    chaos::{PROCESSES, Simulation},
    faults::Ended,
};

/// Time after which every target is due again, in milliseconds.
const REST_MS: i64 = 3_600_000;

impl Simulation {
    pub(crate) async fn let_a_planner_act(&mut self) {
        let process = self.any_process();
        let (is_quick, stays) = (self.chance(2), self.chance(3));
        let process = &mut self.processes[process];
        let seen = match process.seen.take() {
            // The planner acts twice on what it read once, like a planner that was delayed.
            Some(seen) if stays => process.seen.insert(seen).clone(),
            Some(seen) => seen,
            None if is_quick => process.planner.outlooks().await.unwrap(),
            None => {
                process.seen = Some(process.planner.outlooks().await.unwrap());
                return;
            }
        };
        let acted = self.faults.call(process.planner.act(seen, |_| None)).await;
        if let Ended::Replied(changed) = acted {
            for job in &changed {
                assert!(job.target_id.is_some(), "{job:?}");
                // The planner may also end a job. The ledger has no cancellation for it.
                assert!(matches!(job.state, JobState::Queued | JobState::Ended), "{job:?}");
                assert_eq!(job.state == JobState::Ended, job.error.is_some(), "{job:?}");
                assert!(job.state == JobState::Ended || !self.growth.is_full(), "queued in a full stock: {job:?}");
                process.queue.announce(job);
            }
        }
    }

    /// Whether the planners have nothing left to do. If they do, one of them acts.
    pub(crate) async fn all_targets_are_full(&mut self) -> bool {
        let planner = self.rng.index(PROCESSES);
        let planner = &self.processes[planner].planner;
        let outlooks = planner.outlooks().await.unwrap();
        if outlooks.iter().all(|outlook| outlook.need == Need::Nothing) {
            return true;
        }
        if planner.act(outlooks, |_| None).await.unwrap().is_empty() {
            // Every target rests or waits for its window.
            let clock: &Arc<ManualClock> = &self.clock;
            clock.advance_ms(REST_MS + 60_000);
        }
        false
    }
}
