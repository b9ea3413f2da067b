//! Converts puzzles of f-puzzles. The site can state three variants with 9 rows.

use crate::{
    shared::text::{
        TextError,
        fpuzzles::{self, Stated, refused},
    },
    sudoku::{VARIANT, board::Grid},
};

/// Whether the site can state the rule of a variant with 9 rows.
pub(super) fn states(variant: &str) -> bool {
    [VARIANT, "9x9-x", "9x9-windoku"].contains(&variant)
}

/// The address of a puzzle of a variant with 9 rows, without its solution. `None` if the site cannot state the rule of the variant.
#[must_use]
pub fn write(variant: &str, puzzle: &Grid) -> Option<String> {
    states(variant).then(|| fpuzzles::write(variant, 9, puzzle.cells(), &[]))
}

/// Converts an ordinary puzzle.
///
/// # Errors
/// [`TextError::Malformed`] if the puzzle has another size, or states cages, regions, or the rule of another variant.
pub(super) fn ordinary(stated: Stated) -> Result<Grid, TextError> {
    let (variant, grid) = of_9x9(stated)?;
    if variant == VARIANT {
        return Ok(grid);
    }
    Err(refused(&format!("the puzzle has the rule of the variant {variant}; use a 9x9")))
}

/// Converts a puzzle, and names its variant.
///
/// # Errors
/// [`TextError::Malformed`] if the puzzle has another size, or states cages or regions.
pub(super) fn of_9x9(stated: Stated) -> Result<(String, Grid), TextError> {
    stated.check_no_cages()?;
    stated.check_boxes()?;
    let size = stated.size;
    let other_size = |_| refused(&format!("the size is {size}; only 9 is read"));
    Ok((stated.variant, Grid(stated.digits.try_into().map_err(other_size)?)))
}
