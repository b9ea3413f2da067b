//! The proof of a hint: derives its chains again from the position, each link with its premises.

use super::{
    Ground,
    hint::{ChainHint, Kind, Rules},
    nested::{Shop, targets},
    net::{Net, Target},
    nodes::{Node, NodeSet},
    paths::redraw,
};
use crate::{
    shared::{
        budget::Budget,
        step::{Chain, Link, Statement},
    },
    sudoku::techniques::geometry::{bits, cell_number, cells, digit_number},
};

/// The chains that prove a hint, without links if the budget ends. Uses part of the nodes that the search for the hint
/// used.
pub(in crate::sudoku::techniques) fn proof(ground: &Ground, hint: &ChainHint, budget: &mut Budget<'_>) -> Vec<Chain> {
    if let Some(single) = redraw(ground, hint) {
        let paths = [single.forward, single.backward];
        return paths
            .iter()
            .filter(|path| !path.is_empty())
            .map(|path| from_path(path.iter().map(|step| step.0)))
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
fn from_path(path: impl DoubleEndedIterator<Item = Node>) -> Chain {
    let nodes: Vec<_> = path.rev().map(statement).collect();
    let links = nodes.windows(2).map(|pair| Link { premises: vec![pair[0]], then: pair[1], pattern: Vec::new() });
    Chain { assumption: nodes[0], links: links.collect() }
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
            derive(net, target, &mut done, &mut chain.links);
        }
    }
    chain
}

/// Adds the links to a node, after those to its parents.
fn derive(net: &Net, target: Target, done: &mut NodeSet, links: &mut Vec<Link>) {
    if done.has(target.node) {
        return;
    }
    done.insert(target.node);
    let parents = net.parents(target.origin.parents);
    for &parent in parents {
        derive(net, net.target(parent), done, links);
    }
    let nested = usize::from(target.origin.nested).checked_sub(1).map(|at| &net.nested[at]);
    links.push(Link {
        premises: parents.iter().copied().map(statement).collect(),
        then: statement(target.node),
        pattern: nested.map_or_else(Vec::new, |nested| cells(nested.cells).map(cell_number).collect()),
    });
}

fn statement(node: Node) -> Statement {
    Statement { cell: cell_number(node.cell()), digit: digit_number(node.digit()), holds: node.is_on() }
}
