//! The canonical form of a Sudoku: one text of 81 characters that is equal for all isomorphs of a puzzle. Each of the
//! 2 × 6⁸ × 9! transformations writes the puzzle as a line (`0` for an empty cell); the form is the lexicographically smallest.
//! This definition never changes, because the stock compares these forms to detect isomorphs.
//!
//! The search builds the line row by row. Once the order of cells is known, the smallest line numbers the digits in order of
//! appearance. A partial transformation therefore determines a prefix of the line, and only those with the smallest prefix are
//! extended by the next row. Two rules keep their number low. Columns and stacks stay unordered until a row distinguishes them,
//! and equal rows or bands are tried in one order only.

mod partial;
pub mod solved;

use super::{
    board::{CELLS, Grid},
    transform::transposed,
};
use partial::{Partial, Side, Smallest};
pub use solved::solved;

/// The canonical form: equal for two puzzles if and only if they are isomorphs. Takes about ten microseconds for most puzzles,
/// and a few milliseconds for full or regular grids.
#[must_use]
pub fn canonical(puzzle: &Grid) -> String {
    let sides = [Side::of(puzzle), Side::of(&transposed(puzzle))];
    let mut tied = vec![Partial::unsettled(0), Partial::unsettled(1)];
    let mut smallest = Smallest::new();
    let mut form = String::with_capacity(CELLS);
    for _ in 0..9 {
        for partial in &tied {
            smallest.offer_rows(&sides[partial.side()], partial);
        }
        form.push_str(&smallest.line());
        tied.clear();
        smallest.take(&mut tied);
    }
    form
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{shared::rng::Rng, sudoku::make::grids::scramble};

    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

    /// All orders of nine lines that keep bands (or stacks) together.
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

    /// Computes the form by its definition: tries all transformations.
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
    fn form_matches_trying_all_transformations() {
        let cases = [
            // A minimal puzzle.
            "1.8..24......6..5..4.8...7...7.2.84.91......5....3.1....6.8.7.3..........94......",
            // Empty rows and columns, and clues that can be exchanged.
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
    fn the_form_of_a_puzzle_never_changes() {
        let cases = [
            (
                "876913452295784136341526897528179643964238715713645289159867324487392561632451978",
                "123456789456789132789132564214873695597261843638945217375698421841327956962514378",
            ),
            (
                "768432591245719836319568742437185269592674183681923457953241678174896325826357914",
                "123456789457189236689732145271693458864527913935814627348961572516278394792345861",
            ),
            (
                "738192645164857329259463817647519283812734956395628174421376598583941762976285431",
                "123456789457189236698273514216348975349517862875692143534821697782964351961735428",
            ),
            (
                "........23......5.6...3....5......3......7.6..7...1....2....9.18...6............7",
                "000000000000000012003004000000000000000050001034006700000080000070000340500120000",
            ),
            (
                "..3..9..8......4....1......5..4..........3..9.....2.13...74........5......8.....2",
                "000000000000000001002034000000000030000500000006002740000007460080000005150000000",
            ),
            (
                ".12...9......5..8.........2..97.......6..2..........5..4............13.685.......",
                "000000001000000023004056000000007000000080704030200000000300000007000600900000800",
            ),
        ];
        let mut rng = Rng::from_seed(6);
        for (case, form) in cases {
            let puzzle = Grid::parse(case).unwrap();
            assert_eq!(canonical(&puzzle), form, "{case}");
            assert_eq!(canonical(&scramble(&puzzle, &mut rng)), form, "{case} scrambled");
        }
    }

    #[test]
    fn regular_grids_share_a_form_with_their_isomorphs() {
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
    fn one_changed_digit_changes_the_form() {
        let puzzle = "1.8..24......6..5..4.8...7...7.2.84.91......5....3.1....6.8.7.3..........94......";
        let other = puzzle.replacen('6', "9", 1);
        let [form, other] = [puzzle, &other].map(|line| canonical(&Grid::parse(line).unwrap()));
        assert_ne!(form, other);
    }
}
