//! The links of HoDoKu's chains. A node states that a digit is placed in a cell or a group, or removed from it. Finds the nodes that follow
//! directly from each node, and up to a thousand nodes that follow from one, nearest first.

use super::{
    nodes::{Node, Nodes, grouped, single},
    position::Position,
};
use crate::sudoku::techniques::geometry::{Cells, HOMES, HOUSE_CELLS, bits, cells, one};

/// The maximum number of direct implications of one node: 28 candidates and some groups.
const LINKS_MAX: usize = 48;

/// The maximum number of nodes that HoDoKu follows from one node.
const FOLLOWED_MAX: usize = 1_000;

/// The direct implications of all nodes. They keep HoDoKu's order, because the chains depend on it.
#[derive(Debug)]
pub(super) struct Implications {
    pub(super) nodes: Nodes,
    links: Vec<[Node; LINKS_MAX]>,
    len: Vec<u8>,
}

impl Implications {
    pub(super) fn of(position: &Position, with_groups: bool) -> Self {
        let nodes = Nodes::of(position, with_groups);
        let count = nodes.count();
        let mut new = Self { nodes, links: vec![[0; LINKS_MAX]; count], len: vec![0; count] };
        for (cell, digit) in position.candidates() {
            new.link_candidate(position, cell, digit);
        }
        for number in 0..new.nodes.groups().len() {
            new.link_group_to_candidates(position, number);
            new.link_group_to_groups(position, number);
        }
        new
    }

    /// The direct implications of a node.
    pub(super) fn links(&self, node: Node) -> &[Node] {
        &self.links[usize::from(node)][..usize::from(self.len[usize::from(node)])]
    }

    pub(super) fn all_links(&self) -> impl Iterator<Item = (Node, Node)> {
        (0..).take(self.len.len()).flat_map(|from| self.links(from).iter().map(move |&to| (from, to)))
    }

    fn link(&mut self, from: Node, to: Node) {
        let len = usize::from(self.len[usize::from(from)]);
        if len < LINKS_MAX && !self.links(from).contains(&to) {
            self.links[usize::from(from)][len] = to;
            self.len[usize::from(from)] += 1;
        }
    }

    fn link_candidate(&mut self, position: &Position, cell: usize, digit: usize) {
        let (on, off) = (single(cell, digit, true), single(cell, digit, false));
        let digits = position.of_cell(cell);
        for other in bits(digits & !(1 << digit)) {
            self.link(on, single(cell, other, false));
            if digits.count_ones() == 2 {
                self.link(off, single(cell, other, true));
            }
        }
        for (house, _) in HOMES[cell] {
            for other in cells(position.places(house, digit) & !one(cell)) {
                self.link(on, single(other, digit, false));
                if position.free(house, digit) == 2 {
                    self.link(off, single(other, digit, true));
                }
            }
        }
    }

    fn link_group_to_candidates(&mut self, position: &Position, number: usize) {
        let group = self.nodes.groups()[number];
        let [on, off] = [true, false].map(|is_true| grouped(number, is_true));
        let seen = position.of_digit(group.digit) & group.seen;
        for cell in cells(seen) {
            self.link(on, single(cell, group.digit, false));
            self.link(single(cell, group.digit, true), off);
        }
        let [line, box_] = group.houses;
        for house in [box_, line] {
            let rest = seen & HOUSE_CELLS[house];
            if rest.is_power_of_two() {
                let last = rest.trailing_zeros() as usize;
                self.link(off, single(last, group.digit, true));
                self.link(single(last, group.digit, false), on);
            }
        }
    }

    fn link_group_to_groups(&mut self, position: &Position, number: usize) {
        let group = self.nodes.groups()[number];
        let [on, off] = [true, false].map(|is_true| grouped(number, is_true));
        // The other groups of the digit in the same line, and in the same box.
        let mut others = [Vec::new(), Vec::new()];
        for (other_number, other) in self.nodes.groups().iter().enumerate() {
            if other_number != number && other.digit == group.digit && other.cells & group.cells == 0 {
                for (others, kind) in others.iter_mut().zip([0, 1]) {
                    if other.houses[kind] == group.houses[kind] {
                        others.push((other_number, other.cells));
                    }
                }
            }
        }
        let in_order = |pair: &[Vec<(usize, Cells)>; 2]| {
            let mut all: Vec<_> = pair.iter().flatten().copied().collect();
            all.sort_unstable_by_key(|&(number, _)| number);
            all
        };
        for (other, _) in in_order(&others) {
            self.link(on, grouped(other, false));
        }
        for (house, others) in group.houses.into_iter().zip(others) {
            if let [(other, of_other)] = others[..]
                && position.places(house, group.digit) & !group.cells & !of_other == 0
            {
                self.link(off, grouped(other, true));
            }
        }
    }

    /// Computes up to [`FOLLOWED_MAX`] consequences of a node.
    pub(super) fn follow(&self, start: Node, followed: &mut Followed) {
        followed.restart(start, self.nodes.count());
        let mut at = 0;
        while at < followed.order.len() && followed.order.len() < FOLLOWED_MAX {
            let from = followed.order[at];
            for &to in self.links(from) {
                followed.reach(to, from);
            }
            at += 1;
        }
    }
}

/// The consequences of one node, with the node that each follows from.
#[derive(Debug, Default)]
pub(super) struct Followed {
    order: Vec<Node>,
    before: Vec<Node>,
}

/// The predecessor of a node that was not reached.
const NONE: Node = Node::MAX;

impl Followed {
    fn restart(&mut self, start: Node, count: usize) {
        self.before.clear();
        self.before.resize(count, NONE);
        self.order.clear();
        self.order.push(start);
        self.before[usize::from(start)] = start;
    }

    fn reach(&mut self, node: Node, from: Node) {
        if self.before[usize::from(node)] == NONE && self.order.len() < FOLLOWED_MAX {
            self.before[usize::from(node)] = from;
            self.order.push(node);
        }
    }

    /// The number of nodes, including the start.
    pub(super) fn count(&self) -> usize {
        self.order.len()
    }

    /// The node from which all others follow.
    pub(super) fn start(&self) -> Node {
        self.order[0]
    }

    /// All nodes that follow by more than one link, nearest first.
    pub(super) fn far(&self) -> impl Iterator<Item = Node> {
        let start = self.start();
        self.order[1..].iter().copied().filter(move |&node| self.before[usize::from(node)] != start)
    }

    /// The chain from the start to a node that was reached.
    pub(super) fn chain(&self, end: Node, chain: &mut Vec<Node>) {
        chain.clear();
        let mut node = end;
        while node != self.start() {
            chain.push(node);
            node = self.before[usize::from(node)];
        }
        chain.push(node);
        chain.reverse();
    }
}
