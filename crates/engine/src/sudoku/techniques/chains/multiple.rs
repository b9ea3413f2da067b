//! Searches for chains with several branches. The branches start from both values of a candidate, from all digits of a
//! cell, or from all places in a house. Also finds contradictions.

use super::{
    Ground,
    hint::{ChainHint, Kind, Rules},
    nested::Shop,
    net::Net,
    nodes::{Node, WAYS},
};
use crate::{
    shared::budget::{Budget, OutOfBudget},
    sudoku::techniques::geometry::{Cells, HOMES, bits, cells, one},
};

/// Receives the hints of a search.
pub(super) trait Sink {
    /// The maximum number of nodes of a useful hint.
    fn bound(&self) -> u16;

    /// Receives a hint with the nets of its branches. The number of its nodes excludes nested chains.
    fn offer(&mut self, hint: ChainHint, branches: &[&Net]);
}

/// The nets of one search, built when first needed.
#[derive(Debug, Default)]
pub(super) struct Nets {
    by_candidate: Vec<Option<Box<Net>>>,
    grown: Vec<bool>,
    /// The net in which the current candidate is false.
    contrary: Option<Box<Net>>,
    /// Nets that can be reused.
    #[expect(clippy::vec_box, reason = "a net moves between lists without being copied")]
    unused: Vec<Box<Net>>,
}

impl Nets {
    pub(super) fn clear(&mut self) {
        self.unused.extend(self.by_candidate.iter_mut().filter_map(Option::take));
        self.by_candidate.resize_with(Node::CANDIDATES, || None);
        self.grown.clear();
        self.grown.resize(Node::CANDIDATES, false);
    }

    /// The net of an assumption; a new net is empty. Each true candidate has its own, and all false ones share one.
    pub(super) fn net_of(&mut self, start: Node) -> &mut Net {
        let net = if start.is_on() { &mut self.by_candidate[start.candidate()] } else { &mut self.contrary };
        net.get_or_insert_with(|| self.unused.pop().unwrap_or_else(|| Box::new(Net::new())))
    }

    fn of(&self, node: Node) -> Option<&Net> {
        self.by_candidate[node.candidate()].as_deref()
    }
}

/// One search over a position.
pub(super) struct Search<'a, 'b> {
    pub(super) ground: &'a Ground,
    pub(super) rules: Rules,
    pub(super) shop: &'a mut Shop,
    pub(super) budget: &'a mut Budget<'b>,
}

impl Search<'_, '_> {
    /// Passes every hint to `sink`, in the order of the cells.
    pub(super) fn run(mut self, sink: &mut dyn Sink) -> Result<(), OutOfBudget> {
        let (ground, rules) = (self.ground, self.rules);
        self.shop.nets.clear();
        if rules.level == 0 {
            self.shop.closures_by(rules).resume(ground, rules);
        }
        let least = if rules.dynamic { 2 } else { 3 };
        for cell in (0..81).filter(|&cell| ground.notes.of_cell[cell].count_ones() >= least) {
            let digits = ground.notes.of_cell[cell];
            for digit in bits(digits) {
                self.candidate(Node::on(cell, digit), sink)?;
            }
            if !rules.one_digit && (rules.multiple || digits.count_ones() == 2) {
                let branches = bits(digits).map(|digit| Node::on(cell, digit));
                let kind = |target| Kind::Cell { rules, cell: small(cell), target };
                self.branches(branches, kind, sink)?;
            }
        }
        Ok(())
    }

    fn candidate(&mut self, start: Node, sink: &mut dyn Sink) -> Result<(), OutOfBudget> {
        if self.rules.dynamic && self.may_decide(start)? {
            self.grow(start, sink.bound())?;
            self.shop.grow(self.ground, self.rules, sink.bound(), start.negated(), self.budget)?;
            self.contradictions(start, sink);
        }
        if self.rules.one_digit {
            return Ok(());
        }
        for way in WAYS {
            self.house(start, way, sink)?;
        }
        Ok(())
    }

    fn grow(&mut self, start: Node, bound: u16) -> Result<(), OutOfBudget> {
        if !self.shop.nets.grown[start.candidate()] {
            self.shop.nets.grown[start.candidate()] = true;
            self.shop.grow(self.ground, self.rules, bound, start, self.budget)?;
        }
        Ok(())
    }

    /// Whether anything can follow from both values of a candidate.
    fn may_decide(&mut self, start: Node) -> Result<bool, OutOfBudget> {
        // Closures follow only singles, so at higher levels they rule nothing out.
        Ok(self.rules.level > 0
            || self.shop.closures_by(self.rules).may_decide(self.ground, self.rules, start, self.budget)?)
    }

