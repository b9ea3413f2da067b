//! What virtual workers do, each act a step: claim, work, renew, commit, fail, give back, crash, hang, come too late.

use puzzled::store::job::{Guarded, Job};

use crate::{
    chaos::{PROCESSES, Simulation, WORKERS},
    faults::Ended,
    process::Process,
    toy::Toy,
    worker::InHand,
};

impl Simulation {
    pub(crate) async fn let_a_worker_act(&mut self) {
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
            self.workers[worker] = Some(InHand::new(slice, toy));
        }
    }

    async fn commit(&mut self, worker: usize, hand: InHand) -> Option<InHand> {
        let queue = &self.processes[worker % PROCESSES].queue;
        let ended = self.faults.call(queue.commit(hand.lease(), hand.work.clone())).await;
        self.end(&hand, &ended);
        self.note_the_job_of(&ended);
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
        self.note_the_job_of(&ended);
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

    fn note_the_job_of(&mut self, ended: &Ended<Guarded<Job>>) {
        if let Ended::Replied(Guarded::Done(job)) = ended {
            self.ledger.told(job);
        }
    }

    async fn renew(&mut self, worker: usize, hand: InHand) -> Option<InHand> {
        let queue = &self.processes[worker % PROCESSES].queue;
        let now = self.now();
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
    pub(crate) async fn go_on_with_what_is_over(&mut self) {
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
}
