//! A net: all that one assumption implies, in the order in which it was derived, with the parents of each node.

use super::{
    super::geometry::{Cells, one},
    nested::Nested,
    nodes::{Cause, NODES, Node, NodeSet},
};
use crate::sudoku::board::CELLS;

/// All that one assumption implies.
#[derive(Debug)]
pub(super) struct Net {
    /// What is true, first derived first.
    pub(super) on: Vec<Node>,
    /// What is ruled out, first derived first.
    pub(super) off: Vec<Node>,
    /// By digit, the cells that it is true in.
    pub(super) on_cells: [Cells; 10],
    /// By digit, the cells that it is ruled out in.
    pub(super) off_cells: [Cells; 10],
    /// The same by cell, as the numbers of nodes have it.
    members: [u32; CELLS],
    /// The candidate that came out both true and false, if that ended the search.
    pub(super) clash: Option<Clash>,
    /// In the order in which the net got its nodes.
    origins: Vec<Origin>,
    /// By node of the net, its place in that order.
    numbers: Vec<u16>,
    parents: Vec<Node>,
    /// The nested chains that some nodes stand on.
    pub(super) nested: Vec<Nested>,
}

/// Where a node comes from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    /// How many nodes it takes to derive it, itself included.
    pub(super) count: u16,
    /// Why it follows.
    pub(super) cause: Cause,
    /// The number of its nested chain plus one, 0 for none.
    pub(super) nested: u16,
    /// What it follows from at once.
    pub(super) parents: Parents,
}

/// Nodes that a net has noted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parents {
    at: u32,
    len: u16,
}

/// A node whose contrary stands in the net already.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clash {
    /// The node that was derived last.
    pub(super) fresh: Node,
    /// Where it comes from.
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

    /// Whether a node is there and its contrary is not.
    pub(super) fn has_alone(&self, node: Node) -> bool {
        self.members[node.cell()] & (bit(node) | bit(node.negated())) == bit(node)
    }

    /// Where a node of the net comes from.
    pub(super) fn origin(&self, node: Node) -> &Origin {
        &self.origins[self.number(node)]
    }

    /// The place of a node of the net in the order in which it got its nodes.
    pub(super) fn number(&self, node: Node) -> usize {
        usize::from(self.numbers[node.index()])
    }

    /// The nodes that were noted.
    pub(super) fn parents(&self, Parents { at, len }: Parents) -> &[Node] {
        let at = at as usize;
        &self.parents[at..at + usize::from(len)]
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.origins.len()
    }

    /// How many nodes it takes to derive a node of the net, itself included.
    pub(super) fn count(&self, node: Node) -> u16 {
        self.origin(node).count
    }

    /// Notes parents of the node that comes next.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a net has at most 1458 nodes with at most 1458 parents each")]
    pub(super) fn note(&mut self, parents: impl Iterator<Item = Node>) -> Parents {
        let at = self.parents.len();
        self.parents.extend(parents);
        Parents { at: at as u32, len: (self.parents.len() - at) as u16 }
    }

    /// Adds a node that is not there yet.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "an origin that goes through memory in parts costs more than all the rest"
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

    /// The nodes from which a target follows, itself first, nearer ones before farther.
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

/// The place of a node among those of its cell.
const fn bit(node: Node) -> u32 {
    1 << (node.index() % 32)
}

/// The end of a chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    /// The node.
    pub(super) node: Node,
    /// Where it comes from.
    pub(super) origin: Origin,
}
