//! Finds nice loops and alternating inference chains (AIC), with and without groups.

use super::{
    implications::{Followed, Implications},
    nodes::{Node, Nodes, candidate, is_true, single},
    position::Position,
    search::Search,
    step::{Best, Effect, Removal},
};
use crate::sudoku::techniques::geometry::{Cells, SEEN, bits, one};

/// Nice Loop, AIC, and their grouped forms. A candidate that implies its own negation is false; one whose negation
/// implies it is true. If a chain shows that one of its two ends is true, candidates that contradict both ends can be
/// removed. If a chain returns to its start without a contradiction, each of its links holds in both directions.
pub(super) fn nice_loop(search: &Search<'_>, with_groups: bool) -> Option<Effect> {
    let position = search.position;
    let implications = Implications::of(position, with_groups);
    let mut loops = Loops {
        position,
        nodes: &implications.nodes,
        followed: Followed::default(),
        chain: Vec::new(),
        best: Best::default(),
    };
    let mut ends = Best::default();
    for starts_true in [true, false] {
        for (cell, digit) in position.candidates() {
            implications.follow(single(cell, digit, starts_true), &mut loops.followed);
            if search.pace.is_cut(loops.followed.count()) {
                return None;
            }
            loops.loops(cell, digit);
            if !starts_true {
                loops.ends(cell, digit, &mut ends);
            }
        }
    }
    loops.best.or(ends).effect()
}

struct Loops<'a> {
    position: &'a Position,
    nodes: &'a Nodes,
    followed: Followed,
    chain: Vec<Node>,
    best: Best,
}

impl Loops<'_> {
    /// Tries chains that return to the cell in which they start.
    fn loops(&mut self, cell: usize, digit: usize) {
        let starts_true = is_true(self.followed.start());
        let digits = self.position.of_cell(cell);
        let is_end = |&node: &Node| candidate(node).is_some_and(|(end, _)| end == cell);
        let found: Vec<_> = self.followed.far().filter(is_end).collect();
        for end in found {
            let end_digit = self.nodes.digit(end);
            let mut removal = Removal::default();
            match (starts_true, is_true(end), digit == end_digit) {
                (true, false, true) | (true, true, false) => removal.add(digit, one(cell)),
                (false, true, true) => {
                    bits(digits & !(1 << digit)).for_each(|other| removal.add(other, one(cell)));
                }
                (false, false, false) => removal.add(end_digit, one(cell)),
                (true, false, false) if digits.count_ones() == 2 => removal = self.continuous(end),
                (false, true, false) => removal = self.continuous(end),
                _ => continue,
            }
            let (followed, nodes, chain) = (&self.followed, self.nodes, &mut self.chain);
            self.best.offer_if(removal, || {
                followed.chain(end, chain);
                is_loop(nodes, chain)
            });
        }
    }

    /// What a continuous loop removes: each candidate that sees both ends of a link, and the other candidates of each
    /// cell that the loop enters and leaves by different digits.
    fn continuous(&mut self, end: Node) -> Removal {
        self.followed.chain(end, &mut self.chain);
        let (chain, nodes) = (&self.chain, self.nodes);
        let mut removal = Removal::default();
        let on_chain = chain.iter().fold(0, |all, &node| all | nodes.cells(node));
        let cell_of = |at: usize| nodes.first_cell(chain[at]);
        let mut clear_cell = |cell: usize, keep: [Node; 2]| {
            let kept = keep.iter().fold(0, |kept, &node| kept | 1 << nodes.digit(node));
            bits(self.position.of_cell(cell) & !kept).for_each(|digit| removal.add(digit, one(cell)));
        };
        if !is_true(chain[0]) && is_true(end) {
            clear_cell(cell_of(0), [chain[0], end]);
        }
        for at in 1..chain.len().saturating_sub(2) {
            let enters = is_true(chain[at]) && cell_of(at - 1) != cell_of(at);
            let crosses = !is_true(chain[at + 1]) && cell_of(at) == cell_of(at + 1);
            if enters && crosses && is_true(chain[at + 2]) && cell_of(at + 1) != cell_of(at + 2) {
                clear_cell(cell_of(at), [chain[at], chain[at + 2]]);
            }
        }
        for at in 1..chain.len() {
            if !is_true(chain[at]) && cell_of(at - 1) != cell_of(at) {
                let digit = nodes.digit(chain[at]);
                let seen = nodes.seen(chain[at - 1]) & nodes.seen(chain[at]) & !on_chain;
                removal.add(digit, seen & self.position.of_digit(digit));
            }
        }
        removal
    }

    /// Tries chains that show that one of their two ends is true.
    fn ends(&mut self, cell: usize, digit: usize, best: &mut Best) {
        let far: Vec<Node> = self.followed.far().filter(|&node| is_true(node)).collect();
        for end in far {
            let Some((end_cell, end_digit)) = candidate(end).filter(|&(end_cell, _)| end_cell != cell) else {
                continue;
            };
            let mut removal = Removal::default();
            if digit == end_digit {
                let seen = SEEN[cell] & SEEN[end_cell] & self.position.of_digit(digit);
                // A single candidate is left out here: `loops` finds it as a loop that starts at that candidate.
                if seen.count_ones() >= 2 {
                    removal.add(digit, seen);
                }
            } else if SEEN[cell] & one(end_cell) != 0
                && self.position.has(end_cell, digit)
                && self.position.has(cell, end_digit)
            {
                removal.add(end_digit, one(cell));
                removal.add(digit, one(end_cell));
            }
            let (followed, nodes, chain) = (&self.followed, self.nodes, &mut self.chain);
            best.offer_if(removal, || {
                followed.chain(end, chain);
                comes_by_no_cell_twice(nodes, chain, None)
            });
        }
    }
}

/// Whether a chain leaves its first cell at once, enters its last cell only with its last node, and returns to no cell
/// but its first.
fn is_loop(nodes: &Nodes, chain: &[Node]) -> bool {
    let first = nodes.first_cell(chain[0]);
    let [.., before_last, last] = chain[..] else { return false };
    nodes.first_cell(chain[1]) != first
        && nodes.first_cell(before_last) != nodes.first_cell(last)
        && comes_by_no_cell_twice(nodes, chain, Some(first))
}

/// Whether the chain never returns to a cell that it has left. It may return to `may_return`.
fn comes_by_no_cell_twice(nodes: &Nodes, chain: &[Node], may_return: Option<usize>) -> bool {
    let mut left: Cells = 0;
    let mut before: Option<Node> = None;
    chain.iter().all(|&node| {
        let is_new = left & one(nodes.first_cell(node)) == 0;
        if let Some(last) = before.filter(|&last| may_return != Some(nodes.first_cell(last))) {
            left |= nodes.cells(last);
        }
        before = Some(node);
        is_new
    })
}
