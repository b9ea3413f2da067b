//! Addresses of f-puzzles: the puzzle as JSON, compressed by lz-string, in Base64.

use serde_json::Value;

use crate::{
    shared::text::{
        TextError, malformed,
        packed::{check_metadata, check_words, digit, is_nothing, lacks, pack, parsed, unpack},
    },
    sudoku::board::{CELLS, Grid, box_of, cell_name},
};

/// The beginning of an address, before the compressed puzzle.
const SITE: &str = "https://f-puzzles.com/?load=";

/// The address of a puzzle, without its solution.
#[must_use]
pub fn write(puzzle: &Grid) -> String {
    let cell = |&digit: &u8| match digit {
        0 => "{}".to_owned(),
        _ => format!("{{\"value\":{digit},\"given\":true}}"),
    };
    let row = |cells: &[u8]| format!("[{}]", cells.iter().map(cell).collect::<Vec<_>>().join(","));
    let rows: Vec<_> = puzzle.cells().chunks(9).map(row).collect();
    let json = format!("{{\"size\":9,\"grid\":[{}]}}", rows.join(","));
    format!("{SITE}{}", pack(&json))
}

/// The name of the site in messages.
const NAME: &str = "f-puzzles";

/// The fields of a puzzle that state no rule. `solution` and the settings of the site's solver do not change the puzzle.
const WITHOUT_RULES: [&str; 5] = ["title", "author", "solution", "disabledlogic", "truecandidatesoptions"];

/// The fields that say that each digit stands once on a diagonal.
const DIAGONALS: [&str; 2] = ["diagonal+", "diagonal-"];

/// Reads the compressed part of an address of an ordinary puzzle.
///
/// # Errors
/// [`TextError::Malformed`] names the fault, and each field that may be a rule which 9x9 lacks.
pub(super) fn read(packed: &str) -> Result<Grid, TextError> {
    match read_stated(packed)? {
        (grid, false) => Ok(grid),
        (_, true) => Err(malformed(format!("{NAME}: the puzzle has both diagonals; its variant is 9x9-x"))),
    }
}

/// Reads the compressed part of an address, and whether the puzzle has both diagonals.
///
/// # Errors
/// As [`read`]. One diagonal alone is a rule that no variant has.
pub(super) fn read_stated(packed: &str) -> Result<(Grid, bool), TextError> {
    let puzzle = parsed(NAME, &unpack(NAME, packed)?)?;
    let Some(fields) = puzzle.as_object() else {
        return Err(malformed(format!(
            "{NAME}: the unpacked part is not a puzzle; use an address that the site exported"
        )));
    };
    let has_diagonals = DIAGONALS.iter().all(|name| puzzle[name] == true);
    for (name, value) in fields {
        match name.as_str() {
            "grid" => {}
            name if has_diagonals && DIAGONALS.contains(&name) => {}
            "size" if value == 9 => {}
            "killercage" if !is_nothing(value) => {
                return Err(malformed(format!("{NAME}: the puzzle has cages; its kind is killer")));
            }
            "size" => return Err(malformed(format!("{NAME}: the size is {value}; only 9 is read"))),
            "metadata" => {
                let fields = value.as_object().into_iter().flatten();
                fields.into_iter().try_for_each(|(name, value)| check_metadata(NAME, name, value))?;
            }
            "ruleset" => check_words(NAME, value.as_str().unwrap_or_default())?,
            name if is_nothing(value) || WITHOUT_RULES.contains(&name) => {}
            name => return Err(lacks(NAME, name)),
        }
    }
    let rows: Vec<_> = puzzle["grid"].as_array().into_iter().flatten().map(Value::as_array).collect();
    if rows.len() != 9 || rows.iter().any(|row| row.is_none_or(|row| row.len() != 9)) {
        return Err(malformed(format!("{NAME}: the grid does not have 9 rows of 9 cells")));
    }
    let mut digits = [0; CELLS];
    for (cell, value) in rows.into_iter().flatten().flatten().enumerate() {
        digits[cell] = read_cell(cell, value)?;
    }
    Ok((Grid(digits), has_diagonals))
}

fn read_cell(cell: usize, value: &Value) -> Result<u8, TextError> {
    let at = cell_name(cell);
    for (name, value) in value.as_object().into_iter().flatten() {
        match name.as_str() {
            "value" | "given" | "highlight" => {}
            "region" if value == box_of(cell) => {}
            "region" => {
                return Err(malformed(format!("{NAME}: {at} is in a region that is no box; only boxes are read")));
            }
            _ if is_nothing(value) => {}
            name => return Err(lacks(NAME, &format!("{name} of {at}"))),
        }
    }
    let shown = &value["value"];
    if is_nothing(shown) {
        return Ok(0);
    }
    if value["given"] != true {
        return Err(malformed(format!(
            "{NAME}: {at} has a digit that is no given; delete entered digits and export again"
        )));
    }
    digit(shown).ok_or_else(|| malformed(format!("{NAME}: {at} has {shown}; use 1 to 9")))
}
