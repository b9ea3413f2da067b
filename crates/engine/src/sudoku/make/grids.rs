//! Random full grids, either fast or exactly uniform, and random isomorphs of a grid or puzzle.

use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        rng::Rng,
        symmetry::Symmetry,
    },
    sudoku::{board::Grid, kernel::Kernel, transform::Transform},
};

/// An upper bound on the number of full grids to which a band and a stack with a common box can be completed. The highest number
/// observed is 5,644, and the mean is 2,693. If a band and a stack exceeded the bound, [`uniform_grid`] would return their grids
/// too rarely.
const COMPLETIONS_MAX: usize = 6_000;

/// A random full grid, in about two microseconds.
///
/// Every grid can occur, but not all are equally likely. Three boxes that share no house are drawn uniformly. Then the kernel
/// guesses at random, so a grid that takes fewer guesses occurs more often. As a measure of the bias, the mean number of
/// unavoidable sets of four cells is 10.44 here, and 11.53 over all grids.
#[must_use]
pub fn random_grid(rng: &mut Rng) -> Grid {
    let kernel = Kernel::fastest();
    loop {
        let mut boxes = Grid::EMPTY;
        for corner in [0, 30, 60] {
            let digits = shuffled([1, 2, 3, 4, 5, 6, 7, 8, 9], rng);
            for (at, digit) in digits.into_iter().enumerate() {
                boxes.0[corner + at / 3 * 9 + at % 3] = digit;
            }
        }
        if let Some(grid) = kernel.fill(&boxes, rng) {
            return grid;
        }
    }
}

/// A random full grid, in about a millisecond. Each of the 6,670,903,752,021,072,936,960 grids is equally likely.
///
/// Draws the first band, the first stack, and a number n below a bound, all uniformly. The result is their n-th completion. If
/// they have fewer completions, everything is drawn again. So each grid is equally likely, whatever its band and stack.
///
/// # Errors
/// [`OutOfBudget`] if the budget ended in the search for the completion, which takes a few thousand nodes.
pub fn uniform_grid(rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Grid, OutOfBudget> {
    let kernel = Kernel::fastest();
    loop {
        let mut start = Grid::EMPTY;
        let digits = shuffled([1, 2, 3, 4, 5, 6, 7, 8, 9], rng);
        let corner = [0, 3, 6].map(|first| [digits[first], digits[first + 1], digits[first + 2]]);
        let band = two_more_boxes(corner, rng);
        let columns = [0, 1, 2].map(|column| corner.map(|row| row[column]));
        let stack = two_more_boxes(columns, rng);
        for line in 0..3 {
            for at in 0..9 {
                start.0[line * 9 + at] = band[line][at];
                start.0[at * 9 + line] = stack[line][at];
            }
        }
        let number = rng.index(COMPLETIONS_MAX);
        if let Some(grid) = kernel.nth_solution(&start, number, budget)? {
            return Ok(grid);
        }
    }
}

/// Extends the rows of a box to three rows of nine. Each of the 2,612,736 ways is equally likely.
///
/// The digits of the second box are drawn until no row repeats a digit of the first, which takes 30 draws on average. The third
/// box then has no choice of digits, only of their order.
fn two_more_boxes(rows: [[u8; 3]; 3], rng: &mut Rng) -> [[u8; 9]; 3] {
    loop {
        let next = shuffled([1, 2, 3, 4, 5, 6, 7, 8, 9], rng);
        let next = [0, 3, 6].map(|first| [next[first], next[first + 1], next[first + 2]]);
        let clashes = (0..3).any(|row| next[row].iter().any(|digit| rows[row].contains(digit)));
        if clashes {
            continue;
        }
        return [0, 1, 2].map(|row| {
            let mut digits = [0; 9];
            digits[..3].copy_from_slice(&rows[row]);
            digits[3..6].copy_from_slice(&next[row]);
            let mut free = 6;
            for digit in 1..=9 {
                if !digits[..6].contains(&digit) {
                    digits[free] = digit;
                    free += 1;
                }
            }
            rng.shuffle(&mut digits[6..]);
            digits
        });
    }
}

fn shuffled(mut digits: [u8; 9], rng: &mut Rng) -> [u8; 9] {
    rng.shuffle(&mut digits);
    digits
}

/// A random isomorph of a grid or puzzle: digits are renamed, bands, stacks, rows, and columns are reordered, and rows and
/// columns may be exchanged. Each transformation is equally likely.
#[must_use]
pub fn scramble(grid: &Grid, rng: &mut Rng) -> Grid {
    Transform::random(Symmetry::None, rng).apply(grid)
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
    fn random_grids_have_the_documented_bias() {
        let mut rng = Rng::from_seed(3);
        let grids = 1500;
        let sets: u32 = (0..grids).map(|_| unavoidable_fours(&random_grid(&mut rng))).sum();
        let mean = f64::from(sets) / f64::from(grids);
        assert!((mean - 10.44).abs() < 0.3, "mean number of unavoidable sets of four cells: {mean}");
    }

    #[test]
    fn uniform_grids_are_full_and_as_rich_in_unavoidable_fours_as_all_grids() {
        let mut rng = Rng::from_seed(4);
        let grids = 400;
        let mut sets = 0;
        for _ in 0..grids {
            let grid = uniform_grid(&mut rng, &mut Budget::of_nodes(1_000_000)).unwrap();
            assert_eq!((grid.givens(), grid.clash()), (81, None));
            sets += unavoidable_fours(&grid);
        }
        let mean = f64::from(sets) / f64::from(grids);
        assert!((mean - 11.53).abs() < 0.6, "mean number of unavoidable sets of four cells: {mean}");
    }

    #[test]
    fn a_box_can_be_extended_in_each_of_its_56_ways() {
        let mut rng = Rng::from_seed(5);
        let mut ways = std::collections::BTreeSet::new();
        for _ in 0..2000 {
            let rows = two_more_boxes([[1, 2, 3], [4, 5, 6], [7, 8, 9]], &mut rng);
            ways.insert(rows.map(|row| {
                let mut next = [row[3], row[4], row[5]];
                next.sort_unstable();
                next
            }));
        }
        assert_eq!(ways.len(), 56);
    }

    /// Number of rectangles in two boxes whose corners hold only two digits. Swapping the two gives another grid.
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
