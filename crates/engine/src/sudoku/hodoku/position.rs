//! The position that HoDoKu's techniques work on: digits, candidates, counts by house, and two queues of singles in the
//! order in which they appeared. That order affects the score, so it must not change.

use super::step::Candidate;
use crate::sudoku::{
    board::{CELLS, Grid, HOUSES, PEERS},
    techniques::geometry::{Cells, DIGITS, HOMES, HOUSE_CELLS, Mask, SEEN, bits, cells, one},
};

/// A partly solved puzzle. Digits count from 1, so index 0 of the tables by digit is unused.
#[derive(Debug, Clone)]
pub(super) struct Position {
    values: [u8; CELLS],
    givens: Cells,
    empty: Cells,
    of_cell: [Mask; CELLS],
    of_digit: [Cells; 10],
    free: [[u8; 10]; 27],
    /// Cells with one candidate left, in the order in which they appeared.
    pub(super) naked: Queue<CELLS>,
    /// Digits with one place left in a house, in the order in which they appeared.
    pub(super) hidden: Queue<243>,
}

impl Position {
    /// The position before the first step. The givens must not clash.
    pub(super) fn of(puzzle: &Grid) -> Self {
        let mut start = Self {
            values: [0; CELLS],
            givens: 0,
            empty: !0 >> (128 - CELLS),
            of_cell: [DIGITS; CELLS],
            of_digit: [!0 >> (128 - CELLS); 10],
            free: [[9; 10]; 27],
            naked: Queue::EMPTY,
            hidden: Queue::EMPTY,
        };
        for (cell, &digit) in puzzle.cells().iter().enumerate().filter(|(_, digit)| **digit != 0) {
            start.place(cell, usize::from(digit));
            start.givens |= one(cell);
        }
        start
    }

    /// Whether every cell is filled.
    pub(super) fn is_solved(&self) -> bool {
        self.empty == 0
    }

    /// The digit in a cell, 0 for none.
    pub(super) fn value(&self, cell: usize) -> usize {
        usize::from(self.values[cell])
    }

    /// The filled cells that are not givens.
    pub(super) fn found(&self) -> Cells {
        !(self.empty | self.givens) & (!0 >> (128 - CELLS))
    }

    /// The cells without a digit.
    pub(super) fn empty(&self) -> Cells {
        self.empty
    }

    /// The candidates of a cell. A filled cell has none.
    pub(super) fn of_cell(&self, cell: usize) -> Mask {
        self.of_cell[cell]
    }

    /// All candidates, by cell and then by digit.
    pub(super) fn candidates(&self) -> impl Iterator<Item = Candidate> {
        cells(self.empty).flat_map(|cell| bits(self.of_cell[cell]).map(move |digit| (cell, digit)))
    }

    /// The cells with this candidate.
    pub(super) fn of_digit(&self, digit: usize) -> Cells {
        self.of_digit[digit]
    }

    /// The number of places left for a digit in a house.
    pub(super) fn free(&self, house: usize, digit: usize) -> u8 {
        self.free[house][digit]
    }

    pub(super) fn places(&self, house: usize, digit: usize) -> Cells {
        self.of_digit[digit] & HOUSE_CELLS[house]
    }

    /// Whether a cell has this candidate.
    pub(super) fn has(&self, cell: usize, digit: usize) -> bool {
        self.of_cell[cell] & 1 << digit != 0
    }

    /// For each digit, the empty cells that see no cell with this digit, even if they lost the candidate.
    pub(super) fn allowed(&self) -> [Cells; 10] {
        let mut allowed = [self.empty; 10];
        for cell in cells(!self.empty & (!0 >> (128 - CELLS))) {
            allowed[self.value(cell)] &= !SEEN[cell];
        }
        allowed
    }

    /// The cells with exactly two candidates.
    pub(super) fn with_two(&self) -> Cells {
        let (mut one_or_more, mut two_or_more, mut more) = (0, 0, 0);
        for cells in &self.of_digit[1..] {
            more |= two_or_more & cells;
            two_or_more |= one_or_more & cells;
            one_or_more |= cells;
        }
        two_or_more & !more
    }

