//! The elements of chains: statements about a candidate, sets of statements, and the candidates of a position with their numbers
//! in all 27 houses, packed into one number.

use crate::sudoku::{
    board::CELLS,
    techniques::geometry::{Cells, HOMES, HOUSE_CELLS, Mask, cells, one},
};

/// The number of possible node numbers, 32 for each cell, so that shifts extract cell and digit. Not all are used.
pub(super) const NODES: usize = CELLS * 32;

/// The houses of a cell in the order in which chains examine them: box, row, column. Indices into [`HOMES`].
pub(super) const WAYS: [usize; 3] = [2, 0, 1];

/// A statement: a cell has a digit, or does not have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Node(u16);

impl Node {
    /// The statement that the cell has the digit.
    #[expect(clippy::cast_possible_truncation, reason = "numbers of nodes are below 2592")]
    pub(super) const fn on(cell: usize, digit: usize) -> Self {
        Self((cell << 5 | digit << 1 | 1) as u16)
    }

    /// The statement that the cell does not have the digit.
    #[expect(clippy::cast_possible_truncation, reason = "numbers of nodes are below 2592")]
    pub(super) const fn off(cell: usize, digit: usize) -> Self {
        Self((cell << 5 | digit << 1) as u16)
    }

    /// The number of possible candidate numbers.
    pub(super) const CANDIDATES: usize = NODES / 2;

    /// The number of the candidate that the statement is about.
    pub(super) const fn candidate(self) -> usize {
        self.0 as usize / 2
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether the statement says that the cell has the digit.
    pub(super) const fn is_on(self) -> bool {
        self.0 & 1 != 0
    }

    pub(super) const fn cell(self) -> usize {
        self.0 as usize >> 5
    }

    pub(super) const fn digit(self) -> usize {
        self.0 as usize >> 1 & 15
    }

    pub(super) const fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }
}

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

/// The candidates of a position, or those that an assumption leaves. Small enough to copy for every assumption.
#[derive(Debug, Clone, Copy)]
pub(in crate::sudoku::techniques) struct Notes {
    /// For each cell, its candidates. A filled cell has none.
    pub(super) of_cell: [Mask; CELLS],
    /// For each digit, its places.
    pub(super) of_digit: [Cells; 10],
    /// For each digit, the number of its places in each house.
    pub(super) counts: [Counts; 10],
}

impl Notes {
    pub(in crate::sudoku::techniques) fn of(of_cell: [Mask; CELLS], of_digit: [Cells; 10]) -> Self {
        Self { of_cell, of_digit, counts: of_digit.map(count) }
    }

    pub(super) fn remove(&mut self, cell: usize, digit: usize) {
        self.counts[digit] -= IN_HOMES[cell];
        self.of_cell[cell] &= !(1 << digit);
        self.of_digit[digit] &= !one(cell);
    }

    pub(super) fn count(&self) -> u64 {
        self.of_digit.iter().map(|cells| u64::from(cells.count_ones())).sum()
    }

    pub(super) fn places(&self, house: usize, digit: usize) -> Cells {
        self.of_digit[digit] & HOUSE_CELLS[house]
    }
}

/// Why a statement follows: because the cell or the house has no other option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// An assumption, or a pattern.
    None,
    Cell,
    /// The house of this index into [`HOMES`].
    House(u8),
}

impl Cause {
    #[expect(clippy::cast_possible_truncation, reason = "there are three ways")]
    pub(super) const fn house(way: usize) -> Self {
        Self::House(way as u8)
    }

    /// Why one candidate rules out another: by the first that applies of box, row, and column.
    pub(super) fn between(cell: usize, other: usize) -> Self {
        if cell == other {
            return Self::Cell;
        }
        WAYS.into_iter().find(|&way| HOMES[cell][way].0 == HOMES[other][way].0).map_or(Self::None, Self::house)
    }
}

/// If the set has exactly two cells, the other one.
pub(super) fn other_of_two(places: Cells, cell: usize) -> Option<usize> {
    let other = places & !one(cell);
    other.is_power_of_two().then(|| other.trailing_zeros() as usize)
}

/// If the set has exactly two digits, the other one.
pub(super) fn other_digit(digits: Mask, digit: usize) -> Option<usize> {
    let other = digits & !(1 << digit);
    other.is_power_of_two().then(|| other.trailing_zeros() as usize)
}

/// Four bits for each house: a number up to nine, or a mark in the highest bit.
pub(super) type Counts = u128;

/// A one for each house of a cell.
pub(super) const IN_HOMES: [Counts; CELLS] = in_homes();

/// A one for each house.
const ONES: Counts = (u128::MAX / 15) >> 20;

/// The number of these places in each house.
pub(super) fn count(places: Cells) -> Counts {
    cells(places).map(|cell| IN_HOMES[cell]).sum()
}

/// Marks the houses with at most one place.
pub(super) const fn few_in(counts: Counts) -> Counts {
    !(counts + 6 * ONES) & (8 * ONES)
}

/// Marks the houses without a place.
pub(super) const fn none_in(counts: Counts) -> Counts {
    few_in(counts) & !(counts << 3)
}

/// Whether a house of a cell is marked.
pub(super) const fn marks_home(marks: Counts, cell: usize) -> bool {
    marks & IN_HOMES[cell] << 3 != 0
}

const fn in_homes() -> [Counts; CELLS] {
    let mut all = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let mut way = 0;
        while way < 3 {
            all[cell] |= 1 << (4 * HOMES[cell][way].0);
            way += 1;
        }
        cell += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn houses_with_one_place_or_none_are_marked() {
        let mark = |house: usize| -> Counts { 8 << (4 * house) };
        let all = count((1 << 81) - 1);
        assert_eq!((all, few_in(all)), (9 * ONES, 0));
        // Row 1 keeps its first cell, row 2 none, row 3 its last two. So box 1 keeps one, and box 2 none.
        let left = count(((1 << 81) - 1) & !0b001_111_111_111_111_111_111_111_110);
        assert_eq!(none_in(left), mark(1) | mark(19));
        assert_eq!(few_in(left), none_in(left) | mark(0) | mark(18));
        let has_few = [0, 17, 18, 26].map(|cell| marks_home(few_in(left), cell));
        assert_eq!(has_few, [true, true, true, false]);
    }
}
