//! Remote Pair: a chain of cells with the same two candidates.

use super::{
    position::Position,
    step::{Best, Effect, Removal},
};
use crate::sudoku::{
    board::{HOUSES, column_of, row_of},
    techniques::geometry::{Cells, HOMES, SEEN, bits, cells, one},
};

/// The maximum number of cells in a chain: each uses two of 20 links.
const CELLS_MAX: usize = 10;

/// The maximum number of chains examined in one search. Only a board full of one pair would have more.
const LOOKS_MAX: u32 = 20_000;

struct Search<'a> {
    position: &'a Position,
    same: Cells,
    chain: [usize; CELLS_MAX],
    best: Best,
    looks: u32,
}

/// If each cell of a chain sees the next and all have the same two candidates, two cells at an odd distance contain
/// both digits. So neither digit can be in a cell that sees both of these cells: Remote Pair.
pub(super) fn remote_pair(position: &Position) -> Option<Effect> {
    let twos = position.with_two();
    let mut search = Search { position, same: 0, chain: [0; CELLS_MAX], best: Best::default(), looks: 0 };
    for start in cells(twos) {
        let digits = position.of_cell(start);
        search.same = cells(twos).filter(|&cell| position.of_cell(cell) == digits).map(one).sum();
        if search.same.count_ones() < 4 {
            continue;
        }
        for digit in bits(digits) {
            search.chain[0] = start;
            search.extend(1, digit, one(start));
        }
    }
    search.best.effect()
}

impl Search<'_> {
    fn extend(&mut self, len: usize, digit: usize, seen: Cells) {
        self.looks += 1;
        if len == CELLS_MAX || self.looks > LOOKS_MAX {
            return;
        }
        let last = self.chain[len - 1];
        let open = self.same & !seen;
        for next in neighbors(last).filter(|&next| open & one(next) != 0) {
            self.chain[len] = next;
            let len = len + 1;
            let ends = SEEN[self.chain[0]] & SEEN[next];
            if len >= 4 && len.is_multiple_of(2) && ends & self.position.of_digit(digit) != 0 {
                let removal = self.removal(len);
                self.best.offer(removal);
            }
            self.extend(len, digit, seen | one(next));
        }
    }

    fn removal(&self, len: usize) -> Removal {
        let mut removal = Removal::default();
        for first in 0..len {
            for second in (first + 3..len).step_by(2) {
                let seen = SEEN[self.chain[first]] & SEEN[self.chain[second]];
                for digit in bits(self.position.of_cell(self.chain[0])) {
                    removal.add(digit, seen & self.position.of_digit(digit));
                }
            }
        }
        removal
    }
}

/// The peers of a cell: first those of its row, then those of its column, and then the rest of its box. The order
/// decides between equal results.
fn neighbors(cell: usize) -> impl Iterator<Item = usize> {
    let in_line = move |peer: usize| row_of(peer) == row_of(cell) || column_of(peer) == column_of(cell);
    HOMES[cell].into_iter().enumerate().flat_map(move |(kind, (house, _))| {
        let members = HOUSES[house].into_iter().map(usize::from);
        members.filter(move |&peer| peer != cell && !(kind == 2 && in_line(peer)))
    })
}
