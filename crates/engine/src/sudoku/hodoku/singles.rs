//! Full houses and singles, in the order in which they appeared. All full houses and naked singles come before the
//! first hidden single.

use super::{position::Position, step::Effect};
use crate::sudoku::techniques::geometry::HOMES;

/// If a cell is the last empty one of a house, the missing digit goes there: Full House.
pub(super) fn full_house(position: &Position) -> Option<Effect> {
    let is_last = |house: usize, digit: usize| (1..10).all(|other| other == digit || position.free(house, other) == 0);
    let mut open = position.naked.iter().filter(|&(cell, _)| position.value(cell) == 0);
    open.find(|&(cell, digit)| HOMES[cell].iter().any(|&(house, _)| is_last(house, digit))).map(Effect::Place)
}

/// If a cell has one candidate, the cell takes it: Naked Single.
pub(super) fn naked_single(position: &mut Position) -> Option<Effect> {
    while let Some((cell, digit)) = position.naked.pop() {
        if position.value(cell) == 0 {
            return Some(Effect::Place((cell, digit)));
        }
    }
    None
}

/// If a digit has one place in a house, the digit goes there: Hidden Single.
pub(super) fn hidden_single(position: &mut Position) -> Option<Effect> {
    while let Some((cell, digit)) = position.hidden.pop() {
        if position.value(cell) == 0 {
            let is_single = HOMES[cell].iter().any(|&(house, _)| position.free(house, digit) == 1);
            return is_single.then_some(Effect::Place((cell, digit)));
        }
    }
    None
}
