//! The domains during a search, with a trail that takes changes back.

use super::{
    domain::Domain,
    model::{Model, Var},
};

/// A domain lost its last value: this branch has no solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wiped;

/// The domains of all variables at one point of the search.
#[derive(Debug)]
pub(super) struct State {
    domains: Vec<Domain>,
    /// What each change replaced, oldest first.
    trail: Vec<(Var, Domain)>,
    /// Variables that changed since the worklist last looked.
    changed: Vec<Var>,
    /// Variables that the search has assigned. Kept apart from "one value left", because a search that does not
    /// propagate has not yet told the others of a single value.
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

    /// Leaves a variable only the values that are also in `domain`.
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

    /// Takes the values of `domain` from a variable.
    pub(super) fn remove(&mut self, var: Var, domain: Domain) -> Result<(), Wiped> {
        self.keep(var, Domain::from_mask(!domain.mask()))
    }

    /// The next variable that changed since it was last taken from here.
    pub(super) fn take_changed(&mut self) -> Option<Var> {
        self.changed.pop()
    }

    pub(super) fn is_assigned(&self, var: Var) -> bool {
        self.assigned[var.index()]
    }

    pub(super) fn set_assigned(&mut self, var: Var, assigned: bool) {
        self.assigned[var.index()] = assigned;
    }

    /// A point that [`Self::undo`] can go back to.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Number of values that were removed since `mark`.
    pub(super) fn removed_since(&self, mark: usize) -> u32 {
        self.trail[mark..].iter().map(|&(var, old)| old.len() - self.domain(var).len()).sum()
    }

    /// Takes back every change since `mark`, except for who is assigned.
    pub(super) fn undo(&mut self, mark: usize) {
        self.changed.clear();
        for (var, old) in self.trail.drain(mark..).rev() {
            self.domains[var.index()] = old;
        }
    }
}
