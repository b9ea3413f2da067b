//! Bounds on the number of variables that take a value. The filter removes every unsupported value.

use super::{Domain, State, Var, Wiped};

/// Whether `min` to `max` of the values are `value`.
pub(super) fn holds(values: &[u8], value: u8, [min, max]: [usize; 2]) -> bool {
    (min..=max).contains(&values.iter().map(|one| usize::from(*one == value)).sum())
}

/// If `max` variables have the value, removes it from the others. If only `min` variables can have it, they take it.
pub(super) fn propagate(vars: &[Var], value: u8, [min, max]: [usize; 2], state: &mut State) -> Result<(), Wiped> {
    let wanted = Domain::only(value);
    let having = vars.iter().filter(|var| state.domain(**var) == wanted).count();
    let able = vars.iter().filter(|var| state.domain(**var).contains(value)).count();
    if having > max || able < min {
        return Err(Wiped);
    }
    for &var in vars.iter().filter(|_| having == max || able == min) {
        if having == max && state.domain(var) != wanted {
            state.remove(var, wanted)?;
        } else if able == min && state.domain(var).contains(value) {
            state.keep(var, wanted)?;
        }
    }
    Ok(())
}
