//! Decides which variable the search assigns next: the one with the fewest values left (MRV, "fail first"). Ties go to the one
//! with the most constraints on other open variables (degree), then to the first.

use super::{
    model::{Model, Var},
    state::State,
};

/// The next variable to assign, or `None` if all are decided.
pub(super) fn next_var(model: &Model, state: &State) -> Option<Var> {
    let mut open = model.vars().filter(|&var| !state.domain(var).is_single());
    let mut best = open.next()?;
    let mut best_degree = None;
    for var in open {
        let [size, best_size] = [var, best].map(|var| state.domain(var).len());
        if size > best_size {
            continue;
        }
        let degree = (size == best_size).then(|| degree(model, state, var));
        if size == best_size {
            let held = *best_degree.get_or_insert_with(|| self::degree(model, state, best));
            if degree <= Some(held) {
                continue;
            }
        }
        (best, best_degree) = (var, degree);
    }
    Some(best)
}

/// Number of constraints between a variable and others that are open.
fn degree(model: &Model, state: &State, var: Var) -> usize {
    let has_open = |&&index: &&usize| {
        let vars = model.constraints()[index].vars();
        vars.iter().any(|&other| other != var && !state.domain(other).is_single())
    };
    model.constraints_of(var).iter().filter(has_open).count()
}
