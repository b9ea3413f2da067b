//! The technique Almost Locked Set Chain: chains of four or more almost locked sets.

use super::{
    almost_locked::{Bond, Network},
    almost_locked_steps::common,
    pace::Pace,
    search::Search,
    step::{Best, Effect, Removal},
};
use std::collections::BTreeSet;

/// The maximum number of bonds in a chain.
const BONDS_MAX: usize = 50;

/// The maximum number of looks in one search.
const LOOKS_MAX: u32 = 300_000;

/// The number of looks for one bond: a lookup in a tree and a comparison of its sets.
const LOOKS_A_BOND: usize = 10;

/// The digits of a bond that a chain uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Used {
    First,
    Second,
    Both,
}

impl Used {
    fn digits(self, bond: &Bond) -> [usize; 2] {
        match self {
            Self::First => [bond.digits[0], 0],
            Self::Second => [0, bond.digits[1]],
            Self::Both => bond.digits,
        }
    }

    /// The digits that remain for a bond after the bond before it used some, or `None` if none remains.
    fn after(before: (&Bond, Self), bond: &Bond) -> Option<Self> {
        // If the bond before used both digits, HoDoKu compares only the first.
        let taken = if before.1 == Self::Second { before.0.digits[1] } else { before.0.digits[0] };
        let [first, second] = bond.digits;
        match (second, taken) {
            (0, _) => (taken != first).then_some(Self::First),
            _ if taken == second => Some(Self::First),
            _ if taken == first => Some(Self::Second),
            _ => Some(Self::Both),
        }
    }
}

struct Chains<'a> {
    pace: &'a Pace<'a>,
    network: &'a Network,
    start: usize,
    first: (usize, Used),
    /// The visited states of the search: bond, digits used, and number of bonds up to three. The continuation depends
    /// on nothing else.
    seen: BTreeSet<(usize, Used, usize)>,
    best: Best,
    looks: u32,
}

/// If each set of a chain is bound to the next by other digits than to the previous one, the first or the last set
/// contains all its other digits. So another digit that both sets have can go from cells that see all its places in
/// both: Almost Locked Set Chain. Like HoDoKu, visits sets in the order of their indices.
pub(super) fn chain(search: &Search<'_>) -> Option<Effect> {
    let (network, pace) = (search.almost_locked(), &search.pace);
    let none = (0, Used::First);
    let (seen, best) = (BTreeSet::new(), Best::default());
    let mut chains = Chains { pace, network, start: 0, first: none, seen, best, looks: 0 };
    for start in 0..network.sets.len() {
        chains.start = start;
        for number in network.first_bond[start]..network.first_bond[start + 1] {
            let second = (network.bonds[number].digits[1] != 0).then_some(Used::Second);
            for used in [Some(Used::First), second].into_iter().flatten() {
                chains.first = (number, used);
                chains.seen.clear();
                chains.extend(number, used, 1);
            }
        }
    }
    chains.best.effect()
}

impl Chains<'_> {
    /// Examines the chain of `len` bonds that ends with this bond, and extends it.
    fn extend(&mut self, number: usize, used: Used, len: usize) {
        self.looks += 1;
        if self.pace.is_cut(LOOKS_A_BOND) || self.looks > LOOKS_MAX || !self.seen.insert((number, used, len.min(3))) {
            return;
        }
        let bond = &self.network.bonds[number];
        if len >= 3 {
            self.offer(bond, used);
        }
        if len == BONDS_MAX {
            return;
        }
        let end = bond.sets[1];
        for next in self.network.first_bond[end]..self.network.first_bond[end + 1] {
            if let Some(left) = Used::after((bond, used), &self.network.bonds[next]) {
                self.extend(next, left, len + 1);
            }
        }
    }

    fn offer(&mut self, bond: &Bond, used: Used) {
        let [first, second] = [self.start, bond.sets[1]].map(|number| &self.network.sets[number]);
        let (first_bond, first_used) = (&self.network.bonds[self.first.0], self.first.1);
        let [a, b] = first_used.digits(first_bond);
        let [c, d] = used.digits(bond);
        let mut removal = Removal::default();
        for (cell, digit) in common(first, second, &[a, b, c, d]) {
            removal.add(digit, 1 << cell);
        }
        self.best.offer(removal);
    }
}
