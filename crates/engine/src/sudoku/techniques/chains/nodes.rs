//! What chains are made of: statements about a candidate, sets of them, and the candidates they are about.

use super::{
    super::geometry::{Cells, HOMES, HOUSE_CELLS, Mask, one},
    counts::{Counts, IN_HOMES, count},
};
use crate::sudoku::board::CELLS;

/// Nodes have numbers below this, 32 to a cell, so that shifts tell cell and digit; not all of them are in use.
pub(super) const NODES: usize = CELLS * 32;

/// The ways from a cell to the houses around it, as chains look at them: box, row, column; indices into [`HOMES`].
pub(super) const WAYS: [usize; 3] = [2, 0, 1];

/// A statement: this cell is this digit, or it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in super::super) struct Node(u16);

impl Node {
    /// The cell is the digit.
    #[expect(clippy::cast_possible_truncation, reason = "numbers of nodes are below 2592")]
    pub(in super::super) const fn on(cell: usize, digit: usize) -> Self {
        Self((cell << 5 | digit << 1 | 1) as u16)
    }

    /// The cell is not the digit.
    #[expect(clippy::cast_possible_truncation, reason = "numbers of nodes are below 2592")]
    pub(in super::super) const fn off(cell: usize, digit: usize) -> Self {
        Self((cell << 5 | digit << 1) as u16)
    }

    /// Candidates have numbers below this.
    pub(super) const CANDIDATES: usize = NODES / 2;

    /// The number of the candidate that it is about.
    pub(super) const fn candidate(self) -> usize {
        self.0 as usize / 2
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it says that the cell is the digit.
    pub(in super::super) const fn is_on(self) -> bool {
        self.0 & 1 != 0
    }

    /// The cell.
    pub(in super::super) const fn cell(self) -> usize {
        self.0 as usize >> 5
    }

    /// The digit.
    pub(in super::super) const fn digit(self) -> usize {
        self.0 as usize >> 1 & 15
    }

    /// The contrary statement.
    pub(in super::super) const fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// A set of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeSet([u64; NODES.div_ceil(64)]);

impl NodeSet {
    pub(super) const EMPTY: Self = Self([0; NODES.div_ceil(64)]);

    pub(super) fn insert(&mut self, node: Node) {
        self.0[node.index() / 64] |= 1 << (node.index() % 64);
    }

    pub(super) fn has(&self, node: Node) -> bool {
        self.0[node.index() / 64] & 1 << (node.index() % 64) != 0
    }
}

/// The candidates of a position, or what an assumption has left of them; small enough to copy for every assumption.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Notes {
    /// By cell, its digits; none where a digit is placed.
    pub(in super::super) of_cell: [Mask; CELLS],
    /// By digit, its cells.
    pub(in super::super) of_digit: [Cells; 10],
    /// By digit, how many places the houses have for it.
    pub(super) counts: [Counts; 10],
}

impl Notes {
    pub(in super::super) fn of(of_cell: [Mask; CELLS], of_digit: [Cells; 10]) -> Self {
        Self { of_cell, of_digit, counts: of_digit.map(count) }
    }

    pub(super) fn remove(&mut self, cell: usize, digit: usize) {
        self.counts[digit] -= IN_HOMES[cell];
        self.of_cell[cell] &= !(1 << digit);
        self.of_digit[digit] &= !one(cell);
    }

    /// Number of candidates.
    pub(super) fn count(&self) -> u64 {
        self.of_digit.iter().map(|cells| u64::from(cells.count_ones())).sum()
    }

    /// The places of a digit in a house.
    pub(super) fn places(&self, house: usize, digit: usize) -> Cells {
        self.of_digit[digit] & HOUSE_CELLS[house]
    }
}

/// Why a cell is a digit, or what rules it out: there is nothing else for the cell, or for the house in one of its ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// An assumption, or a pattern.
    None,
    /// The cell.
    Cell,
    /// The house of this index into [`HOMES`].
    House(u8),
}

impl Cause {
    #[expect(clippy::cast_possible_truncation, reason = "there are three ways")]
    pub(super) const fn house(way: usize) -> Self {
        Self::House(way as u8)
    }

    /// What makes one candidate rule out another, box before row before column.
    pub(super) fn between(cell: usize, other: usize) -> Self {
        if cell == other {
            return Self::Cell;
        }
        WAYS.into_iter().find(|&way| HOMES[cell][way].0 == HOMES[other][way].0).map_or(Self::None, Self::house)
    }
}

/// The other of exactly two cells, if these are two.
pub(super) fn other_of_two(places: Cells, cell: usize) -> Option<usize> {
    let other = places & !one(cell);
    other.is_power_of_two().then(|| other.trailing_zeros() as usize)
}

/// The other of exactly two digits, if these are two.
pub(super) fn other_digit(digits: Mask, digit: usize) -> Option<usize> {
    let other = digits & !(1 << digit);
    other.is_power_of_two().then(|| other.trailing_zeros() as usize)
}
