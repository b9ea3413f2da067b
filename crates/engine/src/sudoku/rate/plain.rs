//! Counts the backtracks of a plain backtracking solver for Sudoku, a metric of difficulty that other tools report too.
//! The solver is separate from the kernel, because the counts are part of puzzles' records and must not change with it.

use crate::sudoku::board::{CELLS, Grid, box_of, column_of, row_of};

/// Where counting stops, after about ten milliseconds of work.
pub const BACKTRACKS_MAX: u32 = 100_000;

/// The number of assignments that the plain solver undoes before it finds its first solution. It fills the cell with the
/// fewest candidates (of equal cells, the first in reading order) with its candidates in increasing order, and knows only
/// that peers differ. 0 means that it never backtracked, and [`BACKTRACKS_MAX`] means that it reached the limit.
#[must_use]
pub fn plain_backtracks(puzzle: &Grid) -> u32 {
    let mut search = Plain { cells: *puzzle.cells(), used: [[0; 9]; 3], backtracks: 0 };
    for (cell, &digit) in puzzle.cells().iter().enumerate() {
        if digit != 0 {
            search.toggle(cell, 1 << digit);
        }
    }
    search.fill();
    search.backtracks
}

struct Plain {
    cells: [u8; CELLS],
    /// The digits used in each row, column, and box; bit n is digit n.
    used: [[u16; 9]; 3],
    backtracks: u32,
}

impl Plain {
    /// Fills the next cell, and then all further cells. Returns true if the search ends: with a solution, or at the limit
    /// of the count.
    fn fill(&mut self) -> bool {
        let empty = (0..CELLS).filter(|&cell| self.cells[cell] == 0);
        let Some(cell) = empty.min_by_key(|&cell| self.candidates(cell).count_ones()) else { return true };
        let mut candidates = self.candidates(cell);
        while candidates != 0 {
            let bit = candidates & candidates.wrapping_neg();
            candidates ^= bit;
            self.cells[cell] = 1;
            self.toggle(cell, bit);
            if self.fill() {
                return true;
            }
            self.toggle(cell, bit);
            self.backtracks += 1;
            if self.backtracks >= BACKTRACKS_MAX {
                return true;
            }
        }
        self.cells[cell] = 0;
        false
    }

    fn candidates(&self, cell: usize) -> u16 {
        let [row, column, of_box] = houses(cell);
        !(self.used[0][row] | self.used[1][column] | self.used[2][of_box]) & 0b11_1111_1110
    }

    fn toggle(&mut self, cell: usize, bit: u16) {
        for (used, house) in self.used.iter_mut().zip(houses(cell)) {
            used[house] ^= bit;
        }
    }
}

fn houses(cell: usize) -> [usize; 3] {
    [row_of(cell), column_of(cell), box_of(cell)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_of_naked_singles_needs_no_backtracks() {
        let easy = "...62..3.4..15.....134.9...63.7.1..25.9...71.27...4398..7...5..352......9...3....";
        assert_eq!(plain_backtracks(&Grid::parse(easy).unwrap()), 0);
    }

    #[test]
    fn a_full_grid_needs_no_backtracks() {
        let full = "536748291894152637271369584147295863325816749689437125453621978968574312712983456";
        assert_eq!(plain_backtracks(&Grid::parse(full).unwrap()), 0);
    }

    #[test]
    fn an_assignment_that_is_undone_counts_as_a_backtrack() {
        // Row 1 lacks 8 and 9 in columns that have their 9. So if one of its cells takes the 8, the other has no candidate.
        let hopeless = [
            "1234567..",
            ".........",
            ".........",
            ".......9.",
            ".........",
            ".........",
            "........9",
            ".........",
            ".........",
        ];
        assert_eq!(plain_backtracks(&Grid::parse(&hopeless.concat()).unwrap()), 1);
    }

    #[test]
    fn counting_stops_at_the_limit() {
        // This puzzle has no solution, and such a solver is known to need many minutes for it.
        let endless = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";
        assert_eq!(plain_backtracks(&Grid::parse(endless).unwrap()), BACKTRACKS_MAX);
    }
}
