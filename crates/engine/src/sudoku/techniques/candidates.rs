//! The position that techniques work on: the digits placed, the candidates left, and each digit's places in each house. Every
//! placement and elimination updates all of these tables.

use super::{
    chains::Notes,
    find::{CandidateSet, Find, Outcome},
    geometry::{Cells, DIGITS, HOMES, Mask, SEEN, bits, cells, digit_number, one},
};
use crate::sudoku::board::{CELLS, Grid};

/// A half-solved puzzle. Digits count from 1, so index 0 of tables indexed by digit is unused.
#[derive(Debug, Clone)]
pub(crate) struct Candidates {
    grid: Grid,
    empty: Cells,
    of_cell: [Mask; CELLS],
    of_digit: [Cells; 10],
    places: [[Mask; 10]; 27],
    empty_in: [Mask; 27],
    hidden_singles: [Mask; 27],
    naked_singles: Cells,
    placed: [u8; 10],
}

impl Candidates {
    /// The start position: the candidates of an empty cell are the digits that none of its peers holds. `None` if two givens
    /// clash.
    pub(crate) fn of(puzzle: &Grid) -> Option<Self> {
        let mut used = [0; 27];
        for (cell, &digit) in puzzle.cells().iter().enumerate().filter(|(_, digit)| **digit != 0) {
            for (house, _) in HOMES[cell] {
                if used[house] & 1 << digit != 0 {
                    return None;
                }
                used[house] |= 1 << digit;
            }
        }
        Some(Self::with_used(puzzle, &used))
    }

    fn with_used(puzzle: &Grid, used: &[Mask; 27]) -> Self {
        let mut start = Self {
            grid: *puzzle,
            empty: 0,
            of_cell: [0; CELLS],
            of_digit: [0; 10],
            places: [[0; 10]; 27],
            empty_in: [0; 27],
            hidden_singles: [0; 27],
            naked_singles: 0,
            placed: [0; 10],
        };
        for (cell, &digit) in puzzle.cells().iter().enumerate() {
            if digit == 0 {
                let [(row, _), (column, _), (block, _)] = HOMES[cell];
                start.open(cell, DIGITS & !(used[row] | used[column] | used[block]));
            } else {
                start.placed[usize::from(digit)] += 1;
            }
        }
        for (singles, places) in start.hidden_singles.iter_mut().zip(&start.places) {
            *singles = (1..10).filter(|&digit| places[digit].is_power_of_two()).map(|digit| 1 << digit).sum();
        }
        start
    }

    fn open(&mut self, cell: usize, digits: Mask) {
        self.empty |= one(cell);
        self.of_cell[cell] = digits;
        self.naked_singles |= Cells::from(digits.is_power_of_two()) << cell;
        for (house, place) in HOMES[cell] {
            self.empty_in[house] |= place;
        }
        for digit in bits(digits) {
            self.of_digit[digit] |= one(cell);
            for (house, place) in HOMES[cell] {
                self.places[house][digit] |= place;
            }
        }
    }

    /// The digits placed so far.
    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Whether every cell is filled. Only candidates are ever placed, so a filled grid breaks no rule.
    pub(crate) fn is_solved(&self) -> bool {
        self.empty == 0
    }

    /// The cells that hold no digit yet.
    pub(crate) fn empty(&self) -> Cells {
        self.empty
    }

    /// The candidates of a cell.
    pub(crate) fn of_cell(&self, cell: usize) -> Mask {
        self.of_cell[cell]
    }

    /// The cells that have this candidate.
    pub(in crate::sudoku) fn of_digit(&self, digit: usize) -> Cells {
        self.of_digit[digit]
    }

    /// These digits, each with the cells of `among` that have it as a candidate.
    pub(super) fn digits_in(&self, digits: Mask, among: Cells) -> CandidateSet {
        bits(digits).map(|digit| (digit, among & self.of_digit[digit])).collect()
    }

    /// The places in a house of each digit, indexed by digit.
    pub(super) fn places(&self, house: usize) -> &[Mask; 10] {
        &self.places[house]
    }

    /// The empty places of a house.
    pub(super) fn empty_in(&self, house: usize) -> Mask {
        self.empty_in[house]
    }

    /// The digits that have exactly one place in a house.
    pub(super) fn hidden_singles(&self, house: usize) -> Mask {
        self.hidden_singles[house]
    }

    /// The cells with exactly one candidate.
    pub(super) fn naked_singles(&self) -> Cells {
        self.naked_singles
    }

    /// Number of cells that hold this digit, 0–9.
    pub(super) fn placed(&self, digit: usize) -> u8 {
        self.placed[digit]
    }

