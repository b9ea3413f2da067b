//! A JSON array of 81 cells, or of nine rows of nine. A cell is a number from 0 to 9, null, or a text of one character.

use serde_json::Value;

use super::{Found, grid::cell_of};
use crate::{
    shared::{
        phrases::counted,
        text::{TextError, malformed},
    },
    sudoku::board::{CELLS, Grid, cell_name},
};

/// The maximum length of the text, in bytes.
const BYTES_MAX: usize = 4_096;

/// Reads a text that begins with `[` or `{`. A line such as `[Puzzle]` is no JSON.
pub(super) fn read(text: &str) -> Found {
    let text = text.trim();
    let begins = |open: char| text.strip_prefix(open).map(str::trim_start);
    if begins('{').is_some() {
        return Err(malformed(
            "a JSON object cannot be read as a Sudoku; use an array of 81 numbers or of 9 rows of 9 numbers, or an f-puzzles address"
                .to_owned(),
        ));
    }
    if begins('[').is_none_or(|rest| rest.starts_with(char::is_alphabetic) && !rest.starts_with("null")) {
        return Ok(None);
    }
    if text.len() > BYTES_MAX {
        let len = text.len();
        return Err(malformed(format!("a JSON array of {len} bytes; the maximum is {BYTES_MAX}")));
    }
    let items: Vec<Value> =
        serde_json::from_str(text).map_err(|error| malformed(format!("a JSON array that is damaged: {error}")))?;
    let cells = if items.iter().any(Value::is_array) { of_rows(&items)? } else { items };
    if cells.len() != CELLS {
        let len = counted(cells.len(), "cell");
        return Err(malformed(format!("a JSON array of {len}; the puzzle must have exactly {CELLS}")));
    }
    let mut digits = [0; CELLS];
    for (cell, value) in cells.iter().enumerate() {
        digits[cell] = digit(cell, value)?;
    }
    Ok(Some(Grid(digits)))
}

fn of_rows(rows: &[Value]) -> Result<Vec<Value>, TextError> {
    let wrong = rows.iter().position(|row| row.as_array().is_none_or(|row| row.len() != 9));
    if rows.len() != 9 || wrong.is_some() {
        let at = wrong.map_or_else(|| counted(rows.len(), "row"), |row| format!("row {} is not 9 cells", row + 1));
        return Err(malformed(format!("a JSON array of arrays: {at}; use 9 rows of 9")));
    }
    Ok(rows.iter().filter_map(Value::as_array).flatten().cloned().collect())
}

fn digit(cell: usize, value: &Value) -> Result<u8, TextError> {
    let digit = match value {
        Value::Null => Some(0),
        Value::String(text) => match text.trim().chars().collect::<Vec<_>>()[..] {
            [] => Some(0),
            [character] => cell_of(character),
            _ => None,
        },
        value => value.as_u64().and_then(|digit| u8::try_from(digit).ok()).filter(|digit| *digit <= 9),
    };
    digit.ok_or_else(|| {
        let value: String = value.to_string().chars().take(12).collect();
        malformed(format!("a JSON array: {} is {value}; use 0 to 9", cell_name(cell)))
    })
}
