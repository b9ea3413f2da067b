//! The constraint that values differ and have a given sum. The filter is exact if all values are below 10, as in every
//! Kakuro run. Otherwise it filters by all-different and by sum in turn.
//!
//! The exact filter visits the variables in order. The values used so far determine their sum and the next variable.
//! Therefore the filter visits each set of used values once, and records whether the remaining variables can complete
//! the set. A value of a variable stays if adding it to some reachable set of used values gives a set that the
//! remaining variables can complete.

use super::{Domain, State, Var, Wiped, all_different, sum};

/// The exact filter handles the values 0 to 9. More than ten variables cannot all differ.
const VALUES: usize = 10;

/// Whether the values differ and their sum is `total`.
pub(super) fn holds(values: &[u8], total: u32) -> bool {
    all_different::holds(values) && sum::holds(values, total)
}

/// Removes unsupported values. If all values are below [`VALUES`], no unsupported value remains.
pub(super) fn propagate(vars: &[Var], total: u32, state: &mut State) -> Result<(), Wiped> {
    let small = |var: &Var| state.domain(*var).mask() >> VALUES == 0;
    if vars.len() <= VALUES && vars.iter().all(small) {
        return exact(vars, total, state);
    }
    loop {
        let before = state.mark();
        all_different::propagate(vars, state)?;
        sum::propagate(vars, total, state)?;
        if state.mark() == before {
            return Ok(());
        }
    }
}

fn exact(vars: &[Var], total: u32, state: &mut State) -> Result<(), Wiped> {
    let mut order = [(Domain::EMPTY, None); VALUES];
    for (slot, &var) in order.iter_mut().zip(vars) {
        *slot = (state.domain(var), Some(var));
    }
    let order = &mut order[..vars.len()];
    // Variables with few values come first, so that few sets occur.
    order.sort_unstable_by_key(|(domain, var)| (domain.len(), *var));
    let mut walk = Walk { order, supported: [0; VALUES], seen: [None; 1 << VALUES] };
    if !walk.completes(0, 0, total) {
        return Err(Wiped);
    }
    let supported = walk.supported;
    for (&(_, var), mask) in order.iter().zip(supported) {
        var.map_or(Ok(()), |var| state.keep(var, Domain::from_mask(mask)))?;
    }
    Ok(())
}

/// Visits the sets of used values depth first.
struct Walk<'o> {
    order: &'o [(Domain, Option<Var>)],
    /// The values of each variable in `order` that some completion uses.
    supported: [u64; VALUES],
    /// For each visited set of used values, whether the remaining variables can complete it. The size of a set
    /// determines the next variable, so the set alone is the key.
    seen: [Option<bool>; 1 << VALUES],
}

impl Walk<'_> {
    /// Whether the variables from `at` on can take values outside `used` with the sum `rest`. Records all supported
    /// values.
    fn completes(&mut self, at: usize, used: usize, rest: u32) -> bool {
        let Some(&(domain, _)) = self.order.get(at) else { return rest == 0 };
        if let Some(known) = self.seen[used] {
            return known;
        }
        let mut completes = false;
        let mut open = domain.mask() & !(used as u64);
        while open != 0 {
            let value = open.trailing_zeros();
            if value > rest {
                break;
            }
            if self.completes(at + 1, used | 1 << value, rest - value) {
                self.supported[at] |= 1 << value;
                completes = true;
            }
            open &= open - 1;
        }
        self.seen[used] = Some(completes);
        completes
    }
}
