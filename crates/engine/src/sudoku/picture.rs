//! The picture of a Sudoku: the lines of cells and boxes.

use super::{
    RULES, VARIANT,
    board::{CELLS, Grid, PEERS, box_of},
    techniques::{geometry::DIGITS, sentence},
};
use crate::{
    picture::{Board, Picture, Shown, Stroke, lines},
    shared::step::Cell,
};

/// The picture of a puzzle.
pub(super) fn picture(puzzle: &Grid, solution: Option<&Grid>, shown: Shown<'_>) -> Picture {
    let box_at = |cell: Option<Cell>| cell.map(|cell| box_of(cell.into()));
    let stroke = |one, other| if box_at(one) == box_at(other) { Stroke::Thin } else { Stroke::Thick };
    let board = Board {
        name: format!("Sudoku {VARIANT}"),
        rules: RULES,
        columns: 9,
        rows: 9,
        givens: puzzle.cells().to_vec(),
        open: vec![DIGITS.into(); CELLS],
        peers: &|cell| PEERS[usize::from(cell)].map(Cell::from).to_vec(),
        marks: lines(9, 9, |one, other| Some(stroke(one, other))),
        words: &|_| "blank".to_owned(),
        sentence,
    };
    board.picture(shown, solution.map(|solution| &solution.cells()[..]))
}
