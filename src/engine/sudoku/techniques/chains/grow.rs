//! The growing of a net: breadth first, what is true before what is ruled out, until nothing follows or a candidate comes
//! out both.

use super::{
    super::geometry::{Cells, DIGITS, HOMES, HOUSE_CELLS, Mask, SEEN, bits, cells},
    Ground,
    advanced::advanced,
    hint::Rules,
    nested::Shop,
    net::{Clash, Net, Origin},
    nodes::{Cause, Node, NodeSet, Notes, WAYS, other_digit, other_of_two},
};
use crate::engine::budget::{Budget, OutOfBudget};

/// One net on its way.
pub(super) struct Growth<'a, 'b> {
    /// The position that it grows in.
    pub(super) ground: &'a Ground,
    /// What may be used.
    pub(super) rules: Rules,
    /// Nodes that take so many others to derive, or more, are of no use, so the net may end with them.
    pub(super) bound: u16,
    /// The net.
    pub(super) net: &'a mut Net,
    /// By node, all that it was derived from. Kept for dynamic nets, where a node can have several parents.
    pub(super) ancestors: &'a mut [NodeSet],
    /// Where nested chains are looked for.
    pub(super) inner: &'a mut Option<Box<Shop>>,
    /// What the search may still do.
    pub(super) budget: &'a mut Budget<'b>,
}

/// A node that is about to become true.
#[derive(Clone, Copy)]
struct Arrival {
    node: Node,
    cause: Cause,
    /// What else had to be ruled out for it: digits of the cell, or places in the house.
    hidden_digits: Mask,
    hidden_cells: Cells,
}

impl Growth<'_, '_> {
    /// Grows the net from an assumption.
    pub(super) fn run(&mut self, start: Node) -> Result<(), OutOfBudget> {
        self.net.clear();
        let mut left = self.ground.notes;
        let origin = self.net.note(std::iter::empty(), Cause::None, 0);
        let mut short_pending = 0;
        self.add(start, origin, &mut short_pending);
        let (mut on_at, mut off_at) = (0, 0);
        // Within level 0 all that is still to come descends from what is pending.
        while self.rules.level > 0 || short_pending > 0 {
            let node = if let Some(&node) = self.net.on.get(on_at) {
                on_at += 1;
                self.rule_out(node, &left, &mut short_pending);
                node
            } else if let Some(&node) = self.net.off.get(off_at) {
                off_at += 1;
                self.rule_in(node, &mut left, &mut short_pending);
                node
            } else if self.rules.level > 0 && self.add_advanced(&left, &mut short_pending)? {
                continue;
            } else {
                break;
            };
            if self.net.clash.is_some() {
                break;
            }
            short_pending -= i32::from(self.net.count(node) < self.bound);
            self.budget.take_node()?;
        }
        Ok(())
    }

    /// A true node rules out the cell's other digits and the digit's other places, unless that was known.
    fn rule_out(&mut self, node: Node, left: &Notes, short_pending: &mut i32) {
        let (cell, digit) = (node.cell(), node.digit());
        if !self.rules.one_digit {
            for other in bits(left.of_cell[cell] & !(1 << digit)) {
                self.derive_off(Node::off(cell, other), node, short_pending);
                if self.net.clash.is_some() {
                    return;
                }
            }
        }
        // A pattern may have ruled out what is true already; that is a clash when it is met again.
        let settled = self.net.off_cells[digit] & !self.net.on_cells[digit];
        let around = SEEN[cell] & left.of_digit[digit] & !settled;
        if around == 0 {
            return;
        }
        for way in WAYS {
            for other in cells(around & HOUSE_CELLS[HOMES[cell][way].0]) {
                self.derive_off(Node::off(other, digit), node, short_pending);
                if self.net.clash.is_some() {
                    return;
                }
            }
        }
    }

    fn derive_off(&mut self, node: Node, parent: Node, short_pending: &mut i32) {
        if self.net.has(node) && !self.net.has(node.negated()) {
            return;
        }
        let origin = self.net.note(std::iter::once(parent), Cause::None, 0);
        self.derive(node, origin, short_pending);
    }

