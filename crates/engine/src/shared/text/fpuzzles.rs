//! Reads and writes puzzles in the format of f-puzzles: JSON, or an address with the JSON compressed by lz-string and encoded in Base64.

use serde_json::{Value, json};

use super::{
    TextError,
    address::{Address, unescaped},
    malformed,
    packed::{SOLUTION, check_field, check_metadata, digit, is_nothing, lacks, pack, parsed, stated_digits, unpack},
};
use crate::shared::{
    phrases::range,
    step::{Cell, cell_name},
};

/// The host of the site, and its name in messages.
pub(crate) const HOST: &str = "f-puzzles.com";
const NAME: &str = "f-puzzles";

/// The words before the compressed part in an address of SudokuPad.
const IN_SUDOKUPAD: [&str; 2] = ["fpuzzles", "fpuz"];

/// The fields with rules besides rows, columns, and regions.
const DIAGONALS: [&str; 2] = ["diagonal+", "diagonal-"];
const EXTRA_REGIONS: &str = "extraregion";
const CAGES: &str = "killercage";

/// The fields of a cell that are read, or that no solution depends on: its colors, and the marks of a player.
const OF_CELLS: [&str; 9] = [
    "value",
    "given",
    "region",
    "c",
    "cArray",
    "highlight",
    "highlightArray",
    "centerPencilMarks",
    "cornerPencilMarks",
];

/// A puzzle as the format states it.
pub(crate) struct Stated {
    /// The size, with `-x` if both diagonals are set, or with `-windoku` if the four windows are, such as `9x9-x`. A kind may lack this
    /// variant.
    pub(crate) variant: String,
    /// The number of rows, from 1 to 9.
    pub(crate) size: u8,
    /// The digit of each cell, at most the size; 0 for a cell without a given.
    pub(crate) digits: Vec<u8>,
    /// The region of each cell, less than the size. A cell that states none belongs to the box in which the site shows it.
    pub(crate) regions: Vec<u8>,
    /// The cages. They may overlap.
    pub(crate) cages: Vec<StatedCage>,
    /// The digits of the solution as text, `.` for a cell that it leaves open; empty if none is stated.
    pub(crate) solution: String,
}

/// The cells of a cage, in ascending order, and the text in its corner. Both may be empty.
pub(crate) type StatedCage = (Vec<Cell>, String);

/// Reads an address of the site, an address of SudokuPad with the same compressed part, or JSON. `None` if the text is none of these.
///
/// # Errors
/// [`TextError::Malformed`] names the field or the cell that is damaged, or that may state a rule which no kind has.
pub(crate) fn read(text: &str) -> Result<Option<Stated>, TextError> {
    let text = text.trim();
    if text.starts_with('{') {
        return read_json(text).map(Some);
    }
    let address = Address::of(text);
    if let Some(id) = address.of_sudokupad() {
        let id = unescaped(id)?;
        let packed = IN_SUDOKUPAD.iter().find_map(|prefix| id.strip_prefix(prefix));
        return packed.map(read_packed).transpose();
    }
    match address.parameter("load") {
        _ if address.host != HOST => Ok(None),
        Some(packed) => read_packed(&unescaped(packed)?).map(Some),
        None => Err(refused(
            "the address has no load=, so only the site can open it; open it there and export a long address",
        )),
    }
}

/// The solution that a text of the format states, as text. `None` if the text is in another notation, or states none.
pub(crate) fn solution(text: &str) -> Option<String> {
    let stated = read(text).ok().flatten()?;
    Some(stated.solution).filter(|solution| !solution.is_empty())
}

/// Reads the compressed part of an address, without its escapes. For errors, see [`read`].
fn read_packed(packed: &str) -> Result<Stated, TextError> {
    read_json(&unpack(NAME, packed)?)
}

/// The error for a puzzle that is not read. `why` says what is wrong and what is allowed.
pub(crate) fn refused(why: &str) -> TextError {
    malformed(format!("{NAME}: {why}"))
}

