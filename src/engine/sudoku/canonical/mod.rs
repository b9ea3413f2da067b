//! The canonical form of a puzzle: of all lines of 81 characters (`0` for an empty cell) that its 2 × 6⁸ × 9!
//! transformations write, the first in the dictionary. Equal forms, equal puzzles. This definition never changes: the
//! stock's uniqueness stands on it.
//!
//! Found row by row. Once it is settled which cells come where, the first naming of digits is the one that counts them
//! as they appear. So a partial transformation (an order of columns, and the rows so far) has one beginning of a line,
//! and of all of them only those with the first beginning are carried on to the next row. What would make these many is
//! interchangeable parts, such as two empty columns of a stack: of equal parts, only one order is looked at.

mod side;

use super::{
    board::{CELLS, Grid},
    transform::transposed,
};
use side::{Line, Side, column_orders};

/// The canonical form: equal for two puzzles if and only if a transformation turns one into the other. Some ten to a
/// hundred microseconds for most puzzles, a few milliseconds for full or regular grids, 20 for the worst cells tried.
#[must_use]
pub fn canonical(puzzle: &Grid) -> String {
    let sides = [Side::of(puzzle), Side::of(&transposed(puzzle))];
    let mut form = [0; CELLS];
    let mut first = Smallest::new();
    for (partial, row) in openings(&sides, puzzle.clash().is_some()) {
        first.offer(&sides, &partial, row);
    }
    form[..9].copy_from_slice(&first.line);
    let mut tied = first.partials;
    for line in form.chunks_exact_mut(9).skip(1) {
        let mut smallest = Smallest::new();
        for partial in &tied {
            for row in sides[partial.side].next_rows(&partial.rows[..partial.len]) {
                smallest.offer(&sides, partial, row);
            }
        }
        line.copy_from_slice(&smallest.line);
        tied = smallest.partials;
    }
    Grid(form).line()
}

/// A transformation of which the side, the order of columns and the first rows are settled.
#[derive(Clone, Copy)]
struct Partial {
    /// 0 as the puzzle stands, 1 with rows and columns exchanged.
    side: usize,
    columns: Line,
    /// The rows so far; `len` of them.
    rows: Line,
    len: usize,
    /// The new name of each digit that has appeared, else 0.
    names: [u8; 10],
    /// The highest name given.
    named: u8,
}

/// The first line that any partial transformation goes on with, and those that do.
struct Smallest {
    line: Line,
    partials: Vec<Partial>,
}

impl Smallest {
    fn new() -> Self {
        Self { line: [u8::MAX; 9], partials: Vec::new() }
    }

    /// Lets a partial transformation go on with a row, if that is not later in the dictionary than the best so far.
    #[inline]
    fn offer(&mut self, sides: &[Side; 2], partial: &Partial, row: usize) {
        let source = &sides[partial.side].rows[row];
        let (mut names, mut highest) = (partial.names, partial.named);
        let mut line = [0; 9];
        let mut earlier = false;
        for (at, &column) in partial.columns.iter().enumerate() {
            let digit = source[usize::from(column)];
            let name = &mut names[usize::from(digit)];
            if *name == 0 && digit != 0 {
                highest += 1;
                *name = highest;
            }
            line[at] = *name;
            if !earlier && line[at] != self.line[at] {
                if line[at] > self.line[at] {
                    return;
                }
                earlier = true;
            }
        }
        if earlier {
            self.line = line;
            self.partials.clear();
        }
        let mut rows = partial.rows;
        rows[partial.len] = u8::try_from(row).unwrap_or(0);
        self.partials.push(Partial { rows, len: partial.len + 1, names, named: highest, ..*partial });
    }
}

