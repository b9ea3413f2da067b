//! Turns what a technique found into a step: the data from which its sentence is written.

use super::{refutation::rounds_of, trace::trace};
use crate::{
    grid::{
        cells::{Digits, Houses},
        find::Find,
        position::Position,
        rounds::Failure,
        rules::Rules,
    },
    shared::step::{House, Step},
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
        houses: [houses(rules, first), houses(rules, find.houses.without(first))].concat(),
        cover_houses: houses(rules, find.cover_houses),
        number: find.number,
        placed: find.placed.into_iter().collect(),
        removed,
        ..Step::default()
    };
    let rounds = rounds_of(find);
    if rounds > 0 {
        refute(before, rounds, &mut step);
    }
    step
}

/// For each pincer of a wing, the digit of the pivot that forces it.
fn forcing_digits(before: &Position<'_>, find: &Find) -> Vec<u8> {
    let target: Digits = find.removed.iter().map(|(digit, _)| *digit).collect();
    let forcing = |cell| before.candidates(cell).and(find.digits).without(target).single();
    find.secondary_cells.iter().filter_map(forcing).collect()
}

/// Adds the houses of a refutation, and its contradiction: the last house and the digit that has no place in it, or the cell that has
/// no candidate.
fn refute(before: &Position<'_>, rounds: u8, step: &mut Step) {
    let proof = step.removed.first().and_then(|&candidate| trace(before, candidate, rounds));
    let Some((failure, of_proof)) = proof else { return };
    step.houses = houses(before.rules(), of_proof);
    match failure {
        Failure::Cell(cell) => {
            step.cells.push(cell);
            step.cells.sort_unstable();
            step.cells.dedup();
            step.secondary_cells = vec![cell];
        }
        Failure::House(house, digit) => {
            let last = houses(before.rules(), Houses::only(house));
            step.houses.retain(|house| !last.contains(house));
            step.houses.extend(last);
            step.secondary_digits = vec![digit];
        }
    }
}

fn houses(rules: &Rules, houses: Houses) -> Vec<House> {
    let of_rules = houses.iter().map(|house| &rules.houses[house]);
    of_rules
        .map(|house| House { house_type: house.house_type, number: house.number, cells: Vec::new(), sum: None })
        .collect()
}
