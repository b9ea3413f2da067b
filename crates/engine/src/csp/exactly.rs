//! A number of variables that take a value. The filter removes every unsupported value.

use super::{
    domain::Domain,
    model::Var,
    state::{State, Wiped},
};

/// Whether `count` of the values are `value`.
pub(super) fn holds(values: &[u8], value: u8, count: usize) -> bool {
    values.iter().map(|one| usize::from(*one == value)).sum::<usize>() == count
}

/// If `count` variables have the value, removes it from the others. If only `count` variables can have it, they take it.
pub(super) fn propagate(vars: &[Var], value: u8, count: usize, state: &mut State) -> Result<(), Wiped> {
    let wanted = Domain::only(value);
    let having = vars.iter().filter(|var| state.domain(**var) == wanted).count();
    let able = vars.iter().filter(|var| state.domain(**var).contains(value)).count();
    if having > count || able < count {
        return Err(Wiped);
    }
    for &var in vars.iter().filter(|_| having == count || able == count) {
        if having == count && state.domain(var) != wanted {
            state.remove(var, wanted)?;
        } else if able == count && state.domain(var).contains(value) {
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
        for count in 0..=4 {
            for vars in 1..=5 {
                check_exact(vars, 3, |vars| Constraint::Exactly { vars, value: 1, count });
            }
        }
    }

    #[test]
    fn holds_counts_the_value() {
        assert!(super::holds(&[1, 0, 1], 1, 2));
        assert!(!super::holds(&[1, 0, 2], 1, 2));
    }
}
