//! The simulation: one step after the other, each drawn from the seed, and after each a look at the file.

use std::{path::PathBuf, sync::Arc};

use puzzled::{
    clock::{Clock, ManualClock, Millis},
    engine::rng::Rng,
    store::job::{Guarded, Job, JobId, JobState, NewJob},
};
use tempfile::TempDir;

use crate::{
    faults::{Ended, Faults, Met},
    laws,
    ledger::Ledger,
    people::SHARED_SPACES,
    process::Process,
    state::{Eyes, State},
    support,
    toy::Toy,
    worker::InHand,
};

/// Steps of chaos.
const STEPS: u32 = 600;

/// Steps in which calm has to make all that is left.
const CALM_STEPS_MAX: u32 = 10_000;

const PROCESSES: usize = 2;
const WORKERS: usize = 4;

pub(crate) struct Simulation {
    pub(crate) rng: Rng,
    pub(crate) faults: Arc<Faults>,
    pub(crate) processes: Vec<Process>,
    pub(crate) ledger: Ledger,
    /// Requests with a name that were sent.
    pub(crate) requests: Vec<NewJob>,
    clock: Arc<ManualClock>,
    /// Worker n belongs to process n modulo [`PROCESSES`].
    workers: [Option<InHand>; WORKERS],
    /// Work that was in hand once.
    over: Vec<InHand>,
    eyes: Eyes,
    path: PathBuf,
    _directory: TempDir,
}

/// Returns the points that were met, and what stands in the file at the end.
pub(crate) async fn run(seed: u64) -> (Met, State) {
    let mut simulation = Simulation::new(seed).await;
    for _ in 0..STEPS {
        simulation.step().await;
        simulation.look().await;
    }
    simulation.faults.end();
    let met = simulation.faults.met();
    (met, simulation.make_all_that_is_left().await)
}

impl Simulation {
    async fn new(seed: u64) -> Self {
        let directory = support::directory();
        let path = directory.path().join("puzzled.db");
        let clock = ManualClock::at(Millis(1_000_000_000_000));
        let faults = Arc::new(Faults::new(seed, true));
        let eyes = Eyes::open(&path, Arc::<ManualClock>::clone(&clock)).await;
        let mut simulation = Self {
            rng: Rng::from_seed(seed),
            faults,
            processes: Vec::new(),
            ledger: Ledger::default(),
            requests: Vec::new(),
            clock,
            workers: [const { None }; WORKERS],
            over: Vec::new(),
            eyes,
            path,
            _directory: directory,
        };
        for _ in 0..PROCESSES {
            let process = simulation.new_process().await;
            simulation.processes.push(process);
        }
        simulation
    }

    async fn step(&mut self) {
        match self.rng.below(100) {
            0..72 => self.let_a_worker_act().await,
            72..79 => self.queue_something().await,
            79..82 => self.repeat_a_request().await,
            82..84 => self.cancel_something().await,
            84..88 => self.retry_something().await,
            88..90 => self.go_on_with_what_is_over().await,
            90..97 => self.let_time_pass(),
            97..99 => self.set_the_clock(),
            _ => self.kill_a_process().await,
        }
    }

    async fn let_a_worker_act(&mut self) {
        let worker = self.rng.index(WORKERS);
        let Some(mut hand) = self.workers[worker].take() else { return self.claim(worker).await };
        let kept = match self.rng.below(100) {
            0..40 if !hand.is_done() => {
                hand.make_tries(1 + self.rng.below(6));
                Some(hand)
            }
            0..78 => self.commit(worker, hand).await,
            78..86 => self.renew(worker, hand).await,
            86..89 => self.fail(worker, hand).await,
            89..92 => self.give_back(worker, hand).await,
            // The worker crashes, or seems to.
            92..94 => {
                self.over.push(hand);
                None
            }
            // It hangs.
            _ => Some(hand),
        };
        self.workers[worker] = kept;
    }

    async fn claim(&mut self, worker: usize) {
        let queue = &self.processes[worker % PROCESSES].queue;
        if let Ended::Replied(Some(slice)) = self.faults.call(queue.claim()).await {
            self.ledger.claimed(self.clock.now(), &slice);
            let toy = Toy::of(&slice.spec.variant);
            self.workers[worker] = Some(InHand::new(slice, toy));
        }
    }

    async fn commit(&mut self, worker: usize, hand: InHand) -> Option<InHand> {
        let queue = &self.processes[worker % PROCESSES].queue;
        let ended = self.faults.call(queue.commit(hand.lease(), hand.work.clone())).await;
        self.end(&hand, &ended);
        if matches!(ended, Ended::Unknown) && self.chance(2) {
            return Some(hand);
        }
        self.over.push(hand);
        None
    }

    async fn fail(&mut self, worker: usize, hand: InHand) -> Option<InHand> {
        let queue = &self.processes[worker % PROCESSES].queue;
        let ended = self.faults.call(queue.fail(&hand.slice, "a simulated fault".to_owned())).await;
        self.end(&hand, &ended);
        self.over.push(hand);
        None
    }

    async fn give_back(&mut self, worker: usize, hand: InHand) -> Option<InHand> {
        let queue = &self.processes[worker % PROCESSES].queue;
        let ended = self.faults.call(queue.give_back(hand.lease())).await;
        self.end(&hand, &ended);
        self.over.push(hand);
        None
    }

