//! Computes the closure of an assumption in a position, with tables that do not depend on the assumption.

use super::{
    closures::Closure,
    hint::{Links, Rules},
    links::StrongLinks,
    nodes::{Counts, IN_HOMES, Node, Notes, WAYS, few_in, none_in, other_of_two},
};
use crate::sudoku::{
    board::CELLS,
    techniques::geometry::{Cells, HOMES, Mask, SEEN, bits, cells, has_several, one},
};

/// The tables of a position for closures under some rules.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// For static rules, what becomes true if a candidate is ruled out.
    links: StrongLinks,
    /// For dynamic rules, the houses without a place, by digit.
    none_in: [Counts; 10],
    /// The true statements, in the order of their derivation.
    arrivals: Vec<Node>,
}

impl Layout {
    /// Computes the tables of a position.
    pub(super) fn lay_out(&mut self, notes: &Notes, rules: Rules) {
        if rules.dynamic {
            self.none_in = notes.counts.map(none_in);
        } else {
            self.links.lay_out(notes, Links::Xy);
        }
    }

    /// Fills a closure with all consequences of an assumption. Returns how many of them are true.
    pub(super) fn close(&mut self, notes: &Notes, rules: Rules, start: Node, closure: &mut Closure) -> usize {
        let Self { links, none_in, arrivals } = self;
        arrivals.clear();
        *closure = Closure::EMPTY;
        let spread = Spread { notes, arrivals, closure };
        if rules.dynamic {
            let left = Left { of_cell: notes.of_cell, counts: notes.counts, settled: *none_in };
            Dynamic { spread, one_digit: rules.one_digit, none_in, left }.run(start);
        } else {
            Static { spread, links }.run(start);
        }
        self.arrivals.len()
    }
}

struct Spread<'a> {
    notes: &'a Notes,
    arrivals: &'a mut Vec<Node>,
    closure: &'a mut Closure,
}

impl Spread<'_> {
    fn arrive(&mut self, cell: usize, digit: usize) {
        let on = &mut self.closure.on[digit];
        if *on & one(cell) == 0 {
            *on |= one(cell);
            self.arrivals.push(Node::on(cell, digit));
        }
    }

    /// The cells in which a true candidate rules out its digit, except its own cell.
    fn around(&self, cell: usize, digit: usize) -> Cells {
        SEEN[cell] & self.notes.of_digit[digit] & !self.closure.off[digit]
    }
}

/// Under static rules, removals do not count for each other, so the strong links determine everything.
struct Static<'a> {
    spread: Spread<'a>,
    links: &'a StrongLinks,
}

impl Static<'_> {
    fn run(&mut self, start: Node) {
        if start.is_on() {
            self.spread.arrive(start.cell(), start.digit());
        } else {
            self.rule_out(start.digit(), one(start.cell()));
        }
        let mut at = 0;
        while let Some(&node) = self.spread.arrivals.get(at) {
            let (cell, digit) = (node.cell(), node.digit());
            for other in bits(self.spread.notes.of_cell[cell] & !(1 << digit)) {
                self.rule_out(other, one(cell) & !self.spread.closure.off[other]);
            }
            self.rule_out(digit, self.spread.around(cell, digit));
            at += 1;
        }
    }

    fn rule_out(&mut self, digit: usize, fresh: Cells) {
        self.spread.closure.off[digit] |= fresh;
        for cell in cells(fresh & self.links.has[digit]) {
            for (node, _) in self.links.partners(Node::off(cell, digit)) {
                self.spread.arrive(node.cell(), node.digit());
            }
        }
    }
}

/// The part of a position that an assumption leaves.
struct Left {
    of_cell: [Mask; CELLS],
    counts: [Counts; 10],
    /// For each digit, the houses whose last place, or lack of places, was already handled.
    settled: [Counts; 10],
}

/// Under dynamic rules, removals count for each other.
struct Dynamic<'a> {
    spread: Spread<'a>,
    one_digit: bool,
    none_in: &'a [Counts; 10],
    left: Left,
}

impl Dynamic<'_> {
    fn run(&mut self, start: Node) {
        if start.is_on() {
            self.spread.arrive(start.cell(), start.digit());
        } else {
            self.rule_out(start.digit(), one(start.cell()));
        }
        let mut at = 0;
        while let Some(&node) = self.spread.arrivals.get(at).filter(|_| !self.spread.closure.has_clash) {
            let (cell, digit) = (node.cell(), node.digit());
            if !self.one_digit {
                for other in bits(self.spread.notes.of_cell[cell] & !(1 << digit)) {
                    self.rule_out(other, one(cell) & !self.spread.closure.off[other]);
                }
            }
            self.rule_out(digit, self.spread.around(cell, digit));
            at += 1;
        }
    }

    /// Rules out a digit in some cells, and makes true what follows.
    fn rule_out(&mut self, digit: usize, fresh: Cells) {
        if fresh == 0 {
            return;
        }
        let closure = &mut *self.spread.closure;
        closure.off[digit] |= fresh;
        let mut has_few = false;
        for cell in cells(fresh) {
            self.left.counts[digit] -= IN_HOMES[cell];
            self.left.of_cell[cell] &= !(1 << digit);
            let digits = self.left.of_cell[cell];
            has_few |= if self.one_digit { digits == 0 } else { !has_several(digits) };
        }
        let few = few_in(self.left.counts[digit]);
        let none = few & none_in(self.left.counts[digit]);
        closure.has_clash |= fresh & closure.on[digit] != 0 || none & !self.none_in[digit] != 0;
        if has_few || few & !self.left.settled[digit] != 0 {
            self.left.settled[digit] |= few;
            self.rule_in(digit, fresh);
        }
    }

    /// If a removal leaves only one option, makes that option true.
    fn rule_in(&mut self, digit: usize, fresh: Cells) {
        for cell in cells(fresh) {
            let digits = self.left.of_cell[cell];
            self.spread.closure.has_clash |= digits == 0;
            if !self.one_digit && digits.is_power_of_two() {
                self.arrive(cell, digits.trailing_zeros() as usize);
            }
            for way in WAYS {
                let places = self.spread.notes.places(HOMES[cell][way].0, digit) & !self.spread.closure.off[digit];
                if let Some(other) = other_of_two(places, cell) {
                    self.arrive(other, digit);
                }
            }
        }
    }

    fn arrive(&mut self, cell: usize, digit: usize) {
        self.spread.closure.has_clash |= self.spread.closure.off[digit] & one(cell) != 0;
        self.spread.arrive(cell, digit);
    }
}
