//! The structure of a puzzle for programs that draw it: the size of its board, and the groups of cells that its clues are about.

use super::step::Cell;

/// The size of a board. Its cells are numbered row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Rows, from 1.
    pub rows: u16,
    /// Columns, from 1.
    pub columns: u16,
}

/// A group of cells that one clue is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The kind of group.
    pub region_type: RegionType,
    /// The cells of the group in reading order; never empty.
    pub cells: Vec<Cell>,
    /// The number that the clue shows; `None` if it shows no number.
    pub sum: Option<u32>,
    /// The operator that the clue shows; `None` if it shows no operator.
    pub operator: Option<&'static str>,
}

/// The kind of a group of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionType {
    /// Cells in a line, such as those of a Kakuro clue.
    Run,
    /// Cells of any shape with a clue of their own.
    Cage,
    /// Cells of any shape that hold each digit once.
    Region,
    /// Two neighboring cells, with the clue between them.
    Edge,
}