    /// Fills a cell. Also accepts a digit that breaks the rules, because nets continue up to a contradiction.
    pub(super) fn place(&mut self, cell: usize, digit: usize) {
        if self.value(cell) == digit {
            return;
        }
        self.values[cell] = u8::try_from(digit).expect("a digit");
        self.empty &= !one(cell);
        let candidates = std::mem::take(&mut self.of_cell[cell]);
        for candidate in bits(candidates) {
            self.of_digit[candidate] &= !one(cell);
        }
        for &peer in &PEERS[cell] {
            self.remove(usize::from(peer), digit);
        }
        for candidate in bits(candidates) {
            for (house, _) in HOMES[cell] {
                self.free[house][candidate] = self.free[house][candidate].wrapping_sub(1);
                if self.free[house][candidate] == 1 && candidate != digit {
                    self.note_hidden(house, candidate);
                }
            }
        }
    }

    /// Removes a candidate, if it is there.
    pub(super) fn remove(&mut self, cell: usize, digit: usize) {
        if !self.has(cell, digit) {
            return;
        }
        self.of_cell[cell] &= !(1 << digit);
        self.of_digit[digit] &= !one(cell);
        // A cell without candidates ends the update. This happens only in a net that reaches a contradiction, and that
        // net reads the position as it is.
        if self.of_cell[cell] == 0 {
            return;
        }
        if self.of_cell[cell].is_power_of_two() {
            self.naked.push(cell, self.of_cell[cell].trailing_zeros() as usize);
        }
        for (house, _) in HOMES[cell] {
            self.free[house][digit] = self.free[house][digit].wrapping_sub(1);
            match self.free[house][digit] {
                0 => self.hidden.withdraw(house, digit),
                1 => self.note_hidden(house, digit),
                _ => (),
            }
        }
    }

    fn note_hidden(&mut self, house: usize, digit: usize) {
        let place = HOUSES[house].iter().map(|&cell| usize::from(cell)).find(|&cell| self.has(cell, digit));
        if let Some(cell) = place {
            self.hidden.push(cell, digit);
        }
    }
}

/// A first-in, first-out queue of cells and digits. Each is pushed at most once per reason, so the capacity suffices.
#[derive(Debug, Clone)]
pub(super) struct Queue<const ROOM: usize> {
    waiting: [(u8, u8); ROOM],
    first: usize,
    end: usize,
}

impl<const ROOM: usize> Queue<ROOM> {
    const EMPTY: Self = Self { waiting: [(0, 0); ROOM], first: 0, end: 0 };

    fn push(&mut self, cell: usize, digit: usize) {
        if let (Some(slot), Ok(cell), Ok(digit)) =
            (self.waiting.get_mut(self.end), u8::try_from(cell), u8::try_from(digit))
        {
            *slot = (cell, digit);
            self.end += 1;
        }
    }

    /// Removes and returns the entry that has waited longest.
    pub(super) fn pop(&mut self) -> Option<(usize, usize)> {
        let &(cell, digit) = self.waiting[..self.end].get(self.first)?;
        self.first += 1;
        if self.first == self.end {
            (self.first, self.end) = (0, 0);
        }
        Some((usize::from(cell), usize::from(digit)))
    }

    /// All entries, starting with the one that has waited longest.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        self.waiting[self.first..self.end].iter().map(|&(cell, digit)| (usize::from(cell), usize::from(digit)))
    }

    /// Removes the first entry for a digit with one place in this house.
    fn withdraw(&mut self, house: usize, digit: usize) {
        let in_house = |cell: usize| HOUSE_CELLS[house] & one(cell) != 0;
        let at = self.iter().position(|(cell, waiting)| waiting == digit && in_house(cell));
        if let Some(at) = at {
            self.waiting.copy_within(self.first + at + 1..self.end, self.first + at);
            self.end -= 1;
        }
    }
}
