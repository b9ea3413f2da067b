//! Constraints with simple filters: bounds on how often a value occurs, two lists that differ, a table of rows, and any relation between
//! two variables. Each filter removes every unsupported value.

use super::{Domain, State, Var, Wiped};

/// Whether `min` to `max` of the values are `value`.
pub(super) fn counts(values: &[u8], value: u8, [min, max]: [usize; 2]) -> bool {
    (min..=max).contains(&values.iter().map(|one| usize::from(*one == value)).sum())
}

/// If `max` variables have the value, removes it from the others. If only `min` variables can have it, they take it.
pub(super) fn count(vars: &[Var], value: u8, [min, max]: [usize; 2], state: &mut State) -> Result<(), Wiped> {
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

/// Whether the first half of the values differs from the second half.
pub(super) fn are_unlike(values: &[u8]) -> bool {
    let (one, other) = values.split_at(values.len() / 2);
    one != other
}

/// If all pairs except one are equal, the last pair must differ.
pub(super) fn unlike(vars: &[Var], state: &mut State) -> Result<(), Wiped> {
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

/// Removes the values that are in no row whose other values are left. Ends at the row that shows the last value to be supported.
pub(super) fn table(vars: &[Var], rows: &[Vec<u8>], state: &mut State) -> Result<(), Wiped> {
    let is_left = |row: &&Vec<u8>| vars.iter().zip(*row).all(|(var, value)| state.domain(*var).contains(*value));
    let mut supported = vec![Domain::EMPTY; vars.len()];
    let mut unsupported: u32 = vars.iter().map(|var| state.domain(*var).len()).sum();
    let mut left = 0;
    for row in rows.iter().filter(is_left) {
        left += 1;
        for (all, value) in supported.iter_mut().zip(row).filter(|(all, value)| !all.contains(**value)) {
            *all = all.union(Domain::only(*value));
            unsupported -= 1;
        }
        if unsupported == 0 {
            return Ok(());
        }
    }
    if left == 0 {
        return Err(Wiped);
    }
    vars.iter().zip(supported).try_for_each(|(var, values)| state.keep(*var, values))
}

/// Whether the table allows these two values.
pub(super) fn is_pair(values: &[u8], allowed: &[Domain]) -> bool {
    matches!(values, &[one, other] if partners(allowed, one).contains(other))
}

/// Removes the values that have no partner.
pub(super) fn pair([one, other]: [Var; 2], allowed: &[Domain], state: &mut State) -> Result<(), Wiped> {
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
