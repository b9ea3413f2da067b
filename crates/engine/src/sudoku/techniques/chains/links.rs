//! The strong links of a position, computed once for all searches of single chains.

use super::{
    hint::Links,
    nodes::{Cause, Node, Notes, WAYS, other_digit, other_of_two},
};
use crate::sudoku::{
    board::CELLS,
    techniques::geometry::{Cells, HOMES, SEEN, bits, cells, one},
};

/// The cells and houses of a position with exactly two options.
#[derive(Debug, Clone, Copy)]
pub(super) struct TwoWays {
    /// Cells with two digits.
    cells: Cells,
    /// For each digit, the houses with two places.
    houses: [u32; 10],
}

impl TwoWays {
    pub(super) fn of(notes: &Notes) -> Self {
        let cells =
            (0..CELLS).filter(|&cell| notes.of_cell[cell].count_ones() == 2).fold(0, |all, cell| all | one(cell));
        let of_two = |digit| (0..27).map(move |house| u32::from(notes.places(house, digit).count_ones() == 2) << house);
        Self { cells, houses: std::array::from_fn(|digit| of_two(digit).sum()) }
    }

    /// Whether all of these cells and houses already had two options in `before`.
    pub(super) fn are_among(&self, before: &Self) -> bool {
        self.cells & !before.cells == 0 && self.houses.iter().zip(before.houses).all(|(now, before)| now & !before == 0)
    }
}

/// For each candidate, what becomes true if it is ruled out.
#[derive(Debug)]
pub(super) struct StrongLinks {
    /// The links that count.
    pub(super) links: Links,
    /// The partners of each candidate: the cell, then box, row, and column, each partner once.
    partners: Vec<([(Node, Cause); 4], u8)>,
    /// For each digit, the cells in which ruling it out makes something true.
    pub(super) has: [Cells; 10],
}

impl Default for StrongLinks {
    fn default() -> Self {
        Self { links: Links::X, partners: Vec::new(), has: [0; 10] }
    }
}

impl StrongLinks {
    /// Computes the links of a position.
    pub(super) fn lay_out(&mut self, notes: &Notes, links: Links) {
        self.links = links;
        self.has = [0; 10];
        let none = ([(Node::on(0, 1), Cause::None); 4], 0);
        self.partners.resize(Node::CANDIDATES, none);
        for digit in 1..10 {
            for cell in cells(notes.of_digit[digit]) {
                let mut found = none;
                let mut add = |node: Node, cause| {
                    if !found.0[..usize::from(found.1)].iter().any(|&(before, _)| before == node) {
                        found.0[usize::from(found.1)] = (node, cause);
                        found.1 += 1;
                    }
                };
                if links != Links::X
                    && let Some(other) = other_digit(notes.of_cell[cell], digit)
                {
                    add(Node::on(cell, other), Cause::Cell);
                }
                if links != Links::Y {
                    for way in WAYS {
                        if let Some(other) = other_of_two(notes.places(HOMES[cell][way].0, digit), cell) {
                            add(Node::on(other, digit), Cause::house(way));
                        }
                    }
                }
                if found.1 > 0 {
                    self.has[digit] |= one(cell);
                }
                self.partners[Node::on(cell, digit).candidate()] = found;
            }
        }
    }

    /// What becomes true if a candidate is ruled out, and why.
    pub(super) fn partners(&self, node: Node) -> &[(Node, Cause)] {
        let (partners, len) = &self.partners[node.candidate()];
        &partners[..usize::from(*len)]
    }

    /// Whether one candidate rules out the other if it is true.
    pub(super) fn excludes(&self, node: Node, other: Node) -> bool {
        if node.cell() == other.cell() {
            return self.links != Links::X && node.digit() != other.digit();
        }
        node.digit() == other.digit() && SEEN[node.cell()] & one(other.cell()) != 0
    }

    /// The rank of an excluded candidate in the order in which a true one rules out others.
    pub(super) fn turn(node: Node, other: Node) -> (usize, usize) {
        match Cause::between(node.cell(), other.cell()) {
            Cause::House(way) => (1 + WAYS.iter().position(|&at| at == usize::from(way)).unwrap_or(0), other.cell()),
            _ => (0, other.digit()),
        }
    }

    /// The digits of a cell that can start a chain of these links.
    pub(super) fn starts(&self, notes: &Notes, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let digits = notes.of_cell[cell];
        let fits = digits.count_ones() == 2 || digits.count_ones() > 2 && self.links != Links::Y;
        bits(if fits { digits } else { 0 })
    }
}
