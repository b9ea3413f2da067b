//! The all-different constraint, filtered to full generalized arc consistency (Régin 1994): a value stays if and only
//! if some assignment of different values to all variables uses it.
//!
//! A maximum matching of variables to values is one such assignment. Another value `v` of `x` is possible if no
//! variable has `v`. If a variable has `v`, it must be able to take another value: along an alternating path that ends
//! at a free value, or along a cycle through `x`. Régin finds these cycles as strongly connected components. For at
//! most 64 variables, this file computes a transitive closure with a `u128` per variable, which is shorter.

use super::{Domain, State, Var, Wiped};

/// The maximum number of variables: more variables than values cannot all differ.
const VARS_MAX: usize = 64;

/// Whether no value occurs twice.
pub(super) fn holds(values: &[u8]) -> bool {
    values.iter().enumerate().all(|(at, value)| !values[..at].contains(value))
}

/// Removes every value without support.
pub(super) fn propagate(vars: &[Var], state: &mut State) -> Result<(), Wiped> {
    if vars.len() > VARS_MAX {
        return Err(Wiped);
    }
    let mut open = [None; VARS_MAX];
    for (slot, &var) in open.iter_mut().zip(vars) {
        *slot = Some(var);
    }
    // Single values come first, because they are cheap to handle and leave a smaller matching.
    let mut taken = Domain::EMPTY;
    let mut progress = true;
    while progress {
        progress = false;
        for slot in &mut open[..vars.len()] {
            let Some(var) = *slot else { continue };
            state.remove(var, taken)?;
            if state.domain(var).is_single() {
                taken = taken.union(state.domain(var));
                *slot = None;
                progress = true;
            }
        }
    }
    let mut matching = Matching::EMPTY;
    for var in open.into_iter().flatten() {
        matching.add(state.domain(var));
    }
    if matching.len > 1 {
        matching.complete()?;
        let supported = matching.supported();
        for (var, domain) in open.into_iter().flatten().zip(supported) {
            state.keep(var, domain)?;
        }
    }
    Ok(())
}

/// An assignment of different values to variables, which are numbered within the matching.
struct Matching {
    len: usize,
    domains: [Domain; VARS_MAX],
    /// The value assigned to each variable.
    value_of: [u8; VARS_MAX],
    /// The variable to which each value is assigned.
    owner_of: [Option<u8>; VARS_MAX],
}

impl Matching {
    const EMPTY: Self =
        Self { len: 0, domains: [Domain::EMPTY; VARS_MAX], value_of: [0; VARS_MAX], owner_of: [None; VARS_MAX] };

    fn add(&mut self, domain: Domain) {
        self.domains[self.len] = domain;
        self.len += 1;
    }

    /// Assigns a value to each variable.
    fn complete(&mut self) -> Result<(), Wiped> {
        let mut vars = 0..self.len;
        if vars.all(|var| self.augment(var, &mut Domain::default())) { Ok(()) } else { Err(Wiped) }
    }

    /// Assigns a value to a variable, and another value to each variable that loses its own (Kuhn 1955). `asked` are the values that need
    /// not be tried again. The depth of the recursion is at most the number of variables.
    fn augment(&mut self, var: usize, asked: &mut Domain) -> bool {
        for value in self.domains[var].values() {
            if asked.contains(value) {
                continue;
            }
            *asked = asked.union(Domain::only(value));
            let owner = self.owner_of[usize::from(value)];
            if owner.is_none_or(|owner| self.augment(owner.into(), asked)) {
                self.value_of[var] = value;
                self.owner_of[usize::from(value)] = Some(u8::try_from(var).expect("VARS_MAX is below 256"));
                return true;
            }
        }
        false
    }

    /// The values of each variable that some complete matching uses.
    fn supported(&self) -> [Domain; VARS_MAX] {
        let in_use = self.value_of[..self.len].iter().copied().collect::<Domain>();
        let can_displace = self.reach(in_use);
        let mut supported = [Domain::EMPTY; VARS_MAX];
        for (var, kept) in supported[..self.len].iter_mut().enumerate() {
            let free = self.domains[var].without(in_use);
            *kept = free.union(Domain::only(self.value_of[var]));
            for value in self.domains[var].intersection(in_use).values() {
                let owner = self.owner_of[usize::from(value)].map_or(0, usize::from);
                if can_displace[owner] & ((1 << var) | FREE) != 0 {
                    *kept = kept.union(Domain::only(value));
                }
            }
        }
        supported
    }

    /// For each variable, the variables whose values it can take, directly or through others. Includes [`FREE`] if such
    /// a chain can end at a free value.
    fn reach(&self, in_use: Domain) -> [u128; VARS_MAX] {
        let mut reach = [0_u128; VARS_MAX];
        for (domain, out) in self.domains[..self.len].iter().zip(&mut reach) {
            for value in domain.intersection(in_use).values() {
                *out |= self.owner_of[usize::from(value)].map_or(0, |owner| 1 << owner);
            }
            if !domain.without(in_use).is_empty() {
                *out |= FREE;
            }
        }
        for through in 0..self.len {
            let further = reach[through];
            for out in &mut reach[..self.len] {
                if *out & (1 << through) != 0 {
                    *out |= further;
                }
            }
        }
        reach
    }
}

/// The bit after the 64 bits of the variables.
const FREE: u128 = 1 << VARS_MAX;
