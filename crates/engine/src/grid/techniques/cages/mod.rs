//! The techniques of sums: the combinations and bounds of a cage, a digit of a cage that leaves its houses, and derived
//! sums.

pub(crate) mod sentences;

use crate::{
    grid::{
        cells::{Digits, Houses},
        clues::{
            Sum,
            combinations::Combinations,
            open_sum::{OPEN_MAX, OpenSum, Removed},
        },
        find::{Find, Take, Technique},
        position::Position,
        rules::Rules,
    },
    shared::step::Cell,
};

/// If only one set of digits has the sum of the open cells of a cage, all other digits can be removed from these cells.
pub(crate) fn single_combination(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    each(position, printed, &mut |sum, rest| {
        let known = sum.cells.iter().map(|cell| position.digit(cell)).filter(|digit| *digit != 0);
        let free = position.rules().digits.without(known.collect());
        let Some(digits) = only_combination(free, rest.cells().len(), rest.total) else { return false };
        let others = position.rules().digits.without(digits);
        let open = rest.cells();
        let removed = others.iter().map(|digit| (digit, position.places(digit).and(open)));
        let removed = removed.filter(|(_, cells)| !cells.is_empty()).collect();
        offer(technique, sum, rest, Find { digits, removed, ..Find::default() }, position, take)
    });
}

/// If a candidate of a cage is too large or too small for the bounds of the other cells, it can be removed.
pub(crate) fn bounds(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    each(position, printed, &mut |sum, rest| {
        let removed = rest.beyond_bounds().unwrap_or_default();
        offer(technique, sum, rest, Find { removed, ..Find::default() }, position, take)
    });
}

/// If no way to fill a cage uses a candidate, it can be removed.
pub(crate) fn combinations(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    each(position, printed, &mut |sum, rest| {
        let removed = rest.unsupported(position.rules()).unwrap_or_default();
        offer(technique, sum, rest, Find { removed, ..Find::default() }, position, take)
    });
}

/// If every way to fill a cage uses a digit, the digit can be removed from each cell that sees all its places in the cage.
pub(crate) fn cage_and_house(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    let rules = position.rules();
    each(position, printed, &mut |sum, rest| {
        rest.needed().iter().any(|digit| {
            let places = position.places(digit).and(sum.cells);
            let seen = rules.seen_by_all(places).and(position.places(digit));
            let shared = places.iter().flat_map(|place| seen.iter().map(move |cell| rules.shared(place, cell)));
            let houses = shared.fold(sum.houses, Houses::or);
            let removed = if seen.is_empty() { Vec::new() } else { vec![(digit, seen)] };
            !removed.is_empty()
                && take(Find {
                    cells: places,
                    digits: Digits::only(digit),
                    houses,
                    number: Some(rest.total),
                    removed,
                    ..Find::of(technique)
                })
        })
    });
}

/// Cells inside or outside a group of houses have a derived sum. If no way to fill them uses a candidate, it can be
/// removed. `houses` decides which numbers of houses are allowed in a group, and `open` which numbers of open cells.
pub(crate) fn derived(
    [houses, open]: [fn(usize) -> bool; 2],
    technique: &Technique,
    position: &Position<'_>,
    take: &mut Take<'_>,
) {
    let is_wanted = |sum: &Sum| {
        let count = sum.cells.and(position.open()).len();
        houses(sum.group) && count <= OPEN_MAX && open(count)
    };
    each(position, is_wanted, &mut |sum, rest| {
        let removed = rest.unsupported(position.rules()).unwrap_or_default();
        let cover_houses = apart(position.rules(), sum, &rest.cells().list());
        offer(technique, sum, rest, Find { cover_houses, removed, ..Find::default() }, position, take)
    });
}

/// The houses that the argument needs besides those of the sum, because they show which cells must differ. For each pair
/// of cells that share houses, but none of the sum's, this is the first house that they share.
fn apart(rules: &Rules, sum: &Sum, cells: &[Cell]) -> Houses {
    let pairs = cells.iter().enumerate().flat_map(|(at, one)| cells[..at].iter().map(move |other| [*one, *other]));
    let shared = pairs.map(|[one, other]| rules.shared(one, other));
    shared.filter(|shared| shared.and(sum.houses) == Houses::NONE).filter_map(Houses::first).collect()
}

fn printed(sum: &Sum) -> bool {
    sum.group == 0
}

/// Calls `seen` with each wanted sum that has open cells, until `seen` returns true.
fn each(position: &Position<'_>, is_wanted: impl Fn(&Sum) -> bool, seen: &mut dyn FnMut(&Sum, &OpenSum) -> bool) {
    let of_rules = position.rules().sums.iter();
    let mut open = of_rules.filter(|sum| is_wanted(sum) && sum.cells.meets(position.open()));
    open.any(|sum| seen(sum, &OpenSum::of(position, sum)));
}

/// Takes what follows from a sum: the digit of its one open cell, or the candidates to remove.
fn offer(
    technique: &Technique,
    sum: &Sum,
    rest: &OpenSum,
    find: Find,
    position: &Position<'_>,
    take: &mut Take<'_>,
) -> bool {
    let digit = u8::try_from(rest.total).ok();
    let fits = |(cell, digit): &(Cell, u8)| position.candidates(*cell).contains(*digit);
    let placed = rest.cells().single().zip(digit).filter(fits);
    let removed: Removed = if placed.is_some() { Vec::new() } else { find.removed };
    (placed.is_some() || !removed.is_empty())
        && take(Find {
            cells: rest.cells(),
            digits: find.digits.or(placed.map_or(Digits::NONE, |(_, digit)| Digits::only(digit))),
            houses: sum.houses,
            cover_houses: find.cover_houses,
            number: Some(rest.total),
            placed,
            removed,
            ..Find::of(technique)
        })
}

/// The set of `count` of these digits that adds up to `total`, if there is exactly one.
fn only_combination(digits: Digits, count: usize, total: i32) -> Option<Digits> {
    let fits = |set: &Digits| set.len() == count && set.without(digits).is_empty();
    let mut fitting = Combinations::of_total(total).iter().filter(fits);
    fitting.next().filter(|_| fitting.next().is_none())
}