    /// Number of candidates in all empty cells.
    pub(crate) fn count(&self) -> u32 {
        self.of_digit.iter().map(|cells| cells.count_ones()).sum()
    }

    /// The candidates alone, in the form that chains work on.
    pub(super) fn notes(&self) -> Notes {
        Notes::of(self.of_cell, self.of_digit)
    }

    /// Takes the step that a technique found.
    pub(super) fn apply(&mut self, find: &Find) {
        self.change(&find.outcome);
    }

    /// Makes the placement or the eliminations of a step.
    pub(super) fn change(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Place { cell, digit } => self.place(*cell, *digit),
            Outcome::Remove(set) => {
                for (digit, of_digit) in set.by_digit() {
                    cells(of_digit).for_each(|cell| self.remove(cell, digit));
                }
            }
        }
    }

    /// Fills an empty cell, and removes the digit from its peers.
    pub(crate) fn place(&mut self, cell: usize, digit: usize) {
        for other in bits(self.of_cell[cell]) {
            self.remove(cell, other);
        }
        for peer in cells(self.of_digit[digit] & SEEN[cell]) {
            self.remove(peer, digit);
        }
        for (house, place) in HOMES[cell] {
            self.empty_in[house] &= !place;
        }
        self.empty &= !one(cell);
        self.placed[digit] += 1;
        self.grid.0[cell] = digit_number(digit);
    }

    /// Removes all candidates of a cell except these, given as bits.
    pub(super) fn keep(&mut self, cell: usize, digits: u32) {
        for other in bits(self.of_cell[cell]).filter(|digit| digits & 1 << digit == 0) {
            self.remove(cell, other);
        }
    }

    fn remove(&mut self, cell: usize, digit: usize) {
        self.of_cell[cell] &= !(1 << digit);
        self.of_digit[digit] &= !one(cell);
        self.naked_singles &= !one(cell);
        self.naked_singles |= Cells::from(self.of_cell[cell].is_power_of_two()) << cell;
        for (house, place) in HOMES[cell] {
            self.places[house][digit] &= !place;
            self.hidden_singles[house] &= !(1 << digit);
            self.hidden_singles[house] |= Mask::from(self.places[house][digit].is_power_of_two()) << digit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        shared::{budget::Budget, level::Tenths},
        sudoku::{board::HOUSES, techniques::climb},
    };

    #[test]
    fn all_tables_agree_with_the_candidates_after_every_step() {
        let line = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";
        check_climb(line);
        let line = "000040060700000003900003001600008020000002090052310000000800004000001030078020900";
        check_climb(line);
    }

    fn check_climb(line: &str) {
        let mut position = Candidates::of(&Grid::parse(line).unwrap()).unwrap();
        climb(&mut position, Tenths::MAX, &mut Budget::of_nodes(1_000_000), |position, _| check_tables(position));
    }

    fn check_tables(position: &Candidates) {
        let has = |cell: usize, digit: usize| position.of_cell[cell] & 1 << digit != 0;
        for cell in 0..CELLS {
            let is_naked = position.naked_singles & one(cell) != 0;
            assert_eq!(is_naked, position.of_cell[cell].is_power_of_two(), "cell {cell}");
            assert_eq!(position.empty & one(cell) == 0, position.grid.cells()[cell] != 0, "cell {cell}");
            assert!(
                (1..10).all(|digit| has(cell, digit) == (position.of_digit[digit] & one(cell) != 0)),
                "cell {cell}"
            );
        }
        for (house, cells) in HOUSES.iter().enumerate() {
            let places_where = |test: &dyn Fn(usize) -> bool| -> Mask {
                (0..9).filter(|&place| test(usize::from(cells[place]))).map(|place| 1 << place).sum()
            };
            assert_eq!(
                position.empty_in[house],
                places_where(&|cell| position.grid.cells()[cell] == 0),
                "house {house}"
            );
            for digit in 1..10 {
                let places = places_where(&|cell| has(cell, digit));
                assert_eq!(position.places[house][digit], places, "house {house}, digit {digit}");
                let is_hidden = position.hidden_singles[house] & 1 << digit != 0;
                assert_eq!(is_hidden, places.is_power_of_two(), "house {house}, digit {digit}");
            }
        }
    }

    #[test]
    fn givens_that_clash_make_no_position() {
        let clash = |line: &str| Candidates::of(&Grid::parse(&format!("{line:.<81}")).unwrap()).is_none();
        assert!(clash("5.......5"));
        assert!(clash("5........5"));
        assert!(!clash("5...........5"));
    }
}
