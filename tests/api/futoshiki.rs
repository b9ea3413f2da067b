//! Futoshiki through every call: jobs, draws, structure, hints with pencil marks, boards, steps, pictures, searches, and refusals.

use crate::{
    kakuro,
    prelude::*,
    walks::{made, shown_again},
};

const FUTOSHIKI: i32 = pb::Kind::Futoshiki as i32;

#[tokio::test]
async fn job_makes_puzzles_that_are_drawn_solved_hinted_and_checked() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    for (variant, level) in [("4x4", pb::Level::Hard), ("5x5", pb::Level::Easy), ("7x7", pb::Level::Medium)] {
        let drawn = made(&server, FUTOSHIKI, variant, level).await;
        assert_eq!(drawn.symmetry(), pb::Symmetry::None);
        let solution: Vec<Vec<i32>> = drawn.solution_board.iter().map(|row| row.cells.clone()).collect();
        assert!(drawn.regions.len() >= solution.len(), "at least as many signs as rows");
        for edge in &drawn.regions {
            let digits: Vec<i32> =
                edge.cells.iter().map(|cell| solution[cell.row as usize - 1][cell.column as usize - 1]).collect();
            let is_true = if edge.operator() == "<" { digits[0] < digits[1] } else { digits[0] > digits[1] };
            assert!(edge.r#type() == pb::RegionType::Edge && is_true, "{edge:?} {digits:?}");
        }
        assert!(drawn.drawing.starts_with("+-") && drawn.drawing.contains(['<', '>']), "{}", drawn.drawing);
        let Some(pb::rating_record::Metrics::Grid(metrics)) = drawn.record.clone().unwrap().metrics else {
            panic!("metrics")
        };
        assert_eq!(metrics.clues as usize, drawn.regions.len());

        let solve =
            pb::SolveRequest { kind: FUTOSHIKI, text: drawn.text.clone(), include_steps: true, ..Default::default() };
        let solved = puzzles.solve(solve).await.unwrap().into_inner();
        assert_eq!((&solved.solution, solved.steps_complete), (&drawn.solution, true));

        // The player notes the digits of the solution, so the next step places one. A note without its digit is wrong.
        let givens = drawn.board.iter().flat_map(|row| &row.cells);
        let marks = |(digit, given): (&i32, &i32)| if *given == 0 { 1 << digit } else { 0 };
        let mut candidates: Vec<u32> = solution.iter().flatten().zip(givens).map(marks).collect();
        let hint = pb::HintRequest { id: drawn.id.clone(), candidates: candidates.clone(), ..Default::default() };
        let step = puzzles.hint(hint.clone()).await.unwrap().into_inner().step.unwrap();
        assert_eq!(step.placed.len(), 1, "{step:?}");
        candidates.iter_mut().find(|marks| **marks != 0).into_iter().for_each(|marks| *marks = 1);
        let wrong = puzzles.hint(pb::HintRequest { candidates, ..hint }).await.unwrap().into_inner();
        assert_eq!((wrong.outcome(), wrong.wrong.len()), (pb::HintOutcome::Wrong, 1));

        let cells = drawn.solution.split(' ').nth(1).unwrap();
        let (_, other_signs) = drawn.solution.split_once(" right=").unwrap();
        let other_signs = other_signs.replace('<', "!").replace('>', "<").replace('!', ">");
        for (board, state) in [
            (drawn.text.clone(), pb::BoardState::CorrectSoFar),
            (drawn.solution.clone(), pb::BoardState::Complete),
            (cells.to_owned(), pb::BoardState::Complete),
            (format!("{cells} right={other_signs}"), pb::BoardState::GivensDiffer),
        ] {
            let check = pb::CheckBoardRequest { id: drawn.id.clone(), board, ..Default::default() };
            assert_eq!(puzzles.check_board(check).await.unwrap().into_inner().state(), state);
        }
        shown_again(&server, &drawn).await;
    }
}

#[tokio::test]
async fn text_and_level_that_the_variant_lacks_are_refused() {
    let server = Server::start().await;
    let wanted = pb::GenerateRequest { kind: FUTOSHIKI, variant: "4x4".to_owned(), ..kakuro::generate() };
    let expert = pb::GenerateRequest { level: pb::Level::Expert.into(), ..wanted };
    check_fields(
        server.generate(expert).await,
        &[("level", "futoshiki 4x4 has no level expert; use easy, medium, hard")],
    );
    let text = format!("4x4: {} right={} down={}", ".".repeat(16), "-".repeat(12), "<=----------");
    let solve = pb::SolveRequest { kind: FUTOSHIKI, text, ..Default::default() };
    let fault = "down= row 1, column 2: '=' is not allowed; use < or > for a sign, - for none";
    check_fields(server.puzzles().await.solve(solve).await, &[("text", fault)]);
    let text = format!("4x4: {} right={} down={}", "21..............", "<-----------", "-".repeat(12));
    let check = pb::ValidateRequest { kind: FUTOSHIKI, text, ..Default::default() };
    let verdict = format!("{:?}", server.puzzles().await.validate(check).await);
    assert!(verdict.contains("r1c1 < r1c2 is broken"), "{verdict}");
}
