//! Single chains: breadth-first walks from each candidate. A walk ends where a statement implies its opposite, or
//! closes as a cycle that holds in both directions.

use super::{
    Ground,
    hint::{ChainHint, Kind, Links},
    links::StrongLinks,
    nodes::{Cause, Node, WAYS},
    reach::Reach,
    single::{Single, Span},
};
use crate::{
    shared::budget::{Budget, OutOfBudget},
    sudoku::techniques::geometry::{Cells, HOMES, HOUSE_CELLS, SEEN, bits, cells, one},
};

/// Buffers for walks, allocated once and reused.
#[derive(Debug, Default)]
pub(super) struct Walks {
    links: StrongLinks,
    steps: Vec<Step>,
    reach: Reach,
}

impl Walks {
    /// Computes the links of a position. Returns the number of nodes of the shortest chain, if it is at most `limit`.
    pub(super) fn shortest(&mut self, ground: &Ground, links: Links, limit: u16) -> Option<u16> {
        self.links.lay_out(&ground.notes, links);
        self.reach.shortest(&ground.notes, &self.links, limit)
    }
}

/// A candidate that a walk has made true.
#[derive(Debug, Clone, Copy)]
struct Step {
    node: Node,
    /// The statement that was ruled out just before.
    via: Node,
    /// Why the step follows from that statement.
    cause: Cause,
    /// The previous step, or [`START`].
    parent: u16,
    /// The number of nodes from the start to this step.
    depth: u16,
}

struct Walk<'a> {
    ground: &'a Ground,
    links: &'a StrongLinks,
    steps: &'a mut Vec<Step>,
    start: Node,
    on_cells: [Cells; 10],
    off_cells: [Cells; 10],
    /// The maximum number of nodes in a chain.
    limit: u16,
}

/// Calls `visit` with the first chains and cycles with exactly `nodes` nodes, the minimum. Returns whether there are any.
pub(super) fn walk_shortest(
    ground: &Ground,
    nodes: u16,
    walks: &mut Walks,
    budget: &mut Budget<'_>,
    visit: &mut dyn FnMut(ChainHint, &dyn Fn() -> Single),
) -> Result<bool, OutOfBudget> {
    for cell in 0..81 {
        for digit in walks.links.starts(&ground.notes, cell) {
            for start in [Node::on(cell, digit), Node::off(cell, digit)] {
                budget.take_node()?;
                if walks.reach.may_end(start, nodes) {
                    let mut found = false;
                    walk(ground, start, nodes, walks, &mut |hint, single| {
                        found = true;
                        visit(hint, single);
                    });
                    budget.take_nodes(walks.steps.len() as u64)?;
                    if found {
                        return Ok(true);
                    }
                }
            }
        }
    }
    Ok(false)
}

/// Calls `visit` with every single chain with at most `limit` nodes, in the order of the cells.
pub(super) fn walk_all(
    ground: &Ground,
    limit: u16,
    walks: &mut Walks,
    budget: &mut Budget<'_>,
    visit: &mut dyn FnMut(ChainHint, &dyn Fn() -> Single),
) -> Result<(), OutOfBudget> {
    let links = walks.links.links;
    for cell in 0..81 {
        for digit in walks.links.starts(&ground.notes, cell) {
            // A chain of cells alone cannot return to the opposite of its start.
            for start in
                [Node::on(cell, digit), Node::off(cell, digit)].into_iter().take(1 + usize::from(links != Links::Y))
            {
                walk(ground, start, limit, walks, visit);
                budget.take_nodes(walks.steps.len() as u64 + 1)?;
            }
        }
    }
    Ok(())
}

fn walk(
    ground: &Ground,
    start: Node,
    limit: u16,
    Walks { links, steps, .. }: &mut Walks,
    visit: &mut dyn FnMut(ChainHint, &dyn Fn() -> Single),
) {
    Walk { ground, links, steps, start, on_cells: [0; 10], off_cells: [0; 10], limit }.run(visit);
}

