//! A line of a table, in which one field is a puzzle.

use super::{Found, grid::cell_of};
use crate::{
    shared::text::malformed,
    sudoku::board::{CELLS, Grid},
};

/// The signs that may separate fields.
pub(super) const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// Reads a text whose only line has a field of 81 cells. A second field of 81 cells may be its solution.
pub(super) fn read(text: &str) -> Found {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let (Some(line), None) = (lines.next().filter(|line| line.contains(SEPARATORS)), lines.next()) else {
        return Ok(None);
    };
    let fields: Vec<_> = line.split(SEPARATORS).filter_map(puzzle_of).collect();
    match fields[..] {
        [] => Ok(None),
        [puzzle] => Ok(Some(puzzle)),
        [puzzle, other] if completes(&other, &puzzle) => Ok(Some(puzzle)),
        [other, puzzle] if completes(&other, &puzzle) => Ok(Some(puzzle)),
        _ => {
            let len = fields.len();
            Err(malformed(format!(
                "a CSV line with {len} puzzles; one field must be a puzzle, another may be its solution"
            )))
        }
    }
}

/// The puzzle of a field, if the field is one.
pub(super) fn puzzle_of(field: &str) -> Option<Grid> {
    let field = field.trim().trim_matches(['"', '\'']);
    let digits: Option<Vec<_>> = field.chars().take(CELLS + 1).map(cell_of).collect();
    digits?.try_into().ok().map(Grid)
}

/// Whether a grid is complete and has the digits of a puzzle.
fn completes(grid: &Grid, puzzle: &Grid) -> bool {
    grid.cells().iter().zip(puzzle.cells()).all(|(&digit, &given)| digit != 0 && (given == 0 || given == digit))
}
