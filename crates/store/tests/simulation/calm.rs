//! The calm phase at the end of a simulation: without faults, workers finish all jobs, and checks compare them with the expected
//! puzzles.

use puzzled_engine::ENGINE_VERSION;
use puzzled_store::jobs::{
    job::{Job, JobState},
    slice::Guarded,
};

use crate::{
    chaos::{PROCESSES, Simulation},
    people::SHARED_SPACES,
    state::State,
    support::caller,
    toy::Toy,
    worker::HeldSlice,
};

/// Limit on the steps that finish all jobs.
const STEPS_MAX: u32 = 10_000;

impl Simulation {
    /// Ends the faults, retries all failed jobs and some cancelled or ended ones, and returns the finished state.
    pub(crate) async fn make_all_that_is_left(&mut self) -> State {
        self.processes[0].queue.resume(&caller("ResumeQueue")).await.unwrap();
        self.lift_the_bound().await;
        // Processes with the older engine version cannot do every job.
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
            // A claim may reclaim an expired lease and thereby fail a job.
            let state = self.look().await;
            if !state.jobs.iter().any(has_to_progress) && self.all_targets_are_full().await {
                check_what_was_made(&state);
                return state;
            }
        }
        panic!("jobs are left after the last step: {:?}", self.look().await);
    }
}

fn has_to_progress(job: &Job) -> bool {
    job.state == JobState::Failed || is_left_alone(job) && job.id.0 % 2 == 0
}

fn is_left_alone(job: &Job) -> bool {
    matches!(job.state, JobState::Cancelled | JobState::Ended)
}

/// A job that shares its space with no other has made exactly the puzzles that it makes without faults, unless a person withdrew
/// some of them meanwhile.
fn check_what_was_made(state: &State) {
    for job in state.jobs.iter().filter(|job| !is_left_alone(job)) {
        assert_eq!(job.state, JobState::Succeeded, "{job:?}");
        let variant = &job.spec.variant;
        let (space, _) = variant.split_once(' ').unwrap();
        if space.parse::<u64>().unwrap() >= SHARED_SPACES && !state.lost_some(job.id) {
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
