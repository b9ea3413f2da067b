//! Compares the engine with the crate `sudoku`: the time to read Sudoku texts and to count the solutions of each, up to
//! two.

use std::sync::atomic::AtomicBool;

use puzzled_engine::{
    shared::budget::Budget,
    sudoku::{board::Grid, kernel::Kernel},
};
use sudoku::Sudoku;

use crate::measure::{self, Row, Work};

/// Puzzles in one piece of work; enough that the cost of reading the clock is negligible.
const PUZZLES_A_PIECE: usize = 20;

/// Compares both solvers on one set of puzzles.
///
/// # Panics
/// If the two sides find different numbers of solutions, because then a rate means nothing.
pub fn compare(name: &str, puzzles: &[String], kernel: Kernel) -> Row {
    assert_eq!(ours(puzzles, kernel), theirs(puzzles), "numbers of solutions of {name}");
    let pieces: Vec<_> = puzzles.chunks(PUZZLES_A_PIECE).collect();
    measure::compare(
        Work { name, pieces: pieces.len(), items: puzzles.len() },
        |piece| {
            std::hint::black_box(ours(pieces[piece], kernel));
        },
        |piece| {
            std::hint::black_box(theirs(pieces[piece]));
        },
    )
}

pub fn ours(puzzles: &[String], kernel: Kernel) -> usize {
    let never = AtomicBool::new(false);
    let count = |puzzle: &String| {
        let grid = Grid::parse(puzzle).expect("a line of the set");
        kernel.count(&grid, 2, &mut Budget::new(u64::MAX, &never)).expect("a budget without end")
    };
    puzzles.iter().map(count).sum()
}

fn theirs(puzzles: &[String]) -> usize {
    let count = |puzzle: &String| Sudoku::from_str_line(puzzle).expect("a line of the set").solutions_count_up_to(2);
    puzzles.iter().map(count).sum()
}
