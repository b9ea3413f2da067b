//! The sum constraint. The filter is exact if there are at most 64 variables and the total exceeds the smallest
//! possible sum by at most 127, as in every Kakuro run. Otherwise it only checks that the total can be reached.
//!
//! The exact filter (Trick 2003) visits the variables in order and then in reverse order. Each pass computes the set of
//! partial sums that can be reached, one bit per sum. A value stays if and only if it leads from a sum that the forward
//! pass reaches to a sum from which the total can be completed.

use super::{Domain, State, Var, Wiped};

/// The maximum number of variables that the exact filter handles, which is the size of its buffers.
const VARS_MAX: usize = 64;

/// Whether the sum of the values is `total`.
pub(super) fn holds(values: &[u8], total: u32) -> bool {
    values.iter().map(|&value| u64::from(value)).sum::<u64>() == u64::from(total)
}

/// Removes unsupported values, if the filter is exact.
pub(super) fn propagate(vars: &[Var], total: u32, state: &mut State) -> Result<(), Wiped> {
    let total = u64::from(total);
    let sum = |end: fn(Domain) -> Option<u8>| -> u64 {
        vars.iter().map(|&var| u64::from(end(state.domain(var)).unwrap_or(0))).sum()
    };
    let (smallest, largest) = (sum(Domain::min), sum(Domain::max));
    if !(smallest..=largest).contains(&total) {
        return Err(Wiped);
    }
    match u32::try_from(total - smallest) {
        Ok(slack @ 0..u128::BITS) if vars.len() <= VARS_MAX => exact(vars, slack, state),
        _ => Ok(()),
    }
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
