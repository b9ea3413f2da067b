//! Full grids by chance, fast or exactly uniform, and grids as somebody else would write them.

use super::{board::Grid, kernel::Kernel, transform::Transform};
use crate::{
    budget::{Budget, OutOfBudget},
    rng::Rng,
    symmetry::Symmetry,
};

/// More than a band and a stack that share a box can be completed to full grids: 5,644 is the most that was ever met, 2,693
/// the mean. Were there a band and stack with more, their grids would come too seldom in [`uniform_grid`].
const COMPLETIONS_MAX: usize = 6_000;

/// A random full grid, in about two microseconds.
///
/// Every grid can come, but not all equally often: three boxes that share no house are drawn uniformly, and then the kernel
/// guesses by coin, so grids come more often the fewer guesses they leave. The mean number of unavoidable sets of four
/// cells is 10.44 here, and 11.53 over all grids.
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

/// A random full grid, each of the 6,670,903,752,021,072,936,960 equally likely, in about a millisecond.
///
/// The first band and the first stack are drawn uniformly, and a number below a bound; the grid is the completion of that
/// number, and if there are not so many, all is drawn again. A grid's chance is then the same whatever its band and stack.
///
/// # Errors
/// [`OutOfBudget`] if the search for the completion, some thousand nodes, ran out of it.
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

/// Three rows of nine that go on from the rows of a box: each of the 2,612,736 ways equally likely.
///
/// Which digits the next box has in which row is drawn until no row repeats its own, one draw in 30; the last box has no
/// choice of digits, only of their order.
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

/// The same grid or puzzle as somebody else would write it: digits renamed, bands, stacks, rows and columns in another
/// order, perhaps turned over; each of the transformations is equally likely.
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
    fn the_bias_of_random_grids_is_the_one_that_is_stated() {
        let mut rng = Rng::from_seed(3);
        let grids = 1500;
        let sets: u32 = (0..grids).map(|_| unavoidable_fours(&random_grid(&mut rng))).sum();
        let mean = f64::from(sets) / f64::from(grids);
        assert!((mean - 10.44).abs() < 0.3, "mean number of unavoidable sets of four cells: {mean}");
    }

    #[test]
    fn a_uniform_grid_is_full_and_the_mean_of_its_fours_is_that_of_all_grids() {
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
    fn a_box_goes_on_in_each_of_its_56_ways() {
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
