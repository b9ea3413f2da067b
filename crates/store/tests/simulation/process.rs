//! A virtual process of the simulation: the real queue and planner, on the database that all processes share.

use std::sync::Arc;

use puzzled_base::{
    chance::Chance,
    clock::{Clock, ManualClock},
};
use puzzled_store::{
    Store,
    bounds::Bounds,
    check_store::CheckStore,
    fault_points::FaultPoints,
    jobs::{process, queue::Queue},
    targets::{need::Outlook, planner::Planner},
};

use crate::{databases::home::Home, faults::Faults, support};

/// Tries that a job has for one index, and that each retry adds: few, so that jobs use them up.
pub(crate) const TRIES_MAX: u32 = 8;

/// The length of a lease, in milliseconds.
pub(crate) const LEASE_MS: i64 = 10_000;

/// The maximum number of open jobs.
pub(crate) const OPEN_JOBS_MAX: u32 = 5;

/// Bounds so low that runs reach them often.
fn bounds() -> Bounds {
    Bounds {
        max_open_jobs: OPEN_JOBS_MAX,
        max_count: 12,
        max_tries: TRIES_MAX,
        max_refills: 2,
        workers: 1,
        lease_ms: LEASE_MS,
        max_attempts: 3,
        daily_ahead_days: 3,
        ..*support::bounds()
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
            version: "0.3.0".to_owned(),
            workers: 2,
        };
        let chance = Arc::new(Chance::from_seed(chance));
        let shared = Arc::<dyn CheckStore>::clone(&store) as Arc<dyn Store>;
        let bounds = Arc::new(bounds());
        let planner = Planner::new(Arc::clone(&shared), Arc::clone(&chance), Arc::clone(&bounds));
        Self { queue: Queue::new(shared, chance, bounds), store, planner, engine_version, row, seen: None }
    }
}
