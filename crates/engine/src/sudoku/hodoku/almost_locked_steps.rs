//! Steps by almost locked sets: ALS-XZ of two, ALS-XY-Wing of three, and ALS chains of four or more.

use super::{
    almost_locked::{AlmostLocked, Bond, Network},
    pace::Pace,
    search::Search,
    step::{Best, Candidate, Effect, Removal},
};
use crate::sudoku::techniques::geometry::{bits, cells};
use std::collections::BTreeSet;

/// If a digit binds two sets, one of the sets contains all its other digits. So another digit that both sets have can
/// be removed from cells that see all its places in both. If two digits bind the sets, each set contains all its other
/// digits: Almost Locked Set XZ-Rule.
pub(super) fn xz(network: &Network) -> Option<Effect> {
    network.bonds.iter().find_map(|bond| {
        let [first, second] = bond.sets.map(|number| &network.sets[number]);
        let [digit, further] = bond.digits;
        let mut removed: Vec<Candidate> = common(first, second, &[digit]).collect();
        if further != 0 {
            removed.extend(common(first, second, &[further]));
            removed.extend(alone(first, second, bond));
            removed.extend(alone(second, first, bond));
        }
        Effect::remove(removed)
    })
}

/// The candidates that see all places of their digit in both sets, except for the digits `except`.
pub(super) fn common<'a>(
    first: &'a AlmostLocked,
    second: &'a AlmostLocked,
    except: &[usize],
) -> impl Iterator<Item = Candidate> + use<'a> {
    let digits = except.iter().fold(first.digits & second.digits, |digits, &digit| digits & !(1 << digit));
    let is_met = first.seen_any & second.seen_any != 0;
    let digits = if is_met { digits } else { 0 };
    bits(digits).flat_map(|digit| cells(first.seen[digit] & second.seen[digit]).map(move |cell| (cell, digit)))
}

/// The candidates that a set removes if two digits bind it to another set.
fn alone<'a>(set: &'a AlmostLocked, other: &'a AlmostLocked, bond: &Bond) -> impl Iterator<Item = Candidate> + use<'a> {
    let digits = bond.digits.iter().fold(set.digits, |digits, &digit| digits & !(1 << digit));
    bits(digits).flat_map(|digit| cells(set.seen[digit] & !other.cells).map(move |cell| (cell, digit)))
}

/// If different digits bind a set to two others, one of the two contains all its other digits. So another digit that
/// the two have can be removed from cells that see all its places in both: Almost Locked Set XY-Wing.
pub(super) fn xy_wing(search: &Search<'_>) -> Option<Effect> {
    let network = search.almost_locked();
    let bonds_of = bonds_by_set(network);
    network.bonds.iter().enumerate().find_map(|(number, bond)| {
        if search.pace.is_cut(bond.sets.map(|set| bonds_of[set].len()).iter().sum()) {
            return None;
        }
        let mut later = [0, 1].map(|end| {
            let of_set = &bonds_of[bond.sets[end]];
            of_set[of_set.partition_point(|&other| other <= number)..].iter().copied().peekable()
        });
        // The bonds of both sets, merged in the order of their indices.
        std::iter::from_fn(move || {
            let [first, second] = &mut later;
            match (first.peek(), second.peek()) {
                (Some(a), Some(b)) if a > b => second.next(),
                (Some(_), _) => first.next(),
                (None, _) => second.next(),
            }
        })
        .find_map(|other| wing(network, bond, &network.bonds[other]))
    })
}

/// The indices of each set's bonds.
fn bonds_by_set(network: &Network) -> Vec<Vec<usize>> {
    let mut bonds_of = vec![Vec::new(); network.sets.len()];
    for (number, bond) in network.bonds.iter().enumerate() {
        bond.sets.iter().for_each(|&set| bonds_of[set].push(number));
    }
    bonds_of
}

fn wing(network: &Network, bond: &Bond, other: &Bond) -> Option<Effect> {
    if bond.digits[1] == 0 && other.digits[1] == 0 && bond.digits[0] == other.digits[0] {
        return None;
    }
    let shared = bond.sets.iter().position(|set| other.sets.contains(set))?;
    let hub = bond.sets[shared];
    let (first, second) = (bond.sets[1 - shared], other.sets.into_iter().find(|&set| set != hub)?);
    let [first, second] = [first, second].map(|number| &network.sets[number]);
    if first.cells & second.cells != 0 {
        return None;
    }
    let except = [bond.digits[0], bond.digits[1], other.digits[0], other.digits[1]];
    Effect::remove(common(first, second, &except))
}

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
/// contains all its other digits. So another digit that both sets have can be removed from cells that see all its
/// places in both: Almost Locked Set Chain. Like HoDoKu, visits sets in the order of their indices.
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
