//! Builds a net, all consequences of one assumption, breadth first: true statements before removals, until nothing
//! follows or a candidate is both true and false.

use super::{
    Ground,
    advanced::advanced,
    hint::Rules,
    nested::Shop,
    net::{Ancestry, Clash, Net, Origin},
    nodes::{Cause, IN_HOMES, Node, Notes, WAYS, few_in, marks_home, other_digit, other_of_two},
};
use crate::{
    shared::budget::{Budget, OutOfBudget},
    sudoku::techniques::geometry::{HOMES, HOUSE_CELLS, SEEN, bits, cells},
};

pub(super) struct Growth<'a, 'b> {
    /// The position that the net grows in.
    pub(super) ground: &'a Ground,
    /// The implications that may be used.
    pub(super) rules: Rules,
    /// A limit: nodes whose derivation has at least this many nodes are useless, so the net may end at them.
    pub(super) bound: u16,
    pub(super) net: &'a mut Net,
    /// The ancestors of all nodes. Used for dynamic nets, in which a node can have several parents.
    pub(super) ancestry: &'a mut Ancestry,
    /// The buffers of the searches for nested chains.
    pub(super) inner: &'a mut Option<Box<Shop>>,
    /// The remaining budget of the search.
    pub(super) budget: &'a mut Budget<'b>,
}

impl Growth<'_, '_> {
    /// Builds the net of an assumption.
    pub(super) fn run(&mut self, start: Node) -> Result<(), OutOfBudget> {
        self.net.clear();
        let mut left = self.ground.notes;
        let mut short_pending = 0;
        let origin = self.origin(start, std::iter::empty(), Cause::None, 0);
        self.add(start, origin, &mut short_pending);
        let (mut on_at, mut off_at) = (0, 0);
        // At level 0, all further nodes descend from the pending ones.
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

    /// A true node removes the other digits of its cell and the other places of its digit, unless they were removed
    /// before.
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
        // A pattern may have removed a node that is already true. The clash is found when the node is visited again.
        let settled = self.net.off_cells[digit] & !self.net.on_cells[digit];
        let mut around = SEEN[cell] & left.of_digit[digit] & !settled;
        for way in WAYS {
            if around == 0 {
                return;
            }
            let house = HOUSE_CELLS[HOMES[cell][way].0];
            for other in cells(around & house) {
                self.derive_off(Node::off(other, digit), node, short_pending);
                if self.net.clash.is_some() {
                    return;
                }
            }
            around &= !house;
        }
    }

    fn derive_off(&mut self, node: Node, parent: Node, short_pending: &mut i32) {
        if !self.net.has_alone(node) {
            let (count, parents) = (self.net.count(parent) + 1, self.net.note(std::iter::once(parent)));
            self.derive(node, Origin { count, cause: Cause::None, nested: 0, parents }, short_pending);
        }
    }

    /// If a removal leaves one digit for a cell, or one place in a house, that candidate is true.
    fn rule_in(&mut self, node: Node, left: &mut Notes, short_pending: &mut i32) {
        let (cell, digit, before) = (node.cell(), node.digit(), &self.ground.notes);
        let (digits, of_digit) = (left.of_cell[cell], left.of_digit[digit]);
        let few = few_in(left.counts[digit] - IN_HOMES[cell]);
        if self.rules.dynamic {
            left.remove(cell, digit);
        }
        if !self.rules.one_digit
            && let Some(other) = other_digit(digits, digit)
        {
            let hidden = bits(before.of_cell[cell] & !digits).map(|hidden| Node::off(cell, hidden));
            self.derive_on(Node::on(cell, other), node, hidden, Cause::Cell, short_pending);
        }
        if !marks_home(few, cell) {
            return;
        }
        for way in WAYS {
            let house = HOUSE_CELLS[HOMES[cell][way].0];
            if self.net.clash.is_none()
                && let Some(other) = other_of_two(of_digit & house, cell)
            {
                let hidden = cells(before.of_digit[digit] & house & !of_digit).map(|hidden| Node::off(hidden, digit));
                self.derive_on(Node::on(other, digit), node, hidden, Cause::house(way), short_pending);
            }
        }
    }

    /// Adds a true node whose derivation needs, besides the parent, the removal of the candidates of `hidden`.
    fn derive_on(
        &mut self,
        node: Node,
        parent: Node,
        hidden: impl Iterator<Item = Node>,
        cause: Cause,
        short_pending: &mut i32,
    ) {
        if !self.net.has_alone(node) {
            let origin = self.origin(node, std::iter::once(parent).chain(hidden), cause, 0);
            self.derive(node, origin, short_pending);
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as for `Net::add`")]
    fn derive(&mut self, node: Node, origin: Origin, short_pending: &mut i32) {
        if self.net.has(node.negated()) {
            self.net.clash = Some(Clash { fresh: node, origin });
        } else {
            self.add(node, origin, short_pending);
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as for `Net::add`")]
    fn add(&mut self, node: Node, origin: Origin, short_pending: &mut i32) {
        *short_pending += i32::from(origin.count < self.bound);
        self.net.add(node, origin);
    }

    /// The origin of the next node, including the number of nodes in its derivation.
    #[inline]
    fn origin(&mut self, node: Node, parents: impl Iterator<Item = Node>, cause: Cause, nested: u16) -> Origin {
        let noted = self.net.note(parents);
        let parents = self.net.parents(noted);
        let count = if self.rules.dynamic {
            self.ancestry.count(self.net, node, parents)
        } else {
            parents.first().map_or(1, |&parent| self.net.count(parent) + 1)
        };
        Origin { count, cause, nested, parents: noted }
    }

    /// Adds the removals by patterns and nested chains when nothing else follows. Returns whether there are any.
    fn add_advanced(&mut self, left: &Notes, short_pending: &mut i32) -> Result<bool, OutOfBudget> {
        let found = advanced(self.ground, left, self.rules.level, self.inner, self.budget)?;
        for find in &found {
            self.net.nested.push(find.nested.clone());
            let nested = u16::try_from(self.net.nested.len()).expect("finds rule out some of 729 candidates each");
            for &(cell, digit) in &find.removed {
                let node = Node::off(cell, digit);
                if !self.net.has(node) {
                    let origin = self.origin(node, find.parents.iter().copied(), Cause::None, nested);
                    self.add(node, origin, short_pending);
                }
            }
        }
        Ok(!found.is_empty())
    }
}
