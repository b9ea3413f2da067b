//! Compares a player's board with the puzzle and its solution.

use crate::shared::step::Cell;

/// What a board says about a puzzle with a known solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoardState {
    /// The board has other givens than the puzzle in these cells: it is a board of another puzzle, or was misread.
    GivensDiffer(Vec<Cell>),
    /// These cells hold a wrong digit.
    Wrong(Vec<(Cell, u8)>),
    /// Every digit is right, and some are missing.
    CorrectSoFar,
    /// Every digit is right, and none is missing.
    Complete,
}

/// A cell that can hold a digit. Digits are 0 if there is none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Square {
    pub(crate) cell: Cell,
    /// The digit of the puzzle.
    pub(crate) given: u8,
    /// The digit on the board.
    pub(crate) digit: u8,
    /// The digit of the solution; 0 if the cell stays empty.
    pub(crate) right: u8,
}

impl BoardState {
    /// Compares a board with the puzzle and its solution. A given that the board leaves out counts as filled in.
    pub(crate) fn of(squares: &[Square]) -> Self {
        let filled = || squares.iter().filter(|square| square.digit != 0);
        let differing = filled().filter(|square| square.given != 0 && square.digit != square.given);
        let differing: Vec<_> = differing.map(|square| square.cell).collect();
        if !differing.is_empty() {
            return Self::GivensDiffer(differing);
        }
        let wrong: Vec<_> = filled().filter(|square| square.digit != square.right).collect();
        if !wrong.is_empty() {
            return Self::Wrong(wrong.into_iter().map(|square| (square.cell, square.digit)).collect());
        }
        let is_missing = |square: &Square| square.digit == 0 && square.given != square.right;
        if squares.iter().any(is_missing) { Self::CorrectSoFar } else { Self::Complete }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_left_empty_are_not_wrong() {
        let state = |digits: [u8; 3]| {
            let square =
                |(cell, digit): (u16, u8)| Square { cell, given: [4, 0, 0][usize::from(cell)], digit, right: 4 };
            BoardState::of(&(0..).zip(digits).map(square).collect::<Vec<_>>())
        };
        assert_eq!(state([5, 3, 0]), BoardState::GivensDiffer(vec![0]));
        assert_eq!(state([4, 3, 0]), BoardState::Wrong(vec![(1, 3)]));
        assert_eq!(state([0, 4, 0]), BoardState::CorrectSoFar);
        assert_eq!(state([0, 4, 4]), BoardState::Complete);
    }
}
