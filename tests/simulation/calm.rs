//! The calm after the chaos: all remaining work is done and compared with the expected result.

use puzzled::store::job::{Guarded, Job, JobState};
use puzzled_engine::ENGINE_VERSION;

use crate::{
    chaos::{PROCESSES, Simulation},
    people::SHARED_SPACES,
    state::State,
    support::caller,
    toy::Toy,
    worker::HeldSlice,
};

/// Steps in which all that is left has to be made.
const STEPS_MAX: u32 = 10_000;

impl Simulation {
    /// No more faults: what failed is retried, and so is every other job that was cancelled or ended. Returns what was made.
    pub(crate) async fn make_all_that_is_left(&mut self) -> State {
        self.processes[0].queue.resume(&caller("ResumeQueue")).await.unwrap();
        self.lift_the_bound().await;
        // All replicas but those of the older version, which cannot do all of it.
        let newest: Vec<_> = (0..PROCESSES).filter(|&at| self.processes[at].engine_version == ENGINE_VERSION).collect();
        for step in 0..STEPS_MAX {
            let state = self.look().await;
            for job in state.jobs.iter().filter(|job| has_to_progress(job)) {
                self.ledger.retry_asked(job.id);
                self.processes[0].queue.retry(job.id, &caller("RetryJob")).await.unwrap();
                self.ledger.retried(job.id);
            }
            let queue = &self.processes[newest[step as usize % newest.len()]].queue;
            if let Some(slice) = queue.claim("tester").await.unwrap() {
                self.ledger.claimed(self.now(), &slice);
                let toy = Toy::of(&slice.spec.variant);
                let mut held = HeldSlice::new(slice, toy);
                held.make_tries(u64::MAX);
                let committed = queue.commit(held.lease(), held.work.clone()).await.unwrap();
                assert!(matches!(committed, Guarded::Done(_)), "{committed:?}");
                self.ledger.has_ended(held.lease());
                continue;
            }
            if let Some(ms) = queue.due_in_ms().await.unwrap() {
                self.clock.advance_ms(ms);
                continue;
            }
            // The claim may have failed a job, by a lease that it took back.
            let state = self.look().await;
            if !state.jobs.iter().any(has_to_progress) && self.all_targets_are_full().await {
                check_what_was_made(&state);
                return state;
            }
        }
        panic!("it does not end: {:?}", self.look().await);
    }
}

fn has_to_progress(job: &Job) -> bool {
    job.state == JobState::Failed || is_left_alone(job) && job.id.0 % 2 == 0
}

fn is_left_alone(job: &Job) -> bool {
    matches!(job.state, JobState::Cancelled | JobState::Ended)
}

/// A job with a separate space has made exactly the puzzles that it makes undisturbed.
fn check_what_was_made(state: &State) {
    for job in state.jobs.iter().filter(|job| !is_left_alone(job)) {
        assert_eq!(job.state, JobState::Succeeded, "{job:?}");
        let variant = &job.spec.variant;
        let (space, _) = variant.split_once(' ').unwrap();
        if space.parse::<u64>().unwrap() >= SHARED_SPACES {
            let mut made: Vec<_> = state
                .puzzles_of(job.id)
                .map(|puzzle| {
                    let (_, number) = puzzle.canonical.rsplit_once('/').unwrap();
                    (puzzle.job_index, puzzle.job_try, number.parse().unwrap())
                })
                .collect();
            made.sort_unstable();
            assert_eq!(made, Toy::of(variant).reference(job.seed, job.wanted), "{}", job.id);
        }
    }
}
