//! `Hint` for Sudoku and Kakuro: the next step on a board, digits that contradict the solution, and refused boards.

use pb::puzzle_service_client::PuzzleServiceClient;

use crate::{kakuro::SMALL, prelude::*};

const SUDOKU: i32 = pb::Kind::Sudoku as i32;
const KAKURO: i32 = pb::Kind::Kakuro as i32;

async fn hint(puzzles: &mut PuzzleServiceClient<Channel>, kind: i32, text: &str, board: &str) -> pb::HintResponse {
    let request = pb::HintRequest { kind, text: text.to_owned(), board: board.to_owned(), ..Default::default() };
    puzzles.hint(request).await.unwrap().into_inner()
}

/// The digit that a hint leads to.
fn digit_of(hint: &pb::HintResponse) -> pb::Cell {
    assert_eq!(hint.outcome(), pb::HintOutcome::Step, "{hint:?}");
    let step = hint.step.as_ref().unwrap();
    assert!(hint.message == step.sentence && !step.technique.is_empty() && !step.cells.is_empty(), "{hint:?}");
    *[step].into_iter().chain(&hint.following).flat_map(|step| &step.placed).next_back().expect("no digit")
}

#[tokio::test]
async fn repeated_hints_solve_a_sudoku() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let mut board = String::new();
    for _ in 0..PUZZLE.matches('.').count() {
        let found = hint(&mut puzzles, SUDOKU, PUZZLE, &board).await;
        let at = digit_of(&found);
        if board.is_empty() {
            PUZZLE.clone_into(&mut board);
        }
        let cell = ((at.row - 1) * 9 + at.column - 1) as usize;
        board.replace_range(cell..=cell, &at.digit.to_string());
    }
    assert_eq!(board, SOLUTION);
    assert_eq!(hint(&mut puzzles, SUDOKU, PUZZLE, &board).await.outcome(), pb::HintOutcome::Solved);
}

#[tokio::test]
async fn repeated_hints_solve_a_kakuro() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let mut board: Vec<Vec<String>> = SMALL.lines().map(|row| row.split(' ').map(str::to_owned).collect()).collect();
    let written = |board: &[Vec<String>]| board.iter().map(|row| row.join(" ")).collect::<Vec<_>>().join("\n");
    for _ in 0..4 {
        let found = hint(&mut puzzles, KAKURO, SMALL, &written(&board)).await;
        let at = digit_of(&found);
        board[at.row as usize - 1][at.column as usize - 1] = at.digit.to_string();
    }
    assert_eq!(written(&board), "# \\4 \\3\n3\\ 1 2\n4\\ 3 1");
    let full = hint(&mut puzzles, KAKURO, SMALL, &written(&board)).await;
    assert_eq!(
        (full.outcome(), full.message.as_str()),
        (pb::HintOutcome::Solved, "the board is full, and every digit is right")
    );
}

#[tokio::test]
async fn a_digit_that_contradicts_the_solution_is_named_with_its_cell() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    // Row 1 of the solution is 534678912: 4 and 6 are right, 2 and 8 are not.
    let board = PUZZLE.replacen("53..7", "53268", 1);
    let found = hint(&mut puzzles, SUDOKU, PUZZLE, &board).await;
    assert_eq!((found.outcome(), found.step.is_none()), (pb::HintOutcome::Wrong, true));
    assert_eq!(found.message, "2 in r1c3, 8 in r1c5 contradict the solution");
    let wrong: Vec<_> = found.wrong.iter().map(|at| (at.row, at.column, at.digit)).collect();
    assert_eq!(wrong, [(1, 3, 2), (1, 5, 8)]);

    let found = hint(&mut puzzles, KAKURO, SMALL, "# \\4 \\3\n3\\ 1 2\n4\\ 1 .").await;
    assert_eq!(found.message, "1 in r3c2 contradicts the solution");
    assert_eq!(found.wrong, [pb::Cell { row: 3, column: 2, digit: 1 }]);
}

#[tokio::test]
async fn the_hardest_puzzles_have_a_next_step_too() {
    // Golden Nugget, rated 11.9 by Sudoku Explainer.
    let text = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";
    let server = Server::start().await;
    let found = hint(&mut server.puzzles().await, SUDOKU, text, "").await;
    assert_eq!(found.outcome(), pb::HintOutcome::Step);
    let step = found.step.unwrap();
    assert!(step.rating > 10.0 && !step.chains.is_empty(), "{step:?}");
}

#[tokio::test]
async fn a_board_of_another_puzzle_and_a_puzzle_without_a_solution_are_refused() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let cases: [(i32, &str, String, (&str, &str)); 6] = [
        (SUDOKU, PUZZLE, ".".repeat(80), ("board", "80 cells; the puzzle must have exactly 81")),
        (
            SUDOKU,
            PUZZLE,
            PUZZLE.replacen('.', "w", 1),
            ("board", "row 1, column 3: 'w' is not allowed; use 1 to 9 for a given, and . or 0 for an empty cell"),
        ),
        (SUDOKU, PUZZLE, ".".repeat(8_193), ("board", "8193 bytes; at most 8192 are allowed")),
        (KAKURO, SMALL, "# #".to_owned(), ("board", "a width of 2 is not allowed; use 3 to 30")),
        (
            KAKURO,
            SMALL,
            "# # # #\n# # \\3 \\3\n# 3\\ . .\n# 3\\ . .".to_owned(),
            ("board", "the board is 4x4, but the puzzle is 3x3"),
        ),
        (
            KAKURO,
            SMALL,
            SMALL.replace("\\3", "\\5"),
            ("board", "r1c3: the board differs from the puzzle; only digits in white cells may differ"),
        ),
    ];
    for (kind, text, board, expected) in cases {
        let request = pb::HintRequest { kind, text: text.to_owned(), board, ..Default::default() };
        check_fields(puzzles.hint(request).await, &[expected]);
    }
    let several = pb::HintRequest { kind: SUDOKU, text: ".".repeat(81), ..Default::default() };
    check(puzzles.hint(several).await, Code::InvalidArgument, "NOT_UNIQUE");
    let nothing = [("kind", "required; GetServerInfo lists the kinds (`puzzled info`)")];
    check_fields(puzzles.hint(pb::HintRequest::default()).await, &nothing);
}
