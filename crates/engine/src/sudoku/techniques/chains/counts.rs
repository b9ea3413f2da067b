//! Counts the places of a digit in all 27 houses at once, packed into one number.

use crate::sudoku::{
    board::CELLS,
    techniques::geometry::{Cells, HOMES, cells},
};

/// Four bits for each house: a number up to nine, or a mark in the highest bit.
pub(super) type Counts = u128;

/// A one for each house of a cell.
pub(super) const IN_HOMES: [Counts; CELLS] = in_homes();

/// A one for each house.
const ONES: Counts = (u128::MAX / 15) >> 20;

/// The number of these places in each house.
pub(super) fn count(places: Cells) -> Counts {
    cells(places).map(|cell| IN_HOMES[cell]).sum()
}

/// Marks the houses with at most one place.
pub(super) const fn few_in(counts: Counts) -> Counts {
    !(counts + 6 * ONES) & (8 * ONES)
}

/// Marks the houses without a place.
pub(super) const fn none_in(counts: Counts) -> Counts {
    few_in(counts) & !(counts << 3)
}

/// Whether a house of a cell is marked.
pub(super) const fn marks_home(marks: Counts, cell: usize) -> bool {
    marks & IN_HOMES[cell] << 3 != 0
}

const fn in_homes() -> [Counts; CELLS] {
    let mut all = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let mut way = 0;
        while way < 3 {
            all[cell] |= 1 << (4 * HOMES[cell][way].0);
            way += 1;
        }
        cell += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn houses_with_one_place_or_none_are_marked() {
        let mark = |house: usize| -> Counts { 8 << (4 * house) };
        let all = count((1 << 81) - 1);
        assert_eq!((all, few_in(all)), (9 * ONES, 0));
        // Row 1 keeps its first cell, row 2 none, row 3 its last two. So box 1 keeps one, and box 2 none.
        let left = count(((1 << 81) - 1) & !0b001_111_111_111_111_111_111_111_110);
        assert_eq!(none_in(left), mark(1) | mark(19));
        assert_eq!(few_in(left), none_in(left) | mark(0) | mark(18));
        let has_few = [0, 17, 18, 26].map(|cell| marks_home(few_in(left), cell));
        assert_eq!(has_few, [true, true, true, false]);
    }
}
