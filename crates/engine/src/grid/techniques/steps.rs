//! Turns the find of a technique into a step: the data for its sentence.

use super::{refutation::rounds_of, trace::trace};
use crate::{
    grid::{
        cells::{Cells, Digits, Houses},
        clues::By,
        find::Find,
        position::Position,
        rounds::Failure,
        rules::Rules,
    },
    shared::step::{House, HouseType, Step},
};

/// The step for a find in a position.
pub(crate) fn write(before: &Position<'_>, find: &Find) -> Step {
    let rules = before.rules();
    let removed = find.removed.iter().flat_map(|(digit, cells)| cells.iter().map(|cell| (cell, *digit)));
    let mut removed: Vec<_> = removed.collect();
    // In a direct step, the house of the pattern comes before that of the placed digit.
    let first = find.houses.iter().filter(|house| find.cells.is_within(rules.houses[*house].cells)).collect();
    removed.sort_unstable();
    let mut step = Step {
        technique: find.technique,
        rating: find.rating,
        columns: rules.size.into(),
        cells: find.cells.list(),
        secondary_cells: find.secondary_cells.list(),
        digits: find.digits.iter().collect(),
        secondary_digits: forcing_digits(before, find),
        houses: [houses(rules, first), reasons(rules, find.houses.without(first), find.signs)].concat(),
        cover_houses: houses(rules, find.cover_houses),
        number: find.number,
        placed: find.placed.into_iter().collect(),
        removed,
        ..Step::default()
    };
    if rounds_of(find) > 0 {
        refute(before, &mut step);
    }
    step
}

/// For each pincer of a wing, the digit of the pivot that forces the third digit into the pincer.
fn forcing_digits(before: &Position<'_>, find: &Find) -> Vec<u8> {
    let target: Digits = find.removed.iter().map(|(digit, _)| *digit).collect();
    let forcing = |cell| before.candidates(cell).and(find.digits).without(target).single();
    find.secondary_cells.iter().filter_map(forcing).collect()
}

/// Adds the houses and signs of a refutation, and its contradiction. If a cell has no candidate, it is the secondary cell. If a house has
/// no place for a digit, the house comes last, and the digit is the secondary digit. If another rule is broken, its houses or its sign
/// come last, without a digit.
///
/// The contradiction may take more rounds than when the refutation was found, because the board has changed since. The step states those
/// that it takes now.
fn refute(before: &Position<'_>, step: &mut Step) {
    let proof = step.removed.first().and_then(|&candidate| trace(before, candidate));
    let Some((rounds, failure, of_proof, signs)) = proof else { return };
    step.number = Some(rounds.into());
    step.houses = reasons(before.rules(), of_proof, signs);
    let mut end_with = |last: Vec<House>| {
        step.houses.retain(|house| !last.contains(house));
        step.houses.extend(last);
    };
    match failure {
        Failure::Cell(cell) => {
            step.cells.push(cell);
            step.cells.sort_unstable();
            step.cells.dedup();
            step.secondary_cells = vec![cell];
        }
        Failure::House(house, digit) => {
            end_with(houses(before.rules(), Houses::only(house)));
            step.secondary_digits = vec![digit];
        }
        Failure::Rule(By::House(house)) => end_with(houses(before.rules(), Houses::only(house))),
        Failure::Rule(By::Lines(lines)) => end_with(houses(before.rules(), lines.into_iter().collect())),
        Failure::Rule(By::Sign(sign)) => end_with(vec![edge(before.rules(), sign)]),
    }
}

fn houses(rules: &Rules, houses: Houses) -> Vec<House> {
    houses.iter().map(|house| rules.houses[house].shown()).collect()
}

/// The houses and signs that prove a step.
fn reasons(rules: &Rules, of_step: Houses, signs: Cells) -> Vec<House> {
    let mut reasons = houses(rules, of_step);
    reasons.extend(signs.iter().map(|sign| edge(rules, usize::from(sign))));
    reasons
}

/// A sign as a house.
fn edge(rules: &Rules, sign: usize) -> House {
    let number = rules.houses.iter().filter(|house| house.is_area()).count() + sign;
    let sign = rules.signs[sign];
    House {
        house_type: HouseType::Edge,
        number: u16::try_from(number).expect("a board has at most 256 signs"),
        cells: sign.cells.to_vec(),
        sum: None,
        operator: Some(sign.relation.sign()),
    }
}
