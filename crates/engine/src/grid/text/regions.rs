//! Reads the regions of a board: a letter for each cell.

use crate::{
    grid::{
        cells::Cells,
        variant::{Content, GridVariant},
    },
    shared::text::{TextError, malformed},
};

use super::parts::REGIONS;

/// The letter of a region that is numbered from 0.
pub(super) fn letter(region: u8) -> char {
    char::from(b'a' + region)
}

/// The region of each cell, numbered from 0 in the order of their first cells.
///
/// # Errors
/// [`TextError::Malformed`] if there is not one letter for each cell and one region for each row, or if a region is too small, too
/// large, or falls apart.
pub(super) fn parse(variant: &GridVariant, text: &str) -> Result<Vec<u8>, TextError> {
    let size = usize::from(variant.size);
    let mut letters: Vec<char> = Vec::new();
    let mut regions = Vec::with_capacity(variant.cells());
    for (at, found) in text.chars().map(|sign| sign.to_ascii_lowercase()).enumerate() {
        if !found.is_ascii_lowercase() {
            let (row, column) = (at / size + 1, at % size + 1);
            return Err(malformed(format!(
                "{REGIONS} row {row}, column {column}: {found:?} is not allowed; use a to z"
            )));
        }
        let known = letters.iter().position(|letter| *letter == found);
        let region = known.unwrap_or_else(|| {
            letters.push(found);
            letters.len() - 1
        });
        regions.push(u8::try_from(region).expect("there are 26 letters"));
    }
    let (len, wanted, count) = (regions.len(), variant.cells(), letters.len());
    if len != wanted {
        return Err(malformed(format!("{REGIONS} has {len} letters; the puzzle must have exactly {wanted}")));
    }
    if count != size {
        return Err(malformed(format!("{REGIONS} has {count} regions; the puzzle must have exactly {size}")));
    }
    for (region, letter) in (0..).zip(letters) {
        let cells = (0..).zip(&regions).filter(|(_, of)| **of == region).map(|(cell, _)| cell).collect();
        check(variant, letter, cells)?;
    }
    Ok(regions)
}

fn check(variant: &GridVariant, letter: char, cells: Cells) -> Result<(), TextError> {
    let (len, size) = (cells.len(), usize::from(variant.size));
    let (is_allowed, allowed) = match variant.content {
        Content::Digits => (len == size, format!("exactly {size}")),
        Content::Stars => (len >= 2, "at least 2".to_owned()),
    };
    if !is_allowed {
        let noun = if len == 1 { "cell" } else { "cells" };
        return Err(malformed(format!("{REGIONS} region {letter} has {len} {noun}; it must have {allowed}")));
    }
    let first: Cells = cells.first().into_iter().collect();
    let apart = cells.without(first.connected(cells, variant.size)).first();
    apart.map_or(Ok(()), |cell| {
        let (row, column) = (usize::from(cell) / size + 1, usize::from(cell) % size + 1);
        Err(malformed(format!(
            "{REGIONS} region {letter} is not connected at row {row}, column {column}; its cells must share sides"
        )))
    })
}
