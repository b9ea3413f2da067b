//! The transformations that turn a Sudoku into an isomorph: 2 × 6⁸ ways to move cells and 9! ways to rename digits.

use super::board::{CELLS, Grid};
use crate::shared::{rng::Rng, symmetry::Symmetry};

/// One of the transformations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transform {
    /// Whether rows and columns are exchanged first.
    transposed: bool,
    /// For each new row, the old row that moves there. Rows of a band stay together.
    rows: [u8; 9],
    /// For each new column, the old column that moves there. Columns of a stack stay together.
    columns: [u8; 9],
    /// The new name of each digit; 0 stays 0.
    digits: [u8; 10],
}

impl Transform {
    /// A random transformation that preserves the symmetry of a pattern. With [`Symmetry::None`], every transformation is equally
    /// likely.
    #[must_use]
    pub fn random(symmetry: Symmetry, rng: &mut Rng) -> Self {
        let mut digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        rng.shuffle(&mut digits[1..]);
        // Transposing turns a mirror line in the middle row into one in the middle column, which is another symmetry.
        let may_turn_over = !matches!(symmetry, Symmetry::Horizontal | Symmetry::Vertical);
        let transposed = may_turn_over && rng.below(2) == 1;
        let (rows, columns) = random_lines(symmetry, rng);
        Self { transposed, rows, columns, digits }
    }

    /// Transforms a grid.
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

/// Random orders of rows and columns that commute with a symmetry. A symmetry that mirrors rows needs an order of rows that is
/// its own mirror image. A symmetry that exchanges rows with columns ties the two orders together.
fn random_lines(symmetry: Symmetry, rng: &mut Rng) -> ([u8; 9], [u8; 9]) {
    match symmetry {
        Symmetry::None => (any_order(rng), any_order(rng)),
        Symmetry::Rotation180 => (mirrored_order(rng), mirrored_order(rng)),
        Symmetry::Horizontal => (any_order(rng), mirrored_order(rng)),
        Symmetry::Vertical => (mirrored_order(rng), any_order(rng)),
        Symmetry::Diagonal => {
            let rows = any_order(rng);
            (rows, rows)
        }
        Symmetry::AntiDiagonal => {
            let rows = any_order(rng);
            (rows, std::array::from_fn(|line| 8 - rows[8 - line]))
        }
        Symmetry::Rotation90 | Symmetry::Full => {
            let rows = mirrored_order(rng);
            (rows, rows)
        }
    }
}

/// A random order of nine lines that keeps bands (or stacks) together.
fn any_order(rng: &mut Rng) -> [u8; 9] {
    let mut threes = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];
    rng.shuffle(&mut threes);
    for three in &mut threes {
        rng.shuffle(three);
    }
    std::array::from_fn(|line| threes[line / 3][line % 3])
}

/// One of the 24 such orders whose last three lines mirror the first three: if line `n` moves to place `p`, line `8 - n` moves to
/// place `8 - p`.
fn mirrored_order(rng: &mut Rng) -> [u8; 9] {
    let mut first = if rng.below(2) == 0 { [0, 1, 2] } else { [6, 7, 8] };
    rng.shuffle(&mut first);
    let middle = if rng.below(2) == 0 { [3, 4, 5] } else { [5, 4, 3] };
    std::array::from_fn(|line| match line {
        0..3 => first[line],
        3..6 => middle[line - 3],
        _ => 8 - first[8 - line],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::orbits::orbits;

    #[test]
    fn a_pattern_keeps_its_symmetry() {
        let mut rng = Rng::from_seed(4);
        for symmetry in Symmetry::ALL {
            let orbits = orbits(symmetry);
            let mut seen = std::collections::BTreeSet::new();
            for _ in 0..200 {
                let mut pattern = Grid([0; CELLS]);
                for orbit in &orbits {
                    let digit = u8::from(rng.below(2) == 0);
                    orbit.cells().iter().for_each(|&cell| pattern.0[usize::from(cell)] = digit);
                }
                let transform = Transform::random(symmetry, &mut rng);
                let moved = transform.apply(&pattern);
                for orbit in &orbits {
                    let given = |&cell: &u8| moved.0[usize::from(cell)] != 0;
                    assert!(orbit.cells().iter().all(given) || !orbit.cells().iter().any(given), "{symmetry:?}");
                }
                seen.insert((transform.rows, transform.columns));
            }
            assert!(seen.len() > 20, "{symmetry:?}: only {} orders", seen.len());
        }
    }
}
