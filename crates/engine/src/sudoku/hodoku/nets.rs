//! Forcing nets: forcing chains in which a link may depend on several earlier links. Traces the chains that lead to a conclusion
//! through the entries of the tables.

use super::{
    closure::Closure,
    forcing::{Ends, Proof, Tables, best_conclusion},
    implications::Implications,
    net_tables::{Entry, NetTables},
    nodes::{Node, candidate, grouped, single},
    pace::Pace,
    position::Position,
    search::Search,
    step::{Candidate, Effect},
};
use std::collections::BTreeMap;

/// If every place of a digit, or every digit of a cell, implies the same statement about a candidate, the statement is true. If a candidate
/// implies its own contradiction, its opposite is true. The step is a Forcing Net if a link of its chains has several causes; otherwise,
/// it is left to the forcing chains. HoDoKu follows four rounds of singles from each candidate and combines the results.
pub(super) fn forcing_net(search: &Search<'_>) -> Option<Effect> {
    let (position, pace) = (search.position, &search.pace);
    let implications = Implications::of(position, true);
    let tables = NetTables::of(position, pace, &implications);
    let mut closure = closure(position, &implications, &tables);
    let mut follows = Tables::new();
    for start in position.candidates() {
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

fn closure(position: &Position, implications: &Implications, tables: &NetTables) -> Closure {
    let count = implications.nodes.count();
    let mut closure = Closure::new(count);
    for (cell, digit) in position.candidates() {
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

/// The maximum number of nodes that HoDoKu follows from one candidate.
const FOLLOWED_MAX: usize = 1_000;

/// The consequences of one candidate, from its own table and from the tables of all candidates that it reaches.
struct Followed {
    nodes: Vec<Node>,
    /// For each node, its index and the start of the table that it was taken from. `None` stands for the start's own
    /// table.
    at: BTreeMap<Node, (usize, Option<Node>)>,
    distances: Vec<u16>,
}

/// Computes chains when they are first needed, and stores them.
struct Chains<'a> {
    pace: &'a Pace<'a>,
    tables: &'a NetTables,
    groups: BTreeMap<Node, Vec<Entry>>,
    followed: BTreeMap<Node, Followed>,
}

impl<'a> Chains<'a> {
    fn new(pace: &'a Pace<'a>, tables: &'a NetTables, implications: &Implications) -> Self {
        let all = 0..implications.nodes.groups().len();
        let groups = all.flat_map(|number| [true, false].map(|is_true| grouped(number, is_true)));
        let entry = |node, distance| Entry { node, causes: [0; 5], distance };
        let table = |group: Node| {
            let links = implications.links(group).iter().map(|&to| entry(to, 2));
            std::iter::once(entry(group, 1)).chain(links).collect()
        };
        Self { pace, tables, groups: groups.map(|group| (group, table(group))).collect(), followed: BTreeMap::new() }
    }

    fn table(&self, of: Node) -> &[Entry] {
        self.tables.of_node(of).or_else(|| self.groups.get(&of).map(Vec::as_slice)).unwrap_or_default()
    }

    /// Whether the chain from a candidate to a consequence has a link that depends on several others.
    fn branches(&mut self, start: Node, end: Node) -> bool {
        if !self.followed.contains_key(&start) {
            let followed = self.follow(start);
            self.followed.insert(start, followed);
        }
        let followed = &self.followed[&start];
        let mut node = end;
        // Each iteration moves to a node that is nearer to the start, so the loop ends.
        for _ in 0..FOLLOWED_MAX {
            let Some(&(number, source)) = followed.at.get(&node) else { return false };
            if number == 0 {
                return false;
            }
            let table = self.table(source.unwrap_or(start));
            if branches_in(table, node) {
                return true;
            }
            match source {
                Some(source) => node = source,
                None => return false,
            }
        }
        false
    }

    fn follow(&self, start: Node) -> Followed {
        let mut followed = Followed { nodes: Vec::new(), at: BTreeMap::new(), distances: Vec::new() };
        for entry in self.table(start) {
            followed.at.insert(entry.node, (followed.nodes.len(), None));
            followed.nodes.push(entry.node);
            followed.distances.push(entry.distance);
        }
        let mut at = 1;
        while at < followed.nodes.len() && followed.nodes.len() < FOLLOWED_MAX {
            let (source, base) = (followed.nodes[at], followed.distances[at]);
            let table = self.table(source);
            if self.pace.is_cut(table.len()) {
                break;
            }
            for entry in table.iter().skip(1) {
                followed.reach(entry.node, source, base + entry.distance);
            }
            at += 1;
        }
        followed
    }
}

impl Followed {
    /// Records that `node` is reached through the table of `source`. A node of the table of the start keeps its record; of two other
    /// sources, the nearer one is kept.
    fn reach(&mut self, node: Node, source: Node, distance: u16) {
        match self.at.get_mut(&node) {
            Some((number, Some(known))) if self.distances[*number] > distance => {
                self.distances[*number] = distance;
                *known = source;
            }
            Some(_) => (),
            None => {
                self.at.insert(node, (self.nodes.len(), Some(source)));
                self.nodes.push(node);
                self.distances.push(distance);
            }
        }
    }
}

/// Whether the path from a node back to the start of its table passes an entry that depends on several others.
fn branches_in(table: &[Entry], node: Node) -> bool {
    let Some(mut number) = table.iter().position(|entry| entry.node == node) else { return false };
    while number != 0 {
        let causes = table[number].causes;
        if causes[1..].iter().any(|&cause| cause != 0) {
            return true;
        }
        // A cause always precedes the entries that depend on it.
        number = usize::from(causes[0]).min(number - 1);
    }
    false
}
