//! Bounds on the number of variables that take a value. The filter removes every unsupported value.

use super::{
    domain::Domain,
    model::Var,
    state::{State, Wiped},
};

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

#[cfg(test)]
mod tests {
    use crate::csp::{Constraint, testing::check_exact};

    #[test]
    fn removes_exactly_the_unsupported_values() {
        for [min, max] in [[0, 0], [1, 1], [2, 2], [3, 4], [1, 2], [0, 2]] {
            for vars in 1..=5 {
                check_exact(vars, 3, |vars| Constraint::Count { vars, value: 1, min, max });
            }
        }
    }

    #[test]
    fn holds_counts_the_value() {
        assert!(super::holds(&[1, 0, 1], 1, [2, 2]));
        assert!(!super::holds(&[1, 0, 2], 1, [2, 3]));
        assert!(!super::holds(&[1, 1, 1], 1, [1, 2]));
    }
}
