//! Chains of four and more almost locked sets.

use super::{
    almost_locked::{Bond, Network},
    almost_locked_steps::common,
    pace::Pace,
    search::Search,
    step::{Best, Effect, Removal},
};
use std::collections::BTreeSet;

/// Bonds of the longest chain.
const BONDS_MAX: usize = 50;

/// Bonds looked at in one search.
const LOOKS_MAX: u32 = 300_000;

/// A bond is looked up in a tree, and its sets are compared.
const LOOKS_A_BOND: usize = 10;

/// Which digits of a bond a chain uses.
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

    /// Which digits are left after a bond that used these; none if none is.
    fn after(before: (&Bond, Self), bond: &Bond) -> Option<Self> {
        // Of a bond that used both digits, HoDoKu compares the first alone.
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
    /// Where the search was: bond, digits used, and bonds so far up to three. What follows hangs on nothing else.
    seen: BTreeSet<(usize, Used, usize)>,
    best: Best,
    looks: u32,
}

/// If sets are bound one to the next, each by other digits than before, the first or the last holds all its other digits, so
/// a further digit of both can go from what sees all its places in both: Almost Locked Set Chain. Sets come by number, as
/// in HoDoKu.
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
    /// Looks at a chain of `len` bonds that ends with this one, and goes on.
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