    /// Whether all these branches can have a common consequence.
    fn may_meet(&mut self, starts: impl Iterator<Item = Node> + Clone) -> Result<bool, OutOfBudget> {
        Ok(self.rules.level > 0
            || self.shop.closures_by(self.rules).may_meet(self.ground, self.rules, starts, self.budget)?)
    }

    /// Passes the hints that follow from both values of one candidate.
    fn contradictions(&self, start: Node, sink: &mut dyn Sink) {
        let (Some(on), Some(off)) = (self.shop.nets.of(start), self.shop.nets.contrary.as_deref()) else { return };
        for (net, start) in [(on, start), (off, start.negated())] {
            if let Some(targets) = net.clash_targets() {
                let nodes = targets.iter().map(|target| target.origin.count).sum();
                if start.is_on() || self.is_worth(start.negated()) {
                    sink.offer(ChainHint::new(Kind::Contradiction { rules: self.rules, start }, nodes), &[net]);
                }
            }
        }
        if self.rules.one_digit || self.ground.notes.of_cell[start.cell()].count_ones() < 3 {
            return;
        }
        let common = |first: &[Cells; 10], second: &[Cells; 10]| (1..10).any(|digit| first[digit] & second[digit] != 0);
        if !common(&on.on_cells, &off.on_cells) && !common(&on.off_cells, &off.off_cells) {
            return;
        }
        for &target in on.on.iter().chain(&on.off).filter(|&&target| off.has(target) && self.is_worth(target)) {
            let nodes = on.count(target) + off.count(target);
            let kind = Kind::Double { rules: self.rules, start, target };
            offer_short(sink, kind, nodes, &[on, off]);
        }
    }

    /// Branches over the places of a digit in a house, if `start` is the first of them.
    fn house(&mut self, start: Node, way: usize, sink: &mut dyn Sink) -> Result<(), OutOfBudget> {
        let (house, digit) = (HOMES[start.cell()][way].0, start.digit());
        let places = self.ground.notes.places(house, digit);
        let count = places.count_ones();
        let is_first = places & (one(start.cell()) - 1) == 0;
        if !is_first || count < 2 || count > 2 && !self.rules.multiple {
            return Ok(());
        }
        let rules = self.rules;
        let kind = |target| Kind::House { rules, house: small(house), digit: small(digit), target };
        self.branches(cells(places).map(|place| Node::on(place, digit)), kind, sink)
    }

    /// Passes the common consequences of all branches.
    fn branches(
        &mut self,
        starts: impl Iterator<Item = Node> + Clone,
        kind: impl Fn(Node) -> Kind,
        sink: &mut dyn Sink,
    ) -> Result<(), OutOfBudget> {
        if !self.may_meet(starts.clone())? {
            return Ok(());
        }
        for start in starts.clone() {
            self.grow(start, sink.bound())?;
        }
        let mut nets = starts.filter_map(|start| self.shop.nets.of(start));
        let Some(first) = nets.next() else { return Ok(()) };
        let (mut branches, mut len) = ([first; 9], 1);
        for net in nets {
            branches[len] = net;
            len += 1;
        }
        let branches = &branches[..len];
        let common = |of: fn(&Net) -> &[Cells; 10]| {
            (1..10).any(|digit| branches.iter().fold(Cells::MAX, |all, net| all & of(net)[digit]) != 0)
        };
        let on = if common(|net| &net.on_cells) { &first.on[..] } else { &[] };
        let off = if common(|net| &net.off_cells) { &first.off[..] } else { &[] };
        for &target in on.iter().chain(off) {
            if branches.iter().all(|net| net.has(target)) && self.is_worth(target) {
                let nodes = branches.iter().map(|net| net.count(target)).sum();
                offer_short(sink, kind(target), nodes, branches);
            }
        }
        Ok(())
    }

    /// Whether a conclusion changes the position.
    fn is_worth(&self, target: Node) -> bool {
        !target.is_on() || self.ground.notes.of_cell[target.cell()] & !(1 << target.digit()) != 0
    }
}

/// Passes a hint unless it is too long to be useful.
fn offer_short(sink: &mut dyn Sink, kind: Kind, nodes: u16, branches: &[&Net]) {
    if nodes <= sink.bound() {
        sink.offer(ChainHint::new(kind, nodes), branches);
    }
}

#[expect(clippy::cast_possible_truncation, reason = "cells, houses and digits are below 81")]
const fn small(number: usize) -> u8 {
    number as u8
}
