//! A process: the shipped queue on a store of its own, on the file that all processes share.

use std::{path::Path, sync::Arc};

use puzzled::{
    chance::Chance,
    clock::{Clock, ManualClock},
    queue::{Queue, policy::Policy},
    store::{
        probe::Probe,
        sqlite::{SqliteSettings, SqliteStore},
    },
};

use crate::faults::Faults;

/// Tries that a job has at one index, and gets more at each retry: few, so that they run out.
pub(crate) const TRIES_MAX: u32 = 8;

/// Bounds that are met often.
pub(crate) fn policy() -> Policy {
    Policy { lease_ms: 10_000, attempts_max: 3, backoff_ms: 1_000, open_jobs_max: 5, tries_max: TRIES_MAX }
}

pub(crate) struct Process {
    pub(crate) queue: Queue,
    pub(crate) store: Arc<SqliteStore>,
}

impl Process {
    /// Starts one; `chance` seeds its lease tokens and its jitter.
    pub(crate) async fn start(path: &Path, clock: &Arc<ManualClock>, faults: &Arc<Faults>, chance: u64) -> Self {
        let clock: Arc<dyn Clock> = Arc::<ManualClock>::clone(clock);
        let probe: Arc<dyn Probe> = Arc::<Faults>::clone(faults);
        let settings = SqliteSettings { readers: 1, ..SqliteSettings::of(path) };
        let store = Arc::new(SqliteStore::open(settings, clock, probe).await.unwrap());
        let queue = Queue::new(Arc::<SqliteStore>::clone(&store) as _, Arc::new(Chance::from_seed(chance)), policy());
        Self { queue, store }
    }
}
