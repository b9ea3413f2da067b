//! A net: all consequences of one assumption in the order of their derivation, with the parents of each. Counts the ancestors of
//! each node in a dynamic net: a node can have several parents with common ancestors, so the counts of the parents do not add up,
//! and the ancestors are stored as sets.

use super::{
    nested::Nested,
    nodes::{Cause, NODES, Node, NodeSet},
};
use crate::sudoku::{
    board::CELLS,
    techniques::geometry::{Cells, one},
};

/// All consequences of one assumption.
#[derive(Debug)]
pub(super) struct Net {
    /// The true statements, in the order of their derivation.
    pub(super) on: Vec<Node>,
    /// The removals, in the order of their derivation.
    pub(super) off: Vec<Node>,
    /// For each digit, the cells in which it is true.
    pub(super) on_cells: [Cells; 10],
    /// For each digit, the cells in which it is ruled out.
    pub(super) off_cells: [Cells; 10],
    /// The nodes of each cell, by the number of the node.
    members: [u32; CELLS],
    /// The candidate that is both true and false, if that ended the construction.
    pub(super) clash: Option<Clash>,
    /// The origins, in the order in which the nodes were added.
    origins: Vec<Origin>,
    /// The index in that order of each node in the net.
    numbers: Vec<u16>,
    parents: Vec<Node>,
    /// The nested chains that some nodes depend on.
    pub(super) nested: Vec<Nested>,
}

/// The derivation of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    /// The number of nodes in the derivation, including the node itself.
    pub(super) count: u16,
    /// Why the node follows.
    pub(super) cause: Cause,
    /// The index of its nested chain plus one; 0 for none.
    pub(super) nested: u16,
    /// The nodes from which it follows directly.
    pub(super) parents: Parents,
}

/// A range of parents that a net has stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parents {
    at: u32,
    len: u16,
}

/// A clash: a node whose opposite is in the net.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clash {
    /// The node that was derived last.
    pub(super) fresh: Node,
    /// The derivation of that node.
    pub(super) origin: Origin,
}

impl Net {
    pub(super) fn new() -> Self {
        Self {
            on: Vec::new(),
            off: Vec::new(),
            on_cells: [0; 10],
            off_cells: [0; 10],
            members: [0; CELLS],
            clash: None,
            origins: Vec::new(),
            numbers: vec![0; NODES],
            parents: Vec::new(),
            nested: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.on.clear();
        self.off.clear();
        self.on_cells = [0; 10];
        self.off_cells = [0; 10];
        self.members = [0; CELLS];
        self.clash = None;
        self.origins.clear();
        self.parents.clear();
        self.nested.clear();
    }

    pub(super) fn has(&self, node: Node) -> bool {
        self.members[node.cell()] & bit(node) != 0
    }

    /// Whether the net has a node and not its opposite.
    pub(super) fn has_alone(&self, node: Node) -> bool {
        self.members[node.cell()] & (bit(node) | bit(node.negated())) == bit(node)
    }

    /// The derivation of a node in the net.
    pub(super) fn origin(&self, node: Node) -> &Origin {
        &self.origins[self.number(node)]
    }

    /// The index of a node in the order in which nodes were added.
    pub(super) fn number(&self, node: Node) -> usize {
        usize::from(self.numbers[node.index()])
    }

    pub(super) fn parents(&self, Parents { at, len }: Parents) -> &[Node] {
        let at = at as usize;
        &self.parents[at..at + usize::from(len)]
    }

    pub(super) fn len(&self) -> usize {
        self.origins.len()
    }

    /// The number of nodes in the derivation of a node in the net, including itself.
    pub(super) fn count(&self, node: Node) -> u16 {
        self.origin(node).count
    }

    /// Stores the parents of the next node.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a net has at most 1458 nodes with at most 1458 parents each")]
    pub(super) fn note(&mut self, parents: impl Iterator<Item = Node>) -> Parents {
        let at = self.parents.len();
        self.parents.extend(parents);
        Parents { at: at as u32, len: (self.parents.len() - at) as u16 }
    }

    /// Adds a node that is not in the net.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "otherwise, the fields of the origin are passed through memory, which costs more than the rest"
    )]
    #[expect(clippy::cast_possible_truncation, reason = "a net has at most 1458 nodes")]
    pub(super) fn add(&mut self, node: Node, origin: Origin) {
        let (list, cells) =
            if node.is_on() { (&mut self.on, &mut self.on_cells) } else { (&mut self.off, &mut self.off_cells) };
        list.push(node);
        cells[node.digit()] |= one(node.cell());
        self.members[node.cell()] |= bit(node);
        self.numbers[node.index()] = self.origins.len() as u16;
        self.origins.push(origin);
    }

    /// The nodes from which a target follows, starting with itself, nearer ones first.
    pub(super) fn chain(&self, target: Target) -> Vec<Node> {
        let (mut chain, mut done, mut at) = (Vec::new(), NodeSet::EMPTY, 0);
        let mut visit = |node: Node, chain: &mut Vec<Node>| {
            if !done.has(node) {
                done.insert(node);
                chain.push(node);
            }
        };
        visit(target.node, &mut chain);
        while at < chain.len() {
            let origin = if at == 0 { target.origin } else { *self.origin(chain[at]) };
            self.parents(origin.parents).iter().for_each(|&parent| visit(parent, &mut chain));
            at += 1;
        }
        chain
    }

    /// A node of the net as the end of a chain.
    pub(super) fn target(&self, node: Node) -> Target {
        Target { node, origin: *self.origin(node) }
    }

    /// The two ends of a clash, the true one first.
    pub(super) fn clash_targets(&self) -> Option<[Target; 2]> {
        let Clash { fresh, origin } = self.clash?;
        let (fresh, other) = (Target { node: fresh, origin }, self.target(fresh.negated()));
        Some(if fresh.node.is_on() { [fresh, other] } else { [other, fresh] })
    }
}

