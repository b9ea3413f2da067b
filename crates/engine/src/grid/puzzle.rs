//! [`Puzzle`], a puzzle of a grid kind as its text states it.

use super::{cells::Cells, clues::Clues, variant::GridVariant};
use crate::shared::step::Cell;

/// A puzzle, a board of a player, or a solution: what a text states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Puzzle {
    /// The variant that the text names.
    pub(crate) variant: &'static GridVariant,
    /// The digit of each cell, row by row; 0 for an empty cell.
    pub(crate) digits: Vec<u8>,
    /// The region of each cell, numbered from 0 in the order of their first cells. Empty if the variant has boxes.
    pub(crate) regions: Vec<u8>,
    /// The cages, the signs, and the clues beside the grid.
    pub(crate) clues: Clues,
}

impl Puzzle {
    /// A puzzle without such clues.
    pub(crate) fn new(variant: &'static GridVariant, digits: Vec<u8>, regions: Vec<u8>) -> Self {
        Self { variant, digits, regions, clues: Clues::default() }
    }

    pub(crate) fn with(&self, digits: Vec<u8>) -> Self {
        Self { digits, regions: self.regions.clone(), clues: self.clues.clone(), variant: self.variant }
    }

    /// The box or region of each cell, numbered from 0.
    pub(crate) fn areas(&self) -> Vec<u8> {
        self.variant.areas_of(&self.regions)
    }

    /// The number of digits.
    pub(crate) fn givens(&self) -> u16 {
        let givens = self.digits.iter().filter(|digit| **digit != 0).count();
        u16::try_from(givens).expect("a board has at most 256 cells")
    }

    /// The puzzle with its cells moved: the cell `source(c)` moves to the place of `c`.
    pub(crate) fn moved(&self, source: impl Fn(usize) -> usize) -> Self {
        let moved = |values: &[u8]| -> Vec<u8> { (0..values.len()).map(|cell| values[source(cell)]).collect() };
        let regions = renumbered(moved(&self.regions).into_iter());
        let clues = if self.clues.len() == 0 { Clues::default() } else { self.clues.moved(self.variant, &source) };
        Self { variant: self.variant, digits: moved(&self.digits), regions, clues }
    }

    /// The puzzle after each digit d became n + 1 − d, where n is the largest digit.
    pub(crate) fn complemented(&self) -> Self {
        let digits = self.digits.iter().map(|digit| if *digit == 0 { 0 } else { self.variant.digits() + 1 - digit });
        Self { clues: self.clues.complemented(self.variant), ..self.with(digits.collect()) }
    }

    /// The cells whose region or clue on a board differs from that of the puzzle.
    pub(crate) fn clues_differ(&self, board: &Self) -> Vec<Cell> {
        let both = (0..).zip(self.regions.iter().zip(&board.regions));
        let regions: Cells = both.filter(|(_, (region, other))| region != other).map(|(cell, _)| cell).collect();
        regions.or(self.clues.differ(&board.clues, self.variant.size)).list()
    }
}

/// The numbers of regions, renamed from 0 in the order in which they appear.
pub(crate) fn renumbered(regions: impl Iterator<Item = u8>) -> Vec<u8> {
    in_order(regions.map(|region| region + 1)).map(|number| number - 1).collect()
}

/// The numbers, at most 128, renamed from 1 in the order in which they appear; 0 stays 0.
pub(crate) fn in_order(numbers: impl Iterator<Item = u8>) -> impl Iterator<Item = u8> {
    let (mut names, mut count) = ([0; 129], 0);
    numbers.map(move |number| {
        let name = &mut names[usize::from(number)];
        if *name == 0 && number != 0 {
            count += 1;
            *name = count;
        }
        *name
    })
}
