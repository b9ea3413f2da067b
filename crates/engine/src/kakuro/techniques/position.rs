//! The position that techniques work on: the candidates of each cell, and which cells are filled.

use super::find::{Find, Outcome};
use crate::kakuro::{
    board::{Digit, Puzzle},
    digits::{Digits, RUN_MAX},
};

/// A position of a puzzle.
#[derive(Debug, Clone)]
pub(crate) struct Position<'p> {
    puzzle: &'p Puzzle,
    candidates: Vec<Digits>,
    filled: Vec<bool>,
    open: usize,
    /// The number of changes to each run's cells so far. An unchanged run need not be examined again.
    changes: Vec<u32>,
}

impl<'p> Position<'p> {
    /// The position in which every digit is a candidate of every cell.
    pub(crate) fn start(puzzle: &'p Puzzle) -> Self {
        let cells = puzzle.layout().cells().len();
        let changes = vec![1; puzzle.sums().len()];
        Self { puzzle, candidates: vec![Digits::ALL; cells], filled: vec![false; cells], open: cells, changes }
    }

    pub(crate) fn puzzle(&self) -> &'p Puzzle {
        self.puzzle
    }

    /// The candidates of every cell. A filled cell has its digit.
    pub(crate) fn candidates(&self) -> &[Digits] {
        &self.candidates
    }

    /// The number of cells that are not filled.
    pub(crate) fn open(&self) -> usize {
        self.open
    }

    pub(crate) fn is_filled(&self, white: usize) -> bool {
        self.filled[white]
    }

    /// The digits, if every cell is filled.
    pub(crate) fn digits(&self) -> Option<Vec<Digit>> {
        (self.open == 0).then(|| self.candidates.iter().map(|digits| digits.smallest()).collect())
    }

    pub(super) fn changes(&self, run: usize) -> u32 {
        self.changes[run]
    }

    /// The open part of a run. It is empty if the run has no clue, so no technique finds anything in it.
    pub(super) fn rest(&self, run: usize) -> Rest {
        let mut rest = Rest {
            sum: usize::from(self.puzzle.sums()[run]),
            whites: [0; RUN_MAX],
            cells: [Digits::NONE; RUN_MAX],
            len: 0,
            placed: Digits::NONE,
        };
        let whites = self.puzzle.layout().runs()[run].whites();
        for &white in whites.iter().filter(|_| self.puzzle.has_clue(run)) {
            let candidates = self.candidates[usize::from(white)];
            if self.filled[usize::from(white)] {
                rest.placed = rest.placed.or(candidates);
            } else {
                (rest.whites[rest.len], rest.cells[rest.len]) = (usize::from(white), candidates);
                rest.len += 1;
            }
        }
        rest.sum = rest.sum.saturating_sub(rest.placed.sum());
        rest
    }

    pub(super) fn apply(&mut self, find: &Find) {
        match &find.outcome {
            Outcome::Place { white, digit } => self.place(*white, *digit),
            Outcome::Remove(removed) => removed.iter().for_each(|&(white, digits)| self.remove(white, digits)),
        }
    }

    /// Fills an open cell.
    pub(super) fn place(&mut self, white: usize, digit: Digit) {
        self.candidates[white] = Digits::only(digit);
        self.filled[white] = true;
        self.open -= 1;
        for run in self.puzzle.layout().runs_of(white) {
            self.changes[run] += 1;
            for &other in self.puzzle.layout().runs()[run].whites() {
                if usize::from(other) != white {
                    self.remove(usize::from(other), Digits::only(digit));
                }
            }
        }
    }

    /// Removes all candidates of an open cell except these.
    pub(super) fn keep(&mut self, white: usize, digits: Digits) {
        self.remove(white, Digits::ALL.without(digits));
    }

    fn remove(&mut self, white: usize, digits: Digits) {
        let left = self.candidates[white].without(digits);
        if left != self.candidates[white] {
            self.candidates[white] = left;
            self.puzzle.layout().runs_of(white).into_iter().for_each(|run| self.changes[run] += 1);
        }
    }
}

/// The open part of a run: its open cells, the sum that they need, and the digits of the filled cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rest {
    pub(super) sum: usize,
    whites: [usize; RUN_MAX],
    cells: [Digits; RUN_MAX],
    len: usize,
    pub(super) placed: Digits,
}

impl Rest {
    pub(super) fn whites(&self) -> &[usize] {
        &self.whites[..self.len]
    }

    /// The candidates of the open cells.
    pub(super) fn cells(&self) -> &[Digits] {
        &self.cells[..self.len]
    }

    /// The eliminations that leave each open cell only its candidates from `left`, or `None` if there are none.
    pub(super) fn beyond(&self, left: impl Fn(usize) -> Digits) -> Option<Outcome> {
        let removed = |at: usize| (self.whites[at], self.cells[at].without(left(at)));
        let removed: Vec<_> = (0..self.len).map(removed).filter(|(_, digits)| !digits.is_empty()).collect();
        (!removed.is_empty()).then_some(Outcome::Remove(removed))
    }

    /// Places the first of the digits that fits in only one open cell.
    pub(super) fn lone_place(&self, required: Digits) -> Option<Outcome> {
        required.iter().find_map(|digit| {
            let mut places = (0..self.len).filter(|&at| self.cells[at].contains(digit));
            let (first, second) = (places.next()?, places.next());
            second.is_none().then(|| Outcome::Place { white: self.whites[first], digit })
        })
    }
}