/// Every order of columns with a first row that can write the first line. If a row may hold a digit twice, that is any.
fn openings(sides: &[Side; 2], repeats: bool) -> Vec<(Partial, usize)> {
    let all = || {
        let rows = |side: usize| sides[side].next_rows(&[]).map(move |row| (side, row));
        rows(0).chain(rows(1))
    };
    let fewest = all().map(|(side, row)| sides[side].givens_by_stack(row)).min();
    let mut found = Vec::new();
    for (side, row) in all().filter(|&(side, row)| repeats || Some(sides[side].givens_by_stack(row)) == fewest) {
        for columns in column_orders(&sides[side], row, repeats) {
            let partial = Partial { side, columns, rows: [0; 9], len: 0, names: [0; 10], named: 0 };
            found.push((partial, row));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{side::ORDERS, *};
    use crate::engine::{rng::Rng, sudoku::grids::scramble};

    /// All orders of nine lines that keep threes together.
    fn line_orders() -> Vec<[usize; 9]> {
        let mut found = Vec::new();
        for threes in ORDERS {
            for first in ORDERS {
                for second in ORDERS {
                    for third in ORDERS {
                        let inside = [first, second, third];
                        found.push(std::array::from_fn(|at| threes[at / 3] * 3 + inside[at / 3][at % 3]));
                    }
                }
            }
        }
        found
    }

    /// The definition, word for word: tries all transformations.
    fn by_brute_force(puzzle: &Grid) -> String {
        let mut best = [9; CELLS];
        for side in [*puzzle, transposed(puzzle)] {
            for rows in line_orders() {
                for columns in line_orders() {
                    let mut names = [0; 10];
                    let mut highest = 0;
                    let mut line = [0; CELLS];
                    let mut earlier = false;
                    for at in 0..CELLS {
                        let digit = side.cells()[rows[at / 9] * 9 + columns[at % 9]];
                        let name = &mut names[usize::from(digit)];
                        if digit != 0 && *name == 0 {
                            highest += 1;
                            *name = highest;
                        }
                        line[at] = *name;
                        earlier |= line[at] < best[at];
                        if !earlier && line[at] > best[at] {
                            break;
                        }
                    }
                    if earlier {
                        best = line;
                    }
                }
            }
        }
        Grid(best).line()
    }

    #[test]
    fn it_is_what_trying_all_transformations_finds() {
        let cases = [
            // A minimal puzzle.
            "1.8..24......6..5..4.8...7...7.2.84.91......5....3.1....6.8.7.3..........94......",
            // Empty rows and columns, and some clues that can trade places.
            ".................1..2.......3.................................4..1......5........",
            // Clashing givens.
            "11.......1...........2..2.................3.33..........1....................4..4",
        ];
        for case in cases {
            let puzzle = Grid::parse(case).unwrap();
            assert_eq!(canonical(&puzzle), by_brute_force(&puzzle), "{case}");
        }
    }

    #[test]
    fn the_most_regular_grids_keep_one_form() {
        let mut rng = Rng::from_seed(5);
        let regular = "123456789456789123789123456231564897564897231897231564312645978645978312978312645";
        let diagonal_boxes = "123......456......789.........123......456......789.........123......456......789";
        let full_row = "123456789........................................................................";
        for case in [regular, diagonal_boxes, full_row, &"1".repeat(81), &".".repeat(81), &format!("{:.>81}", 7)] {
            let puzzle = Grid::parse(case).unwrap();
            let form = canonical(&puzzle);
            assert_eq!(canonical(&scramble(&puzzle, &mut rng)), form, "{case}");
        }
        assert_eq!(canonical(&Grid::EMPTY), "0".repeat(81));
    }

    #[test]
    fn one_changed_digit_is_another_puzzle() {
        let puzzle = "1.8..24......6..5..4.8...7...7.2.84.91......5....3.1....6.8.7.3..........94......";
        let other = puzzle.replacen('6', "9", 1);
        let [form, other] = [puzzle, &other].map(|line| canonical(&Grid::parse(line).unwrap()));
        assert_ne!(form, other);
    }
}
