//! The form of a full grid: equal for two grids if and only if a transformation turns one into the other. Like the
//! puzzle's form it never changes; unlike it, it takes microseconds.
//!
//! The transformations of a full grid do not thin out row by row. So its lines are coloured first: by the cycles in which two
//! lines of a band or stack hold the same digits, then again and again by what meets them. Colours do not depend on how
//! the grid is written, so the form is the first line in the dictionary of those that put lines of lower colour first.
//! Nearly always that is one line.

use super::canonical;
use crate::sudoku::{
    board::{CELLS, Grid},
    transform::transposed,
};

/// Lines that are looked at; a grid with more, so many of its lines are alike, has the form of a puzzle.
const LINES_MAX: usize = 1_296;

/// Rounds in which cells are coloured by the lines, box and digit that meet in them.
const ROUNDS: usize = 3;

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The form of a full grid.
#[must_use]
pub fn solved(grid: &Grid) -> String {
    let sides = [*grid, transposed(grid)].map(|grid| Coloured::of(&grid));
    let first = sides[0].whole().min(sides[1].whole());
    let sides = sides.iter().filter(|side| side.whole() == first);
    let orders: Vec<_> = sides.map(|side| (side, orders(&side.rows), orders(&side.columns))).collect();
    if orders.iter().map(|(_, rows, columns)| rows.len() * columns.len()).sum::<usize>() > LINES_MAX {
        return canonical(grid);
    }
    let mut smallest = [u8::MAX; CELLS];
    for (side, rows, columns) in &orders {
        for rows in rows {
            for columns in columns {
                smallest = smallest.min(side.line(rows, columns));
            }
        }
    }
    smallest.iter().map(|&digit| char::from(b'0' + digit)).collect()
}

/// A grid and the colours of its lines.
struct Coloured {
    grid: Grid,
    rows: [u64; 9],
    columns: [u64; 9],
}

impl Coloured {
    fn of(grid: &Grid) -> Self {
        let (by_row, by_column) = (cycles(grid), cycles(&transposed(grid)));
        let mut cells: [u64; CELLS] =
            std::array::from_fn(|cell| mix(by_row[cell] ^ by_column[cell % 9 * 9 + cell / 9].rotate_left(32)));
        let mut sums = [[0; 9]; 4];
        for _ in 0..ROUNDS {
            sums = [[0_u64; 9]; 4];
            for (cell, &color) in cells.iter().enumerate() {
                for (sum, house) in sums.iter_mut().zip(meeting(grid, cell)) {
                    sum[house] = sum[house].wrapping_add(mix(color));
                }
            }
            cells = std::array::from_fn(|cell| {
                let met = sums.iter().zip(meeting(grid, cell));
                met.fold(cells[cell], |color, (sum, house)| mix(color.rotate_left(7) ^ sum[house]))
            });
        }
        Self { grid: *grid, rows: sums[0], columns: sums[1] }
    }

    /// One colour for all of it.
    fn whole(&self) -> u64 {
        let threes = |lines: &[u64; 9]| (0..3).map(|three| mix(three_of(lines, three))).fold(0, u64::wrapping_add);
        mix(threes(&self.rows)).wrapping_add(threes(&self.columns))
    }

    /// The grid with its lines in this order, and digits named as they appear.
    fn line(&self, rows: &[usize; 9], columns: &[usize; 9]) -> [u8; CELLS] {
        let mut names = [0; 10];
        let mut last = 0;
        std::array::from_fn(|at| {
            let name = &mut names[usize::from(self.grid.cells()[rows[at / 9] * 9 + columns[at % 9]])];
            if *name == 0 {
                last += 1;
                *name = last;
            }
            *name
        })
    }
}

/// Row, column, box and digit of a cell.
fn meeting(grid: &Grid, cell: usize) -> [usize; 4] {
    let (row, column) = (cell / 9, cell % 9);
    [row, column, row / 3 * 3 + column / 3, usize::from(grid.cells()[cell]).saturating_sub(1)]
}

