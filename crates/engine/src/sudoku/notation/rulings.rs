//! The rulings and bars of a drawn board. A ruling is a line between two rows, such as `---+---`. A bar is a character
//! between two cells, such as `|`. Finds the rulings among the lines of a text, and checks that rulings and bars separate
//! boxes.

use super::grid::{Meaning, meaning_of};
use crate::{
    shared::text::{TextError, malformed},
    sudoku::board::CELLS,
};

/// The rows of a text, without the rulings between them.
#[derive(Debug, Default)]
pub(super) struct Rows<'a> {
    /// The lines with cells, and blank lines.
    pub(super) lines: Vec<&'a str>,
    /// For each ruling, the number of lines with cells above it.
    ruled_after: Vec<usize>,
}

/// Leaves out the rulings. A line without digits is a ruling if it has `+`, `=`, `:`, or a box-drawing character such as
/// `─`. A line of empty cells with `--` may be a row or a ruling: it is a ruling if the other lines have 81 cells already.
pub(super) fn rows<'a>(lines: &[&'a str]) -> Rows<'a> {
    let cells = |line: &&str| cells_in(line);
    let others: usize = lines.iter().filter(|line| !is_ruling(line) && !may_be_ruling(line)).map(cells).sum();
    let mut rows = Rows::default();
    let mut with_cells = 0;
    for line in lines {
        if is_ruling(line) || others == CELLS && may_be_ruling(line) {
            rows.ruled_after.push(with_cells);
        } else {
            rows.lines.push(*line);
            with_cells += usize::from(cells_in(line) > 0);
        }
    }
    rows
}

/// The number of cells in a line: of its digits, and of its characters for empty cells.
pub(super) fn cells_in(line: &str) -> usize {
    line.chars().filter(|&character| matches!(meaning_of(character), Meaning::Cell(_))).count()
}

fn is_ruling(line: &str) -> bool {
    let is_of_ruling = |character: char| match meaning_of(character) {
        Meaning::Cell(digit) => digit == 0 && character != '0',
        Meaning::Ruling | Meaning::Bar | Meaning::Separator => true,
        Meaning::Other => false,
    };
    line.chars().any(|character| matches!(meaning_of(character), Meaning::Ruling)) && line.chars().all(is_of_ruling)
}

fn may_be_ruling(line: &str) -> bool {
    let is_empty = |character| matches!(meaning_of(character), Meaning::Cell(0) | Meaning::Bar | Meaning::Separator);
    line.contains("--") && line.chars().all(is_empty)
}

/// Checks that bars separate boxes or all columns, and rulings boxes or all rows. Otherwise the drawing shows regions
/// of another shape. A drawing without 9 rows of 9 cells passes; the reader of its cells refuses it.
pub(super) fn check_boxes(rows: &Rows<'_>) -> Result<(), TextError> {
    let drawn: Vec<_> = rows.lines.iter().filter(|line| cells_in(line) > 0).collect();
    if drawn.len() != 9 || drawn.iter().any(|line| cells_in(line) != 9) {
        return Ok(());
    }
    if let Some(row) = drawn.iter().position(|line| !separates_boxes(&bars_in(line))) {
        let row = row + 1;
        return Err(malformed(format!(
            "the bars in row {row} of the drawing do not separate boxes; only 3x3 boxes are read"
        )));
    }
    if !separates_boxes(&rows.ruled_after) {
        return Err(malformed("the rulings of the drawing do not separate boxes; only 3x3 boxes are read".to_owned()));
    }
    Ok(())
}

/// For each bar of a line, the number of cells before it.
fn bars_in(line: &str) -> Vec<usize> {
    let mut cells = 0;
    let mut bars = Vec::new();
    for character in line.chars() {
        match meaning_of(character) {
            Meaning::Cell(_) => cells += 1,
            Meaning::Bar => bars.push(cells),
            _ => {}
        }
    }
    bars
}

/// Whether bars or rulings after these numbers of cells separate only boxes, or separate all cells.
fn separates_boxes(after: &[usize]) -> bool {
    after.iter().all(|after| after % 3 == 0) || (1..9).all(|cell| after.contains(&cell))
}
