//! The picture of a Sudoku.

use super::board::Grid;
use crate::picture::{Picture, Shown};

/// The picture of a puzzle.
pub(super) fn picture(_puzzle: &Grid, _shown: Shown<'_>) -> Picture {
    Picture { columns: 9, rows: 9, title: "Sudoku 9x9".to_owned(), description: String::new(), marks: Vec::new() }
}
