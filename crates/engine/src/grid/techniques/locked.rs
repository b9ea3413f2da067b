//! A digit whose places in a house are all seen by other cells: Pointing, Claiming, Exclusion, and their direct forms.

use crate::grid::{
    cells::{Cells, Digits, Houses},
    find::{Find, Take, Technique},
    position::Position,
    rules::House,
};

/// If a cell sees all places of a digit in a house, the digit can be removed from the cell, because one of the places
/// holds it. If the house is an area: Pointing; if it is a line: Claiming. `is_wanted` chooses the houses. Finds come
/// first for each other house that has all the places, and then for cells that see the places through several houses.
pub(crate) fn seen_by_all(
    is_wanted: fn(&House) -> bool,
    technique: &Technique,
    position: &Position<'_>,
    take: &mut Take<'_>,
) {
    let rules = position.rules();
    for (house, _) in rules.houses.iter().enumerate().filter(|(_, house)| is_wanted(house)) {
        for digit in position.left(house).iter() {
            let places = position.places_in(house, digit);
            let Some(first) = places.first().filter(|first| places != Cells::only(*first)) else { continue };
            let find = |cover_houses: Houses, removed: Cells| Find {
                cells: places,
                digits: Digits::only(digit),
                houses: Houses::only(house),
                cover_houses,
                removed: vec![(digit, removed)],
                ..Find::of(technique)
            };
            let all = rules.seen_by_all(places).and(position.places(digit));
            let mut rest = all;
            for cover in rules.houses_of[usize::from(first)].iter().filter(|cover| *cover != house) {
                let cells = rules.houses[cover].cells;
                let removed = if places.is_within(cells) { all.and(cells) } else { Cells::NONE };
                rest = rest.without(removed);
                if !removed.is_empty() && take(find(Houses::only(cover), removed)) {
                    return;
                }
            }
            for cell in rest.iter() {
                let cover = places.iter().fold(Houses::NONE, |all, place| all.or(rules.shared(cell, place)));
                if take(find(cover, Cells::only(cell))) {
                    return;
                }
            }
        }
    }
}

/// Like [`seen_by_all`], but only if one other house contains both the places and the cells that see them.
pub(crate) fn seen_in_house(
    is_wanted: fn(&House) -> bool,
    technique: &Technique,
    position: &Position<'_>,
    take: &mut Take<'_>,
) {
    seen_by_all(is_wanted, technique, position, &mut |find| {
        let cover = find.cover_houses;
        cover.0.is_power_of_two() && find.cells.is_within(position.rules().cells_of(cover)) && take(find)
    });
}

/// If a removal of [`seen_by_all`] leaves the digit one place in another house of the same type, the digit goes there:
/// Direct Pointing and Direct Claiming. A person sees this without pencil marks, so only the digit is placed.
pub(crate) fn direct_seen_by_all(
    is_wanted: fn(&House) -> bool,
    technique: &Technique,
    position: &Position<'_>,
    take: &mut Take<'_>,
) {
    let houses = &position.rules().houses;
    seen_by_all(is_wanted, technique, position, &mut |find| {
        let of_find = find.houses.first().zip(find.removed.first());
        let Some((house, &(digit, removed))) = of_find else { return false };
        let is_beside = |other: &usize| *other != house && houses[*other].house_type == houses[house].house_type;
        (0..houses.len()).filter(is_beside).any(|other| {
            let places = position.places_in(other, digit);
            let left = places.without(removed).single().filter(|_| places.meets(removed));
            left.is_some_and(|cell| {
                let houses = find.houses.or(Houses::only(other));
                take(Find { houses, placed: Some((cell, digit)), removed: Vec::new(), ..find.clone() })
            })
        })
    });
}

/// As [`seen_by_all`], for boards on which cells mostly see each other because they touch, not through houses. One find has all cells
/// that see the places: Exclusion.
pub(crate) fn exclusion(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    each_exclusion(technique, position, &mut |_, seen, find| {
        let digit = find.digits.single();
        digit.is_some_and(|digit| take(Find { removed: vec![(digit, seen)], ..find }))
    });
}

/// If an exclusion leaves the digit one place in another house, it goes there: Direct Exclusion. A person sees this without pencil marks,
/// so only the digit is placed.
pub(crate) fn direct_exclusion(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    each_exclusion(technique, position, &mut |house, seen, find| {
        let others = (0..position.rules().houses.len()).filter(|other| *other != house);
        find.digits.single().is_some_and(|digit| {
            others.into_iter().any(|other| {
                let places = position.places_in(other, digit);
                let left = places.without(seen).single().filter(|_| places.meets(seen));
                let houses = find.houses.or(Houses::only(other));
                left.is_some_and(|cell| take(Find { houses, placed: Some((cell, digit)), ..find.clone() }))
            })
        })
    });
}

/// Passes on each house with a digit whose places other cells see, with these cells, until `seen` returns true.
fn each_exclusion(technique: &Technique, position: &Position<'_>, seen: &mut dyn FnMut(usize, Cells, Find) -> bool) {
    let rules = position.rules();
    for house in 0..rules.houses.len() {
        for digit in position.left(house).iter() {
            let cells = position.places_in(house, digit);
            let seeing = rules.seen_by_all(cells).and(position.places(digit));
            let (digits, houses) = (Digits::only(digit), Houses::only(house));
            let find = Find { cells, digits, houses, ..Find::of(technique) };
            if !cells.is_empty() && !seeing.is_empty() && seen(house, seeing, find) {
                return;
            }
        }
    }
}
