//! Lines with fields, one of which is a puzzle: a line of a table, and a line `:code:candidates:puzzle:deleted:…:comment` of a HoDoKu
//! library.

use super::{Found, grid::cell_of};
use crate::{
    shared::text::malformed,
    sudoku::board::{CELLS, Grid},
};

/// The signs that may separate fields.
pub(super) const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// Reads a text whose only line has a field of 81 cells. A second field of 81 cells may be its solution.
pub(super) fn read_csv(text: &str) -> Found {
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

/// The fewest colons of a library line.
const COLONS_MIN: usize = 6;

/// Reads a text whose only line begins with a colon and has at least six.
pub(super) fn read_library(text: &str) -> Found {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let Some(line) = lines.next().filter(|line| line.starts_with(':') && line.matches(':').count() >= COLONS_MIN)
    else {
        return Ok(None);
    };
    let refused = |reason: &str| Err(malformed(format!("a library line of HoDoKu {reason}")));
    if lines.next().is_some() {
        return refused("and more lines; the text must have one puzzle");
    }
    let fields: Vec<_> = line.split(':').map(str::trim).collect();
    let (puzzle, deleted) = (fields[3], fields[4]);
    if puzzle.contains('+') {
        return refused("with set digits, which have a + before them; use the line of the puzzle at its start");
    }
    if !deleted.is_empty() {
        return refused("with deleted candidates in field 5; use the line of the puzzle at its start");
    }
    let digits: Option<Vec<_>> = puzzle.chars().map(cell_of).collect();
    match digits.and_then(|digits| digits.try_into().ok()) {
        Some(cells) => Ok(Some(Grid(cells))),
        None => refused(&format!("whose field 4 is not a puzzle; use {CELLS} digits, with . or 0 for an empty cell")),
    }
}
