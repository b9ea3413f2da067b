//! Propagation: removes the values that an assignment rules out, in three strengths.

use std::collections::VecDeque;

use super::{
    domain::Domain,
    model::{Constraint, Model, Var},
    state::{State, Wiped},
};

/// How far the search follows the consequences of an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// Plain backtracking: only checks the assignment against earlier ones.
    Check,
    /// Forward checking: if a constraint has one open variable left, removes its values that contradict the
    /// assignments.
    Forward,
    /// Propagation to the fixpoint: applies every constraint until none removes a value (AC-3 over whole constraints).
    Full,
}

/// The queue of constraints to apply again. Each occurs in it at most once.
#[derive(Debug)]
pub(super) struct Propagation {
    strength: Strength,
    queue: VecDeque<usize>,
    queued: Vec<bool>,
    /// A buffer for the values of one constraint, kept to save allocations.
    values: Vec<u8>,
}

impl Propagation {
    pub(super) fn new(model: &Model, strength: Strength) -> Self {
        let constraints = model.constraints().len();
        Self {
            strength,
            queue: VecDeque::with_capacity(constraints),
            queued: vec![false; constraints],
            values: Vec::new(),
        }
    }

    /// Whether the search need not assign a variable.
    pub(super) fn is_decided(&self, state: &State, var: Var) -> bool {
        match self.strength {
            Strength::Check | Strength::Forward => state.is_assigned(var),
            Strength::Full => state.domain(var).is_single(),
        }
    }

    /// Propagates the initial domains. Their single values are facts, not assignments.
    pub(super) fn start(&mut self, model: &Model, state: &mut State) -> Result<(), Wiped> {
        if state.domains().iter().any(|domain| domain.is_empty()) {
            return Err(Wiped);
        }
        if self.strength == Strength::Full {
            self.queue.extend(0..model.constraints().len());
            self.queued.fill(true);
            return self.run(model, state);
        }
        model
            .vars()
            .filter(|&var| model.domains()[var.index()].is_single())
            .try_for_each(|var| self.assigned(model, state, var))
    }

    /// Propagates the assignment of `var`, whose domain now has one value.
    pub(super) fn assigned(&mut self, model: &Model, state: &mut State, var: Var) -> Result<(), Wiped> {
        state.set_assigned(var, true);
        match self.strength {
            Strength::Check => {
                self.each_constraint(model, state, var, |known, constraint, state| known.check(constraint, state))
            }
            Strength::Forward => self.forward(model, state, var),
            Strength::Full => self.run(model, state),
        }
    }

    /// Forward checking of one assignment, independent of the strength.
    pub(super) fn forward(&mut self, model: &Model, state: &mut State, var: Var) -> Result<(), Wiped> {
        self.each_constraint(model, state, var, |known, constraint, state| match constraint {
            Constraint::AllDifferent(vars) => {
                let value = state.domain(var);
                vars.iter().filter(|&&other| other != var).try_for_each(|&other| state.remove(other, value))
            }
            _ => known.forward_by_checker(constraint, state),
        })
    }

    fn each_constraint(
        &mut self,
        model: &Model,
        state: &mut State,
        var: Var,
        mut look: impl FnMut(&mut Self, &Constraint, &mut State) -> Result<(), Wiped>,
    ) -> Result<(), Wiped> {
        model.constraints_of(var).iter().try_for_each(|&index| look(self, &model.constraints()[index], state))
    }

    /// Whether the assignments so far violate the constraint. Two assignments can violate an all-different constraint,
    /// but any other constraint can be checked only after all its variables are assigned.
    fn check(&mut self, constraint: &Constraint, state: &State) -> Result<(), Wiped> {
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        let assigned = constraint.vars().iter().filter(|&&var| self.is_decided(state, var));
        values.extend(assigned.filter_map(|&var| state.domain(var).single()));
        let partial = matches!(constraint, Constraint::AllDifferent(_));
        let broken = (partial || values.len() == constraint.vars().len()) && !constraint.holds(&values);
        self.values = values;
        if broken { Err(Wiped) } else { Ok(()) }
    }

    /// Keeps those values of the constraint's last open variable that [`Constraint::holds`] accepts.
    fn forward_by_checker(&mut self, constraint: &Constraint, state: &mut State) -> Result<(), Wiped> {
        let vars = constraint.vars();
        let mut open = vars.iter().enumerate().filter(|(_, var)| !self.is_decided(state, **var));
        let (last, more) = (open.next(), open.next());
        if more.is_some() {
            return Ok(());
        }
        let Some((at, &var)) = last else { return self.check(constraint, state) };
        self.values.clear();
        self.values.extend(vars.iter().map(|&var| state.domain(var).min().unwrap_or(0)));
        let values = &mut self.values;
        let accepted: Domain = state
            .domain(var)
            .values()
            .filter(|&value| {
                values[at] = value;
                constraint.holds(values)
            })
            .collect();
        state.keep(var, accepted)
    }

    /// Applies the queued constraints until the queue is empty.
    fn run(&mut self, model: &Model, state: &mut State) -> Result<(), Wiped> {
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
