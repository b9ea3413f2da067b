//! Any relation between two variables, as a table. The filter removes every unsupported value.

use super::{
    domain::Domain,
    model::Var,
    state::{State, Wiped},
};

/// Whether the table allows these two values.
pub(super) fn holds(values: &[u8], allowed: &[Domain]) -> bool {
    matches!(values, &[one, other] if partners(allowed, one).contains(other))
}

/// Removes the values that have no partner.
pub(super) fn propagate([one, other]: [Var; 2], allowed: &[Domain], state: &mut State) -> Result<(), Wiped> {
    let of_other = state.domain(other);
    let has_partner = |value: &u8| !partners(allowed, *value).intersection(of_other).is_empty();
    let kept: Domain = state.domain(one).values().filter(has_partner).collect();
    state.keep(one, kept)?;
    state.keep(other, kept.values().map(|value| partners(allowed, value)).fold(Domain::EMPTY, Domain::union))
}

/// The values of the second variable that go with a value of the first.
fn partners(allowed: &[Domain], value: u8) -> Domain {
    allowed.get(usize::from(value)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::csp::{Constraint, Domain, testing::check_exact};

    #[test]
    fn removes_exactly_the_unsupported_values() {
        let less: Vec<_> = (0..6).map(|value| Domain::range(value + 1, 9)).collect();
        let not_both = vec![Domain::range(0, 9), Domain::only(0)];
        for allowed in [less, not_both, Vec::new()] {
            check_exact(2, 8, |vars| Constraint::Pair { vars: [vars[0], vars[1]], allowed: allowed.clone() });
        }
    }

    #[test]
    fn holds_reads_the_table_in_one_direction() {
        let allowed = [Domain::EMPTY, Domain::only(2)];
        assert!(super::holds(&[1, 2], &allowed));
        assert!(!super::holds(&[2, 1], &allowed));
    }
}
