//! Locked candidates (Pointing and Claiming): all places of a digit in one house lie in another house too.

use super::{position::Position, step::Effect};
use crate::sudoku::techniques::geometry::{FIRST_BOX, HOMES, HOUSE_CELLS, cells};

/// If a box needs a digit in one line, the digit can go from the rest of the line: Locked Candidates Type 1 (Pointing).
pub(super) fn pointing(position: &Position) -> Option<Effect> {
    (FIRST_BOX..27).find_map(|house| locked(position, house, &[0, 1]))
}

/// If a line needs a digit in one box, the digit can go from the rest of the box: Locked Candidates Type 2 (Claiming).
pub(super) fn claiming(position: &Position) -> Option<Effect> {
    (0..FIRST_BOX).find_map(|house| locked(position, house, &[2]))
}

/// `kinds` are the kinds of house that the places may share: 0 row, 1 column, 2 box.
fn locked(position: &Position, house: usize, kinds: &[usize]) -> Option<Effect> {
    (1..10).filter(|&digit| matches!(position.free(house, digit), 2 | 3)).find_map(|digit| {
        let places = position.places(house, digit);
        let first = cells(places).next()?;
        kinds.iter().find_map(|&kind| {
            let into = HOMES[first][kind].0;
            let is_locked = places & !HOUSE_CELLS[into] == 0;
            Effect::remove_digit(digit, if is_locked { position.places(into, digit) & !places } else { 0 })
        })
    })
}
