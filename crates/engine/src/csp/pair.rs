//! Any relation between two variables, as a table. The filter removes every unsupported value.

use super::{Domain, State, Var, Wiped};

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
