//! Counts the backtracks of a plain backtracking solver. It is separate from the layer's own solver, because the counts are part of
//! puzzles' records and must not change with it.

use crate::grid::position::Position;

/// Where counting stops, after a few milliseconds of work.
const BACKTRACKS_MAX: u32 = 1_000;

/// The number of digits that the plain solver takes back before it finds its first solution. It knows only which cells exclude each
/// other. It fills the cell with the fewest candidates (of equal cells, the first) with the lowest digit first. If cells may stay empty,
/// it fills the house with the fewest places, the first place first.
pub(super) fn plain_backtracks(start: &Position<'_>) -> u32 {
    let mut backtracks = 0;
    fill(start, &mut backtracks);
    backtracks
}

/// Whether the search ended: with a solution, or at the limit of the count.
fn fill(position: &Position<'_>, backtracks: &mut u32) -> bool {
    let fills = position.rules().fills;
    let choices = if fills { position.narrowest_cell(position.open().iter()) } else { position.narrowest_house() };
    let Some(choices) = choices else { return true };
    for (cell, digit) in choices {
        let mut next = *position;
        next.place(cell, digit);
        if fill(&next, backtracks) {
            return true;
        }
        *backtracks += 1;
        if *backtracks >= BACKTRACKS_MAX {
            return true;
        }
    }
    false
}
