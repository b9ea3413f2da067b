//! The domains of all variables during a search, with a trail to undo changes.

use super::{
    domain::Domain,
    model::{Model, Var},
};

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
    /// Whether the search has assigned each variable. This differs from "one value left": without propagation, a single
    /// value has not yet affected the other variables.
    assigned: Vec<bool>,
}

impl State {
    pub(super) fn new(model: &Model) -> Self {
        let domains = model.domains().to_vec();
        let assigned = vec![false; domains.len()];
        Self { domains, trail: Vec::new(), changed: Vec::new(), assigned }
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

    /// Removes and returns a variable that changed.
    pub(super) fn take_changed(&mut self) -> Option<Var> {
        self.changed.pop()
    }

    pub(super) fn is_assigned(&self, var: Var) -> bool {
        self.assigned[var.index()]
    }

    pub(super) fn set_assigned(&mut self, var: Var, assigned: bool) {
        self.assigned[var.index()] = assigned;
    }

    /// The current point of the trail, for [`Self::undo`].
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// The number of values that were removed since `mark`. A value counts once per change of its variable up to its
    /// removal.
    pub(super) fn removed_since(&self, mark: usize) -> u32 {
        self.trail[mark..].iter().map(|&(var, old)| old.len() - self.domain(var).len()).sum()
    }

    /// Undoes every change since `mark`, except which variables are assigned.
    pub(super) fn undo(&mut self, mark: usize) {
        self.changed.clear();
        for (var, old) in self.trail.drain(mark..).rev() {
            self.domains[var.index()] = old;
        }
    }
}
