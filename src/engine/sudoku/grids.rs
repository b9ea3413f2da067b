//! Full grids by chance, and the transformations that turn a Sudoku into an equal one.

use super::{
    board::{CELLS, Grid, box_of, column_of, row_of},
    transform::Transform,
};
use crate::engine::rng::Rng;

/// Dead ends after which a fill starts again. Most fills meet fewer than ten; a few would take thousands.
const DEAD_ENDS_MAX: u32 = 100;

/// A random full grid.
///
/// Every grid can come, but not all equally often: grids with few ways to vary them come somewhat more often than they
/// should. The mean number of unavoidable sets of four cells is 10.4 here, and 11.53 over all grids.
#[must_use]
pub fn random_grid(rng: &mut Rng) -> Grid {
    loop {
        let mut fill = Fill::new();
        fill.diagonal_boxes(rng);
        if fill.rest(rng) == Filled::Yes {
            return Grid(fill.cells);
        }
    }
}

/// The same grid or puzzle as somebody else would write it: digits renamed, bands, stacks, rows and columns in another
/// order, perhaps turned over; each of the transformations is equally likely.
#[must_use]
pub fn scramble(grid: &Grid, rng: &mut Rng) -> Grid {
    Transform::random(rng).apply(grid)
}

/// A grid that is being filled.
struct Fill {
    cells: [u8; CELLS],
    /// The digits of each row, column and box, bit 1 for digit 1.
    used: [[u16; 9]; 3],
    dead_ends: u32,
}

#[derive(PartialEq, Eq)]
enum Filled {
    Yes,
    No,
    GaveUp,
}

impl Fill {
    fn new() -> Self {
        Self { cells: [0; CELLS], used: [[0; 9]; 3], dead_ends: 0 }
    }

    /// Three boxes that share no house: any filling of them can be completed.
    fn diagonal_boxes(&mut self, rng: &mut Rng) {
        for corner in [0, 30, 60] {
            let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
            rng.shuffle(&mut digits);
            for (at, digit) in digits.into_iter().enumerate() {
                self.put(corner + at / 3 * 9 + at % 3, digit);
            }
        }
    }

    /// Fills the cell with the fewest candidates with one of them by chance, and so on.
    fn rest(&mut self, rng: &mut Rng) -> Filled {
        let Some(cell) = self.fewest_candidates(rng) else { return Filled::Yes };
        let mut digits = [0; 9];
        let mut len = 0;
        for digit in (1..=9).filter(|digit| self.candidates(cell) & 1 << digit != 0) {
            digits[len] = digit;
            len += 1;
        }
        rng.shuffle(&mut digits[..len]);
        for &digit in &digits[..len] {
            self.put(cell, digit);
            match self.rest(rng) {
                Filled::No => self.take_back(cell),
                ended => return ended,
            }
        }
        self.dead_ends += 1;
        if self.dead_ends < DEAD_ENDS_MAX { Filled::No } else { Filled::GaveUp }
    }

    /// An empty cell with the fewest candidates: of several, the first one from a random cell on.
    fn fewest_candidates(&self, rng: &mut Rng) -> Option<usize> {
        let start = rng.index(CELLS);
        (start..CELLS)
            .chain(0..start)
            .filter(|&cell| self.cells[cell] == 0)
            .min_by_key(|&cell| self.candidates(cell).count_ones())
    }

    fn candidates(&self, cell: usize) -> u16 {
        let [row, column, of_box] = houses(cell);
        !(self.used[0][row] | self.used[1][column] | self.used[2][of_box]) & 0b11_1111_1110
    }

    fn put(&mut self, cell: usize, digit: u8) {
        self.cells[cell] = digit;
        self.toggle(cell, digit);
    }

    fn take_back(&mut self, cell: usize) {
        self.toggle(cell, self.cells[cell]);
        self.cells[cell] = 0;
    }

    fn toggle(&mut self, cell: usize, digit: u8) {
        for (used, house) in self.used.iter_mut().zip(houses(cell)) {
            used[house] ^= 1 << digit;
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
    fn a_random_grid_is_full_and_breaks_no_rule() {
        let mut rng = Rng::from_seed(1);
        for _ in 0..500 {
            let grid = random_grid(&mut rng);
            assert_eq!((grid.givens(), grid.clash()), (81, None));
        }
    }

    #[test]
    fn a_scrambled_puzzle_has_as_many_givens_and_breaks_no_rule() {
        let mut rng = Rng::from_seed(2);
        let mut puzzle = random_grid(&mut rng);
        puzzle.0[..50].fill(0);
        for _ in 0..100 {
            puzzle = scramble(&puzzle, &mut rng);
            assert_eq!((puzzle.givens(), puzzle.clash()), (31, None));
        }
    }

    #[test]
    fn the_bias_of_random_grids_is_the_one_that_is_stated() {
        let mut rng = Rng::from_seed(3);
        let grids = 1500;
        let sets: u32 = (0..grids).map(|_| unavoidable_fours(&random_grid(&mut rng))).sum();
        let mean = f64::from(sets) / f64::from(grids);
        assert!((mean - 10.4).abs() < 0.3, "mean number of unavoidable sets of four cells: {mean}");
    }

    /// Rectangles in two boxes whose corners hold two digits: swapping these gives another grid.
    fn unavoidable_fours(grid: &Grid) -> u32 {
        let at = |row: usize, column: usize| grid.cells()[row * 9 + column];
        let pairs = || (0..9).flat_map(|high| (high + 1..9).map(move |low| (high, low)));
        let mut found = 0;
        for (r1, r2) in pairs() {
            for (c1, c2) in pairs() {
                let two_boxes = (r1 / 3 == r2 / 3) != (c1 / 3 == c2 / 3);
                found += u32::from(two_boxes && at(r1, c1) == at(r2, c2) && at(r1, c2) == at(r2, c1));
            }
        }
        found
    }
}
