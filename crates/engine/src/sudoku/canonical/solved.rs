//! The canonical form of a full grid (a solution), equal for two grids if and only if they are isomorphs. Like the form of a
//! puzzle, its definition never changes. Takes microseconds, while the search for a puzzle's form would take milliseconds.
//!
//! That search is slow for a full grid, because the first rows exclude few transformations. So this module first colors the lines
//! by the cycles that two lines of a band or stack form, and then, in rounds, by the colors of the cells in them. Isomorphs get
//! the same colors. The form is the lexicographically smallest line among those that put lines of lower color first. Nearly
//! always, only one line does.

use super::canonical;
use crate::sudoku::{
    board::{CELLS, Grid},
    transform::transposed,
};

/// The maximum number of lines that are compared. A grid with many equal colors would need more; its form is that of a puzzle
/// ([`canonical`]).
const LINES_MAX: usize = 1_296;

/// The number of rounds in which each cell is colored by its row, column, box, and digit.
const ROUNDS: usize = 3;

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The canonical form of a full grid, 81 digits. For cells that break the rules, it is [`canonical`].
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

/// A grid with a color for each row and column.
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

    /// A color of the whole grid, by which a grid and its transposed copy are ordered.
    fn whole(&self) -> u64 {
        let threes = |lines: &[u64; 9]| (0..3).map(|three| mix(three_of(lines, three))).fold(0, u64::wrapping_add);
        mix(threes(&self.rows)).wrapping_add(threes(&self.columns))
    }

    /// The grid with rows and columns in this order, and digits numbered in order of appearance.
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

/// Row, column, box, and digit of a cell, each 0–8.
fn meeting(grid: &Grid, cell: usize) -> [usize; 4] {
    let (row, column) = (cell / 9, cell % 9);
    [row, column, row / 3 * 3 + column / 3, usize::from(grid.cells()[cell]).saturating_sub(1)]
}

/// A color for each cell, from two cycles: one with each other row of its band. A cycle starts in the cell's column, and goes
/// from the other row's digit there to the column where the cell's own row has that digit, until it returns. The length of a
/// cycle, and the number of its columns in the cell's own stack, depend neither on the order of lines nor on the names of digits.
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
                // A cycle has at most nine columns. But if the cells break the rules, the path may never return to its start.
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

/// The orders of nine lines that keep bands (or stacks) together and put lower colors first.
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

/// The finalizer of splitmix64: every bit of the number affects every bit of the color.
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
        shared::rng::Rng,
        sudoku::make::grids::{random_grid, scramble},
    };

    const REGULAR: &str = "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

    #[test]
    fn isomorphs_share_a_form_and_other_grids_do_not() {
        let mut rng = Rng::from_seed(11);
        let mut puzzle_form_of = BTreeMap::new();
        for _ in 0..200 {
            let grid = random_grid(&mut rng);
            let form = solved(&grid);
            assert_eq!(solved(&scramble(&grid, &mut rng)), form, "{}", grid.line());
            // Two grids with the same form also have the same exact form.
            let known = puzzle_form_of.entry(form).or_insert_with(|| canonical(&grid)).clone();
            assert_eq!(known, canonical(&grid));
        }
        assert_eq!(puzzle_form_of.values().collect::<BTreeSet<_>>().len(), puzzle_form_of.len());
    }

    #[test]
    fn form_is_an_isomorph_of_the_grid() {
        let mut rng = Rng::from_seed(12);
        for grid in [random_grid(&mut rng), Grid::parse(REGULAR).unwrap()] {
            let form = Grid::parse(&solved(&grid)).unwrap();
            assert_eq!(canonical(&form), canonical(&grid));
            assert_eq!(solved(&form), form.line());
        }
    }

    #[test]
    fn regular_grid_has_the_form_of_a_puzzle() {
        let grid = Grid::parse(REGULAR).unwrap();
        assert_eq!(solved(&grid), canonical(&grid));
        assert_eq!(solved(&scramble(&grid, &mut Rng::from_seed(3))), canonical(&grid));
    }

    #[test]
    fn cells_that_break_the_rules_have_a_form() {
        for cells in [Grid::EMPTY, Grid([1; CELLS])] {
            assert_eq!(solved(&cells), canonical(&cells));
        }
    }
}
