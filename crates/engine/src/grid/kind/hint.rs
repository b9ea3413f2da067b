//! Hints for a player: the wrong digits on a half-filled board, or the steps to the next digit. Compares boards with the puzzle.

use crate::{
    grid::{cells::Digits, puzzle::Puzzle, rate::to_next_digit, text::part_names},
    shared::{
        budget::Budget,
        phrases::list,
        step::cell_name,
        text::{
            Hint, TextError,
            board::marked,
            compare::{BoardState, Square},
            malformed,
        },
    },
};

/// The hint for a board of a puzzle with this solution and these pencil marks, see
/// [`PlayerBoard`](crate::shared::text::board::PlayerBoard).
///
/// # Errors
/// [`TextError::Malformed`] if the board has other regions, [`TextError::Candidates`] if the pencil marks are not digits of empty
/// cells.
pub(super) fn hint(
    puzzle: &Puzzle,
    solution: &[u8],
    board: &Puzzle,
    candidates: &[u32],
    budget: &mut Budget<'_>,
) -> Result<Hint, TextError> {
    same_clues(puzzle, board)?;
    let given = |(&digit, &given): (&u8, &u8)| if digit == 0 { given } else { digit };
    let digits: Vec<_> = board.digits.iter().zip(&puzzle.digits).map(given).collect();
    let all = Digits::up_to(puzzle.variant.digits()).0;
    let open: Vec<_> = digits.iter().map(|digit| if *digit == 0 { all } else { 0 }).collect();
    let marks = marked(candidates, &open, puzzle.variant.size.into())?;
    let cells = digits.iter().zip(solution).zip(&marks);
    let cells = (0..).zip(cells).map(|(cell, ((&digit, &right), &marks))| (cell, digit, right, marks));
    Ok(Hint::of(cells, || to_next_digit(puzzle, &digits, &marks, budget)))
}

/// Checks that a board has the regions and the clues of its puzzle.
///
/// # Errors
/// [`TextError::Malformed`] names the first cell in which they differ.
pub(super) fn same_clues(puzzle: &Puzzle, board: &Puzzle) -> Result<(), TextError> {
    let Some(cell) = puzzle.clues_differ(board).first().copied() else { return Ok(()) };
    let at = cell_name(cell, puzzle.variant.size.into());
    let noun = if puzzle.variant.has_regions() { "regions" } else { "clues" };
    let parts = list(part_names(puzzle.variant).into_iter().map(str::to_owned), "and");
    Err(malformed(format!("{at}: the {noun} differ from those of the puzzle; omit {parts} to use them")))
}

/// Compares a board with its puzzle and solution.
pub(super) fn compare(puzzle: &Puzzle, solution: &[u8], board: &Puzzle) -> BoardState {
    let differing = puzzle.clues_differ(board);
    if !differing.is_empty() {
        return BoardState::GivensDiffer(differing);
    }
    let digits = puzzle.digits.iter().zip(&board.digits).zip(solution);
    let squares = (0..).zip(digits).map(|(cell, ((&given, &digit), &right))| Square { cell, given, digit, right });
    BoardState::of(&squares.collect::<Vec<_>>())
}
