//! Hints for a player: the wrong digits on a half-filled board, or the steps to the next digit. Compares boards with the puzzle.

use super::{
    board::Grid,
    techniques::{geometry::DIGITS, to_next_digit},
};
use crate::shared::{
    budget::Budget,
    text::{
        Hint, TextError,
        board::marked,
        compare::{BoardState, Square},
    },
};

/// The hint for a board of a puzzle with this solution and the digits of [`marks`].
pub(super) fn hint(solution: &Grid, board: &Grid, marks: &[u32], budget: &mut Budget<'_>) -> Hint {
    let digits = board.cells().iter().zip(solution.cells()).zip(marks);
    let cells = (0..).zip(digits).map(|(cell, ((&digit, &right), &marks))| (cell, digit, right, marks));
    Hint::of(cells, || to_next_digit(board, marks, budget))
}

/// Compares a board with its puzzle and solution.
pub(super) fn compare(puzzle: &Grid, solution: &Grid, board: &Grid) -> BoardState {
    let digits = puzzle.cells().iter().zip(board.cells()).zip(solution.cells());
    let squares = (0..).zip(digits).map(|(cell, ((&given, &digit), &right))| Square { cell, given, digit, right });
    BoardState::of(&squares.collect::<Vec<_>>())
}

/// The board with the givens that it lacks.
pub(super) fn filled(puzzle: &Grid, board: &Grid) -> Grid {
    Grid(std::array::from_fn(|cell| if board.cells()[cell] == 0 { puzzle.cells()[cell] } else { board.cells()[cell] }))
}

/// The digits that the pencil marks leave for each cell of a board, as bits; 0 for filled cells.
///
/// # Errors
/// [`TextError::Candidates`] if the pencil marks are not digits of empty cells.
pub(super) fn marks(board: &Grid, candidates: &[u32]) -> Result<Vec<u32>, TextError> {
    let open = board.cells().map(|digit| if digit == 0 { DIGITS.into() } else { 0 });
    marked(candidates, &open, 9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{shared::budget::OutOfBudget, sudoku::board::CELLS};

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn of(puzzle: &str, board: &str) -> Hint {
        within(u64::MAX, puzzle, board)
    }

    fn within(nodes_max: u64, puzzle: &str, board: &str) -> Hint {
        let [puzzle, solution, board] = [puzzle, SOLUTION, board].map(|text| Grid::parse(text).unwrap());
        let board = filled(&puzzle, &board);
        hint(&solution, &board, &marks(&board, &[]).unwrap(), &mut Budget::of_nodes(nodes_max))
    }

    #[test]
    fn steps_end_with_the_first_placement_and_lead_to_the_solution() {
        let mut board = PUZZLE.to_owned();
        for _ in 0..CELLS {
            let steps = match of(PUZZLE, &board) {
                Hint::Steps(steps) => steps,
                Hint::Solved => break,
                other => panic!("{board}: {other:?}"),
            };
            let (last, before) = steps.split_last().unwrap();
            assert!(before.iter().all(|step| step.placed.is_empty()) && last.placed.len() == 1, "{steps:?}");
            let (cell, digit) = (usize::from(last.placed[0].0), last.placed[0].1.to_string());
            board.replace_range(cell..=cell, &digit);
        }
        assert_eq!(board, SOLUTION);
    }

    #[test]
    fn every_wrong_digit_is_named_even_on_a_given() {
        let mut board = PUZZLE.replacen("53..", "6.42", 1);
        assert_eq!(of(PUZZLE, &board), Hint::Wrong(vec![(0, 6), (3, 2)]));
        board.replace_range(0..1, "5");
        board.replace_range(3..4, ".");
        assert!(matches!(of(PUZZLE, &board), Hint::Steps(_)), "a given that is left out counts as filled in");
    }

    #[test]
    fn marks_without_the_right_digit_are_wrong_and_no_other_is_hinted_again() {
        let [puzzle, solution] = [PUZZLE, SOLUTION].map(|text| Grid::parse(text).unwrap());
        let with = |cell: usize, marks: u32| {
            let candidates: Vec<_> = (0..CELLS).map(|other| if other == cell { marks } else { 0 }).collect();
            hint(&solution, &puzzle, &super::marks(&puzzle, &candidates).unwrap(), &mut Budget::of_nodes(0))
        };
        // r1c3 is 4.
        assert_eq!(with(2, 0b110), Hint::Wrong(vec![(2, 0)]));
        assert_eq!(with(2, 1), Hint::Wrong(vec![(2, 0)]));
        let Hint::Steps(steps) = with(2, 1 << 4) else { panic!("no step") };
        assert!(steps.iter().all(|step| step.removed.iter().all(|&(cell, _)| cell != 2)), "{steps:?}");
    }

    #[test]
    fn board_of_another_puzzle_is_told_from_one_with_wrong_digits() {
        let compared = |board: &str| {
            let [puzzle, solution, board] = [PUZZLE, SOLUTION, board].map(|text| Grid::parse(text).unwrap());
            compare(&puzzle, &solution, &board)
        };
        assert_eq!(compared(&PUZZLE.replacen("53.", "632", 1)), BoardState::GivensDiffer(vec![0]));
        assert_eq!(compared(&PUZZLE.replacen("53.", ".32", 1)), BoardState::Wrong(vec![(2, 2)]));
        assert_eq!(compared(&".".repeat(81)), BoardState::CorrectSoFar);
        let without_givens = PUZZLE.chars().zip(SOLUTION.chars());
        let without_givens: String =
            without_givens.map(|(given, right)| if given == '.' { right } else { '.' }).collect();
        assert_eq!(compared(&without_givens), BoardState::Complete);
    }

    #[test]
    fn hint_beyond_the_budget_is_unknown() {
        let few = format!("{}{}", &SOLUTION[..18], ".".repeat(63));
        assert_eq!(within(10_000, &few, &few), Hint::Unknown(OutOfBudget::Nodes));
    }
}
