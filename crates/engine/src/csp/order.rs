//! Decides which variable the search assigns next, and in which order it tries the variable's values.

use super::{
    domain::Domain,
    model::{Model, Var},
    propagate::Propagation,
    state::State,
};

/// Which variable is assigned next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variables {
    /// The first open variable, in the order in which they were added.
    InOrder,
    /// The variable with the fewest values left (MRV, "fail first"). Ties go to the one with the most constraints on
    /// other open variables (degree), then to the first.
    FewestValues,
}

/// Which value is tried first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// The smallest.
    Ascending,
    /// The value that leaves the other variables the most values (LCV), measured by forward checking. Useful for
    /// finding one of many solutions with [`Strength::Forward`](super::Strength): on 4,000 half-empty Sudoku boards it
    /// saved a quarter of the nodes. With [`Strength::Full`](super::Strength) it costs more nodes than it saves. A
    /// search for all solutions visits the same nodes in another order.
    LeastConstraining,
}

/// The next variable to assign, or `None` if all are decided.
pub(super) fn next_var(order: Variables, model: &Model, state: &State, propagation: &Propagation) -> Option<Var> {
    let mut open = model.vars().filter(|&var| !propagation.is_decided(state, var));
    if order == Variables::InOrder {
        return open.next();
    }
    let mut best = open.next()?;
    let mut best_degree = None;
    for var in open {
        let [size, best_size] = [var, best].map(|var| state.domain(var).len());
        if size > best_size {
            continue;
        }
        let degree = (size == best_size).then(|| degree(model, state, propagation, var));
        if size == best_size {
            let held = *best_degree.get_or_insert_with(|| self::degree(model, state, propagation, best));
            if degree <= Some(held) {
                continue;
            }
        }
        (best, best_degree) = (var, degree);
    }
    Some(best)
}

/// The number of constraints between a variable and other open variables.
fn degree(model: &Model, state: &State, propagation: &Propagation, var: Var) -> usize {
    let has_open = |&&index: &&usize| {
        let vars = model.constraints()[index].vars();
        vars.iter().any(|&other| other != var && !propagation.is_decided(state, other))
    };
    model.constraints_of(var).iter().filter(has_open).count()
}

/// The values of a variable in the order in which they are tried.
#[derive(Debug)]
pub(super) struct ValueOrder {
    values: [u8; 64],
    len: u8,
    next: u8,
}

impl ValueOrder {
    pub(super) fn new(
        order: Values,
        var: Var,
        model: &Model,
        state: &mut State,
        propagation: &mut Propagation,
    ) -> Self {
        let mut removed = [0; 64];
        if order == Values::LeastConstraining {
            for value in state.domain(var).values() {
                removed[usize::from(value)] = removed_by(value, var, model, state, propagation);
            }
        }
        let mut values = [0; 64];
        let mut len = 0;
        for value in state.domain(var).values() {
            values[usize::from(len)] = value;
            len += 1;
        }
        // The sort is stable, so of two values with equal counts, the smaller comes first.
        values[..usize::from(len)].sort_by_key(|&value| removed[usize::from(value)]);
        Self { values, len, next: 0 }
    }

    /// The next value to try.
    pub(super) fn peek(&self) -> Option<u8> {
        self.values[..usize::from(self.len)].get(usize::from(self.next)).copied()
    }

    pub(super) fn advance(&mut self) {
        self.next += 1;
    }
}

/// The number of values that forward checking of `value` removes from other variables. If a variable loses all values,
/// returns the maximum of the type.
fn removed_by(value: u8, var: Var, model: &Model, state: &mut State, propagation: &mut Propagation) -> u32 {
    let assigned = state.is_assigned(var);
    let mark = state.mark();
    state.set_assigned(var, true);
    let outcome = state.keep(var, Domain::only(value)).and_then(|()| propagation.forward(model, state, var));
    let removed = if outcome.is_ok() { state.removed_since(mark) } else { u32::MAX };
    state.undo(mark);
    state.set_assigned(var, assigned);
    removed
}
