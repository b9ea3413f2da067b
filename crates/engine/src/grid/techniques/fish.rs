//! Fish (X-Wing, Swordfish, Jellyfish): some houses of one type in which all places of a digit lie in as many houses of another type.

use super::sets::{chosen_of, small_unions};
use crate::grid::{
    cells::{Digits, Houses},
    find::{Find, Take, Technique},
    position::Position,
    rules::Rules,
};

/// If n base houses of one type have all their places of a digit in n cover houses of another type, the digit can be
/// removed from all other cells of the cover houses, because each base house puts the digit into one of them. Houses of
/// both types cover the board: rows, columns, boxes, or regions.
pub(crate) fn fish(size: usize, technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    let families = families(position.rules());
    let pairs = families.iter().flat_map(|base| families.iter().map(move |cover| [*base, *cover]));
    for families in pairs.filter(|[base, cover]| base != cover) {
        let mut digits = position.rules().digits.iter();
        if digits.any(|digit| fish_of(position, size, families, digit, technique, take)) {
            return;
        }
    }
}

/// The houses of each type that covers the board.
fn families(rules: &Rules) -> Vec<Houses> {
    let mut families: Vec<(_, Houses)> = Vec::new();
    for (index, house) in rules.houses.iter().enumerate().filter(|(_, house)| house.covers_board()) {
        match families.last_mut().filter(|(house_type, _)| *house_type == house.house_type) {
            Some((_, houses)) => *houses = houses.or(Houses::only(index)),
            None => families.push((house.house_type, Houses::only(index))),
        }
    }
    families.into_iter().map(|(_, houses)| houses).collect()
}

/// The fish of one digit with these families of base and cover houses. Returns whether one was taken.
fn fish_of(
    position: &Position<'_>,
    size: usize,
    [base, cover]: [Houses; 2],
    digit: u8,
    technique: &Technique,
    take: &mut Take<'_>,
) -> bool {
    let rules = position.rules();
    let open = base.iter().filter(|house| position.left(*house).contains(digit));
    let crossed = |house: usize| {
        let places = position.places_in(house, digit);
        let houses = places.iter().fold(Houses::NONE, |all, cell| all.or(rules.houses_of[usize::from(cell)]));
        u64::try_from(houses.and(cover).0).expect("the houses that cover a board are the first 48")
    };
    let crossed: Vec<(usize, u64)> = open.map(|house| (house, crossed(house))).collect();
    // With a fish of n base houses, the other houses that lack the digit are a fish in the other direction. If there
    // are fewer than n of them, that fish is smaller, and was found before.
    if crossed.len() < 2 * size {
        return false;
    }
    let few = |(_, mask): &(usize, u64)| (2..=size).contains(&(mask.count_ones() as usize));
    let (houses, masks): (Vec<usize>, Vec<u64>) = crossed.into_iter().filter(few).unzip();
    small_unions(&masks, size, &mut |chosen, union| {
        let base = chosen_of(&houses, chosen).collect::<Houses>();
        let cover = Houses(union.into());
        let (places, in_base) = (position.places(digit), rules.cells_of(base));
        let removed = places.and(rules.cells_of(cover)).without(in_base);
        !removed.is_empty()
            && take(Find {
                cells: places.and(in_base),
                digits: Digits::only(digit),
                houses: base,
                cover_houses: cover,
                removed: vec![(digit, removed)],
                ..Find::of(technique)
            })
    })
}