fn read_json(json: &str) -> Result<Stated, TextError> {
    let puzzle = parsed(NAME, json)?;
    let (size, cells) = read_grid(&puzzle)?;
    let (mut cages, mut extra, mut solution) = (Vec::new(), Vec::new(), String::new());
    for (name, value) in puzzle.as_object().into_iter().flatten() {
        match (name.as_str(), value) {
            // The last two are settings of the site's solver.
            ("size" | "grid" | "disabledlogic" | "truecandidatesoptions", _) => {}
            ("metadata", _) => check_metadata(NAME, value)?,
            (SOLUTION, _) => solution = stated_digits(NAME, value, usize::from(size) * usize::from(size))?,
            (CAGES, Value::Array(stated)) => cages = read_cages(size, name, stated)?,
            (EXTRA_REGIONS, Value::Array(stated)) => extra = read_cages(size, name, stated)?,
            (name, Value::Bool(_)) if DIAGONALS.contains(&name) => {}
            (name, _) => check_field(NAME, name, value)?,
        }
    }
    extra.sort_unstable();
    let rule = match DIAGONALS.map(|name| puzzle[name] == true) {
        [false, false] if extra.is_empty() => "",
        [true, true] if extra.is_empty() => "-x",
        [false, false] if extra == windows() => "-windoku",
        [one, other] if one != other => return Err(lacks(NAME, DIAGONALS[usize::from(other)])),
        _ => return Err(lacks(NAME, EXTRA_REGIONS)),
    };
    let cells = (0..).zip(cells).zip(boxes(size)).map(|((cell, value), own)| read_cell(size, cell, own, value));
    let (digits, regions) = cells.collect::<Result<_, _>>()?;
    Ok(Stated { variant: format!("{size}x{size}{rule}"), size, digits, regions, cages, solution })
}

/// The number of rows, and the cells row by row. No kind that reads the format has more than 9 rows.
fn read_grid(puzzle: &Value) -> Result<(u8, impl Iterator<Item = &Value>), TextError> {
    let rows = puzzle["grid"].as_array().and_then(|rows| rows.iter().map(Value::as_array).collect());
    let rows: Vec<_> = rows.unwrap_or_default();
    let is_square = rows.iter().all(|row| row.len() == rows.len());
    let is_size = puzzle.get("size").is_none_or(|size| *size == rows.len());
    match u8::try_from(rows.len()) {
        Ok(size @ 1..=9) if is_square && is_size => Ok((size, rows.into_iter().flatten())),
        _ => Err(refused("the grid is not square, or differs from the size; use 1 to 9 rows with as many cells")),
    }
}

/// The digit and the region of a cell. `own` is its box.
fn read_cell(size: u8, cell: Cell, own: u8, value: &Value) -> Result<(u8, u8), TextError> {
    let at = cell_name(cell, size.into());
    let wrong = |what: &str| refused(&format!("{at} {what}"));
    let Some(fields) = value.as_object() else { return Err(wrong("is no object; use {} for an empty cell")) };
    let is_known = |name: &str| OF_CELLS.contains(&name);
    if let Some((name, _)) = fields.iter().find(|(name, value)| !is_known(name) && !is_nothing(value)) {
        return Err(lacks(NAME, &format!("{name} of {at}")));
    }
    let region = value.get("region").map_or(Some(own), |region| region.as_u64()?.try_into().ok());
    let region = region.filter(|region| *region < size);
    let region = region.ok_or_else(|| wrong(&format!("is in no region; use {}", range(0, size - 1))))?;
    let shown = &value["value"];
    if is_nothing(shown) {
        return Ok((0, region));
    }
    if value["given"] != true {
        return Err(wrong("has a digit that is no given; delete entered digits and export again"));
    }
    let digit = digit(shown).filter(|digit| *digit <= size);
    digit.map(|digit| (digit, region)).ok_or_else(|| wrong(&format!("has {shown}; use {}", range(1, size))))
}

