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
        let Some(digits) = only_combination(position, sum, rest) else { return false };
        let others = position.rules().digits.without(digits);
        let open = rest.cells();
        let removed = others.iter().map(|digit| (digit, position.places(digit).and(open)));
        let removed = removed.filter(|(_, cells)| !cells.is_empty()).collect();
        let cover_houses = lines(position, sum, rest);
        offer(technique, sum, rest, Find { digits, cover_houses, removed, ..Find::default() }, take)
    });
}

/// If a candidate of a cage is too large or too small for the bounds of the other cells, it can be removed.
pub(crate) fn bounds(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    each(position, printed, &mut |sum, rest| {
        let removed = rest.beyond_bounds().unwrap_or_default();
        offer(technique, sum, rest, Find { removed, ..Find::default() }, take)
    });
}

/// If no way to fill a cage uses a candidate, it can be removed.
pub(crate) fn combinations(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    each(position, printed, &mut |sum, rest| {
        let removed = rest.unsupported(position.rules()).unwrap_or_default();
        let cover_houses = lines(position, sum, rest);
        offer(technique, sum, rest, Find { cover_houses, removed, ..Find::default() }, take)
    });
}

/// If every way to fill a cage uses a digit, the digit can be removed from each cell that sees all its places in the cage. If digits may
/// repeat in the cage, the same holds for its cells in a house.
pub(crate) fn cage_and_house(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    let rules = position.rules();
    each(position, printed, &mut |sum, rest| {
        let needed = rest.needed(rules).into_iter();
        let mut needed =
            needed.flat_map(|(cells, digits)| digits.iter().map(move |digit| (cells, digit)).collect::<Vec<_>>());
        needed.any(|(cells, digit)| {
            let places = position.places(digit).and(cells);
            let seen = rules.seen_by_all(places).and(position.places(digit));
            let shared = places.iter().flat_map(|place| seen.iter().map(move |cell| rules.shared(place, cell)));
            let houses = shared.fold(sum.houses, Houses::or);
            let removed = if seen.is_empty() { Vec::new() } else { vec![(digit, seen)] };
            !removed.is_empty()
                && take(Find {
                    cells: places,
                    digits: Digits::only(digit),
                    houses,
                    cover_houses: lines(position, sum, rest),
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
        offer(technique, sum, rest, Find { cover_houses, removed, ..Find::default() }, take)
    });
}

/// The houses that the argument needs besides those of the sum, because they show which cells must differ. For each pair
/// of cells that share houses, but none of the sum's, this is the first house that they share.
fn apart(rules: &Rules, sum: &Sum, cells: &[Cell]) -> Houses {
    let pairs = cells.iter().enumerate().flat_map(|(at, one)| cells[..at].iter().map(move |other| [*one, *other]));
    let shared = pairs.map(|[one, other]| rules.shared(one, other));
    shared.filter(|shared| shared.and(sum.houses) == Houses::NONE).filter_map(Houses::first).collect()
}

/// The lines in which cells of a cage must differ, if digits may repeat in the cage.
fn lines(position: &Position<'_>, sum: &Sum, rest: &OpenSum) -> Houses {
    if sum.differ { Houses::NONE } else { apart(position.rules(), sum, &rest.cells().list()) }
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
fn offer(technique: &Technique, sum: &Sum, rest: &OpenSum, find: Find, take: &mut Take<'_>) -> bool {
    let placed = rest.only_digit();
    let removed: Removed = if placed.is_some() { Vec::new() } else { find.removed };
    (placed.is_some() || !removed.is_empty())
        && take(Find {
            cells: rest.cells(),
            digits: find.digits.or(placed.map_or(Digits::NONE, |(_, digit)| Digits::only(digit))),
            houses: sum.houses,
            cover_houses: find.cover_houses,
            number: Some(placed.map_or(rest.total, |(_, digit)| digit.into())),
            placed,
            removed,
            ..Find::of(technique)
        })
}

/// The set of digits with which the open cells of a cage can be filled, if there is exactly one. The candidates of the cells do not matter.
fn only_combination(position: &Position<'_>, sum: &Sum, rest: &OpenSum) -> Option<Digits> {
    let rules = position.rules();
    if rules.variant.clues.has_repeats() {
        let sets = rest.sets(rules);
        return sets.first().copied().filter(|_| sets.len() == 1);
    }
    let known = sum.cells.iter().map(|cell| position.digit(cell)).filter(|digit| *digit != 0);
    let (free, count) = (rules.digits.without(known.collect()), rest.cells().len());
    let fits = |set: &Digits| set.len() == count && set.without(free).is_empty();
    let mut fitting = Combinations::of_total(rest.total).iter().filter(fits);
    fitting.next().filter(|_| fitting.next().is_none())
}
