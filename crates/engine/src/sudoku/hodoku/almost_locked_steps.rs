//! Steps by two or three almost locked sets: ALS-XZ and ALS-XY-Wing.

use super::{
    almost_locked::{AlmostLocked, Bond, Network},
    search::Search,
    step::{Candidate, Effect},
};
use crate::sudoku::techniques::geometry::{bits, cells};

/// If a digit binds two sets, one of the sets contains all its other digits. So another digit that both sets have can
/// go from cells that see all its places in both. If two digits bind the sets, each set contains all its other digits:
/// Almost Locked Set XZ-Rule.
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
/// the two have can go from cells that see all its places in both: Almost Locked Set XY-Wing.
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
