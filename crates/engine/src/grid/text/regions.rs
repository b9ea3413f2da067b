//! Reads the regions of a board: a letter for each cell.

use crate::{
    grid::{
        cells::{Cells, sets_of},
        puzzle::renumbered,
        variant::{Content, GridVariant},
    },
    shared::{
        phrases::counted,
        text::{TextError, malformed},
    },
};

use super::{
    parts::{REGIONS, letters},
    place,
};

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
    let letters = letters(variant, (REGIONS, text), "", "a to z")?;
    let numbers = letters.iter().filter_map(|letter| u8::try_from(*letter).ok()).map(|letter| letter - b'a');
    let regions = renumbered(numbers);
    let sets = sets_of(&regions);
    if sets.len() != size {
        let count = counted(sets.len(), "region");
        return Err(malformed(format!("{REGIONS} has {count}; the puzzle must have exactly {size}")));
    }
    for cells in sets {
        let letter = cells.first().map_or('a', |first| letters[usize::from(first)]);
        check(variant, letter, cells)?;
    }
    Ok(regions)
}

fn check(variant: &GridVariant, letter: char, cells: Cells) -> Result<(), TextError> {
    let (len, size) = (cells.len(), usize::from(variant.size));
    let (is_allowed, allowed) = match variant.content {
        Content::Digits | Content::Halves { .. } => (len == size, format!("exactly {size}")),
        Content::Stars => (len >= 2, "at least 2".to_owned()),
    };
    if !is_allowed {
        let len = counted(len, "cell");
        return Err(malformed(format!("{REGIONS} region {letter} has {len}; it must have {allowed}")));
    }
    let first: Cells = cells.first().into_iter().collect();
    let apart = cells.without(first.connected(cells, variant.size)).first();
    apart.map_or(Ok(()), |cell| {
        let place = place(variant, cell.into());
        Err(malformed(format!("{REGIONS} region {letter} is not connected at {place}; its cells must share sides")))
    })
}
