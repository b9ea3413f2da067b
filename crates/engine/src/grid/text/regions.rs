//! Reads and writes the regions of a board: a letter for each cell.

use crate::{
    grid::{
        cells::{Cells, sets_of},
        puzzle::{Puzzle, renumbered},
        variant::{Areas, GridVariant},
    },
    shared::{
        kind::Novelty,
        phrases::counted,
        text::{TextError, malformed},
    },
};

use super::{
    cages::{letters_of, pieces},
    parts::{REGIONS, letters},
    place,
};

/// The first engine version in which the region of a star may have one cell.
const ONE_CELL_SINCE: u32 = 20;

/// The letter of a region that is numbered from 0.
pub(super) fn letter(region: u8) -> char {
    char::from(b'a' + region)
}

/// The region of each cell, numbered from 0 in the order of their first cells.
///
/// # Errors
/// [`TextError::Malformed`] if the number of letters or of regions is wrong, if a region is not connected, or if a
/// region of digits has too few or too many cells.
pub(super) fn parse(variant: &GridVariant, text: &str) -> Result<Vec<u8>, TextError> {
    let size = usize::from(variant.size);
    let letters = letters(variant, (REGIONS, text), "", "a to z")?;
    if variant.areas == Areas::SmallRegions {
        return small(variant, &letters);
    }
    let numbers = letters.iter().filter_map(|letter| u8::try_from(*letter).ok()).map(|letter| letter - b'a');
    let regions = renumbered(numbers);
    let sets = sets_of(&regions);
    let count = sets.len();
    if count != size {
        let surplus = sets.get(size).and_then(|cells| cells.first()).map(usize::from);
        let at = surplus.map(|cell| format!(", the first too many {} at {}", letters[cell], place(variant, cell)));
        let at = at.unwrap_or_default();
        let regions = counted(count, "region");
        return Err(malformed(format!("{REGIONS} has {regions}{at}; the puzzle must have exactly {size}")));
    }
    for cells in sets {
        let letter = cells.first().map_or('a', |first| letters[usize::from(first)]);
        check(variant, letter, cells)?;
    }
    Ok(regions)
}

/// As [`parse`], for small regions. There may be more regions than letters, so cells with equal letters are one region
/// only if they are connected.
fn small(variant: &GridVariant, letters: &[char]) -> Result<Vec<u8>, TextError> {
    let mut regions = vec![0; letters.len()];
    for (number, cells) in (0..).zip(pieces(variant, letters)) {
        let (len, most) = (cells.len(), usize::from(variant.digits()));
        if let Some(first) = cells.first().map(usize::from).filter(|_| len > most) {
            let (letter, at) = (letters[first], place(variant, first));
            return Err(malformed(format!(
                "{REGIONS} region {letter} at {at} has {len} cells; it must have at most {most}, so use different letters \
                 for regions that share a side"
            )));
        }
        cells.iter().for_each(|cell| regions[usize::from(cell)] = number);
    }
    Ok(regions)
}

/// The letter of each cell.
pub(super) fn write(puzzle: &Puzzle) -> String {
    match puzzle.variant.areas {
        Areas::SmallRegions => letters_of(puzzle.variant, sets_of(&puzzle.regions).into_iter()),
        _ => puzzle.regions.iter().map(|region| letter(*region)).collect(),
    }
}

/// The first region of a star with one cell, if there is one.
pub(crate) fn one_cell(puzzle: &Puzzle) -> Option<Novelty> {
    if puzzle.variant.stars() == 0 {
        return None;
    }
    let cell = sets_of(&puzzle.regions).into_iter().find_map(Cells::single)?;
    let region = letter(puzzle.regions[usize::from(cell)]);
    let what = format!("region {region} has one cell, {}", place(puzzle.variant, cell.into()));
    Some(Novelty { since: ONE_CELL_SINCE, what })
}

fn check(variant: &GridVariant, letter: char, cells: Cells) -> Result<(), TextError> {
    let (len, size) = (cells.len(), usize::from(variant.size));
    if variant.stars() == 0 && len != size {
        let at = cells.first().map_or_else(String::new, |cell| format!(" at {}", place(variant, cell.into())));
        let cells = counted(len, "cell");
        return Err(malformed(format!("{REGIONS} region {letter}{at} has {cells}; it must have exactly {size}")));
    }
    let first: Cells = cells.first().into_iter().collect();
    let apart = cells.without(first.connected(cells, variant.size)).first();
    apart.map_or(Ok(()), |cell| {
        let place = place(variant, cell.into());
        Err(malformed(format!("{REGIONS} region {letter} is not connected at {place}; its cells must share sides")))
    })
}