    /// A digit ruled out makes true the last one left for the cell, and the last place left in each of its houses.
    fn rule_in(&mut self, node: Node, left: &mut Notes, short_pending: &mut i32) {
        let (arrivals, len) = self.arrivals(node, left);
        if self.rules.dynamic {
            left.remove(node.cell(), node.digit());
        }
        for arrival in &arrivals[..len] {
            if self.net.has(arrival.node) && !self.net.has(arrival.node.negated()) {
                continue;
            }
            let (cell, digit) = (arrival.node.cell(), arrival.node.digit());
            let digits = bits(arrival.hidden_digits).map(|other| Node::off(cell, other));
            let places = cells(arrival.hidden_cells).map(|other| Node::off(other, digit));
            let origin = self.net.note(std::iter::once(node).chain(digits).chain(places), arrival.cause, 0);
            self.derive(arrival.node, origin, short_pending);
            if self.net.clash.is_some() {
                return;
            }
        }
    }

    fn arrivals(&self, node: Node, left: &Notes) -> ([Arrival; 4], usize) {
        let (cell, digit) = (node.cell(), node.digit());
        let nothing = Arrival { node, cause: Cause::None, hidden_digits: 0, hidden_cells: 0 };
        let (mut arrivals, mut len) = ([nothing; 4], 0);
        if !self.rules.one_digit
            && let Some(other) = other_digit(left.of_cell[cell], digit)
        {
            let hidden_digits = self.ground.notes.of_cell[cell] & !left.of_cell[cell] & DIGITS;
            arrivals[len] = Arrival { node: Node::on(cell, other), cause: Cause::Cell, hidden_digits, hidden_cells: 0 };
            len += 1;
        }
        for way in WAYS {
            let house = HOMES[cell][way].0;
            let places = left.places(house, digit);
            if let Some(other) = other_of_two(places, cell) {
                let hidden_cells = self.ground.notes.places(house, digit) & !places;
                let node = Node::on(other, digit);
                arrivals[len] = Arrival { node, cause: Cause::house(way), hidden_digits: 0, hidden_cells };
                len += 1;
            }
        }
        (arrivals, len)
    }

    fn derive(&mut self, node: Node, origin: Origin, short_pending: &mut i32) {
        if self.net.has(node.negated()) {
            let origin = self.counted(node, origin);
            self.net.clash = Some(Clash { fresh: node, origin });
        } else {
            self.add(node, origin, short_pending);
        }
    }

    fn add(&mut self, node: Node, origin: Origin, short_pending: &mut i32) {
        let origin = self.counted(node, origin);
        *short_pending += i32::from(origin.count < self.bound);
        self.net.add(node, origin);
    }

    /// The origin with the number of nodes that it takes, which are noted as the node's ancestors.
    fn counted(&mut self, node: Node, mut origin: Origin) -> Origin {
        let parents = self.net.parents(&origin);
        if !self.rules.dynamic {
            origin.count = parents.first().map_or(1, |&parent| self.net.count(parent) + 1);
            return origin;
        }
        let mut all = parents.first().map_or(NodeSet::EMPTY, |parent| self.ancestors[parent.index()]);
        for parent in parents.iter().skip(1) {
            all.unite(&self.ancestors[parent.index()]);
        }
        all.insert(node);
        origin.count = if let [only] = parents { self.net.count(*only) + 1 } else { all.len() };
        // The contrary of a clash stays as it is, so that the net can be read on.
        self.ancestors[node.index()] = all;
        origin
    }

    /// What patterns and nested chains rule out, now that nothing else follows. Whether there is any.
    fn add_advanced(&mut self, left: &Notes, short_pending: &mut i32) -> Result<bool, OutOfBudget> {
        let found = advanced(self.ground, left, self.rules.level, self.inner, self.budget)?;
        for find in &found {
            self.net.nested.push(find.nested.clone());
            let nested = u16::try_from(self.net.nested.len()).unwrap_or(u16::MAX);
            for &(cell, digit) in &find.removed {
                let node = Node::off(cell, digit);
                if !self.net.has(node) {
                    let origin = self.net.note(find.parents.iter().copied(), Cause::None, nested);
                    self.add(node, origin, short_pending);
                }
            }
        }
        Ok(!found.is_empty())
    }
}
