//! Sudoku of other variants than `9x9`: a request without a variant, and a puzzle beyond the techniques.

use crate::prelude::*;

const SUDOKU: i32 = pb::Kind::Sudoku as i32;

/// A puzzle that the rounds do not finish.
const STUCK: &str = "9x9-x: ............1.9.......24..3...........8...6..9.....72.7...3.59..5.4.....3....1..2";

#[tokio::test]
async fn request_without_a_variant_draws_no_other_variant_than_9x9() {
    let server = Server::start().await;
    // The puzzle with more givens, as its level delivers.
    let cells = "4632..5........4.6....2.....1...43.2";
    let text = format!("6x6: {cells}");
    let solution = "6x6: 463251521643215436346125632514154362";
    server.store_text("sudoku", "6x6", [&text, solution]).await;
    let of = |variant: &str| pb::GetPuzzleRequest { kind: SUDOKU, variant: variant.to_owned(), ..Default::default() };
    for variant in ["", "9x9", "9x9-x", "4x4", "10x10"] {
        check(server.get_puzzle(of(variant)).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    }
    for variant in ["6x6", "any"] {
        assert_eq!(server.get_puzzle(of(variant)).await.unwrap().text, text);
    }
}

#[tokio::test]
async fn puzzle_beyond_the_ladder_is_solved_and_not_rated() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let rate = pb::RateRequest { kind: SUDOKU, text: STUCK.to_owned(), ..Default::default() };
    let refused = puzzles.rate(rate).await;
    assert!(refused.as_ref().is_err_and(|status| status.message().contains("9.4")), "{refused:?}");
    check(refused, Code::FailedPrecondition, "RATING_UNSUPPORTED");
    let solve = pb::SolveRequest { kind: SUDOKU, text: STUCK.to_owned(), include_steps: true, ..Default::default() };
    let solved = puzzles.solve(solve).await.unwrap().into_inner();
    assert!(!solved.steps_complete && !solved.solution.contains('.'), "{solved:?}");
    let mut board: Vec<char> = STUCK["9x9-x: ".len()..].chars().collect();
    let outcome = loop {
        let hint = pb::HintRequest {
            kind: SUDOKU,
            text: STUCK.to_owned(),
            board: board.iter().collect(),
            ..Default::default()
        };
        let hint = puzzles.hint(hint).await.unwrap().into_inner();
        let Some(pb::Cell { row, column, digit }) =
            hint.following.last().or(hint.step.as_ref()).and_then(|step| step.placed.first().copied())
        else {
            break hint.outcome();
        };
        board[(row as usize - 1) * 9 + column as usize - 1] = char::from_digit(digit, 10).unwrap();
    };
    assert!(matches!(outcome, pb::HintOutcome::Stuck | pb::HintOutcome::Step), "{outcome:?}");
}
