//! A line of a HoDoKu library: `:code:candidates:puzzle:deleted:…:comment`.

use super::{Found, grid::cell_of};
use crate::{
    shared::text::malformed,
    sudoku::board::{CELLS, Grid},
};

/// The fewest colons of a line.
const COLONS_MIN: usize = 6;

/// Reads a text whose only line begins with a colon and has at least six.
pub(super) fn read(text: &str) -> Found {
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
