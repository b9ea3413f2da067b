//! The picture of a Kakuro.

use super::board::Puzzle;
use crate::picture::{Picture, Shown};

/// The picture of a puzzle.
pub(super) fn picture(puzzle: &Puzzle, _shown: Shown<'_>) -> Picture {
    let layout = puzzle.layout();
    let [columns, rows] = [layout.width(), layout.height()].map(super::layout::cell_number);
    Picture { columns, rows, title: "Kakuro".to_owned(), description: String::new(), marks: Vec::new() }
}
