//! How short a single chain can be: a walk over bit sets that knows no paths. A cycle that removes something comes with a
//! chain from what it removes, which follows it round and has two nodes more at most. So where no chain is, no paths need
//! to be walked.

use super::{
    super::geometry::{SEEN, bits, cells, one},
    hint::Links,
    links::StrongLinks,
    nodes::{Node, Notes},
};

/// Words of a set of numbered candidates; a position with more candidates than fit is walked without this help.
const WORDS: usize = 8;

/// A set of numbered candidates.
type Row = [u64; WORDS];

/// The candidates of a position, numbered, with what follows from each.
#[derive(Debug, Default)]
pub(super) struct Reach {
    nodes: Vec<Node>,
    numbers: Vec<u16>,
    /// What becomes true when a candidate is false.
    partners: Vec<Row>,
    /// What becomes true, by way of one that is ruled out, when a candidate is true.
    next: Vec<Row>,
    /// What rules a candidate out.
    rivals: Vec<Row>,
}

impl Reach {
    /// Nodes of the shortest chain from some statement to its contrary, at most `limit`; none if there is no such chain.
    /// `u16::MAX` for a position that is too large to tell.
    pub(super) fn shortest(&mut self, notes: &Notes, links: &StrongLinks, limit: u16) -> Option<u16> {
        if !self.lay_out(notes, links) {
            return Some(u16::MAX);
        }
        let mut best = None;
        for start in 0..self.nodes.len() {
            let limit = best.map_or(limit, |best: u16| best - 1);
            let from_true =
                self.meets(only(start), 1, self.rivals[start], limit.saturating_sub(1)).map(|depth| depth + 1);
            best = from_true.or(best);
            let limit = best.map_or(limit, |best| best - 1);
            best = self.meets(self.partners[start], 2, only(start), limit).or(best);
        }
        best
    }

    /// At which depth a walk first meets one of these; it starts at `depth` and goes no farther than `limit`.
    fn meets(&self, start: Row, mut depth: u16, goal: Row, limit: u16) -> Option<u16> {
        let (mut front, mut seen) = (start, start);
        while depth <= limit && !is_empty(&front) {
            if meet(&front, &goal) {
                return Some(depth);
            }
            front = self.ahead(&front, &mut seen);
            depth += 2;
        }
        None
    }

    /// Whether a walk from a statement can end as a chain or cycle of just so many nodes, the fewest that there are.
    pub(super) fn may_end(&self, start: Node, nodes: u16) -> bool {
        if self.nodes.len() > 64 * WORDS {
            return true;
        }
        let number = self.number(start);
        if !start.is_on() {
            return self.meets(self.partners[number], 2, only(number), nodes).is_some();
        }
        let (mut front, mut seen) = (only(number), only(number));
        (1..nodes / 2).for_each(|_| front = self.ahead(&front, &mut seen));
        meet(&front, &self.rivals[number])
            || members(&self.partners[number]).any(|last| meet(&front, &self.rivals[last]))
    }

    /// What becomes true next, without what was true before.
    fn ahead(&self, front: &Row, seen: &mut Row) -> Row {
        let mut ahead = [0; WORDS];
        members(front).for_each(|at| unite(&mut ahead, &self.next[at]));
        for (word, seen) in ahead.iter_mut().zip(seen) {
            *word &= !*seen;
            *seen |= *word;
        }
        ahead
    }

    /// Numbers the candidates and lays out what follows from each. Whether they fit.
    fn lay_out(&mut self, notes: &Notes, links: &StrongLinks) -> bool {
        self.nodes.clear();
        self.numbers.resize(Node::CANDIDATES, 0);
        for digit in 1..10 {
            for cell in cells(notes.of_digit[digit]) {
                let node = Node::on(cell, digit);
                self.numbers[node.candidate()] = u16::try_from(self.nodes.len()).unwrap_or(u16::MAX);
                self.nodes.push(node);
            }
        }
        if self.nodes.len() > 64 * WORDS {
            return false;
        }
        self.partners.clear();
        for &node in &self.nodes {
            let mut row = [0; WORDS];
            links.partners(node).iter().for_each(|(partner, _)| insert(&mut row, self.number(*partner)));
            self.partners.push(row);
        }
        self.rivals.clear();
        self.next.clear();
        for &node in &self.nodes {
            let (rivals, next) = self.follow(notes, links, node);
            self.rivals.push(rivals);
            self.next.push(next);
        }
        true
    }

    fn follow(&self, notes: &Notes, links: &StrongLinks, node: Node) -> (Row, Row) {
        let (mut rivals, mut next) = ([0; WORDS], [0; WORDS]);
        let mut rule_out = |rival: Node| {
            let number = self.number(rival);
            insert(&mut rivals, number);
            if links.has[rival.digit()] & one(rival.cell()) != 0 {
                unite(&mut next, &self.partners[number]);
            }
        };
        let (cell, digit) = (node.cell(), node.digit());
        cells(SEEN[cell] & notes.of_digit[digit]).for_each(|other| rule_out(Node::on(other, digit)));
        if links.links != Links::X {
            bits(notes.of_cell[cell] & !(1 << digit)).for_each(|other| rule_out(Node::on(cell, other)));
        }
        (rivals, next)
    }

    fn number(&self, node: Node) -> usize {
        usize::from(self.numbers[node.candidate()])
    }
}

fn is_empty(row: &Row) -> bool {
    row.iter().all(|&word| word == 0)
}

fn meet(row: &Row, other: &Row) -> bool {
    row.iter().zip(other).any(|(word, other)| word & other != 0)
}

fn only(at: usize) -> Row {
    let mut row = [0; WORDS];
    insert(&mut row, at);
    row
}

fn insert(row: &mut Row, at: usize) {
    row[at / 64] |= 1 << (at % 64);
}

fn unite(row: &mut Row, other: &Row) {
    row.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

fn members(row: &Row) -> impl Iterator<Item = usize> {
    row.iter().enumerate().flat_map(|(word, &bits)| {
        std::iter::successors(Some(bits), |&left| Some(left & left.wrapping_sub(1)))
            .take_while(|&left| left != 0)
            .map(move |left| word * 64 + left.trailing_zeros() as usize)
    })
}
