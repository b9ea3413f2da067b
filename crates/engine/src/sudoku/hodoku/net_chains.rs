//! The chains of a forcing net: by which entries of which tables a conclusion is reached.

use super::{
    implications::Implications,
    net_tables::{Entry, NetTables},
    nodes::{Node, grouped},
    pace::Pace,
};
use std::collections::BTreeMap;

/// The most that HoDoKu follows from one candidate.
const FOLLOWED_MAX: usize = 1_000;

/// What follows from one candidate over its own table and those of all that it reaches.
struct Followed {
    nodes: Vec<Node>,
    /// For each node its number, and whose table it was taken from; none for the start's own.
    at: BTreeMap<Node, (usize, Option<Node>)>,
    distances: Vec<u16>,
}

/// Makes the chains when they are asked for, and keeps them.
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

    /// Whether the chain from a candidate to what follows from it has a link that rests on several.
    pub(super) fn branches(&mut self, start: Node, end: Node) -> bool {
        if !self.followed.contains_key(&start) {
            let followed = self.follow(start);
            self.followed.insert(start, followed);
        }
        let followed = &self.followed[&start];
        let mut node = end;
        // Each turn goes to a node that was reached before, so it ends.
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
    /// Reaches a node over another's table, if that is new, or nearer than over a third's.
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

/// Whether the way back from a node to the start of a table meets an entry that rests on several.
fn branches_in(table: &[Entry], node: Node) -> bool {
    let Some(mut number) = table.iter().position(|entry| entry.node == node) else { return false };
    while number != 0 {
        let causes = table[number].causes;
        if causes[1..].iter().any(|&cause| cause != 0) {
            return true;
        }
        // A cause stands before what rests on it.
        number = usize::from(causes[0]).min(number - 1);
    }
    false
}
