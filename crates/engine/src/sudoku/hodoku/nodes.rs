//! The nodes of implications. A node is the statement that a candidate or a group is true, or that it is false. A group is
//! two or three places of a digit in the cells that a box and a line share.

use super::position::Position;
use crate::sudoku::{
    board::CELLS,
    techniques::geometry::{Cells, FIRST_BOX, HOUSE_CELLS, SEEN, cells},
};

/// A statement that a candidate or group is true or false, as a number below [`Nodes::count`].
pub(super) type Node = u16;

/// The number of nodes that are single candidates.
const SINGLES: usize = CELLS * 10 * 2;

/// The node of a single candidate.
#[expect(clippy::cast_possible_truncation, reason = "at most 1,619")]
pub(super) const fn single(cell: usize, digit: usize, is_true: bool) -> Node {
    ((cell * 10 + digit) * 2 + is_true as usize) as Node
}

/// The node of a group.
#[expect(clippy::cast_possible_truncation, reason = "groups are at most 486")]
pub(super) const fn grouped(number: usize, is_true: bool) -> Node {
    (SINGLES + number * 2 + is_true as usize) as Node
}

/// Whether a node states that its candidates are true.
pub(super) const fn is_true(node: Node) -> bool {
    node % 2 == 1
}

/// The cell and the digit of a single candidate's node.
pub(super) fn candidate(node: Node) -> Option<(usize, usize)> {
    let number = usize::from(node) / 2;
    (usize::from(node) < SINGLES).then_some((number / 10, number % 10))
}

/// The places of a digit in the cells that a box and a line share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    pub(super) digit: usize,
    /// The places, two or three.
    pub(super) cells: Cells,
    /// The cells that all places see.
    pub(super) seen: Cells,
    /// The line and the box.
    pub(super) houses: [usize; 2],
}

/// The nodes of a position: those of all single candidates, and those of its groups.
#[derive(Debug)]
pub(super) struct Nodes {
    groups: Vec<Group>,
}

impl Nodes {
    /// The nodes of a position, with or without groups. The groups are in the order of their lines, then digits, then
    /// boxes.
    pub(super) fn of(position: &Position, with_groups: bool) -> Self {
        let lines = if with_groups { 0..FIRST_BOX } else { 0..0 };
        let mut groups = Vec::new();
        for line in lines {
            for digit in 1..10 {
                let places = position.places(line, digit);
                let crossed = (FIRST_BOX..27).filter(|&block| (places & HOUSE_CELLS[block]).count_ones() >= 2);
                groups.extend(crossed.map(|block| {
                    let of_group = places & HOUSE_CELLS[block];
                    let seen = cells(of_group).fold(Cells::MAX, |seen, cell| seen & SEEN[cell]);
                    Group { digit, cells: of_group, seen, houses: [line, block] }
                }));
            }
        }
        Self { groups }
    }

    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    pub(super) fn count(&self) -> usize {
        SINGLES + self.groups.len() * 2
    }

    pub(super) fn digit(&self, node: Node) -> usize {
        candidate(node).map_or_else(|| self.group_of(node).digit, |(_, digit)| digit)
    }

    pub(super) fn cells(&self, node: Node) -> Cells {
        candidate(node).map_or_else(|| self.group_of(node).cells, |(cell, _)| 1 << cell)
    }

    /// The lowest cell of a node. HoDoKu compares cells of a chain by it.
    pub(super) fn first_cell(&self, node: Node) -> usize {
        self.cells(node).trailing_zeros() as usize
    }

    /// The cells that all cells of a node see.
    pub(super) fn seen(&self, node: Node) -> Cells {
        candidate(node).map_or_else(|| self.group_of(node).seen, |(cell, _)| SEEN[cell])
    }

    fn group_of(&self, node: Node) -> &Group {
        &self.groups[(usize::from(node) - SINGLES) / 2]
    }
}
