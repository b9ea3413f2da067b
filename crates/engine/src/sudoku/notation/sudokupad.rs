//! Addresses of SudokuPad. In the short one, `scf`, a character stands for a digit and up to five empty cells after it. Its number is the
//! digit, or 0 for an empty cell, and 10 for each empty cell after it. The long one, `scl` or `ctc`, is JSON, compressed by lz-string.

use serde_json::Value;

use super::zipped;
use crate::{
    shared::{
        names::quoted,
        phrases::counted,
        text::{
            TextError, malformed,
            packed::{SOLUTION, check_field, check_metadata, digit, is_nothing, lacks, parsed, stated_digits, unpack},
        },
    },
    sudoku::board::{CELLS, Grid, HOUSES, cell_name},
};

/// The beginning of an address, before the name of the form.
const SITE: &str = "https://sudokupad.app/";

/// The name of the short form of classic puzzles.
const SCF: &str = "scf";

/// The characters in the order of their numbers.
const CHARACTERS: &[u8; 60] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx";

/// The maximum number of empty cells after the digit of a character.
const EMPTY_MAX: usize = 5;

/// The address of a puzzle in the short form.
#[must_use]
pub fn write(puzzle: &Grid) -> String {
    let mut address = format!("{SITE}{SCF}");
    let mut rest = &puzzle.cells()[..];
    while let [digit, after @ ..] = rest {
        let empty = after.iter().take(EMPTY_MAX).take_while(|digit| **digit == 0).count();
        address.push(char::from(CHARACTERS[usize::from(*digit) + 10 * empty]));
        rest = &after[empty..];
    }
    address
}

/// The name of the site in messages.
const NAME: &str = "SudokuPad";

/// The fields of a puzzle that state no rule.
const WITHOUT_RULES: [&str; 4] = ["id", "cellSize", "cs", "settings"];

/// Reads the identifier of a puzzle in an address, without its escapes.
///
/// # Errors
/// [`TextError::Malformed`] names the fault, and each field that may be a rule which this kind lacks.
pub(super) fn read(id: &str) -> Result<Grid, TextError> {
    if let Some(characters) = id.strip_prefix(SCF) {
        return read_short(characters);
    }
    match packed_in(id) {
        Some(packed) => read_cells(packed),
        None => Err(malformed(format!(
            "{NAME}: {} is a short address that only its site can resolve; copy the givens, or a long \
             address with scf, scl, ctc, or fpuz after the site",
            quoted(id)
        ))),
    }
}

fn read_short(characters: &str) -> Result<Grid, TextError> {
    let mut digits = Vec::with_capacity(CELLS);
    for (at, character) in characters.chars().enumerate() {
        let Some(number) = CHARACTERS.iter().position(|&known| char::from(known) == character) else {
            let at = at + 1;
            return Err(malformed(format!(
                "{NAME}: {character:?} at character {at} of scf is not allowed; use 0-9, A-Z, and a-x"
            )));
        };
        digits.push(u8::try_from(number % 10).unwrap_or_default());
        digits.resize(digits.len() + number / 10, 0);
        if digits.len() > CELLS {
            break;
        }
    }
    let found = digits.len();
    let cells = digits.try_into().map_err(|_| {
        let found = if found > CELLS { format!("more than {CELLS} cells") } else { counted(found, "cell") };
        malformed(format!("{NAME}: the characters of scf stand for {found}; the puzzle must have exactly {CELLS}"))
    })?;
    Ok(Grid(cells))
}

/// The solution that the long address of a puzzle states, as text; empty if it states none.
///
/// # Errors
/// [`TextError::Malformed`] if it is damaged.
pub(super) fn solution(id: &str) -> Result<String, TextError> {
    let Some(packed) = packed_in(id) else { return Ok(String::new()) };
    let puzzle = unpacked(packed)?;
    let cages = ["cages", "ca"].iter().filter_map(|name| puzzle[*name].as_array()).flatten();
    let mut texts = cages.filter_map(|cage| cage.get("value").or_else(|| cage.get("v"))?.as_str()?.split_once(':'));
    let of_cage = texts.find_map(|(word, text)| (word.trim() == SOLUTION).then(|| Value::from(text.trim())));
    stated_digits(NAME, &of_cage.unwrap_or_else(|| puzzle["metadata"][SOLUTION].clone()), CELLS)
}

/// The compressed part of the identifier of a long address.
fn packed_in(id: &str) -> Option<&str> {
    id.strip_prefix("scl").or_else(|| id.strip_prefix("ctc"))
}

