//! Avoidable Rectangles: if four solved cells that are not givens contained two digits crosswise, exchanging the digits
//! would give a second solution.

use super::{
    position::Position,
    rectangles::{Seen, corners},
    step::Effect,
};
use crate::sudoku::techniques::geometry::{SEEN, bits, cells, one};

/// If three solved cells of a rectangle contain two digits crosswise, the fourth cannot complete them: type 1.
pub(super) fn avoidable_1(position: &Position) -> Option<Effect> {
    rectangle(position, true)
}

/// If two cells of a rectangle are solved, and each of the other two could complete them or contain one further digit,
/// one of them contains that digit. It can go from cells that see both: type 2.
pub(super) fn avoidable_2(position: &Position) -> Option<Effect> {
    rectangle(position, false)
}

fn rectangle(position: &Position, one_open: bool) -> Option<Effect> {
    let found = position.found();
    let mut seen = Seen::default();
    cells(found).find_map(|corner| {
        let first = position.value(corner);
        corners(corner, |adjacent, far, far_adjacent| {
            let second = position.value(adjacent);
            let is_found = |cell: usize, digit: usize| found & one(cell) != 0 && position.value(cell) == digit;
            let is_open =
                |cell: usize, digit: usize| position.has(cell, digit) && position.of_cell(cell).count_ones() == 2;
            let holds = |cell, digit| is_found(cell, digit) || is_open(cell, digit);
            let fits = found & one(adjacent) != 0 && holds(far, second) && holds(far_adjacent, first);
            let both_found = is_found(far, second) && is_found(far_adjacent, first);
            if !fits || both_found || !seen.is_new([corner, adjacent, far, far_adjacent]) {
                return None;
            }
            match (is_found(far, second), is_found(far_adjacent, first)) {
                (true, false) if one_open => Some(Effect::Remove(vec![(far_adjacent, first)])),
                (false, true) if one_open => Some(Effect::Remove(vec![(far, second)])),
                (false, false) if !one_open => {
                    let further = bits(position.of_cell(far)).find(|&digit| digit != second)?;
                    let seen = position.of_digit(further) & SEEN[far] & SEEN[far_adjacent];
                    Effect::remove_digit(further, if position.has(far_adjacent, further) { seen } else { 0 })
                }
                _ => None,
            }
        })
    })
}
