//! Propagation: removes the values that an assignment rules out. It applies every constraint until none removes a value (AC-3
//! over whole constraints).

use std::collections::VecDeque;

use super::{
    model::Model,
    state::{State, Wiped},
};

/// The queue of constraints to apply again. Each is in it at most once.
#[derive(Debug)]
pub(super) struct Propagation {
    queue: VecDeque<usize>,
    queued: Vec<bool>,
}

impl Propagation {
    pub(super) fn new(model: &Model) -> Self {
        let constraints = model.constraints().len();
        Self { queue: VecDeque::with_capacity(constraints), queued: vec![false; constraints] }
    }

    /// Propagates the initial domains.
    pub(super) fn start(&mut self, model: &Model, state: &mut State) -> Result<(), Wiped> {
        if state.domains().iter().any(|domain| domain.is_empty()) {
            return Err(Wiped);
        }
        self.queue.extend(0..model.constraints().len());
        self.queued.fill(true);
        self.run(model, state)
    }

    /// Applies the constraints of all changed variables, and those that this changes, until none removes a value.
    pub(super) fn run(&mut self, model: &Model, state: &mut State) -> Result<(), Wiped> {
        self.enqueue_changed(model, state, None);
        while let Some(index) = self.queue.pop_front() {
            self.queued[index] = false;
            if model.constraints()[index].propagate(state).is_err() {
                self.queue.drain(..).for_each(|index| self.queued[index] = false);
                return Err(Wiped);
            }
            self.enqueue_changed(model, state, Some(index));
        }
        Ok(())
    }

    /// Queues the constraints of each changed variable, except `done`, which is already at its fixpoint.
    fn enqueue_changed(&mut self, model: &Model, state: &mut State, done: Option<usize>) {
        while let Some(var) = state.take_changed() {
            for &index in model.constraints_of(var) {
                if Some(index) != done && !self.queued[index] {
                    self.queued[index] = true;
                    self.queue.push_back(index);
                }
            }
        }
    }
}