    /// Notes how an action went that ends a lease.
    fn end<T>(&mut self, hand: &InHand, ended: &Ended<Guarded<T>>) {
        match ended {
            Ended::Replied(reply) => {
                if matches!(reply, Guarded::Done(_)) {
                    self.ledger.was_allowed(hand.lease());
                }
                self.ledger.has_ended(hand.lease());
            }
            Ended::Unknown => self.ledger.may_have_ended(hand.lease()),
        }
    }

    async fn renew(&mut self, worker: usize, hand: InHand) -> Option<InHand> {
        let queue = &self.processes[worker % PROCESSES].queue;
        let now = self.clock.now();
        match self.faults.call(queue.renew(&[hand.lease()])).await {
            Ended::Replied(lost) if lost.is_empty() => self.ledger.renewed(now, &hand.slice),
            Ended::Replied(_) => {
                self.ledger.has_ended(hand.lease());
                self.over.push(hand);
                return None;
            }
            Ended::Unknown => self.ledger.may_have_been_renewed(now, hand.lease()),
        }
        Some(hand)
    }

    /// Goes on with what was committed, lost, or left in doubt, as a worker may that has been asleep.
    async fn go_on_with_what_is_over(&mut self) {
        if !self.over.is_empty() {
            let at = self.rng.index(self.over.len());
            let hand = self.over.swap_remove(at);
            let worker = self.rng.index(WORKERS);
            let kept = match self.rng.below(6) {
                0 => self.renew(worker, hand).await,
                1 => self.fail(worker, hand).await,
                2 => self.give_back(worker, hand).await,
                _ => self.commit(worker, hand).await,
            };
            self.over.extend(kept);
        }
    }

    fn let_time_pass(&mut self) {
        let ms = if self.chance(6) { self.rng.below(40_000) } else { self.rng.below(3_000) };
        self.clock.advance_ms(i64::try_from(ms).unwrap());
    }

    fn set_the_clock(&mut self) {
        self.clock.jump_ms(i64::try_from(self.rng.below(240_000)).unwrap() - 120_000);
    }

    /// Its workers forget what they had in hand, and the next process opens the same file.
    async fn kill_a_process(&mut self) {
        let process = self.any_process();
        self.processes[process] = self.new_process().await;
        for worker in (process..WORKERS).step_by(PROCESSES) {
            self.workers[worker] = None;
        }
    }

    async fn new_process(&mut self) -> Process {
        let chance = self.rng.next_u64();
        Process::start(&self.path, &self.clock, &self.faults, chance).await
    }

    async fn look(&mut self) -> State {
        let state = self.eyes.look().await;
        laws::hold(&state);
        self.ledger.check(&state);
        state
    }

    /// No more faults: what failed is retried, and so is every other job that was cancelled. Returns what was made.
    async fn make_all_that_is_left(&mut self) -> State {
        for step in 0..CALM_STEPS_MAX {
            let state = self.look().await;
            for job in state.jobs.iter().filter(|job| has_to_go_on(job)) {
                self.ledger.retry_asked(job.id);
                self.processes[0].queue.retry(job.id).await.unwrap();
                self.ledger.retried(job.id);
            }
            let queue = &self.processes[step as usize % PROCESSES].queue;
            if let Some(slice) = queue.claim().await.unwrap() {
                self.ledger.claimed(self.clock.now(), &slice);
                let toy = Toy::of(&slice.spec.variant);
                let mut hand = InHand::new(slice, toy);
                hand.make_tries(u64::MAX);
                let committed = queue.commit(hand.lease(), hand.work.clone()).await.unwrap();
                assert!(matches!(committed, Guarded::Done(_)), "{committed:?}");
                self.ledger.has_ended(hand.lease());
                continue;
            }
            if let Some(ms) = queue.due_in_ms().await.unwrap() {
                self.clock.advance_ms(ms);
                continue;
            }
            // The claim may have failed a job, by a lease that it took back.
            let state = self.look().await;
            if !state.jobs.iter().any(has_to_go_on) {
                check_what_was_made(&state);
                return state;
            }
        }
        panic!("it does not end: {:?}", self.look().await);
    }

    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    /// True one time in so many.
    pub(crate) fn chance(&mut self, one_in: u64) -> bool {
        self.rng.below(one_in) == 0
    }

    pub(crate) fn any_process(&mut self) -> usize {
        self.rng.index(PROCESSES)
    }

    pub(crate) fn any_job(&mut self) -> Option<JobId> {
        let ids = self.ledger.ids();
        (!ids.is_empty()).then(|| ids[self.rng.index(ids.len())])
    }

    pub(crate) fn any_of_requests(&mut self) -> Option<NewJob> {
        (!self.requests.is_empty()).then(|| self.requests[self.rng.index(self.requests.len())].clone())
    }

    /// A space that no other job has.
    pub(crate) fn own_space(&mut self) -> u64 {
        SHARED_SPACES + self.rng.below(u64::MAX / 2)
    }
}

fn has_to_go_on(job: &Job) -> bool {
    job.state == JobState::Failed || job.state == JobState::Cancelled && job.id.0 % 2 == 0
}

/// A job with a space of its own has made exactly what it makes when nothing happens.
fn check_what_was_made(state: &State) {
    for job in state.jobs.iter().filter(|job| job.state != JobState::Cancelled) {
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