/// The JSON of a compressed part.
fn unpacked(packed: &str) -> Result<Value, TextError> {
    let json = unpack(NAME, packed)?;
    parsed(NAME, &json).or_else(|_| parsed(NAME, &zipped::unzip(&json)))
}

/// Reads the compressed part of a long address. Names of fields may be abbreviated.
fn read_cells(packed: &str) -> Result<Grid, TextError> {
    let puzzle = unpacked(packed)?;
    let Some(fields) = puzzle.as_object() else {
        return Err(malformed(format!(
            "{NAME}: the unpacked part is not a puzzle; use an address that the site shares"
        )));
    };
    let mut grid = None;
    let mut has_boxes = false;
    for (name, value) in fields {
        match name.as_str() {
            "cells" | "ce" => grid = Some(read_rows(value)?),
            "regions" | "re" => has_boxes = are_boxes(value),
            "cages" | "ca" => value.as_array().into_iter().flatten().try_for_each(check_cage)?,
            "metadata" => check_metadata(NAME, value)?,
            name if is_nothing(value) || WITHOUT_RULES.contains(&name) => {}
            name => check_field(NAME, name, value)?,
        }
    }
    if !has_boxes {
        return Err(malformed(format!(
            "{NAME}: the regions of the puzzle are not the nine boxes; send the puzzle as a text of the kind jigsaw"
        )));
    }
    grid.ok_or_else(no_rows)
}

fn no_rows() -> TextError {
    malformed(format!("{NAME}: the puzzle does not have 9 rows of 9 cells"))
}

fn read_rows(rows: &Value) -> Result<Grid, TextError> {
    let rows: Vec<_> =
        rows.as_array().into_iter().flatten().map(|row| row.as_array().filter(|row| row.len() == 9)).collect();
    if rows.len() != 9 {
        return Err(no_rows());
    }
    let mut digits = [0; CELLS];
    for (row, cells) in rows.into_iter().enumerate() {
        for (column, value) in cells.ok_or_else(no_rows)?.iter().enumerate() {
            digits[row * 9 + column] = read_cell(row * 9 + column, value)?;
        }
    }
    Ok(Grid(digits))
}

fn read_cell(cell: usize, value: &Value) -> Result<u8, TextError> {
    let mut digit_of_cell = 0;
    for (name, value) in value.as_object().into_iter().flatten().filter(|(_, value)| !is_nothing(value)) {
        let at = cell_name(cell);
        digit_of_cell = match name.as_str() {
            "value" | "v" => digit(value).ok_or_else(|| malformed(format!("{NAME}: {at} has {value}; use 1 to 9")))?,
            // Colors, and the marks of a player.
            "c" | "color" | "highlight" | "pencilMarks" | "pm" | "cornermarks" | "centremarks" => digit_of_cell,
            name => return Err(lacks(NAME, &format!("{name} of {at}"))),
        };
    }
    Ok(digit_of_cell)
}

/// Whether the regions are the nine boxes, in any order.
fn are_boxes(regions: &Value) -> bool {
    let mut boxes: Vec<Vec<usize>> = Vec::new();
    for region in regions.as_array().into_iter().flatten() {
        let cell = |place: &Value| match place.as_array()?.as_slice() {
            [row, column] => Some((place_of(row)?, place_of(column)?)),
            _ => None,
        };
        let cells =
            region.as_array().into_iter().flatten().map(|place| cell(place).map(|(row, column)| row * 9 + column));
        let Some(mut cells) = cells.collect::<Option<Vec<_>>>() else { return false };
        cells.sort_unstable();
        boxes.push(cells);
    }
    boxes.sort();
    let wanted = HOUSES[18..].iter().map(|house| house.map(usize::from).to_vec());
    boxes.into_iter().eq(wanted)
}

fn place_of(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok().filter(|place| *place < 9)
}

/// A cage without cells may state metadata as `word: text`. Every other cage is a rule.
fn check_cage(cage: &Value) -> Result<(), TextError> {
    let of = |names: [&str; 2]| names.iter().find_map(|name| cage.get(name));
    let has_cells = of(["cells", "ce"]).is_some_and(|cells| !is_nothing(cells));
    let text = of(["value", "v"]).and_then(Value::as_str).and_then(|text| text.split_once(':'));
    match text {
        Some((word, text)) if !has_cells => check_field(NAME, word.trim(), &Value::from(text.trim())),
        _ => Err(lacks(NAME, "cages")),
    }
}
