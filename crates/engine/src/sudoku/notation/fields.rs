//! Lines with fields, one of which is a puzzle: a line of a table, and a line `:code:candidates:puzzle:deleted:…:comment` of a HoDoKu
//! library.

use super::{Found, grid::cell_of};
use crate::{
    shared::text::malformed,
    sudoku::board::{CELLS, Grid},
};

/// The characters that may separate fields.
pub(super) const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// A field with at least this many cells is meant as a puzzle.
const FIELD_MIN: usize = 64;

/// Reads a text whose only line has a field of 81 cells. A second field of 81 cells may be its solution.
pub(super) fn read_csv(text: &str) -> Found {
    let Some((line, fields)) = fields_of(text) else { return Ok(None) };
    match (with_solution(&fields), &fields[..]) {
        (Some((puzzle, _)), _) => Ok(Some(puzzle)),
        (None, []) => refused_field(line),
        (None, [puzzle]) => Ok(Some(*puzzle)),
        (None, _) => {
            let len = fields.len();
            Err(malformed(format!(
                "a CSV line with {len} puzzles; one field must be a puzzle, another may be its solution"
            )))
        }
    }
}

/// The solution in a second field of 81 cells.
pub(super) fn solution(text: &str) -> Option<Grid> {
    let (_, fields) = fields_of(text)?;
    with_solution(&fields).map(|(_, solution)| solution)
}

/// The only line of a text with fields, and its fields of 81 cells.
fn fields_of(text: &str) -> Option<(&str, Vec<Grid>)> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let line = lines.next().filter(|line| line.contains(SEPARATORS))?;
    lines.next().is_none().then(|| (line, line.split(SEPARATORS).filter_map(puzzle_of).collect()))
}

/// The puzzle and the solution among two fields.
fn with_solution(fields: &[Grid]) -> Option<(Grid, Grid)> {
    let [one, other] = fields else { return None };
    [(one, other), (other, one)]
        .into_iter()
        .find(|(puzzle, other)| completes(other, puzzle))
        .map(|(&one, &other)| (one, other))
}

/// Refuses a line in which one field is nearly a puzzle and another has words. Any other line is no table.
fn refused_field(line: &str) -> Found {
    let fields: Vec<_> = line.split(SEPARATORS).map(|field| cells_of(field).map(|cells| cells.len())).collect();
    match fields.iter().flatten().max() {
        Some(&len) if len >= FIELD_MIN && fields.contains(&None) => {
            Err(malformed(format!("a CSV line with a field of {len} cells; the puzzle must have exactly {CELLS}")))
        }
        _ => Ok(None),
    }
}

/// The puzzle of a field, if the field is one.
pub(super) fn puzzle_of(field: &str) -> Option<Grid> {
    cells_of(field)?.try_into().ok().map(Grid)
}

/// The cells of a field, if it has nothing else.
fn cells_of(field: &str) -> Option<Vec<u8>> {
    field.trim().trim_matches(['"', '\'']).chars().map(cell_of).collect()
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
        return refused("with digits that a player set, marked by +; export the puzzle without them");
    }
    if !deleted.is_empty() {
        return refused("with deleted candidates after the puzzle; export the puzzle without them");
    }
    let digits: Option<Vec<_>> = puzzle.chars().map(cell_of).collect();
    match digits.and_then(|digits| digits.try_into().ok()) {
        Some(cells) => Ok(Some(Grid(cells))),
        None => {
            refused(&format!("whose third field is not a puzzle; use {CELLS} digits, with . or 0 for an empty cell"))
        }
    }
}
