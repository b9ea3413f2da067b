//! Computes a lower bound on the length of single chains by a walk over bit sets, without paths. If a cycle removes a
//! candidate, a chain leads from that candidate along the cycle, with at most two more nodes. So if there is no chain,
//! no path needs to be walked.

use super::{
    hint::Links,
    links::StrongLinks,
    nodes::{Node, Notes},
};
use crate::sudoku::techniques::geometry::{SEEN, bits, cells, one};

/// The number of words in a set of numbered candidates, for positions in which four are enough.
const WORDS_FEW: usize = 4;

/// A position with more candidates than this is searched without this bound.
const WORDS_MAX: usize = 8;

/// A set of numbered candidates.
type Row<const WORDS: usize> = [u64; WORDS];

/// The numbered candidates of a position, and what follows from each.
#[derive(Debug, Default)]
pub(super) struct Reach {
    numbered: Numbered,
    few: Rows<WORDS_FEW>,
    many: Rows<WORDS_MAX>,
}

/// The candidates of a position.
#[derive(Debug, Default)]
struct Numbered {
    nodes: Vec<Node>,
    numbers: Vec<u16>,
}

/// By number, the consequences of a candidate.
#[derive(Debug, Default)]
struct Rows<const WORDS: usize> {
    /// What becomes true if it is false.
    partners: Vec<Row<WORDS>>,
    /// What becomes true, through one removal, if it is true.
    next: Vec<Row<WORDS>>,
    /// What rules it out.
    rivals: Vec<Row<WORDS>>,
}

impl Reach {
    /// The number of nodes of the shortest chain from a statement to its opposite, at most `limit`. `None` if there is
    /// no such chain, and `u16::MAX` if the position is too large to tell.
    pub(super) fn shortest(&mut self, notes: &Notes, links: &StrongLinks, limit: u16) -> Option<u16> {
        self.numbered.number_all(notes);
        if self.fits(WORDS_FEW) {
            self.few.lay_out(notes, links, &self.numbered);
            self.few.shortest(limit)
        } else if self.fits(WORDS_MAX) {
            self.many.lay_out(notes, links, &self.numbered);
            self.many.shortest(limit)
        } else {
            Some(u16::MAX)
        }
    }

    /// Whether a walk from a statement can end as a chain or cycle with exactly this many nodes, the minimum.
    pub(super) fn may_end(&self, start: Node, nodes: u16) -> bool {
        let number = self.numbered.of(start);
        if self.fits(WORDS_FEW) {
            self.few.may_end(number, start.is_on(), nodes)
        } else {
            !self.fits(WORDS_MAX) || self.many.may_end(number, start.is_on(), nodes)
        }
    }

    fn fits(&self, words: usize) -> bool {
        self.numbered.nodes.len() <= 64 * words
    }
}

impl Numbered {
    fn number_all(&mut self, notes: &Notes) {
        self.nodes.clear();
        self.numbers.resize(Node::CANDIDATES, 0);
        for digit in 1..10 {
            for cell in cells(notes.of_digit[digit]) {
                let node = Node::on(cell, digit);
                self.numbers[node.candidate()] = u16::try_from(self.nodes.len()).expect("a grid has 729 candidates");
                self.nodes.push(node);
            }
        }
    }

    fn of(&self, node: Node) -> usize {
        usize::from(self.numbers[node.candidate()])
    }
}

impl<const WORDS: usize> Rows<WORDS> {
    fn shortest(&self, limit: u16) -> Option<u16> {
        let mut best = None;
        // A chain from a false start returns to it through a partner. The chain from that partner, taken as true, has
        // the same length.
        for start in 0..self.next.len() {
            let limit = best.map_or(limit, |best: u16| best - 1);
            let depth = self.meets(only(start), 1, self.rivals[start], limit.saturating_sub(1));
            best = depth.map(|depth| depth + 1).or(best);
        }
        best
    }

    /// The depth at which a walk first reaches one of these candidates. The walk starts at `depth` and ends at `limit`.
    fn meets(&self, start: Row<WORDS>, mut depth: u16, goal: Row<WORDS>, limit: u16) -> Option<u16> {
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

    fn may_end(&self, start: usize, is_on: bool, nodes: u16) -> bool {
        if !is_on {
            return self.meets(self.partners[start], 2, only(start), nodes).is_some();
        }
        let (mut front, mut seen) = (only(start), only(start));
        (1..nodes / 2).for_each(|_| front = self.ahead(&front, &mut seen));
        meet(&front, &self.rivals[start]) || members(&self.partners[start]).any(|last| meet(&front, &self.rivals[last]))
    }

    /// The candidates that become true next and were not true before.
    fn ahead(&self, front: &Row<WORDS>, seen: &mut Row<WORDS>) -> Row<WORDS> {
        let mut ahead = [0; WORDS];
        members(front).for_each(|at| unite(&mut ahead, &self.next[at]));
        for (word, seen) in ahead.iter_mut().zip(seen) {
            *word &= !*seen;
            *seen |= *word;
        }
        ahead
    }

    /// Computes what follows from each candidate.
    fn lay_out(&mut self, notes: &Notes, links: &StrongLinks, numbered: &Numbered) {
        self.partners.clear();
        for &node in &numbered.nodes {
            let mut row = [0; WORDS];
            links.partners(node).iter().for_each(|(partner, _)| insert(&mut row, numbered.of(*partner)));
            self.partners.push(row);
        }
        self.rivals.clear();
        self.next.clear();
        for &node in &numbered.nodes {
            let (rivals, next) = self.follow(notes, links, numbered, node);
            self.rivals.push(rivals);
            self.next.push(next);
        }
    }

    fn follow(&self, notes: &Notes, links: &StrongLinks, numbered: &Numbered, node: Node) -> (Row<WORDS>, Row<WORDS>) {
        let (mut rivals, mut next) = ([0; WORDS], [0; WORDS]);
        let mut rule_out = |rival: Node| {
            let number = numbered.of(rival);
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
}

fn is_empty<const WORDS: usize>(row: &Row<WORDS>) -> bool {
    row.iter().all(|&word| word == 0)
}

fn meet<const WORDS: usize>(row: &Row<WORDS>, other: &Row<WORDS>) -> bool {
    row.iter().zip(other).any(|(word, other)| word & other != 0)
}

fn only<const WORDS: usize>(at: usize) -> Row<WORDS> {
    let mut row = [0; WORDS];
    insert(&mut row, at);
    row
}

fn insert<const WORDS: usize>(row: &mut Row<WORDS>, at: usize) {
    row[at / 64] |= 1 << (at % 64);
}

fn unite<const WORDS: usize>(row: &mut Row<WORDS>, other: &Row<WORDS>) {
    row.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

fn members<const WORDS: usize>(row: &Row<WORDS>) -> impl Iterator<Item = usize> {
    row.iter().enumerate().flat_map(|(word, &bits)| {
        std::iter::successors(Some(bits), |&left| Some(left & left.wrapping_sub(1)))
            .take_while(|&left| left != 0)
            .map(move |left| word * 64 + left.trailing_zeros() as usize)
    })
}
