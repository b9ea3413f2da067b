//! Unique Rectangle of type 3: two cells of the rectangle form a subset with other cells of their house.

use super::{
    rectangles::Rectangle,
    step::{Candidate, Effect},
};
use crate::sudoku::{
    board::HOUSES,
    techniques::geometry::{Cells, FIRST_BOX, HOMES, HOUSE_CELLS, Mask, bits, cells, one},
};

/// If the two cells with further candidates share a house, one of them takes such a candidate. So together with other
/// cells of the house they may form a naked subset, whose digits can go from the rest of the house: type 3. If the
/// subset also lies in one box, its digits can go from that box too.
pub(super) fn by_subset(rectangle: &Rectangle<'_>) -> Option<Effect> {
    let first = cells(rectangle.extra).next()?;
    let pair: Mask = rectangle.digits.iter().map(|&digit| 1 << digit).sum();
    let shared = HOMES[first].map(|(house, _)| house);
    shared.into_iter().filter(|&house| rectangle.extra & !HOUSE_CELLS[house] == 0).find_map(|house| {
        let position = rectangle.position;
        let open = HOUSE_CELLS[house] & position.empty() & !rectangle.bare & !rectangle.extra;
        let without_pair = cells(open).filter(|&cell| position.of_cell(cell) & pair == 0).map(one).sum();
        extend(rectangle, house, without_pair, rectangle.extras(rectangle.extra), rectangle.extra)
    })
}

/// Tries each further cell in turn. The depth is at most the number of cells in the house.
fn extend(rectangle: &Rectangle<'_>, house: usize, open: Cells, digits: Mask, subset: Cells) -> Option<Effect> {
    cells(open).find_map(|cell| {
        let digits = digits | rectangle.position.of_cell(cell);
        let subset = subset | one(cell);
        let later = open & !(one(cell) | (one(cell) - 1));
        // If a subset of a box lies in one line, the search of that line finds it.
        let is_line = house >= FIRST_BOX && (0..FIRST_BOX).any(|line| subset & !HOUSE_CELLS[line] == 0);
        let is_subset = digits.count_ones() + 1 == subset.count_ones() && !is_line;
        let found = if is_subset { clear(rectangle, house, digits, subset) } else { None };
        found.or_else(|| extend(rectangle, house, later, digits, subset))
    })
}

fn clear(rectangle: &Rectangle<'_>, house: usize, digits: Mask, subset: Cells) -> Option<Effect> {
    let outside = |house: usize| -> Vec<Candidate> {
        let others = HOUSES[house].into_iter().map(usize::from).filter(|&cell| subset & one(cell) == 0);
        let of_cell = |cell| bits(rectangle.position.of_cell(cell) & digits).map(move |digit| (cell, digit));
        others.flat_map(of_cell).collect()
    };
    let removed = outside(house);
    if removed.is_empty() {
        return None;
    }
    let in_box = (FIRST_BOX..27).find(|&block| block != house && subset & !HOUSE_CELLS[block] == 0);
    Effect::remove(removed.into_iter().chain(in_box.into_iter().flat_map(outside)))
}
