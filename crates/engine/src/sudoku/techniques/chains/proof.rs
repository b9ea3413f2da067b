//! The proof of a hint: derives its chains again from the position, each link with its premises.

use super::{
    Ground,
    hint::{ChainHint, Kind, Rules},
    nested::{Shop, targets},
    net::{Net, Target},
    nodes::{Node, NodeSet, Notes, WAYS},
    paths::redraw,
};
use crate::{
    shared::{
        budget::Budget,
        step::{Chain, Link, SingleIn, Statement},
    },
    sudoku::techniques::{
        geometry::{HOMES, bits, cell_number, cells, digit_number},
        steps::house,
    },
};

/// The chains that prove a hint, without links if the budget ends. Uses part of the nodes that the search for the hint
/// used.
pub(in crate::sudoku::techniques) fn proof(ground: &Ground, hint: &ChainHint, budget: &mut Budget<'_>) -> Vec<Chain> {
    if let Some(single) = redraw(ground, hint) {
        let paths = [single.forward, single.backward];
        return paths
            .iter()
            .filter(|path| !path.is_empty())
            .map(|path| from_path(&ground.notes, path.iter().map(|step| step.0)))
            .collect();
    }
    let (rules, starts) = branches(ground, hint);
    starts.into_iter().map(|start| from_net(ground, rules, hint, start, budget)).collect()
}

/// The assumptions of a hint with several branches.
fn branches(ground: &Ground, hint: &ChainHint) -> (Rules, Vec<Node>) {
    match hint.kind {
        Kind::Contradiction { rules, start } => (rules, vec![start]),
        Kind::Double { rules, start, .. } => (rules, vec![start, start.negated()]),
        Kind::Cell { rules, cell, .. } => {
            let digits = bits(ground.notes.of_cell[usize::from(cell)]);
            (rules, digits.map(|digit| Node::on(usize::from(cell), digit)).collect())
        }
        Kind::House { rules, house, digit, .. } => {
            let places = cells(ground.notes.places(usize::from(house), usize::from(digit)));
            (rules, places.map(|cell| Node::on(cell, usize::from(digit))).collect())
        }
        Kind::Cycle { .. } | Kind::Forcing { .. } => (Rules::MULTIPLE, Vec::new()),
    }
}

/// Converts a path, from its end to its start, to a chain.
fn from_path(notes: &Notes, path: impl DoubleEndedIterator<Item = Node>) -> Chain {
    let statements: Vec<_> = path.rev().collect();
    let links = statements.windows(2).map(|pair| Link {
        premises: vec![statement(pair[0])],
        then: statement(pair[1]),
        pattern: Vec::new(),
        single_in: single_in(notes, &pair[..1], pair[1]),
    });
    Chain { assumption: statement(statements[0]), links: links.collect() }
}

/// The part of an assumption's net that leads to the hint's end.
fn from_net(ground: &Ground, rules: Rules, hint: &ChainHint, start: Node, budget: &mut Budget<'_>) -> Chain {
    let mut shop = Shop::default();
    shop.nets.clear();
    let grown = shop.grow(ground, rules, u16::MAX, start, budget);
    let net = &*shop.nets.net_of(start);
    let mut chain = Chain { assumption: statement(start), links: Vec::new() };
    if grown.is_ok() {
        let mut done = NodeSet::EMPTY;
        done.insert(start);
        for (net, target) in targets(hint, &[net]) {
            derive(&ground.notes, (net, target), &mut done, &mut chain.links);
        }
    }
    chain
}

/// Adds the links to a node, after those to its parents.
fn derive(notes: &Notes, (net, target): (&Net, Target), done: &mut NodeSet, links: &mut Vec<Link>) {
    if done.has(target.node) {
        return;
    }
    done.insert(target.node);
    let parents = net.parents(target.origin.parents);
    for &parent in parents {
        derive(notes, (net, net.target(parent)), done, links);
    }
    let nested = usize::from(target.origin.nested).checked_sub(1).map(|at| &net.nested[at]);
    links.push(Link {
        premises: parents.iter().copied().map(statement).collect(),
        then: statement(target.node),
        pattern: nested.map_or_else(Vec::new, |nested| cells(nested.cells).map(cell_number).collect()),
        single_in: single_in(notes, parents, target.node),
    });
}

/// The cell or house in which a true node is the only option that the premises do not remove; `None` for a removal.
fn single_in(notes: &Notes, premises: &[Node], then: Node) -> Option<SingleIn> {
    let (cell, digit) = (then.cell(), then.digit());
    if !then.is_on() {
        return None;
    }
    let is_out = |rival: Node| rival == then || premises.contains(&rival.negated());
    if bits(notes.of_cell[cell]).all(|other| is_out(Node::on(cell, other))) {
        return Some(SingleIn::Cell(cell_number(cell)));
    }
    let houses = WAYS.into_iter().map(|way| HOMES[cell][way].0);
    let mut left =
        houses.filter(|&house| cells(notes.places(house, digit)).all(|other| is_out(Node::on(other, digit))));
    left.next().map(|index| SingleIn::House(house(index)))
}

fn statement(node: Node) -> Statement {
    Statement { cell: cell_number(node.cell()), digit: digit_number(node.digit()), holds: node.is_on() }
}
