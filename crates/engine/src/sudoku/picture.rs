//! The picture of a Sudoku: the lines of cells and boxes.

use super::{
    RULES, VARIANT,
    board::{CELLS, Grid, PEERS, box_of},
    techniques::{geometry::DIGITS, sentence},
};
use crate::{
    picture::{
        Picture, Shown, Stroke,
        board::{Board, lines},
    },
    shared::{step::Cell, variant::SYMBOLS},
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
        symbols: &SYMBOLS[..9],
        has_stars: false,
        has_sums: false,
        givens: puzzle.cells().to_vec(),
        open: vec![DIGITS.into(); CELLS],
        excluded: &|cell, _| PEERS[usize::from(cell)].map(Cell::from).to_vec(),
        marks: lines(9, 9, |one, other| Some(stroke(one, other))),
        beside: 0.0,
        words_beside: String::new(),
        words: &|_| "blank".to_owned(),
        sentence: &sentence,
    };
    board.picture(shown, solution.map(|solution| &solution.cells()[..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        picture::board::tests::read,
        shared::{budget::Budget, level::Tenths},
        sudoku::techniques::{Candidates, climb, reason},
    };

    /// Puzzles with singles, pairs, fish, wings, rectangles, and chains.
    const PUZZLES: [&str; 3] = [
        "601700000008300040000010086000670038070593200000021005000000451503000020100005060",
        "000006009006700030090803000010000050007520000005004002001670020000001400800000000",
        "000040060700000003900003001600008020000002090052310000000800004000001030078020900",
    ];

    #[test]
    fn pencil_marks_are_the_candidates_of_the_ladder_before_each_step() {
        for puzzle in PUZZLES.map(|text| Grid::parse(text).unwrap()) {
            let steps = reason(&puzzle, &mut Budget::of_nodes(u64::MAX));
            let mut position = Candidates::of(&puzzle).unwrap();
            let mut number = 0;
            climb(&mut position, Tenths::MAX, &mut Budget::of_nodes(u64::MAX), |before, _| {
                number += 1;
                let (digits, candidates) =
                    read(&picture(&puzzle, None, Shown { steps: &steps[..number], ..Shown::default() }));
                assert_eq!(digits, before.grid().cells(), "step {number}");
                let of_ladder: Vec<_> = (0..CELLS).map(|cell| u32::from(before.of_cell(cell))).collect();
                assert_eq!(candidates, of_ladder, "step {number}");
            });
            assert!(number > 50 && number == steps.len(), "{number}");
        }
    }

    #[test]
    fn puzzle_whose_givens_clash_has_a_picture() {
        let puzzle = Grid::parse(&format!("{:.<81}", "55")).unwrap();
        let (digits, candidates) = read(&picture(&puzzle, None, Shown { candidates: true, ..Shown::default() }));
        assert_eq!(digits, puzzle.cells());
        assert_eq!(candidates[..4], [0, 0, 0x3fe & !(1 << 5), 0x3fe & !(1 << 5)]);
    }
}
