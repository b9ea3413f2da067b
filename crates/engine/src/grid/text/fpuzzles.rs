//! Reads and writes puzzles with cages in the format of f-puzzles: an address, or its JSON.

use serde_json::{Value, json};

use super::cages::cage;
use crate::{
    grid::{
        cells::Cells,
        clues::{Cage, Clues},
        kind::GridKind,
        puzzle::Puzzle,
        variant::{Extra, GridVariant},
    },
    shared::{
        names::quoted,
        step::{Cell, cell_name},
        text::{
            TextError, malformed,
            packed::{check_metadata, digit, is_nothing, pack, parsed, unescaped, unpack},
        },
    },
};

/// The name of the site in messages, and the start of an address.
const NAME: &str = "f-puzzles";
const SITE: &str = "https://f-puzzles.com/?load=";

/// The fields of a puzzle that state no rule, and the two fields of the diagonals.
const WITHOUT_RULES: [&str; 6] = ["title", "author", "solution", "disabledlogic", "truecandidatesoptions", "ruleset"];
const DIAGONALS: [&str; 2] = ["diagonal+", "diagonal-"];

/// The puzzle that an address or JSON states. `None` if the text is neither.
///
/// # Errors
/// [`TextError::Malformed`] if the puzzle states a rule that the variant lacks, or if a cage has no sum or an impossible one, is not
/// connected, or overlaps another. The message names the field, cell, or cage.
pub(super) fn read(kind: &'static GridKind, text: &str) -> Result<Option<Puzzle>, TextError> {
    let text = text.trim();
    let json = match text.split_once("f-puzzles.com/?load=") {
        Some((_, packed)) => unpack(NAME, &unescaped(packed.split('&').next().unwrap_or_default())?)?,
        None if text.starts_with('{') => text.to_owned(),
        None => return Ok(None),
    };
    let stated = parsed(NAME, &json)?;
    let has_diagonals = DIAGONALS.iter().all(|name| stated[*name] == true);
    let has_size = |variant: &&GridVariant| {
        stated["size"] == variant.size && variant.extra.contains(&Extra::Diagonals) == has_diagonals
    };
    let Some(variant) = kind.variants.iter().find(has_size) else {
        let size = &stated["size"];
        return Err(malformed(format!("{NAME}: no variant of {} has the size {size} and these diagonals", kind.name)));
    };
    for (name, value) in stated.as_object().into_iter().flatten() {
        match name.as_str() {
            "size" | "grid" | "killercage" => {}
            name if has_diagonals && DIAGONALS.contains(&name) => {}
            "metadata" => {
                let fields = value.as_object().into_iter().flatten();
                fields.into_iter().try_for_each(|(name, value)| check_metadata(NAME, name, value))?;
            }
            name if is_nothing(value) || WITHOUT_RULES.contains(&name) => {}
            name => return Err(lacks(variant, name)),
        }
    }
    let digits = digits(variant, &stated["grid"])?;
    let cages = stated["killercage"].as_array().into_iter().flatten().map(|stated| read_cage(variant, stated));
    let mut cages = cages.collect::<Result<Vec<_>, _>>()?;
    cages.sort_unstable_by_key(|cage| cage.cells.first());
    let mut seen = Cells::NONE;
    for cage in &cages {
        if let Some(cell) = cage.cells.and(seen).first() {
            return Err(malformed(format!("{NAME}: {} is in two cages; use one", name_of(variant, cell))));
        }
        seen = seen.or(cage.cells);
    }
    if cages.is_empty() {
        return Err(malformed(format!("{NAME}: the puzzle has no cages; a {} must have some", kind.name)));
    }
    Ok(Some(Puzzle { clues: Clues { cages, ..Clues::default() }, ..Puzzle::new(variant, digits, Vec::new()) }))
}

fn lacks(variant: &GridVariant, name: &str) -> TextError {
    let (name, GridVariant { kind, name: of, .. }) = (quoted(name), variant);
    malformed(format!(
        "{NAME}: {name} may state a rule that {kind} {of} lacks; only givens and cages with sums are read"
    ))
}

