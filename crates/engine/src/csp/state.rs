//! The domains of all variables during a search, with a trail to undo changes, and propagation, which removes the values that an
//! assignment rules out. It applies every constraint until none removes a value (AC-3 over whole constraints).

use std::collections::VecDeque;

use super::{Domain, Model, Var};

/// A domain became empty: this branch of the search has no solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wiped;

/// The domains of all variables at one point of the search.
#[derive(Debug)]
pub(super) struct State {
    domains: Vec<Domain>,
    /// The variable and old domain of each change, oldest first.
    trail: Vec<(Var, Domain)>,
    /// The changed variables whose constraints are not queued yet.
    changed: Vec<Var>,
}

impl State {
    pub(super) fn new(model: &Model) -> Self {
        Self { domains: model.domains().to_vec(), trail: Vec::new(), changed: Vec::new() }
    }

    pub(super) fn domain(&self, var: Var) -> Domain {
        self.domains[var.index()]
    }

    pub(super) fn domains(&self) -> &[Domain] {
        &self.domains
    }

    /// Keeps only those values of a variable that are also in `domain`.
    pub(super) fn keep(&mut self, var: Var, domain: Domain) -> Result<(), Wiped> {
        let old = self.domains[var.index()];
        let new = old.intersection(domain);
        if new != old {
            self.trail.push((var, old));
            self.changed.push(var);
            self.domains[var.index()] = new;
        }
        if new.is_empty() { Err(Wiped) } else { Ok(()) }
    }

    /// Removes the values of `domain` from a variable.
    pub(super) fn remove(&mut self, var: Var, domain: Domain) -> Result<(), Wiped> {
        self.keep(var, Domain::from_mask(!domain.mask()))
    }

    /// The current point of the trail, for [`Self::undo`].
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Undoes every change since `mark`.
    pub(super) fn undo(&mut self, mark: usize) {
        self.changed.clear();
        for (var, old) in self.trail.drain(mark..).rev() {
            self.domains[var.index()] = old;
        }
    }
}

/// The queue of constraints to apply again, each at most once.
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

    /// Applies the constraints of all changed variables, and of those that change meanwhile, until none removes a value.
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
        while let Some(var) = state.changed.pop() {
            for &index in model.constraints_of(var) {
                if Some(index) != done && !self.queued[index] {
                    self.queued[index] = true;
                    self.queue.push_back(index);
                }
            }
        }
    }
}
