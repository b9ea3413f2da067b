//! The loop of the simulation: the seed chooses each step, and the invariants are checked after it.

use std::sync::Arc;

use puzzled_base::{
    clock::{Clock, ManualClock, Millis},
    ids::JobId,
};
use puzzled_engine::{ENGINE_VERSION, shared::rng::Rng};
use puzzled_store::jobs::job::NewJob;

use crate::{
    audiences::Audiences,
    databases::home::Home,
    faults::{Ended, Faults, Met},
    growth::Growth,
    laws,
    ledger::Ledger,
    people::SHARED_SPACES,
    process::Process,
    state::{Eyes, State},
    support::caller,
    targets::Targets,
    worker::HeldSlice,
};

/// Steps with faults.
const STEPS: u32 = 600;

pub(crate) const PROCESSES: usize = 3;

/// An older engine version that some processes have. It cannot do every job.
pub(crate) const OLDER_VERSION: u32 = ENGINE_VERSION - 1;
pub(crate) const WORKERS: usize = 5;

pub(crate) struct Simulation {
    pub(crate) rng: Rng,
    pub(crate) faults: Arc<Faults>,
    pub(crate) processes: Vec<Process>,
    pub(crate) ledger: Ledger,
    pub(crate) audiences: Audiences,
    pub(crate) targets: Targets,
    /// Sent requests that have a request ID.
    pub(crate) requests: Vec<NewJob>,
    pub(crate) clock: Arc<ManualClock>,
    /// Worker n belongs to process n modulo [`PROCESSES`].
    pub(crate) workers: [Option<HeldSlice>; WORKERS],
    /// Whether the queue is paused; `None` if no reply came.
    pub(crate) is_paused: Option<bool>,
    pub(crate) growth: Growth,
    /// Slices that workers held earlier.
    pub(crate) over: Vec<HeldSlice>,
    pub(crate) eyes: Eyes,
    pub(crate) home: Home,
    /// The state at the last check.
    last: State,
}

/// Returns the points that calls have met, and the final state of the database.
pub(crate) async fn run(home: Home, seed: u64) -> (Met, State) {
    let mut simulation = Simulation::new(home, seed).await;
    let upgrade_at = simulation.rng.below(u64::from(STEPS));
    for step in 0..u64::from(STEPS) {
        if step == upgrade_at {
            simulation.upgrade().await;
        }
        simulation.step().await;
        simulation.look().await;
    }
    simulation.faults.end();
    simulation.check_all_deliveries().await;
    let made = simulation.make_all_that_is_left().await;
    simulation.live_through_days().await;
    let met = Met { times_full: simulation.growth.times_full(), ..simulation.faults.met() };
    let mut state = simulation.eyes.look().await;
    state.remember(&simulation.last);
    laws::withdrawals_have_entries(&state);
    simulation.deliver_the_rest(&state).await;
    (met, made)
}

impl Simulation {
    async fn new(home: Home, seed: u64) -> Self {
        let clock = ManualClock::at(Millis(1_000_000_000_000));
        let faults = Arc::new(Faults::new(seed, true));
        let mut eyes = Eyes::open(&home, Arc::<ManualClock>::clone(&clock)).await;
        let last = eyes.look().await;
        let mut simulation = Self {
            rng: Rng::from_seed(seed),
            faults,
            processes: Vec::new(),
            ledger: Ledger::default(),
            audiences: Audiences::default(),
            targets: Targets::default(),
            requests: Vec::new(),
            clock,
            workers: [const { None }; WORKERS],
            is_paused: Some(false),
            growth: Growth::default(),
            over: Vec::new(),
            eyes,
            home,
            last,
        };
        for process in 0..PROCESSES {
            let process = simulation.new_process(process).await;
            simulation.processes.push(process);
        }
        simulation.declare_by_all().await;
        simulation
    }

    async fn step(&mut self) {
        if self.is_paused != Some(false) && self.chance(8) {
            self.resume().await;
            // The next steps may pause the queue again.
            self.look().await;
        }
        if self.growth.is_full() && self.chance(8) {
            self.lift_the_bound().await;
        }
        match self.rng.below(100) {
            0..55 => self.let_a_worker_act().await,
            55..56 => self.change_the_bound().await,
            56..58 => self.look_at_the_growth().await,
            58..60 => self.change_a_target().await,
            60..67 => self.let_a_planner_act().await,
            67..72 => self.deliver().await,
            72..79 => self.queue_something().await,
            79..81 => self.repeat_a_request().await,
            81..82 => self.pause().await,
            82..84 => self.cancel_something().await,
            84..88 => self.retry_something().await,
            88..90 => self.resume_after_the_end().await,
            90..91 => self.withdraw_something().await,
            91..95 => self.let_time_pass(),
            95..97 => self.let_a_process_renew().await,
            97..99 => self.set_the_clock(),
            _ => self.kill_a_process().await,
        }
    }

    async fn pause(&mut self) {
        let process = self.any_process();
        let by = caller("PauseQueue");
        let ended = self.faults.call(self.processes[process].queue.pause("a simulated reason", &by)).await;
        self.is_paused = matches!(ended, Ended::Replied(_)).then_some(true);
    }

    /// Resumes the queue, whether it is paused or not.
    async fn resume(&mut self) {
        let process = self.any_process();
        let by = caller("ResumeQueue");
        let ended = self.faults.call(self.processes[process].queue.resume(&by)).await;
        self.is_paused = matches!(ended, Ended::Replied(_)).then_some(false);
    }

    fn let_time_pass(&mut self) {
        let ms = if self.chance(6) { self.rng.below(40_000) } else { self.rng.below(3_000) };
        self.clock.advance_ms(i64::try_from(ms).unwrap());
    }

    fn set_the_clock(&mut self) {
        self.clock.jump_ms(i64::try_from(self.rng.below(240_000)).unwrap() - 120_000);
    }

    /// Kills a process: its workers lose their slices, and a new process opens the database.
    pub(crate) async fn kill_a_process(&mut self) {
        let process = self.any_process();
        let row = self.row_of(process).await;
        let new = self.new_process(process).await;
        let killed = std::mem::replace(&mut self.processes[process], new);
        self.row_stays(&killed.row.name, row).await;
        for worker in (process..WORKERS).step_by(PROCESSES) {
            self.workers[worker] = None;
        }
        self.declare_by(process).await;
    }

    /// Every process but the first has either engine version, as during an upgrade or rollback of replicas.
    async fn new_process(&mut self, process: usize) -> Process {
        let engine_version = if process > 0 && self.chance(2) { OLDER_VERSION } else { ENGINE_VERSION };
        let chance = self.rng.next_u64();
        Process::start(&self.home, &self.clock, &self.faults, (engine_version, chance)).await
    }

    pub(crate) async fn look(&mut self) -> State {
        let mut state = self.eyes.look().await;
        state.remember(&self.last);
        laws::hold(&state);
        laws::changes_have_entries(&self.last, &state);
        self.last = state.clone();
        self.ledger.check(&state);
        self.targets.check(&state.targets);
        self.growth.check(&state);
        state
    }

    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    /// True with a probability of one in `one_in`.
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

    /// A space of numbers that no other job has.
    pub(crate) fn own_space(&mut self) -> u64 {
        SHARED_SPACES + self.rng.below(u64::MAX / 2)
    }
}
