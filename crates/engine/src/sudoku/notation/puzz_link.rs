//! Addresses of puzz.link: `sudoku/9/9/body`. The body lists the cells in reading order: a digit is a given, and `g`–`z` are 1–20
//! empty cells.

use crate::sudoku::board::Grid;

/// The beginning of an address on puzz.link, before the body.
const PUZZ_LINK: &str = "https://puzz.link/p?sudoku/9/9/";

/// The maximum number of consecutive empty cells that one letter stands for.
const EMPTY_MAX: usize = 20;

/// The address of a puzzle.
#[must_use]
pub fn write(puzzle: &Grid) -> String {
    let mut address = PUZZ_LINK.to_owned();
    for cells in puzzle.cells().chunk_by(|one, other| *one == 0 && *other == 0) {
        if cells[0] == 0 {
            address.extend(cells.chunks(EMPTY_MAX).filter_map(|empty| ('g'..='z').nth(empty.len() - 1)));
        } else {
            address.extend(cells.iter().map(|&digit| char::from(b'0' + digit)));
        }
    }
    address
}