fn name_of(variant: &GridVariant, cell: Cell) -> String {
    cell_name(cell, variant.size.into())
}

/// The givens.
fn digits(variant: &GridVariant, grid: &Value) -> Result<Vec<u8>, TextError> {
    let size = usize::from(variant.size);
    let rows: Vec<_> = grid.as_array().into_iter().flatten().filter_map(Value::as_array).collect();
    if rows.len() != size || rows.iter().any(|row| row.len() != size) {
        return Err(malformed(format!("{NAME}: the grid does not have {size} rows of {size} cells")));
    }
    let areas = variant.areas_of(&[]);
    let given = |(cell, value): (Cell, &Value)| {
        let at = name_of(variant, cell);
        for (name, value) in value.as_object().into_iter().flatten() {
            let is_box = name == "region" && *value == areas[usize::from(cell)];
            if !["value", "given", "highlight"].contains(&&**name) && !is_box && !is_nothing(value) {
                return Err(lacks(variant, &format!("{name} of {at}")));
            }
        }
        match &value["value"] {
            shown if is_nothing(shown) => Ok(0),
            _ if value["given"] != true => Err(malformed(format!(
                "{NAME}: {at} has a digit that is no given; delete entered digits and export again"
            ))),
            shown => digit(shown)
                .filter(|digit| *digit <= variant.size)
                .ok_or_else(|| malformed(format!("{NAME}: {at} has {shown}; use 1 to {}", variant.size))),
        }
    };
    (0..).zip(rows.into_iter().flatten()).map(given).collect()
}

fn read_cage(variant: &GridVariant, stated: &Value) -> Result<Cage, TextError> {
    let mut cells = Cells::NONE;
    for name in stated["cells"].as_array().into_iter().flatten() {
        let place = || {
            let (row, column) = name.as_str()?.strip_prefix('R')?.split_once('C')?;
            let [row, column] = [row, column].map(|number| number.parse::<Cell>().ok()?.checked_sub(1));
            let [row, column] = [row?, column?];
            (row.max(column) < variant.size.into()).then_some(row * Cell::from(variant.size) + column)
        };
        let cell = place().ok_or_else(|| malformed(format!("{NAME}: {name} is no cell of the board; use R1C1")))?;
        cells.insert(cell);
    }
    let Some(first) = cells.first() else { return Err(malformed(format!("{NAME}: a cage has no cells"))) };
    let sum = match &stated["value"] {
        Value::String(sum) => sum.trim().to_owned(),
        value if is_nothing(value) => String::new(),
        value => value.to_string(),
    };
    let of = format!("{NAME}: the cage at {}", name_of(variant, first));
    if sum.is_empty() {
        return Err(malformed(format!("{of} has no sum; state one")));
    }
    if let Some(apart) = cells.without(Cells::only(first).connected(cells, variant.size)).first() {
        let apart = name_of(variant, apart);
        return Err(malformed(format!("{of} is not connected at {apart}; its cells must share sides")));
    }
    cage(variant, cells, &sum)
}

/// The address of a puzzle, without its solution.
pub(crate) fn write(puzzle: &Puzzle) -> String {
    let variant = puzzle.variant;
    let given = |digit: &u8| if *digit == 0 { json!({}) } else { json!({ "value": digit, "given": true }) };
    let rows = puzzle.digits.chunks(variant.size.into()).map(|row| row.iter().map(given).collect::<Value>());
    let cages = puzzle.clues.cages.iter().map(|cage| {
        let cells = cage.cells.iter().map(|cell| name_of(variant, cell).to_uppercase());
        json!({ "cells": cells.collect::<Value>(), "value": cage.sum.to_string() })
    });
    let mut stated = json!({
        "size": variant.size,
        "grid": rows.collect::<Value>(),
        "killercage": cages.collect::<Value>(),
    });
    if variant.extra.contains(&Extra::Diagonals) {
        for name in DIAGONALS {
            stated[name] = true.into();
        }
    }
    format!("{SITE}{}", pack(&stated.to_string()))
}
