//! Traces the chains of a forcing net: the entries of the tables that lead to a conclusion.

use super::{
    implications::Implications,
    net_tables::{Entry, NetTables},
    nodes::{Node, grouped},
    pace::Pace,
};
use std::collections::BTreeMap;

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
pub(super) struct Chains<'a> {
    pace: &'a Pace<'a>,
    tables: &'a NetTables,
    groups: BTreeMap<Node, Vec<Entry>>,
    followed: BTreeMap<Node, Followed>,
}

impl<'a> Chains<'a> {
    pub(super) fn new(pace: &'a Pace<'a>, tables: &'a NetTables, implications: &Implications) -> Self {
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
    pub(super) fn branches(&mut self, start: Node, end: Node) -> bool {
        if !self.followed.contains_key(&start) {
            let followed = self.follow(start);
            self.followed.insert(start, followed);
        }
        let followed = &self.followed[&start];
        let mut node = end;
        // Each iteration moves to a node that was reached earlier, so the loop ends.
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
    /// Records that a node is reached through another table, if the node is new, or nearer than through a third table.
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
