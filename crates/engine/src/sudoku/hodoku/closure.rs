//! Computes all consequences of each candidate node over any number of links, as sets. This is fast, but does not yield the
//! chains.

use super::nodes::{Node, candidate, is_true};
use crate::sudoku::techniques::geometry::{Cells, one};

/// All candidates that follow from one node, by digit.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Consequences {
    /// The candidates that are true.
    pub(super) on: [Cells; 10],
    /// The candidates that are false.
    pub(super) off: [Cells; 10],
}

/// The direct implications of each node, as sets.
pub(super) struct Closure {
    /// The number of words in a set.
    width: usize,
    rows: Vec<u64>,
    reached: Vec<u64>,
    followed: usize,
    open: Vec<Node>,
}

impl Closure {
    /// Prepares a closure without links between this many nodes.
    pub(super) fn new(count: usize) -> Self {
        let width = count.div_ceil(64);
        Self { width, rows: vec![0; width * count], reached: vec![0; width], followed: 0, open: Vec::new() }
    }

    pub(super) fn link(&mut self, from: Node, to: Node) {
        self.rows[usize::from(from) * self.width + usize::from(to) / 64] |= 1 << (to % 64);
    }

    /// All nodes that follow from a node, including itself.
    pub(super) fn follow(&mut self, start: Node) -> Consequences {
        let mut all = Consequences::default();
        self.followed = 0;
        self.reached.fill(0);
        self.reached[usize::from(start) / 64] |= 1 << (start % 64);
        self.open.push(start);
        while let Some(node) = self.open.pop() {
            self.followed += 1;
            if let Some((cell, digit)) = candidate(node) {
                let side = if is_true(node) { &mut all.on } else { &mut all.off };
                side[digit] |= one(cell);
            }
            let row = &self.rows[usize::from(node) * self.width..][..self.width];
            for (word, (reached, &links)) in (0..).zip(self.reached.iter_mut().zip(row)) {
                let mut new = links & !*reached;
                *reached |= new;
                while new != 0 {
                    self.open.push(word * 64 + numbered(new.trailing_zeros()));
                    new &= new - 1;
                }
            }
        }
        all
    }

    /// The number of nodes that the last call of [`Self::follow`] returned.
    pub(super) fn count(&self) -> usize {
        self.followed
    }
}

#[expect(clippy::cast_possible_truncation, reason = "bits of a word are below 64")]
fn numbered(bit: u32) -> Node {
    bit as Node
}
