//! Constraints between two variables: `left != right`, and `lower + gap <= upper`.

use super::{
    domain::Domain,
    model::Var,
    state::{State, Wiped},
};

/// If one variable has a single value, removes that value from the other.
pub(super) fn different([left, right]: [Var; 2], state: &mut State) -> Result<(), Wiped> {
    for [known, other] in [[left, right], [right, left]] {
        if state.domain(known).is_single() {
            state.remove(other, state.domain(known))?;
        }
    }
    Ok(())
}

/// Whether `lower + gap <= upper`.
pub(super) fn at_most_holds(values: &[u8], gap: i16) -> bool {
    matches!(values, &[lower, upper] if i32::from(lower) + i32::from(gap) <= i32::from(upper))
}

/// Removes the values of the lower variable that are too large for every upper value, and the values of the upper
/// variable that are too small for every lower value. This is exact: each remaining value fits the extreme value of the
/// other variable.
pub(super) fn at_most([lower, upper]: [Var; 2], gap: i16, state: &mut State) -> Result<(), Wiped> {
    let highest = i32::from(state.domain(upper).max().unwrap_or(0)) - i32::from(gap);
    state.keep(lower, u8::try_from(highest.min(255)).map_or(Domain::EMPTY, |highest| Domain::range(0, highest)))?;
    let lowest = i32::from(state.domain(lower).min().unwrap_or(0)) + i32::from(gap);
    state.keep(upper, u8::try_from(lowest.max(0)).map_or(Domain::EMPTY, |lowest| Domain::range(lowest, 255)))
}

#[cfg(test)]
mod tests {
    use super::super::{Constraint, testing::check_exact};

    #[test]
    fn different_removes_exactly_the_unsupported_values() {
        check_exact(2, 6, |vars| Constraint::Different([vars[0], vars[1]]));
    }

    #[test]
    fn at_most_removes_exactly_the_unsupported_values() {
        for gap in [-7, -2, 0, 1, 3, 6] {
            check_exact(2, 7, |vars| Constraint::AtMost { vars: [vars[0], vars[1]], gap });
        }
    }

    #[test]
    fn gap_wider_than_all_values_does_not_overflow() {
        for gap in [i16::MIN, -300, 300, i16::MAX] {
            check_exact(2, 4, |vars| Constraint::AtMost { vars: [vars[0], vars[1]], gap });
        }
    }
}
