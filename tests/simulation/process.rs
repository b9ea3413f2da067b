//! A virtual process of the simulation: the real queue and planner, on the database that all processes share.

use std::sync::Arc;

use puzzled::{
    queue::Queue,
    rules::{
        jobs::{growth::Growth, policy::Policy, process},
        targets::need::Outlook,
    },
    stock::planner::{Planner, RefillPolicy},
    store::{Store, check::CheckStore, fault_points::FaultPoints},
    system::{
        chance::Chance,
        clock::{Clock, ManualClock},
    },
};

use crate::{databases::home::Home, faults::Faults};

/// Tries that a job has for one index, and that each retry adds: few, so that jobs use them up.
pub(crate) const TRIES_MAX: u32 = 8;

/// The queue's policy, with bounds so low that runs reach them often.
pub(crate) fn policy() -> Policy {
    Policy {
        lease_ms: 10_000,
        attempts_max: 3,
        backoff_ms: 1_000,
        open_jobs_max: 5,
        tries_max: TRIES_MAX,
        growth: Growth::default(),
    }
}

/// The planners' policy, with bounds so low that runs reach them often.
pub(crate) fn refill_policy() -> RefillPolicy {
    let Policy { open_jobs_max, tries_max, .. } = policy();
    RefillPolicy {
        targets_max: 1_000,
        refills_max: 2,
        open_jobs_max,
        tries_max,
        count_max: 12,
        workers: 1,
        days_ahead: 3,
    }
}

#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) queue: Queue,
    pub(crate) store: Arc<dyn CheckStore>,
    pub(crate) planner: Planner,
    /// The engine version of the process's workers.
    pub(crate) engine_version: u32,
    /// The fields of the process's row in the database.
    pub(crate) row: process::Process,
    /// What the planner read from the targets and has not acted on yet.
    pub(crate) seen: Option<Vec<Outlook>>,
}

impl Process {
    /// Starts a process with an engine version; `chance` seeds its lease tokens and its jitter.
    pub(crate) async fn start(
        home: &Home,
        clock: &Arc<ManualClock>,
        faults: &Arc<Faults>,
        (engine_version, chance): (u32, u64),
    ) -> Self {
        let clock: Arc<dyn Clock> = Arc::<ManualClock>::clone(clock);
        let fault_points: Arc<dyn FaultPoints> = Arc::<Faults>::clone(faults);
        let store = home.open_for_version(engine_version, Some(clock), fault_points).await;
        let row = process::Process {
            name: format!("{chance:016x}"),
            host: "simulated".to_owned(),
            pid: 1,
            role: process::Role::Serve,
            version: "0.1.0".to_owned(),
            workers: 2,
        };
        let chance = Arc::new(Chance::from_seed(chance));
        let shared = Arc::<dyn CheckStore>::clone(&store) as Arc<dyn Store>;
        let planner = Planner::new(Arc::clone(&shared), Arc::clone(&chance), refill_policy());
        Self { queue: Queue::new(shared, chance, policy()), store, planner, engine_version, row, seen: None }
    }
}
