//! A digit whose places in a house are all seen by other cells: Pointing, Claiming, and their direct forms.

use crate::grid::{
    cells::{Cells, Digits},
    find::{Find, Take, Technique},
    position::Position,
    rules::{House, Houses},
};

/// If a cell sees all places of a digit in a house, the digit can be removed from the cell, because one of the places holds it. With
/// an area that points into a line: Pointing. With a line that claims an area: Claiming. `is_wanted` chooses the house of the places.
pub(crate) fn seen_by_all(
    is_wanted: fn(&House) -> bool,
    technique: &Technique,
    position: &Position<'_>,
    take: &mut Take<'_>,
) {
    each(position, is_wanted, &mut |locked| take(locked.find(technique)));
}

/// The same, only if another house has all the places and the cells.
pub(crate) fn seen_in_house(
    is_wanted: fn(&House) -> bool,
    technique: &Technique,
    position: &Position<'_>,
    take: &mut Take<'_>,
) {
    each(position, is_wanted, &mut |locked| {
        let is_house = locked.cover.0.is_power_of_two();
        is_house && locked.places.is_within(position.rules().cells_of(locked.cover)) && take(locked.find(technique))
    });
}

/// If such a removal leaves one place for the digit in another house of the same type, the digit goes there: Direct Pointing and
/// Direct Claiming. A person sees this without pencil marks, so only the digit is placed.
pub(crate) fn direct_seen_by_all(
    is_wanted: fn(&House) -> bool,
    technique: &Technique,
    position: &Position<'_>,
    take: &mut Take<'_>,
) {
    let houses = &position.rules().houses;
    each(position, is_wanted, &mut |locked| {
        let beside =
            |house: &usize| *house != locked.house && houses[*house].house_type == houses[locked.house].house_type;
        (0..houses.len()).filter(beside).any(|house| {
            let places = position.places_in(house, locked.digit);
            let left = places.without(locked.removed).single();
            let find = left.filter(|_| places.meets(locked.removed)).map(|cell| Find {
                houses: Houses::only(locked.house).or(Houses::only(house)),
                placed: Some((cell, locked.digit)),
                removed: Vec::new(),
                ..locked.find(technique)
            });
            find.is_some_and(&mut *take)
        })
    });
}

/// A digit whose places in a house are all seen by the cells that lose it.
struct Locked {
    house: usize,
    digit: u8,
    places: Cells,
    /// The houses through which the cells see the places.
    cover: Houses,
    removed: Cells,
}

impl Locked {
    fn find(&self, technique: &Technique) -> Find {
        Find {
            cells: self.places,
            digits: Digits::only(self.digit),
            houses: Houses::only(self.house),
            cover_houses: self.cover,
            removed: vec![(self.digit, self.removed)],
            ..Find::of(technique)
        }
    }
}

/// Each use in the wanted houses: first for each house that has all the places, then for the cells that see them in several ways.
fn each(position: &Position<'_>, is_wanted: fn(&House) -> bool, seen: &mut dyn FnMut(&Locked) -> bool) {
    let rules = position.rules();
    for (house, _) in rules.houses.iter().enumerate().filter(|(_, house)| is_wanted(house)) {
        for digit in position.left(house).iter() {
            let places = position.places_in(house, digit);
            let Some(first) = places.first().filter(|first| places != Cells::only(*first)) else { continue };
            let all = rules.seen_by_all(places).and(position.places(digit));
            let mut rest = all;
            for cover in rules.houses_of[usize::from(first)].iter().filter(|cover| *cover != house) {
                let cells = rules.houses[cover].cells;
                let removed = if places.is_within(cells) { all.and(cells) } else { Cells::NONE };
                rest = rest.without(removed);
                let locked = Locked { house, digit, places, cover: Houses::only(cover), removed };
                if !removed.is_empty() && seen(&locked) {
                    return;
                }
            }
            for cell in rest.iter() {
                let cover = places.iter().fold(Houses::NONE, |all, place| all.or(rules.shared(cell, place)));
                if seen(&Locked { house, digit, places, cover, removed: Cells::only(cell) }) {
                    return;
                }
            }
        }
    }
}