/// A colour for each cell, by the two other rows of its band: from the digit that such a row has in a column one goes to the
/// column where the cell's own row has it, and so round. How long the way is, and how often it comes by the cell's own
/// stack, does not depend on the order of lines or the names of digits.
fn cycles(grid: &Grid) -> [u64; CELLS] {
    let mut colors = [0_u64; CELLS];
    for row in 0..9 {
        let mut column_of = [0; 10];
        for column in 0..9 {
            column_of[usize::from(grid.cells()[row * 9 + column])] = column;
        }
        for other in (row / 3 * 3..row / 3 * 3 + 3).filter(|&other| other != row) {
            for column in 0..9 {
                let (mut at, mut length, mut own) = (column, 0_u64, 0_u64);
                // No way is longer than nine columns; in what is no grid it may never come back.
                while length < 9 && (length == 0 || at != column) {
                    length += 1;
                    own += u64::from(at / 3 == column / 3);
                    at = column_of[usize::from(grid.cells()[other * 9 + at])];
                }
                let color = &mut colors[row * 9 + column];
                *color = color.wrapping_add(mix(length * 16 + own));
            }
        }
    }
    colors
}

fn three_of(lines: &[u64; 9], three: usize) -> u64 {
    lines[three * 3..three * 3 + 3].iter().map(|&line| mix(line)).fold(0, u64::wrapping_add)
}

/// The orders of nine lines that keep threes together and put lower colours first.
fn orders(lines: &[u64; 9]) -> Vec<[usize; 9]> {
    let sorted = |colors: [u64; 3]| {
        let rises = move |order: &&[usize; 3]| order.windows(2).all(|pair| colors[pair[0]] <= colors[pair[1]]);
        ORDERS.iter().filter(rises)
    };
    let within: [Vec<_>; 3] = [0, 1, 2].map(|three| sorted(std::array::from_fn(|at| lines[three * 3 + at])).collect());
    let mut found = Vec::new();
    for threes in sorted([0, 1, 2].map(|three| three_of(lines, three))) {
        for first in &within[threes[0]] {
            for second in &within[threes[1]] {
                for third in &within[threes[2]] {
                    let inside = [first, second, third];
                    found.push(std::array::from_fn(|at| threes[at / 3] * 3 + inside[at / 3][at % 3]));
                }
            }
        }
    }
    found
}

/// The finish of splitmix64: every bit of the number reaches every bit of the colour.
fn mix(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::{
        rng::Rng,
        sudoku::grids::{random_grid, scramble},
    };

    const REGULAR: &str = "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

    #[test]
    fn a_scrambled_grid_has_the_same_form_and_another_grid_another_one() {
        let mut rng = Rng::from_seed(11);
        let mut puzzle_form_of = BTreeMap::new();
        for _ in 0..200 {
            let grid = random_grid(&mut rng);
            let form = solved(&grid);
            assert_eq!(solved(&scramble(&grid, &mut rng)), form, "{}", grid.line());
            // As fine as the form that is known to be exact.
            let known = puzzle_form_of.entry(form).or_insert_with(|| canonical(&grid)).clone();
            assert_eq!(known, canonical(&grid));
        }
        assert_eq!(puzzle_form_of.values().collect::<BTreeSet<_>>().len(), puzzle_form_of.len());
    }

    #[test]
    fn a_form_is_the_grid_itself_written_otherwise() {
        let mut rng = Rng::from_seed(12);
        for grid in [random_grid(&mut rng), Grid::parse(REGULAR).unwrap()] {
            let form = Grid::parse(&solved(&grid)).unwrap();
            assert_eq!(canonical(&form), canonical(&grid));
            assert_eq!(solved(&form), form.line());
        }
    }

    #[test]
    fn the_most_regular_grid_has_the_form_of_a_puzzle() {
        let grid = Grid::parse(REGULAR).unwrap();
        assert_eq!(solved(&grid), canonical(&grid));
        assert_eq!(solved(&scramble(&grid, &mut Rng::from_seed(3))), canonical(&grid));
    }

    #[test]
    fn what_is_no_grid_has_some_form_too() {
        for cells in [Grid::EMPTY, Grid([1; CELLS])] {
            assert_eq!(solved(&cells), canonical(&cells));
        }
    }
}