/// The cages, or the extra regions, of a field with this name.
fn read_cages(size: u8, name: &str, stated: &[Value]) -> Result<Vec<StatedCage>, TextError> {
    // The last two are colors.
    let is_known = |name: &str| ["cells", "value", "outlineC", "fontC"].contains(&name);
    let cage = |cage: &Value| {
        let mut fields = cage.as_object().into_iter().flatten();
        if let Some((field, _)) = fields.find(|(field, value)| !is_known(field) && !is_nothing(value)) {
            return Err(lacks(NAME, &format!("{field} of {name}")));
        }
        let cells = cage["cells"].as_array().into_iter().flatten().map(|name| cell_of(size, name));
        let mut cells = cells.collect::<Result<Vec<_>, _>>()?;
        cells.sort_unstable();
        let sum = match &cage["value"] {
            Value::String(sum) => sum.trim().to_owned(),
            value if is_nothing(value) => String::new(),
            value => value.to_string(),
        };
        Ok((cells, sum))
    };
    stated.iter().map(cage).collect()
}

fn cell_of(size: u8, name: &Value) -> Result<Cell, TextError> {
    let place = || {
        let (row, column) = name.as_str()?.strip_prefix('R')?.split_once('C')?;
        let [row, column] = [row, column].map(|number| number.parse::<Cell>().ok()?.checked_sub(1));
        let (row, column, size) = (row?, column?, size.into());
        (row.max(column) < size).then_some(row * size + column)
    };
    place().ok_or_else(|| refused(&format!("{name} is no cell of the board; use R1C1")))
}

impl Stated {
    /// Refuses cages, for variants without them.
    pub(crate) fn check_no_cages(&self) -> Result<(), TextError> {
        if self.cages.is_empty() {
            return Ok(());
        }
        Err(refused("the puzzle has cages; use the kind killer"))
    }

    /// Refuses a region that is no box, for variants with boxes.
    pub(crate) fn check_boxes(&self) -> Result<(), TextError> {
        let mut cells = (0..).zip(self.regions.iter().zip(boxes(self.size)));
        let Some((cell, _)) = cells.find(|(_, (region, own))| *region != own) else { return Ok(()) };
        let kind = if self.cages.is_empty() { "use the kind jigsaw" } else { "no kind has cages and such regions" };
        let at = cell_name(cell, self.size.into());
        Err(refused(&format!("{at} is in a region that is no box; {kind}")))
    }
}

/// The address of a puzzle of a variant with boxes, without its solution.
pub(crate) fn write(variant: &str, size: u8, digits: &[u8], cages: &[StatedCage]) -> String {
    let cell = |digit: &u8| match digit {
        0 => "{}".to_owned(),
        _ => format!("{{\"value\":{digit},\"given\":true}}"),
    };
    let row = |cells: &[u8]| format!("[{}]", cells.iter().map(cell).collect::<Vec<_>>().join(","));
    let rows: Vec<_> = digits.chunks(size.into()).map(row).collect();
    let cage = |(cells, sum): &StatedCage| {
        let name = |cell: &Cell| cell_name(*cell, size.into()).to_uppercase();
        let cells: Value = cells.iter().map(name).collect();
        if sum.is_empty() { json!({ "cells": cells }) } else { json!({ "cells": cells, "value": sum }) }
    };
    let list = |name: &str, cages: &[StatedCage]| format!("\"{name}\":{}", cages.iter().map(cage).collect::<Value>());
    let mut fields = vec![format!("\"size\":{size}"), format!("\"grid\":[{}]", rows.join(","))];
    if !cages.is_empty() {
        fields.push(list(CAGES, cages));
    }
    if variant.ends_with("-x") {
        fields.extend(DIAGONALS.map(|name| format!("\"{name}\":true")));
    }
    if variant.ends_with("-windoku") {
        fields.push(list(EXTRA_REGIONS, &windows()));
    }
    format!("https://{HOST}/?load={}", pack(&format!("{{{}}}", fields.join(","))))
}

/// The box of each cell, in which the site shows it.
fn boxes(size: u8) -> Vec<u8> {
    let rows = [3, 2].into_iter().find(|rows| rows * rows <= size && size.is_multiple_of(*rows)).unwrap_or(1);
    let row_of = |row| (0..size).map(move |column| row / rows * rows + column / (size / rows));
    (0..size).flat_map(row_of).collect()
}

/// The windows of 9 rows as extra regions.
fn windows() -> [StatedCage; 4] {
    let window = |first: Cell| (0..9).map(|at| first + at / 3 * 9 + at % 3).collect();
    [10, 14, 46, 50].map(|first| (window(first), String::new()))
}
