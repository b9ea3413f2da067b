//! Addresses of puzz.link: `sudoku/9/9/body`. The body lists the cells in reading order: a digit is a given, and `g`–`z` are 1–20
//! empty cells.

use crate::{
    shared::{
        names::quoted,
        phrases::counted,
        text::{TextError, malformed},
    },
    sudoku::board::{CELLS, Grid},
};

/// The beginning of an address on puzz.link, before the body.
const PUZZ_LINK: &str = "https://puzz.link/p?sudoku/9/9/";

/// The names of the kind: that of the player's page, and that of the editor's.
pub(super) const KINDS: [&str; 2] = ["sudoku", "sudoku_edit"];

/// The maximum number of consecutive empty cells that one letter stands for.
const EMPTY_MAX: usize = 20;

/// The address of a puzzle.
#[must_use]
pub fn write(puzzle: &Grid) -> String {
    let mut address = PUZZ_LINK.to_owned();
    for cells in puzzle.cells().chunk_by(|one, other| *one == 0 && *other == 0) {
        if cells[0] == 0 {
            address.extend(cells.chunks(EMPTY_MAX).filter_map(|empty| ('g'..='z').nth(empty.len() - 1)));
        } else {
            address.extend(cells.iter().map(|&digit| char::from(b'0' + digit)));
        }
    }
    address
}

/// The kind of the address as messages show it.
const FORM: &str = "sudoku/9/9/…";

/// Reads the part of an address after `?`, or an address without its site: the kind, then the size, then the body.
///
/// # Errors
/// [`TextError::Malformed`] names the fault, the value, and the limit.
pub(super) fn read(query: &str) -> Result<Grid, TextError> {
    let (kind, rest) = query.split_once('/').unwrap_or((query, ""));
    if !KINDS.contains(&kind) {
        let kind = quoted(kind);
        return Err(malformed(format!("puzz.link: the address is of the kind {kind}; use {FORM}")));
    }
    let rest = rest.strip_prefix("v:/").unwrap_or(rest);
    let mut parts = rest.splitn(3, '/');
    let sides = [parts.next(), parts.next()].map(Option::unwrap_or_default);
    if sides != ["9", "9"] {
        let sides = quoted(&sides.join("/"));
        return Err(malformed(format!("puzz.link: the size {sides} is not allowed; use {FORM}")));
    }
    let mut digits = Vec::with_capacity(CELLS);
    for (at, character) in parts.next().unwrap_or_default().trim_end_matches('/').chars().enumerate() {
        match character {
            '1'..='9' => digits.extend(character.to_digit(10).and_then(|digit| u8::try_from(digit).ok())),
            'g'..='z' => digits.resize(digits.len() + ('g'..=character).count(), 0),
            _ => {
                return Err(malformed(format!(
                    "puzz.link: {character:?} at character {} of the body is not allowed; use 1 to 9 for a given, and g to z for \
                     1 to {EMPTY_MAX} empty cells",
                    at + 1
                )));
            }
        }
        if digits.len() > CELLS {
            break;
        }
    }
    let found = digits.len();
    let cells = digits.try_into().map_err(|_| {
        let found = if found > CELLS { format!("more than {CELLS} cells") } else { counted(found, "cell") };
        malformed(format!("puzz.link: the body stands for {found}; the puzzle must have exactly {CELLS}"))
    })?;
    Ok(Grid(cells))
}
