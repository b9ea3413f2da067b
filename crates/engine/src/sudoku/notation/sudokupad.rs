//! Addresses of SudokuPad. The short one, `scf`, has a sign for each given and the empty cells after it: the sign's number is the
//! digit + 10 for each of up to five empty cells. A digit of 0 is an empty cell too.

use crate::sudoku::board::Grid;

/// The beginning of an address, before the name of the form.
const SITE: &str = "https://sudokupad.app/";

/// The name of the short form of classic puzzles.
const SCF: &str = "scf";

/// The signs by their number.
const SIGNS: &[u8; 60] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx";

/// The maximum number of empty cells after the digit of a sign.
const EMPTY_MAX: usize = 5;

/// The address of a puzzle in the short form.
#[must_use]
pub fn write(puzzle: &Grid) -> String {
    let mut address = format!("{SITE}{SCF}");
    let mut rest = &puzzle.cells()[..];
    while let [digit, after @ ..] = rest {
        let empty = after.iter().take(EMPTY_MAX).take_while(|digit| **digit == 0).count();
        address.push(char::from(SIGNS[usize::from(*digit) + 10 * empty]));
        rest = &after[empty..];
    }
    address
}
