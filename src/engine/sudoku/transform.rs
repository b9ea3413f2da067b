//! The transformations that turn a Sudoku into an equal one: 2 × 6⁸ ways to move cells, 9! ways to name digits.

use super::board::{CELLS, Grid};
use crate::engine::rng::Rng;

/// One of the transformations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transform {
    /// Whether rows and columns are exchanged first.
    transposed: bool,
    /// For each new row, the old one that comes there; keeps bands together.
    rows: [u8; 9],
    /// For each new column, the old one that comes there; keeps stacks together.
    columns: [u8; 9],
    /// The new name of each digit; 0 stays 0.
    digits: [u8; 10],
}

impl Transform {
    /// One of them, each equally likely.
    #[must_use]
    pub fn random(rng: &mut Rng) -> Self {
        let mut digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        rng.shuffle(&mut digits[1..]);
        Self { transposed: rng.below(2) == 1, rows: random_lines(rng), columns: random_lines(rng), digits }
    }

    /// The grid as it looks after the transformation.
    #[must_use]
    pub fn apply(&self, grid: &Grid) -> Grid {
        let source = if self.transposed { transposed(grid) } else { *grid };
        let mut cells = [0; CELLS];
        for (at, cell) in cells.iter_mut().enumerate() {
            let from = usize::from(self.rows[at / 9]) * 9 + usize::from(self.columns[at % 9]);
            *cell = self.digits[usize::from(source.cells()[from])];
        }
        Grid(cells)
    }
}

/// The grid with rows and columns exchanged.
#[must_use]
pub(super) fn transposed(grid: &Grid) -> Grid {
    Grid(std::array::from_fn(|cell| grid.cells()[cell % 9 * 9 + cell / 9]))
}

/// Nine lines in random order that keeps threes together.
fn random_lines(rng: &mut Rng) -> [u8; 9] {
    let mut threes = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];
    rng.shuffle(&mut threes);
    for three in &mut threes {
        rng.shuffle(three);
    }
    std::array::from_fn(|line| threes[line / 3][line % 3])
}
