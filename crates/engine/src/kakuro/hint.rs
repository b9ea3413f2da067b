//! Hints for a player: the wrong digits on a half-filled board, or the steps to the next digit. Compares boards with the puzzle.

use super::{
    board::{Digit, Puzzle},
    digits::Digits,
    layout::cell_number,
    notation::text::Board,
    techniques::reason_to_digit,
};
use crate::shared::{
    budget::Budget,
    step::Cell,
    text::{
        Hint, TextError,
        board::marked,
        compare::{BoardState, Square},
        malformed,
    },
};

/// The hint for a board of a puzzle with this solution and the digits of [`marks`].
pub(super) fn hint(
    puzzle: &Puzzle,
    solution: &[Digit],
    board: &[Digit],
    marks: &[Digits],
    budget: &mut Budget<'_>,
) -> Hint {
    let digits = board.iter().zip(solution).zip(marks);
    let cells = puzzle.layout().cells().iter().zip(digits);
    let cells = cells.map(|(&cell, ((&digit, &right), marks))| (cell, digit, right, u32::from(marks.mask()) << 1));
    Hint::of(cells, || reason_to_digit(puzzle, board, marks, budget))
}

/// The digits that the pencil marks leave for each white cell; none for filled cells.
///
/// # Errors
/// [`TextError::Candidates`] if the pencil marks are not digits of empty white cells.
pub(super) fn marks(puzzle: &Puzzle, digits: &[Digit], candidates: &[u32]) -> Result<Vec<Digits>, TextError> {
    let layout = puzzle.layout();
    let mut open = vec![0; layout.width() * layout.height()];
    for (&cell, _) in layout.cells().iter().zip(digits).filter(|(_, digit)| **digit == 0) {
        open[usize::from(cell)] = u32::from(Digits::ALL.mask()) << 1;
    }
    let marked = marked(candidates, &open, cell_number(layout.width()))?;
    let of_white = |&cell: &Cell| (1..=9).filter(|digit| marked[usize::from(cell)] & 1 << digit != 0).collect();
    Ok(layout.cells().iter().map(of_white).collect())
}

/// Compares a board with its puzzle and solution. The givens of a Kakuro are its blocks and clues.
///
/// # Errors
/// [`TextError::Malformed`] if the board has another size.
pub(super) fn compare(puzzle: &Puzzle, solution: &[Digit], board: &Board) -> Result<BoardState, TextError> {
    let differing = differing(puzzle, board)?;
    if !differing.is_empty() {
        return Ok(BoardState::GivensDiffer(differing));
    }
    let digits = puzzle.layout().cells().iter().zip(&board.digits).zip(solution);
    let squares = digits.map(|((&cell, &digit), &right)| Square { cell, given: 0, digit, right });
    Ok(BoardState::of(&squares.collect::<Vec<_>>()))
}

/// The digits on a board. The board must have the layout and the clues of this puzzle.
///
/// # Errors
/// [`TextError::Malformed`] names the first cell that differs.
pub(super) fn digits_on(puzzle: &Puzzle, board: Board) -> Result<Vec<Digit>, TextError> {
    let Some(&cell) = differing(puzzle, &board)?.first() else { return Ok(board.digits) };
    let name = puzzle.layout().name_of_cell(cell);
    Err(malformed(format!("{name}: the board differs from the puzzle; only digits in white cells may differ")))
}

