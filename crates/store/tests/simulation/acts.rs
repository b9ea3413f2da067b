//! Simulates workers: each step claims, tries, renews, commits, fails, or gives back a slice, or the worker crashes, hangs, or
//! returns too late.

use puzzled_store::jobs::{job::Job, slice::Guarded};

use crate::{
    chaos::{PROCESSES, Simulation, WORKERS},
    faults::Ended,
    process::Process,
    toy::Toy,
    worker::HeldSlice,
};

impl Simulation {
    pub(crate) async fn let_a_worker_act(&mut self) {
        let worker = self.rng.index(WORKERS);
        let Some(mut held) = self.workers[worker].take() else { return self.claim(worker).await };
        let kept = match self.rng.below(100) {
            0..40 if !held.is_done() => {
                held.make_tries(1 + self.rng.below(6));
                Some(held)
            }
            0..78 => self.commit(worker, held).await,
            78..86 => self.renew(worker, held).await,
            86..89 => self.fail(worker, held).await,
            89..92 => self.give_back(worker, held).await,
            // The worker crashes, or appears to.
            92..94 => {
                self.over.push(held);
                None
            }
            // The worker hangs.
            _ => Some(held),
        };
        self.workers[worker] = kept;
    }

    async fn claim(&mut self, worker: usize) {
        let Process { queue, row, engine_version, .. } = &self.processes[worker % PROCESSES];
        let name = format!("{}-{worker}", row.name);
        let claimed = self.faults.call(queue.claim(&name)).await;
        self.ledger.asked_for_work(self.now());
        if let Ended::Replied(Some(slice)) = claimed {
            assert_ne!(self.is_paused, Some(true), "{slice:?} was leased while the queue was paused");
            assert!(!self.growth.is_full(), "{slice:?} was leased while the stock was full");
            let needed_version = self.ledger.needed_version(slice.lease.job_id);
            assert!(needed_version <= *engine_version, "{slice:?} was leased to a worker of version {engine_version}");
            self.ledger.claimed(self.now(), &slice);
            let toy = Toy::of(&slice.spec.variant);
            self.workers[worker] = Some(HeldSlice::new(slice, toy));
        }
    }

    async fn commit(&mut self, worker: usize, held: HeldSlice) -> Option<HeldSlice> {
        let queue = &self.processes[worker % PROCESSES].queue;
        let ended = self.faults.call(queue.commit(held.lease(), held.work.clone())).await;
        self.end(&held, &ended);
        self.note_the_job_of(&ended);
        if matches!(ended, Ended::Unknown) && self.chance(2) {
            return Some(held);
        }
        self.over.push(held);
        None
    }

    async fn fail(&mut self, worker: usize, held: HeldSlice) -> Option<HeldSlice> {
        let queue = &self.processes[worker % PROCESSES].queue;
        let ended = self.faults.call(queue.fail(&held.slice, "a simulated fault".to_owned())).await;
        self.end(&held, &ended);
        self.note_the_job_of(&ended);
        self.over.push(held);
        None
    }

    async fn give_back(&mut self, worker: usize, held: HeldSlice) -> Option<HeldSlice> {
        let queue = &self.processes[worker % PROCESSES].queue;
        let ended = self.faults.call(queue.give_back(held.lease())).await;
        self.end(&held, &ended);
        self.over.push(held);
        None
    }

    /// Records the outcome of an action that ends a lease.
    fn end<T>(&mut self, held: &HeldSlice, ended: &Ended<Guarded<T>>) {
        match ended {
            Ended::Replied(reply) => {
                if matches!(reply, Guarded::Done(_)) {
                    self.ledger.was_allowed(held.lease());
                }
                self.ledger.has_ended(held.lease());
            }
            Ended::Unknown => self.ledger.may_have_ended(held.lease()),
        }
    }

    fn note_the_job_of(&mut self, ended: &Ended<Guarded<Job>>) {
        if let Ended::Replied(Guarded::Done(job)) = ended {
            self.ledger.told(job);
        }
    }

    async fn renew(&mut self, worker: usize, held: HeldSlice) -> Option<HeldSlice> {
        let queue = &self.processes[worker % PROCESSES].queue;
        let now = self.now();
        match self.faults.call(queue.renew(&[held.lease()])).await {
            Ended::Replied(lost) if lost.is_empty() => self.ledger.renewed(now, &held.slice),
            Ended::Replied(_) => {
                self.ledger.has_ended(held.lease());
                self.over.push(held);
                return None;
            }
            Ended::Unknown => self.ledger.may_have_been_renewed(now, held.lease()),
        }
        Some(held)
    }

    /// Resumes a slice whose work is committed, lost, or unknown, like a worker that was suspended.
    pub(crate) async fn resume_after_the_end(&mut self) {
        if !self.over.is_empty() {
            let at = self.rng.index(self.over.len());
            let held = self.over.swap_remove(at);
            let worker = self.rng.index(WORKERS);
            let kept = match self.rng.below(6) {
                0 => self.renew(worker, held).await,
                1 => self.fail(worker, held).await,
                2 => self.give_back(worker, held).await,
                _ => self.commit(worker, held).await,
            };
            self.over.extend(kept);
        }
    }
}
