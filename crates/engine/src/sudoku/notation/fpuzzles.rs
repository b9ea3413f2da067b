//! Reads and writes addresses of f-puzzles: the puzzle as JSON, compressed by lz-string, in Base64.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::{
    shared::text::{
        TextError, malformed,
        packed::{check_metadata, check_words, digit, is_nothing, lacks, pack, parsed, unpack},
    },
    sudoku::{
        VARIANT,
        board::{CELLS, Grid, box_of, cell_name},
    },
};

/// The beginning of an address, before the compressed puzzle.
const SITE: &str = "https://f-puzzles.com/?load=";

/// The address of a puzzle of a variant with 9 rows, without its solution. `None` if the site cannot state the rule of the variant.
#[must_use]
pub fn write(variant: &str, puzzle: &Grid) -> Option<String> {
    let (_, fields) = STATED.iter().find(|(known, _)| *known == variant)?;
    let rule: Vec<_> = fields.iter().map(|(name, value)| format!(",\"{name}\":{value}")).collect();
    let rule = rule.concat();
    let cell = |&digit: &u8| match digit {
        0 => "{}".to_owned(),
        _ => format!("{{\"value\":{digit},\"given\":true}}"),
    };
    let row = |cells: &[u8]| format!("[{}]", cells.iter().map(cell).collect::<Vec<_>>().join(","));
    let rows: Vec<_> = puzzle.cells().chunks(9).map(row).collect();
    Some(format!("{SITE}{}", pack(&format!("{{\"size\":9,\"grid\":[{}]{rule}}}", rows.join(",")))))
}

/// The name of the site in messages.
const NAME: &str = "f-puzzles";

/// The fields of a puzzle that state no rule. `solution` and the settings of the site's solver do not change the puzzle.
const WITHOUT_RULES: [&str; 5] = ["title", "author", "solution", "disabledlogic", "truecandidatesoptions"];

/// A variant, and the fields that state its rule.
type Stated = (&'static str, Vec<(&'static str, Value)>);

/// The variants that the site can state. The first has no further rule, so it has no fields.
static STATED: LazyLock<[Stated; 3]> = LazyLock::new(|| {
    let window = |(top, left): (usize, usize)| {
        let row = |row: usize| (left..left + 3).map(move |column| format!("R{row}C{column}"));
        json!({ "cells": (top..top + 3).flat_map(row).collect::<Vec<_>>() })
    };
    let windows: Vec<_> = [(2, 2), (2, 6), (6, 2), (6, 6)].map(window).into();
    [
        (VARIANT, Vec::new()),
        ("9x9-x", vec![("diagonal+", json!(true)), ("diagonal-", json!(true))]),
        ("9x9-windoku", vec![("extraregion", json!(windows))]),
    ]
});

/// Whether the site can state the rule of a variant.
pub(super) fn states(variant: &str) -> bool {
    STATED.iter().any(|(known, _)| *known == variant)
}

/// The variant whose rule a puzzle states, with the fields of the rule.
fn stated(puzzle: &Value) -> &'static Stated {
    let is_stated =
        |(_, fields): &&Stated| fields.iter().all(|(name, value)| in_order(&puzzle[*name]) == in_order(value));
    STATED[1..].iter().find(is_stated).unwrap_or(&STATED[0])
}

/// A value with sorted lists and without empty fields, so that equal rules are equal values.
fn in_order(value: &Value) -> Value {
    match value {
        Value::Array(items) => {
            let mut items: Vec<_> = items.iter().map(in_order).collect();
            items.sort_by_cached_key(Value::to_string);
            Value::Array(items)
        }
        Value::Object(fields) => {
            let said = fields.iter().filter(|(_, value)| !is_nothing(value));
            said.map(|(name, value)| (name.clone(), in_order(value))).collect()
        }
        _ => value.clone(),
    }
}

/// Reads the compressed part of an address of an ordinary puzzle.
///
/// # Errors
/// [`TextError::Malformed`] names the fault, such as a field that may state a rule that 9x9 lacks.
pub(super) fn read(packed: &str) -> Result<Grid, TextError> {
    match read_stated(packed)? {
        (VARIANT, grid) => Ok(grid),
        (variant, _) => Err(malformed(format!("{NAME}: the puzzle has the rule of the variant {variant}; use a 9x9"))),
    }
}

/// Reads the compressed part of an address, and the variant whose rule the puzzle states.
///
/// # Errors
/// [`TextError::Malformed`] names the fault, or a rule that no variant has, such as one diagonal alone.
pub(super) fn read_stated(packed: &str) -> Result<(&'static str, Grid), TextError> {
    let puzzle = parsed(NAME, &unpack(NAME, packed)?)?;
    let Some(fields) = puzzle.as_object() else {
        return Err(malformed(format!(
            "{NAME}: the unpacked part is not a puzzle; use an address that the site exported"
        )));
    };
    let (variant, rule) = stated(&puzzle);
    for (name, value) in fields {
        match name.as_str() {
            "grid" => {}
            name if rule.iter().any(|(known, _)| *known == name) => {}
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
    Ok((variant, Grid(digits)))
}

fn read_cell(cell: usize, value: &Value) -> Result<u8, TextError> {
    let at = cell_name(cell);
    for (name, value) in value.as_object().into_iter().flatten() {
        match name.as_str() {
            "value" | "given" | "highlight" => {}
            "region" if value == box_of(cell) => {}
            "region" => {
                return Err(malformed(format!("{NAME}: {at} is in a region that is no box; its kind is jigsaw")));
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
