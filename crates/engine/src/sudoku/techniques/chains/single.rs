//! A single chain or cycle: its nodes, their causes, and what it removes.

use super::{
    Ground,
    nodes::{Cause, Node},
};
use crate::sudoku::techniques::geometry::{Cells, SEEN, bits, cells, one};

/// A single chain or cycle.
pub(super) struct Single {
    /// The nodes from the end to the start, each with its cause.
    pub(super) forward: Vec<(Node, Cause)>,
    /// For a cycle, the nodes in the opposite direction.
    pub(super) backward: Vec<(Node, Cause)>,
}

/// The cells that a cycle sees, by digit. In a cycle, either all on-nodes or all off-nodes are true. So if a candidate sees an on-node and
/// an off-node of its digit, it can go.
#[derive(Debug, Default)]
pub(super) struct Span {
    cells: Cells,
    seen_by_on: [Cells; 10],
    seen_by_off: [Cells; 10],
}

impl Span {
    pub(super) fn add(&mut self, node: Node) {
        self.cells |= one(node.cell());
        let seen = if node.is_on() { &mut self.seen_by_on } else { &mut self.seen_by_off };
        seen[node.digit()] |= SEEN[node.cell()];
    }

    pub(super) fn removed(&self, ground: &Ground, digit: usize) -> Cells {
        self.seen_by_on[digit] & self.seen_by_off[digit] & ground.notes.of_digit[digit] & !self.cells
    }
}

impl Single {
    /// All nodes with their causes.
    pub(super) fn causes(&self) -> impl Iterator<Item = &(Node, Cause)> {
        self.forward.iter().chain(&self.backward)
    }

    /// The chains, each from its end to its start.
    pub(super) fn chains(&self) -> Vec<Vec<Node>> {
        let nodes = |chain: &[(Node, Cause)]| chain.iter().map(|&(node, _)| node).collect::<Vec<_>>();
        [&self.forward, &self.backward]
            .into_iter()
            .filter(|chain| !chain.is_empty())
            .map(|chain| nodes(chain))
            .collect()
    }

    /// The candidates that the chain or cycle removes.
    pub(super) fn removed(&self, ground: &Ground) -> Vec<(usize, usize)> {
        let Some(&(end, _)) = self.forward.first() else { return Vec::new() };
        let (cell, digit) = (end.cell(), end.digit());
        if !self.backward.is_empty() {
            let mut span = Span::default();
            self.forward.iter().for_each(|&(node, _)| span.add(node));
            let of_digit = |digit| cells(span.removed(ground, digit)).map(move |cell| (cell, digit));
            let mut removed: Vec<_> = (1..10).flat_map(of_digit).collect();
            removed.sort_unstable();
            return removed;
        }
        if !end.is_on() {
            return vec![(cell, digit)];
        }
        bits(ground.notes.of_cell[cell] & !(1 << digit)).map(|other| (cell, other)).collect()
    }
}