/// Calls `visit` with every single chain of a position.
pub(super) fn all(
    ground: &Ground,
    budget: &mut Budget<'_>,
    visit: &mut dyn FnMut(ChainHint, &Single),
) -> Result<(), OutOfBudget> {
    let mut walks = Walks::default();
    for links in [Links::X, Links::Y, Links::Xy] {
        walks.links.lay_out(&ground.notes, links);
        walk_all(ground, u16::MAX, &mut walks, budget, &mut |hint, single| visit(hint, &single()))?;
    }
    Ok(())
}

/// The single chain of a hint, derived again.
pub(super) fn redraw(ground: &Ground, hint: &ChainHint) -> Option<Single> {
    let (Kind::Cycle { links, start, .. } | Kind::Forcing { links, start }) = hint.kind else { return None };
    let (mut walks, mut found) = (Walks::default(), None);
    let visit = &mut |other: ChainHint, single: &dyn Fn() -> Single| {
        if other == *hint {
            found.get_or_insert_with(single);
        }
    };
    walks.links.lay_out(&ground.notes, links);
    walk(ground, start, hint.nodes, &mut walks, visit);
    found
}

impl Walk<'_> {
    fn run(&mut self, visit: &mut dyn FnMut(ChainHint, &dyn Fn() -> Single)) {
        self.steps.clear();
        let is_on = self.start.is_on();
        let mut end = None;
        if is_on {
            self.on_cells[self.start.digit()] |= one(self.start.cell());
            self.steps.push(Step { node: self.start, via: self.start, cause: Cause::None, parent: START, depth: 1 });
        } else {
            self.off_cells[self.start.digit()] |= one(self.start.cell());
            self.arrive(None, self.start, &mut end);
        }
        let mut at = 0;
        while at < self.steps.len() {
            let step = self.steps[at];
            if is_on && step.depth > 1 {
                self.close(at, visit);
                let is_chain = self.links.links != Links::Y && end.is_none() && step.depth < self.limit;
                if is_chain && self.links.excludes(step.node, self.start) {
                    let node = self.start.negated();
                    end = Some(End { node, cause: Cause::None, via: None, at, nodes: step.depth + 1 });
                }
            }
            // The end of a chain is two nodes further if the start is false, and three if it is true.
            if step.depth + 2 + u16::from(is_on) <= self.limit {
                self.resume(at, &mut end);
            }
            at += 1;
        }
        if let Some(end) = end {
            let hint = ChainHint::new(Kind::Forcing { links: self.links.links, start: self.start }, end.nodes);
            visit(hint, &|| Single { forward: self.path(&end), backward: Vec::new() });
        }
    }

    /// Rules out the candidates that the true candidate of a step excludes, and makes true what follows.
    fn resume(&mut self, at: usize, end: &mut Option<End>) {
        let node = self.steps[at].node;
        let (cell, digit) = (node.cell(), node.digit());
        if self.links.links != Links::X {
            for other in bits(self.ground.notes.of_cell[cell] & !(1 << digit)) {
                if self.links.has[other] & !self.off_cells[other] & one(cell) != 0 {
                    self.off_cells[other] |= one(cell);
                    self.arrive(Some(at), Node::off(cell, other), end);
                }
            }
        }
        let around = SEEN[cell] & self.links.has[digit] & !self.off_cells[digit];
        if around == 0 {
            return;
        }
        for way in WAYS {
            for other in cells(around & HOUSE_CELLS[HOMES[cell][way].0] & !self.off_cells[digit]) {
                self.off_cells[digit] |= one(other);
                self.arrive(Some(at), Node::off(other, digit), end);
            }
        }
    }

    /// Makes true what follows if the step `from`, or the assumption, rules out a candidate.
    fn arrive(&mut self, from: Option<usize>, via: Node, end: &mut Option<End>) {
        let depth = from.map_or(0, |at| self.steps[at].depth);
        for &(node, cause) in self.links.partners(via) {
            if node == self.start.negated() && end.is_none() {
                *end = Some(End { node, cause, via: Some(via), at: from.unwrap_or(0), nodes: depth + 2 });
            }
            let place = one(node.cell());
            if self.on_cells[node.digit()] & place == 0 {
                self.on_cells[node.digit()] |= place;
                let parent =
                    from.map_or(START, |at| u16::try_from(at).expect("a step makes one of 729 candidates true"));
                self.steps.push(Step { node, via, cause, parent, depth: depth + 2 });
            }
        }
    }

    /// Passes every cycle that leads from a step back to the start.
    fn close(&self, at: usize, visit: &mut dyn FnMut(ChainHint, &dyn Fn() -> Single)) {
        let Step { node: before, depth, .. } = self.steps[at];
        if depth + 1 > self.limit {
            return;
        }
        let excluded = |&&(last, _): &&(Node, Cause)| self.links.excludes(before, last);
        let (mut closing, mut len) = ([(self.start, Cause::None); 4], 0);
        for &(last, _) in self.links.partners(self.start).iter().filter(excluded) {
            let last = last.negated();
            let back = self.links.partners(last).iter().find(|(node, _)| *node == self.start);
            if let Some(&(_, cause)) = back.filter(|_| !self.passes(at, last)) {
                closing[len] = (last, cause);
                len += 1;
            }
        }
        let closing = &mut closing[..len];
        closing.sort_by_key(|&(last, _)| StrongLinks::turn(before, last));
        for &mut (last, cause) in closing {
            let end = End { node: self.start, cause, via: Some(last), at, nodes: depth + 1 };
            if self.cycle_removes(&end) {
                let kind = Kind::Cycle { links: self.links.links, start: self.start, before, last };
                visit(ChainHint::new(kind, end.nodes), &|| self.cycle(&end));
            }
        }
    }

    /// Whether the path to a step includes this removal.
    fn passes(&self, at: usize, off: Node) -> bool {
        let mut step = &self.steps[at];
        while step.parent != START {
            if step.via == off {
                return true;
            }
            step = &self.steps[usize::from(step.parent)];
        }
        false
    }

    /// Whether a candidate outside a cycle sees both a true and a removed candidate of its digit.
    fn cycle_removes(&self, end: &End) -> bool {
        let mut span = Span::default();
        span.add(end.node);
        end.via.into_iter().for_each(|via| span.add(via));
        let mut step = &self.steps[end.at];
        while step.parent != START {
            span.add(step.node);
            span.add(step.via);
            step = &self.steps[usize::from(step.parent)];
        }
        (1..10).any(|digit| span.removed(self.ground, digit) != 0)
    }

    fn cycle(&self, end: &End) -> Single {
        let forward = self.path(end);
        let causes = forward.iter().map(|&(node, cause)| (node.negated(), cause));
        // In the backward direction, each node has the cause that its opposite has in the forward direction. The start
        // has no cause.
        let mut backward: Vec<_> = causes.collect();
        let count = backward.len();
        for at in 0..count {
            let next = if at + 1 < count { backward[at + 1].0 } else { end.node.negated() };
            if backward[at].0.is_on() {
                backward[at].1 = Cause::between(backward[at].0.cell(), next.cell());
            }
        }
        backward.reverse();
        Single { forward, backward }
    }

    /// The path from an end back to the start, including the start.
    fn path(&self, end: &End) -> Vec<(Node, Cause)> {
        let mut path = vec![(end.node, end.cause)];
        path.extend(end.via.map(|via| (via, Cause::None)));
        let mut at = if path.len() == 2 && end.nodes == 2 { None } else { Some(end.at) };
        while let Some(step) = at.map(|at| self.steps[at]) {
            path.push((step.node, step.cause));
            if step.via != step.node {
                path.push((step.via, Cause::None));
            }
            at = (step.parent != START).then_some(usize::from(step.parent));
        }
        path
    }
}

/// Marks the first step.
const START: u16 = u16::MAX;

/// Where a chain ends.
#[derive(Debug, Clone, Copy)]
struct End {
    node: Node,
    cause: Cause,
    /// The statement that was ruled out just before, if the end is true.
    via: Option<Node>,
    /// The step before that.
    at: usize,
    nodes: u16,
}