/// The cells in which a board has another block, clue, or white cell than the puzzle.
///
/// # Errors
/// [`TextError::Malformed`] if the board has another size.
fn differing(puzzle: &Puzzle, board: &Board) -> Result<Vec<Cell>, TextError> {
    let (ours, theirs) = (puzzle.layout(), board.puzzle.layout());
    let [wanted, found] = [ours, theirs].map(|layout| format!("{}x{}", layout.width(), layout.height()));
    if wanted != found {
        return Err(malformed(format!("the board is {found}, but the puzzle is {wanted}")));
    }
    let signs = |puzzle: &Puzzle| puzzle.layout().signs().into_iter().zip(puzzle.clues()).collect::<Vec<_>>();
    let pairs = (0..).zip(signs(puzzle).into_iter().zip(signs(&board.puzzle)));
    Ok(pairs.filter(|(_, (one, other))| one != other).map(|(cell, _)| cell).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kakuro::notation::text::{parse, parse_board, write_board};

    const PUZZLE: &str = "# \\4 \\3\n3\\ . .\n4\\ . .";
    const SOLUTION: [Digit; 4] = [1, 2, 3, 1];

    fn of(board: &[Digit], nodes_max: u64) -> Hint {
        with_marks(board, &[], nodes_max).unwrap()
    }

    #[test]
    fn steps_end_with_a_digit_and_lead_to_the_solution() {
        let puzzle = parse(PUZZLE).unwrap();
        let mut board = vec![0; 4];
        for _ in 0..4 {
            let Hint::Steps(steps) = of(&board, 0) else { panic!("no step at {board:?}") };
            let (last, before) = steps.split_last().unwrap();
            assert!(before.iter().all(|step| step.placed.is_empty()) && last.placed.len() == 1, "{steps:?}");
            let (cell, digit) = last.placed[0];
            board[puzzle.layout().cells().iter().position(|&white| white == cell).unwrap()] = digit;
        }
        assert_eq!(of(&board, 0), Hint::Solved);
    }

    fn with_marks(board: &[Digit], candidates: &[u32], nodes_max: u64) -> Result<Hint, TextError> {
        let puzzle = parse(PUZZLE).unwrap();
        let marks = marks(&puzzle, board, candidates)?;
        Ok(hint(&puzzle, &SOLUTION, board, &marks, &mut Budget::of_nodes(nodes_max)))
    }

    #[test]
    fn marks_without_the_right_digit_are_wrong() {
        // r2c2 is 1, r2c3 is 2.
        let marked = |first, second| with_marks(&[0; 4], &[0, 0, 0, 0, first, second, 0, 0, 0], 0);
        assert_eq!(marked(0b100, 0b100), Ok(Hint::Wrong(vec![(4, 0)])));
        assert!(matches!(marked(0b10, 0b110), Ok(Hint::Steps(_))));
        assert!(matches!(with_marks(&[0; 4], &[2, 0, 0, 0, 0, 0, 0, 0, 0], 0), Err(TextError::Candidates { .. })));
    }

    #[test]
    fn board_with_other_clues_is_told_from_one_with_wrong_digits() {
        let compared = |board: &str| compare(&parse(PUZZLE).unwrap(), &SOLUTION, &parse_board(board).unwrap()).unwrap();
        assert_eq!(compared(&PUZZLE.replace("\\3\n", "\\5\n")), BoardState::GivensDiffer(vec![2]));
        assert_eq!(compared("# \\4 \\3\n3\\ 2 .\n4\\ . ."), BoardState::Wrong(vec![(4, 2)]));
        assert_eq!(compared("# \\4 \\3\n3\\ 1 .\n4\\ . ."), BoardState::CorrectSoFar);
        assert_eq!(compared("# \\4 \\3\n3\\ 1 2\n4\\ 3 1"), BoardState::Complete);
    }

    #[test]
    fn hint_names_every_wrong_digit_with_its_cell() {
        assert_eq!(of(&[2, 0, 3, 3], 0), Hint::Wrong(vec![(4, 2), (8, 3)]));
    }

    #[test]
    fn board_of_another_puzzle_is_refused_with_the_cell() {
        let puzzle = parse(PUZZLE).unwrap();
        let read = |text: &str| digits_on(&puzzle, parse_board(text).unwrap());
        assert_eq!(read(&write_board(&puzzle, &SOLUTION)), Ok(SOLUTION.to_vec()));
        let fault = |reason: &str| Err(malformed(reason.to_owned()));
        assert_eq!(
            read("# # # #\n# # \\4 \\3\n# 3\\ . .\n# 4\\ . ."),
            fault("the board is 4x4, but the puzzle is 3x3")
        );
        let clue = fault("r1c3: the board differs from the puzzle; only digits in white cells may differ");
        assert_eq!(read(&PUZZLE.replace("\\3\n", "\\5\n")), clue);
        let puzzle = parse("# # \\8 \\10\n# 3\\3 . .\n15\\ . . .\n3\\ . . #").unwrap();
        let layout = fault("r4c1: the board differs from the puzzle; only digits in white cells may differ");
        let other = parse_board("# # \\8 \\10\n# 3\\3 . .\n15\\ . . .\n6\\ . . .").unwrap();
        assert_eq!(digits_on(&puzzle, other), layout);
    }
}
