//! 9×9 Sudoku.

pub mod board;
