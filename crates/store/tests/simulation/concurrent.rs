//! Checks the invariants of the simulation with workers that run concurrently. The seed chooses their acts, but not
//! their timing.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use puzzled_base::clock::{ManualClock, Millis};
use puzzled_engine::{
    ENGINE_VERSION,
    shared::{rng::Rng, spec::Spec},
};
use puzzled_store::jobs::{
    admission::Enqueued,
    job::{JobState, NewJob},
};
use tokio::task::JoinSet;

use crate::{
    databases::home::Home,
    faults::{Faults, is_injected},
    laws,
    process::Process,
    state::Eyes,
    support::{self, someone},
    toy::Toy,
    worker::HeldSlice,
};

/// Workers of each of the two processes.
const WORKERS: u64 = 3;

/// Claimed slices after which the faults end.
const CLAIMS: u32 = 150;

pub(crate) async fn run(home: &Home, seed: u64) {
    let clock = ManualClock::at(Millis(1_000_000_000_000));
    let faults = Arc::new(Faults::new(seed, false));
    let mut eyes = Eyes::open(home, Arc::<ManualClock>::clone(&clock)).await;
    let processes = [0, 1].map(|process| Process::start(home, &clock, &faults, (ENGINE_VERSION, seed * 2 + process)));
    let [one, other] = processes;
    let processes = [Arc::new(one.await), Arc::new(other.await)];
    queue_all(&processes[0], seed).await;

    let claims = Arc::new(AtomicU32::new(0));
    let mut workers = JoinSet::new();
    for number in 0..2 * WORKERS {
        let worker = Worker {
            process: Arc::clone(&processes[usize::try_from(number % 2).unwrap()]),
            clock: Arc::clone(&clock),
            faults: Arc::clone(&faults),
            claims: Arc::clone(&claims),
            rng: Rng::from_seed(seed * 100 + number),
        };
        workers.spawn(worker.run());
    }
    workers.join_all().await;

    let state = eyes.look().await;
    laws::hold(&state);
    for job in &state.jobs {
        assert_eq!(job.state, JobState::Succeeded, "{job:?}");
    }
}

/// Queues four jobs: two that share a space of numbers, and two that share theirs with no other.
async fn queue_all(process: &Process, seed: u64) {
    for (number, space) in (0..).zip([0, 0, 1, 2]) {
        let spec = Spec { variant: Toy { numbers: 80, skewed: true, misses: 30 }.variant(space), ..support::spec() };
        let new = NewJob {
            spec,
            seed: seed * 10 + number,
            tries_max: u32::MAX,
            request: Some(support::request(&number.to_string(), "")),
            ..support::job(25)
        };
        loop {
            match process.queue.enqueue(new.clone()).await {
                Ok(Enqueued::New(_) | Enqueued::Same(_)) => break,
                Ok(other) => panic!("{other:?}"),
                Err(error) if is_injected(&error) => {}
                Err(other) => panic!("{other:?}"),
            }
        }
    }
}

struct Worker {
    process: Arc<Process>,
    clock: Arc<ManualClock>,
    faults: Arc<Faults>,
    claims: Arc<AtomicU32>,
    rng: Rng,
}

impl Worker {
    async fn run(mut self) {
        loop {
            match self.process.queue.claim("tester").await {
                Ok(Some(slice)) => {
                    let toy = Toy::of(&slice.spec.variant);
                    self.work(HeldSlice::new(slice, toy)).await;
                }
                Ok(None) => match self.process.queue.due_in_ms().await.unwrap() {
                    Some(ms) => self.clock.advance_ms(ms.min(1_000)),
                    None if self.retry_failed_jobs().await => {}
                    None => return,
                },
                Err(error) => assert!(error.is_passing(), "{error:?}"),
            }
            if self.claims.fetch_add(1, Ordering::SeqCst) > CLAIMS {
                self.faults.end();
            }
            tokio::task::yield_now().await;
        }
    }

    async fn work(&mut self, mut held: HeldSlice) {
        let queue = &self.process.queue;
        held.make_tries(1 + self.rng.below(12));
        match self.rng.below(12) {
            0 => drop(queue.fail(&held.slice, "a simulated fault".to_owned()).await),
            1 => drop(queue.give_back(held.lease()).await),
            2 => drop(queue.renew(&[held.lease()]).await),
            _ => {
                self.clock.advance_ms(i64::try_from(self.rng.below(400)).unwrap());
                while queue.commit(held.lease(), held.work.clone()).await.is_err() {}
            }
        }
    }

    /// Returns whether a job had failed.
    async fn retry_failed_jobs(&self) -> bool {
        let failed = puzzled_store::jobs::job::JobFilter { states: vec![JobState::Failed], ..Default::default() };
        let failed = self.process.queue.store().jobs(&failed, None, u32::MAX).await.unwrap();
        for job in &failed {
            // If a fault hits this call, the next round repeats it.
            drop(self.process.queue.retry(job.id, &someone()).await);
        }
        !failed.is_empty()
    }
}
