//! A net: all that one assumption implies, in the order in which it was derived, with the parents of each node.

use super::{
    super::geometry::{Cells, one},
    nested::Nested,
    nodes::{Cause, NODES, Node, NodeSet},
};

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
    /// The candidate that came out both true and false, if that ended the search.
    pub(super) clash: Option<Clash>,
    origins: Vec<Origin>,
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
    parents_at: u32,
    parents_len: u16,
}

impl Origin {
    const NONE: Self = Self { count: 0, cause: Cause::None, nested: 0, parents_at: 0, parents_len: 0 };
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
            on: Vec::with_capacity(NODES / 2),
            off: Vec::with_capacity(NODES / 2),
            on_cells: [0; 10],
            off_cells: [0; 10],
            clash: None,
            origins: vec![Origin::NONE; NODES],
            parents: Vec::with_capacity(2 * NODES),
            nested: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.on.clear();
        self.off.clear();
        self.on_cells = [0; 10];
        self.off_cells = [0; 10];
        self.clash = None;
        self.parents.clear();
        self.nested.clear();
    }

    pub(super) fn has(&self, node: Node) -> bool {
        let cells = if node.is_on() { &self.on_cells } else { &self.off_cells };
        cells[node.digit()] & one(node.cell()) != 0
    }

    /// Where a node of the net comes from.
    pub(super) fn origin(&self, node: Node) -> &Origin {
        &self.origins[node.index()]
    }

    /// The nodes that an origin names.
    pub(super) fn parents(&self, origin: &Origin) -> &[Node] {
        let at = origin.parents_at as usize;
        &self.parents[at..at + usize::from(origin.parents_len)]
    }

    /// How many nodes it takes to derive a node of the net, itself included.
    pub(super) fn count(&self, node: Node) -> u16 {
        self.origin(node).count
    }

    /// Notes parents; the origin that names them.
    #[expect(clippy::cast_possible_truncation, reason = "a net has at most 1458 nodes with at most 1458 parents each")]
    pub(super) fn note(&mut self, parents: impl Iterator<Item = Node>, cause: Cause, nested: u16) -> Origin {
        let parents_at = self.parents.len() as u32;
        self.parents.extend(parents);
        Origin { count: 1, cause, nested, parents_at, parents_len: (self.parents.len() - parents_at as usize) as u16 }
    }

    /// Adds a node that is not there yet.
    pub(super) fn add(&mut self, node: Node, origin: Origin) {
        let (list, cells) =
            if node.is_on() { (&mut self.on, &mut self.on_cells) } else { (&mut self.off, &mut self.off_cells) };
        list.push(node);
        cells[node.digit()] |= one(node.cell());
        self.origins[node.index()] = origin;
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
            self.parents(&origin).iter().for_each(|&parent| visit(parent, &mut chain));
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

/// The end of a chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    /// The node.
    pub(super) node: Node,
    /// Where it comes from.
    pub(super) origin: Origin,
}