/// The bit of a node in the set of its cell's nodes.
const fn bit(node: Node) -> u32 {
    1 << (node.index() % 32)
}

/// The end of a chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub(super) node: Node,
    /// The derivation of the node.
    pub(super) origin: Origin,
}

/// The number of words in a set of nodes. A net has at most 1,458.
const WORDS: usize = 23;

/// A set of nodes by their number, which is their order in the net. A node has the highest number in its set, so
/// the set is only as long as that number requires.
type Row = [u64; WORDS];

/// The ancestors of each node by number, including the node itself. If a single true node removed a node, that node has
/// no row, because its ancestors are those of its parent.
#[derive(Debug, Default)]
pub(super) struct Ancestry {
    rows: Vec<Row>,
}

impl Ancestry {
    /// The number of nodes in the derivation of a node, including itself. The node must be the next one of the net. Its
    /// ancestors are stored.
    pub(super) fn count(&mut self, net: &Net, node: Node, parents: &[Node]) -> u16 {
        if is_plain(node, parents) {
            return net.count(parents[0]) + 1;
        }
        let number = net.len();
        if self.rows.len() <= number {
            self.rows.resize(number + 64, [0; WORDS]);
        }
        let (earlier, own) = self.rows.split_at_mut(number);
        let row = &mut own[0][..=number / 64];
        row.fill(0);
        row[number / 64] |= 1 << (number % 64);
        for &parent in parents {
            let (mut at, grandparents) = (net.number(parent), net.parents(net.origin(parent).parents));
            if is_plain(parent, grandparents) {
                row[at / 64] |= 1 << (at % 64);
                at = net.number(grandparents[0]);
            }
            row.iter_mut().zip(&earlier[at][..=at / 64]).for_each(|(word, of_parent)| *word |= of_parent);
        }
        if let [only] = parents { net.count(*only) + 1 } else { len(row) }
    }
}

/// Whether a single true node removed this node.
fn is_plain(node: Node, parents: &[Node]) -> bool {
    !node.is_on() && matches!(parents, [parent] if parent.is_on())
}

#[expect(clippy::cast_possible_truncation, reason = "there are 1458 nodes")]
fn len(words: &[u64]) -> u16 {
    words.iter().map(|word| word.count_ones()).sum::<u32>() as u16
}
