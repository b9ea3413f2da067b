//! `CheckBoard`, and `Hint` and `Solve` by the ID of a stored puzzle or of its scrambled view.

use crate::{kakuro::SMALL, prelude::*};

const SUDOKU: i32 = pb::Kind::Sudoku as i32;

/// A board of the puzzle with these digits at the first cells.
fn board(start: &str) -> String {
    format!("{start}{}", &PUZZLE[start.len()..])
}

fn by_id(board: &str) -> pb::CheckBoardRequest {
    pb::CheckBoardRequest { id: "puzzle-1".to_owned(), board: board.to_owned(), ..Default::default() }
}

#[tokio::test]
async fn board_is_compared_with_the_stored_solution_or_that_of_a_text() {
    let server = Server::start().await;
    server.fill(Symmetry::Rotation180, 26, 1).await;
    let mut puzzles = server.puzzles().await;
    let wrong = vec![pb::Cell { row: 1, column: 3, digit: 2 }];
    let given = vec![pb::Cell { row: 1, column: 1, digit: 0 }];
    for (board, state, cells) in [
        (board("534"), pb::BoardState::CorrectSoFar, vec![]),
        (board("..4"), pb::BoardState::CorrectSoFar, vec![]),
        (board("532"), pb::BoardState::Wrong, wrong),
        (board("634"), pb::BoardState::GivensDiffer, given),
        (SOLUTION.to_owned(), pb::BoardState::Complete, vec![]),
    ] {
        let by_id = by_id(&board);
        let text = PUZZLE.to_owned();
        let by_text = pb::CheckBoardRequest { id: String::new(), kind: SUDOKU, text, ..by_id.clone() };
        for request in [by_id, by_text] {
            let checked = puzzles.check_board(request).await.unwrap().into_inner();
            assert_eq!((checked.state(), &checked.cells), (state, &cells), "{board}");
        }
    }
}

#[tokio::test]
async fn player_of_a_view_is_checked_and_helped_on_the_view() {
    let server = Server::start().await;
    server.fill(Symmetry::Rotation180, 26, 1).await;
    let mut puzzles = server.puzzles().await;
    let id = "puzzle-1".to_owned();
    let request =
        pb::GetPuzzleRequest { id: id.clone(), scramble_seed: Some(5), include_solution: true, ..Default::default() };
    let view = server.get_puzzle(request).await.unwrap();
    let scramble_seed = view.scramble_seed;
    let check = pb::CheckBoardRequest { scramble_seed, ..by_id(&view.solution) };
    let checked = puzzles.check_board(check).await.unwrap().into_inner();
    assert_eq!(checked.state(), pb::BoardState::Complete);
    let stored = puzzles.check_board(by_id(&view.solution)).await.unwrap().into_inner();
    assert_ne!(stored.state(), pb::BoardState::Complete, "the view has another solution");
    let hint = pb::HintRequest { id: id.clone(), scramble_seed, ..Default::default() };
    let of_text = pb::HintRequest { kind: SUDOKU, text: view.text, ..Default::default() };
    let [by_id, by_text] = [puzzles.hint(hint).await, puzzles.hint(of_text).await].map(Result::unwrap);
    assert_eq!(by_id.into_inner(), by_text.into_inner());
    let solve = pb::SolveRequest { id, scramble_seed, ..Default::default() };
    assert_eq!(puzzles.solve(solve).await.unwrap().into_inner().solution, view.solution);
}

#[tokio::test]
async fn request_names_a_stored_puzzle_or_a_text() {
    let server = Server::start().await;
    server.fill(Symmetry::Rotation180, 26, 1).await;
    let mut puzzles = server.puzzles().await;
    let with_kind = pb::CheckBoardRequest { kind: SUDOKU, ..by_id(SOLUTION) };
    let fault = "\"puzzle-1\" together with kind, variant, or text; set one of them";
    check_fields(puzzles.check_board(with_kind).await, &[("id", fault)]);
    let of_text = pb::CheckBoardRequest { kind: SUDOKU, text: PUZZLE.to_owned(), ..Default::default() };
    let fault = ("board", "required; set the digits of the player");
    check_fields(puzzles.check_board(of_text.clone()).await, &[fault]);
    let seeded = pb::CheckBoardRequest { board: SOLUTION.to_owned(), scramble_seed: Some(3), ..of_text };
    check_fields(puzzles.check_board(seeded).await, &[("scramble_seed", "3 is set without an id; set both")]);
    let kakuro = puzzles.check_board(by_id(SMALL)).await.unwrap_err();
    assert!(kakuro.message().starts_with("board: "), "{kakuro:?}");
    for id in ["puzzle-9", "nine"] {
        let unknown = pb::CheckBoardRequest { id: id.to_owned(), ..by_id(SOLUTION) };
        check(puzzles.check_board(unknown).await, Code::NotFound, "PUZZLE_NOT_FOUND");
        let unknown = pb::HintRequest { id: id.to_owned(), ..Default::default() };
        check(puzzles.hint(unknown).await, Code::NotFound, "PUZZLE_NOT_FOUND");
    }
}
