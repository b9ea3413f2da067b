//! The sum constraint. The filter is exact if there are at most 64 variables and the total exceeds the smallest
//! possible sum by at most 127, as in every Kakuro run. Otherwise it checks bounds.
//!
//! The exact filter (Trick 2003) visits the variables in order and then in reverse order. Each pass computes the set of
//! partial sums that can be reached, one bit per sum. A value stays if and only if it leads from a sum that the forward
//! pass reaches to a sum from which the total can be completed.

use super::{
    domain::Domain,
    model::Var,
    state::{State, Wiped},
};

/// The maximum number of variables that the exact filter handles, which is the size of its buffers.
const VARS_MAX: usize = 64;

/// Whether the sum of the values is `total`.
pub(super) fn holds(values: &[u8], total: u32) -> bool {
    values.iter().map(|&value| u64::from(value)).sum::<u64>() == u64::from(total)
}

/// Removes unsupported values: all of them if the filter is exact, otherwise those outside the bounds.
pub(super) fn propagate(vars: &[Var], total: u32, state: &mut State) -> Result<(), Wiped> {
    loop {
        let smallest: u64 = vars.iter().map(|&var| end(state.domain(var).min())).sum();
        let slack = u64::from(total).checked_sub(smallest).ok_or(Wiped)?;
        if let Ok(slack @ 0..u128::BITS) = u32::try_from(slack)
            && vars.len() <= VARS_MAX
        {
            return exact(vars, slack, state);
        }
        let before = state.mark();
        bounds(vars, u64::from(total), state)?;
        if state.mark() == before {
            return Ok(());
        }
    }
}

fn end(value: Option<u8>) -> u64 {
    u64::from(value.unwrap_or(0))
}

/// The exact filter. Bit `n` stands for the sum of the smallest values plus `n`, so bit `slack` stands for the total.
fn exact(vars: &[Var], slack: u32, state: &mut State) -> Result<(), Wiped> {
    let mut completes = [0_u128; VARS_MAX + 1];
    completes[vars.len()] = 1 << slack;
    for (at, &var) in vars.iter().enumerate().rev() {
        completes[at] = steps(state.domain(var)).fold(0, |sums, (_, step)| sums | completes[at + 1] >> step);
    }
    if completes[0] & 1 == 0 {
        return Err(Wiped);
    }
    let mut reached = 1;
    for (at, &var) in vars.iter().enumerate() {
        let mut next = 0;
        let mut supported = Domain::EMPTY;
        for (value, step) in steps(state.domain(var)) {
            let sums = reached << step & completes[at + 1];
            if sums != 0 {
                supported = supported.union(Domain::only(value));
                next |= sums;
            }
        }
        state.keep(var, supported)?;
        reached = next;
    }
    Ok(())
}

/// The values of a domain, each with its difference from the smallest.
fn steps(domain: Domain) -> impl Iterator<Item = (u8, u8)> {
    let smallest = domain.min().unwrap_or(0);
    domain.values().map(move |value| (value, value - smallest))
}

/// Keeps each variable within the bounds that the smallest and largest values of the others allow.
fn bounds(vars: &[Var], total: u64, state: &mut State) -> Result<(), Wiped> {
    let ends = |state: &State, var: Var| [end(state.domain(var).min()), end(state.domain(var).max())];
    let [low, high] = vars.iter().fold([0, 0], |[low, high], &var| {
        let [min, max] = ends(state, var);
        [low + min, high + max]
    });
    if !(low..=high).contains(&total) {
        return Err(Wiped);
    }
    for &var in vars {
        let [min, max] = ends(state, var);
        let [least, most] = [(total + max).saturating_sub(high), total + min - low];
        // A bound above all values excludes nothing.
        let [least, most] = [least, most].map(|end| u8::try_from(end.min(255)).expect("255 fits"));
        state.keep(var, Domain::range(least, most))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::csp::{
        Constraint, Domain, Model, Search,
        testing::{check_exact, check_sound, count},
    };

    #[test]
    fn removes_exactly_the_unsupported_values() {
        for total in [0, 1, 7, 11, 30] {
            for count in 1..=4 {
                check_exact(count, 8, |vars| Constraint::Sum { vars, total });
            }
        }
    }

    #[test]
    fn large_slack_keeps_every_supported_value() {
        for total in [140, 170, 189] {
            check_sound(3, 64, |vars| Constraint::Sum { vars, total });
        }
    }

    #[test]
    fn sum_too_large_for_the_exact_filter_is_counted_correctly() {
        let mut model = Model::new();
        let vars = (0..3).map(|_| model.variable(Domain::range(0, 63))).collect();
        model.post(Constraint::Sum { vars, total: 186 });
        // Three numbers of at most 63 with the sum 186 lack 3 of the maximum. There are ten ways to split 3 among
        // three.
        assert_eq!(count(Search::new(&model)), 10);
    }

    #[test]
    fn holds_adds_the_values() {
        assert!(super::holds(&[1, 2, 3], 6));
        assert!(super::holds(&[], 0));
        assert!(!super::holds(&[1, 2, 3], 7));
    }
}
