//! Singles: the steps that place a digit without an elimination before them.

use crate::{
    grid::{
        cells::{Cells, Digits, Houses},
        find::{Find, Take, Technique},
        position::Position,
        rules::House,
    },
    shared::step::Cell,
};

/// If a house has one open cell, its last digit goes there, because the house holds every digit: Last Cell.
pub(crate) fn last_cell(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    for (house, of_house) in position.rules().houses.iter().enumerate() {
        if let Some(cell) = position.open().and(of_house.cells).single()
            && let Some(digit) = position.left(house).single()
            && position.candidates(cell).contains(digit)
            && take(single(technique, Houses::only(house), cell, digit))
        {
            return;
        }
    }
}

/// If a digit has one place left in a house, it goes there, because the house holds every digit: Hidden Single. `is_wanted` chooses
/// the houses.
pub(crate) fn hidden_single(
    is_wanted: fn(&House) -> bool,
    technique: &Technique,
    position: &Position<'_>,
    take: &mut Take<'_>,
) {
    for (house, _) in position.rules().houses.iter().enumerate().filter(|(_, house)| is_wanted(house)) {
        for digit in position.left(house).iter() {
            if let Some(cell) = position.places_in(house, digit).single()
                && take(single(technique, Houses::only(house), cell, digit))
            {
                return;
            }
        }
    }
}

/// If a cell has one candidate left, it holds that digit, because its peers exclude all others: Naked Single. For boards whose cells
/// all hold a digit.
pub(crate) fn naked_single(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    let [one, several] = position.cells_with_candidates();
    for cell in one.without(several).iter() {
        if let Some(digit) = position.candidates(cell).single()
            && take(single(technique, Houses::NONE, cell, digit))
        {
            return;
        }
    }
}

fn single(technique: &Technique, houses: Houses, cell: Cell, digit: u8) -> Find {
    let (cells, digits) = (Cells::only(cell), Digits::only(digit));
    Find { cells, digits, houses, placed: Some((cell, digit)), ..Find::of(technique) }
}
