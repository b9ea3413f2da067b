//! Simulates callers, who queue jobs, repeat requests, cancel jobs, retry jobs, and withdraw puzzles.

use puzzled_base::ids::PuzzleId;
use puzzled_engine::{
    ENGINE_VERSION,
    shared::{givens::Givens, spec::Spec, symmetry::Symmetry},
};
use puzzled_store::{
    deliveries::holder::Holder,
    jobs::{
        admission::{Enqueued, Refusal},
        job::{Cancelled, NewJob, Retried},
    },
    stock::{filter::ShelfFilter, puzzle::OriginFilter, withdrawal::Withdrawal},
};

use crate::{
    chaos::{OLDER_VERSION, Simulation},
    faults::Ended,
    process::{OPEN_JOBS_MAX, TRIES_MAX},
    support::{self, caller, request},
    toy::Toy,
    worker::TRY_MS,
};

/// Spaces of numbers that several jobs share. Every other job has a separate space.
pub(crate) const SHARED_SPACES: u64 = 2;

impl Simulation {
    pub(crate) async fn queue_something(&mut self) {
        let new = self.new_job();
        if new.request.is_some() {
            self.requests.push(new.clone());
        }
        self.ask_for(new).await;
    }

    /// Sends a request again, or another request with the same request ID.
    pub(crate) async fn repeat_a_request(&mut self) {
        let Some(mut new) = self.any_of_requests() else { return };
        match self.ledger.job_of(&new) {
            Some(id) if self.chance(4) => {
                new.request.as_mut().unwrap().fields.insert("count".to_owned(), "0".to_owned());
                let process = self.any_process();
                let asked = self.processes[process].queue.enqueue(new);
                if let Ended::Replied(reply) = self.faults.call(asked).await {
                    assert!(
                        matches!(reply, Enqueued::Refused(Refusal::OtherRequest { job, .. }) if job == id),
                        "{reply:?}"
                    );
                }
            }
            _ => self.ask_for(new).await,
        }
    }

    async fn ask_for(&mut self, new: NewJob) {
        let process = self.any_process();
        let known = self.ledger.job_of(&new);
        let asked = self.processes[process].queue.enqueue(new.clone());
        match self.faults.call(asked).await {
            Ended::Replied(Enqueued::New(job)) => {
                assert_eq!(known, None, "queued twice: {job:?}");
                assert!(!self.growth.is_full(), "queued in a full stock: {job:?}");
                self.ledger.acknowledged(&new, job.id);
                self.ledger.told(&job);
            }
            Ended::Replied(Enqueued::Same(job)) => {
                assert!(known.is_none_or(|known| known == job.id), "{job:?} is not {known:?}");
                self.ledger.acknowledged(&new, job.id);
                self.ledger.told(&job);
            }
            Ended::Replied(Enqueued::Refused(Refusal::StockFull(full))) => {
                assert!(known.is_none() && self.growth.is_full(), "{full:?}, {known:?}");
            }
            Ended::Replied(Enqueued::Refused(Refusal::OverQuota(over))) => panic!("{over} for {new:?}"),
            // A retry does not count against the bound, so more jobs than the bound may be open.
            Ended::Replied(Enqueued::Refused(Refusal::BacklogFull { open })) => {
                assert!(known.is_none() && open >= OPEN_JOBS_MAX, "{open} open, {known:?}");
            }
            Ended::Replied(other @ Enqueued::Refused(Refusal::OtherRequest { .. } | Refusal::SameName { .. })) => {
                panic!("{other:?} for {new:?}")
            }
            Ended::Unknown => self.ledger.may_have_been_queued(&new),
        }
    }

    pub(crate) async fn cancel_something(&mut self) {
        let Some(id) = self.any_job() else { return };
        let process = self.any_process();
        let by = caller("CancelJob");
        let asked = self.processes[process].queue.cancel(id, &by);
        match self.faults.call(asked).await {
            Ended::Replied(Cancelled::Job(job)) => {
                assert!(!job.state.is_open());
                self.ledger.told(&job);
            }
            Ended::Replied(other) => panic!("{other:?} of {id}"),
            Ended::Unknown => {}
        }
    }

