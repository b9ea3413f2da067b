//! Converts puzzles of f-puzzles with regions or cages.

use super::{cages::cage, regions};
use crate::{
    grid::{
        cells::Cells,
        clues::{Cage, Clues},
        puzzle::Puzzle,
        variant::{Areas, GridVariant},
    },
    shared::{
        step::cell_name,
        text::{
            TextError,
            fpuzzles::{self, Stated, StatedCage, refused},
        },
    },
};

/// Converts a puzzle of f-puzzles to a puzzle of this variant.
///
/// # Errors
/// [`TextError::Malformed`] if the puzzle states regions or cages that the variant lacks, or if a cage has no sum or an impossible one, is
/// not connected, or overlaps another. The message names the cell or the cage.
pub(super) fn read(variant: &'static GridVariant, stated: Stated) -> Result<Puzzle, TextError> {
    let letters: String = stated.regions.iter().map(|region| regions::letter(*region)).collect();
    let regions = match variant.areas {
        Areas::Regions => regions::parse(variant, &letters)?,
        Areas::Boxes { .. } | Areas::SmallRegions | Areas::None => stated.check_boxes().map(|()| Vec::new())?,
    };
    let cages = if variant.clues.form().is_in_fpuzzles {
        read_cages(variant, &stated.cages)?
    } else {
        stated.check_no_cages().map(|()| Vec::new())?
    };
    Ok(Puzzle { clues: Clues { cages, ..Clues::default() }, ..Puzzle::new(variant, stated.digits, regions) })
}

fn read_cages(variant: &GridVariant, stated: &[StatedCage]) -> Result<Vec<Cage>, TextError> {
    if stated.is_empty() {
        return Err(refused(&format!("the puzzle has no cages; a {} must have some", variant.kind)));
    }
    let mut cages = stated.iter().map(|stated| read_cage(variant, stated)).collect::<Result<Vec<_>, _>>()?;
    cages.sort_unstable_by_key(|cage| cage.cells.first());
    let mut seen = Cells::NONE;
    for cage in &cages {
        if let Some(cell) = cage.cells.and(seen).first() {
            let at = cell_name(cell, variant.size.into());
            return Err(refused(&format!("{at} is in two cages; remove it from one")));
        }
        seen = seen.or(cage.cells);
    }
    Ok(cages)
}

fn read_cage(variant: &GridVariant, (cells, sum): &StatedCage) -> Result<Cage, TextError> {
    let cells: Cells = cells.iter().copied().collect();
    let Some(first) = cells.first() else { return Err(refused("a cage has no cells; delete it")) };
    let wrong = |what: &str| refused(&format!("the cage at {} {what}", cell_name(first, variant.size.into())));
    if sum.is_empty() {
        return Err(wrong("has no sum; add one"));
    }
    if let Some(apart) = cells.without(Cells::only(first).connected(cells, variant.size)).first() {
        let apart = cell_name(apart, variant.size.into());
        return Err(wrong(&format!("is not connected at {apart}; its cells must share sides")));
    }
    cage(variant, cells, sum)
}

/// The address of a puzzle with boxes, without its solution.
pub(crate) fn write(puzzle: &Puzzle) -> String {
    let GridVariant { name, size, .. } = puzzle.variant;
    let cages: Vec<_> = puzzle.clues.cages.iter().map(|cage| (cage.cells.list(), cage.number.to_string())).collect();
    fpuzzles::write(name, *size, &puzzle.digits, &cages)
}
