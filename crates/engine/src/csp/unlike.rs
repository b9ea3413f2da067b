//! Two lists of variables that must not have the same values. The filter removes every unsupported value.

use super::{Domain, State, Var, Wiped};

/// Whether the first half of the values differs from the second half.
pub(super) fn holds(values: &[u8]) -> bool {
    let (one, other) = values.split_at(values.len() / 2);
    one != other
}

/// If all pairs except one are equal, the last pair must differ.
pub(super) fn propagate(vars: &[Var], state: &mut State) -> Result<(), Wiped> {
    let (one, other) = vars.split_at(vars.len() / 2);
    let mut open = None;
    for pair in one.iter().zip(other) {
        let [left, right] = [*pair.0, *pair.1].map(|var| state.domain(var));
        if left.intersection(right).is_empty() {
            return Ok(());
        }
        if left == right && left.is_single() {
            continue;
        }
        if open.replace(pair).is_some() {
            return Ok(());
        }
    }
    let Some((&left, &right)) = open else { return Err(Wiped) };
    let single = |domain: Domain| if domain.is_single() { domain } else { Domain::EMPTY };
    let [of_left, of_right] = [left, right].map(|var| single(state.domain(var)));
    state.remove(left, of_right)?;
    state.remove(right, of_left)
}