    pub(crate) async fn retry_something(&mut self) {
        let Some(id) = self.any_job() else { return };
        self.ledger.retry_asked(id);
        let process = self.any_process();
        let by = caller("RetryJob");
        let asked = self.processes[process].queue.retry(id, &by);
        match self.faults.call(asked).await {
            Ended::Replied(Retried::Job(job)) => {
                assert!(job.state.is_open() || job.made == job.wanted, "{job:?}");
                self.ledger.retried(id);
                self.ledger.told(&job);
            }
            Ended::Replied(Retried::StockFull(full)) => assert!(self.growth.is_full(), "{full:?}"),
            Ended::Replied(other @ (Retried::NoJob | Retried::NotOwn | Retried::OverQuota(_))) => {
                panic!("{other:?} of {id}")
            }
            Ended::Unknown => {}
        }
    }

    /// Withdraws or forgets a few puzzles of a job, or of any.
    pub(crate) async fn withdraw_something(&mut self) {
        let withdrawal = Withdrawal {
            shelves: ShelfFilter::ANY,
            origin: if self.chance(4) { None } else { self.any_job().map(OriginFilter::Job) },
            stored_from: None,
            stored_before: None,
            reason: "a misprint".to_owned(),
            forget: self.chance(2),
            criteria: serde_json::Value::Null,
        };
        let after = self.chance(2).then(|| PuzzleId(self.rng.below(100).cast_signed()));
        // Few, because the withdrawn numbers are not made again.
        let limit = 1 + u32::try_from(self.rng.below(6)).unwrap();
        let process = self.any_process();
        let by = caller("WithdrawPuzzles");
        let asked = self.processes[process].store.withdraw_many(&withdrawal, after, limit, &by);
        if let Ended::Replied(withdrew) = self.faults.call(asked).await {
            let left = self.eyes.look().await.puzzles;
            let is_gone = |id: &PuzzleId| left.iter().all(|row| row.id != id.0 || row.is_barred);
            assert!(withdrew.changed.iter().all(is_gone), "{withdrew:?}");
        }
    }

    fn new_job(&mut self) -> NewJob {
        let wanted_max = if self.chance(3) { 8 } else { 40 };
        let wanted = 1 + u32::try_from(self.rng.below(wanted_max)).unwrap();
        let (toy, space) = match self.rng.below(4) {
            // Far more numbers than all jobs want. A few of them come often.
            0 | 1 => (Toy { numbers: 400, skewed: true, misses: 20 }, self.rng.below(SHARED_SPACES)),
            2 => (Toy { numbers: 2 * u64::from(wanted), skewed: true, misses: 50 }, self.own_space()),
            // One number more than the job wants.
            _ => (Toy { numbers: u64::from(wanted) + 1, skewed: false, misses: 5 }, self.own_space()),
        };
        let symmetry = if self.chance(2) { Symmetry::None } else { Symmetry::Full };
        let technique = self.chance(4).then(|| "X-Wing".to_owned());
        let givens = self.chance(4).then_some(Givens::new(24, 26));
        let spec = Spec { variant: toy.variant(space), symmetry, technique, givens, ..support::spec() };
        let rest = if self.chance(4) { i64::try_from(self.rng.below(30_000)).unwrap() } else { 0 };
        let seed = self.rng.next_u64();
        NewJob {
            spec,
            seed,
            priority: i32::try_from(self.rng.below(3)).unwrap(),
            tries_max: TRIES_MAX,
            work_ms_max: self.chance(6).then_some(20 * TRY_MS),
            needed_version: if self.chance(2) { OLDER_VERSION } else { ENGINE_VERSION },
            not_before_at: self.now().plus_ms(rest),
            by: Some(caller("Generate")),
            request: self.chance(2).then(|| request(&seed.to_string(), "")),
            holder: self.chance(6).then(|| Holder::Audience("book".to_owned())),
            ..support::job(wanted)
        }
    }
}
