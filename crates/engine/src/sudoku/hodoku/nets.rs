//! Forcing nets: forcing chains in which a link may depend on several earlier links.

use super::{
    closure::Closure,
    forcing::{Ends, Proof, Tables, best_conclusion},
    implications::Implications,
    net_chains::Chains,
    net_tables::NetTables,
    nodes::{Node, candidate, grouped, single},
    position::Position,
    search::Search,
    step::{Candidate, Effect},
};
use crate::sudoku::techniques::geometry::{bits, cells};

/// If every place of a digit, or every digit of a cell, implies the same statement about a candidate through links that
/// depend on several others, the statement is true. If a candidate contradicts itself, its opposite is true: Forcing
/// Net. HoDoKu follows four rounds of singles from each candidate and combines the results. Conclusions without such a
/// link are left to the forcing chains.
pub(super) fn forcing_net(search: &Search<'_>) -> Option<Effect> {
    let (position, pace) = (search.position, &search.pace);
    let implications = Implications::of(position, true);
    let tables = NetTables::of(position, pace, &implications);
    let mut closure = closure(position, &implications, &tables);
    let mut follows = Tables::new();
    for start in candidates(position) {
        for is_true in [true, false] {
            follows.set(start, is_true, &closure.follow(single(start.0, start.1, is_true)));
            if pace.is_cut(closure.count()) {
                return None;
            }
        }
    }
    let mut chains = Chains::new(pace, &tables, &implications);
    best_conclusion(position, pace, &follows, |conclusion| {
        let end = (conclusion.candidate, conclusion.is_true);
        is_net(&mut chains, conclusion.proof, end)
    })
}

fn candidates(position: &Position) -> impl Iterator<Item = Candidate> {
    cells(position.empty()).flat_map(|cell| bits(position.of_cell(cell)).map(move |digit| (cell, digit)))
}

fn closure(position: &Position, implications: &Implications, tables: &NetTables) -> Closure {
    let count = implications.nodes.count();
    let mut closure = Closure::new(count);
    for (cell, digit) in candidates(position) {
        for start in [true, false].map(|is_true| single(cell, digit, is_true)) {
            tables.of_node(start).into_iter().flatten().for_each(|entry| closure.link(start, entry.node));
        }
    }
    for number in 0..implications.nodes.groups().len() {
        for group in [true, false].map(|is_true| grouped(number, is_true)) {
            implications.links(group).iter().for_each(|&to| closure.link(group, to));
        }
    }
    closure
}

/// Whether a chain of the proof has a link that depends on several others.
fn is_net(chains: &mut Chains<'_>, proof: Proof<'_>, end: (Candidate, bool)) -> bool {
    let node = |((cell, digit), is_true): (Candidate, bool)| -> Node { single(cell, digit, is_true) };
    match proof {
        Proof::BothWays { start } => {
            [true, false].into_iter().any(|way| chains.branches(node((start, way)), node(end)))
        }
        Proof::Each { starts } => starts.iter().any(|&start| chains.branches(node((start, true)), node(end))),
        Proof::Contradiction { start, ends } => {
            let mut branches = |end: Candidate, is_true: bool| chains.branches(node(start), node((end, is_true)));
            match ends {
                Ends::Contrary => branches(start.0, !start.1),
                Ends::Both(end) => branches(end, false) || branches(end, true),
                Ends::AllTrue(ends) => ends.iter().any(|&end| branches(end, true)),
                Ends::AllFalse(ends) => ends.iter().any(|&end| branches(end, false)),
            }
        }
    }
}

/// The implications from a candidate's node to groups.
pub(super) fn group_links(implications: &Implications, node: Node) -> impl Iterator<Item = Node> {
    implications.links(node).iter().copied().filter(|&to| candidate(to).is_none())
}
