//! Jigsaw through every call: jobs, draws, structure, hints with pencil marks, boards, steps, pictures, searches, and refusals.

use crate::{
    kakuro,
    prelude::*,
    walks::{made, shown_again},
};

const JIGSAW: i32 = pb::Kind::Jigsaw as i32;

#[tokio::test]
async fn job_makes_puzzles_that_are_drawn_solved_hinted_and_checked() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    for (variant, level) in [("6x6", pb::Level::Hard), ("7x7", pb::Level::Medium), ("9x9", pb::Level::Evil)] {
        let drawn = made(&server, JIGSAW, variant, level).await;
        let size = drawn.rows as usize;
        assert_eq!(drawn.symmetry(), pb::Symmetry::Rotation180);
        assert!(drawn.regions.iter().all(|region| region.r#type() == pb::RegionType::Region));
        assert!(drawn.regions.iter().all(|region| region.cells.len() == size) && drawn.regions.len() == size);
        assert!(drawn.drawing.starts_with("+-") && drawn.drawing.contains('|'), "{}", drawn.drawing);
        let Some(pb::rating_record::Metrics::Grid(metrics)) = drawn.record.clone().unwrap().metrics else {
            panic!("metrics")
        };
        assert_eq!(metrics.clues as usize, size);

        let solve =
            pb::SolveRequest { kind: JIGSAW, text: drawn.text.clone(), include_steps: true, ..Default::default() };
        let solved = puzzles.solve(solve).await.unwrap().into_inner();
        assert_eq!((&solved.solution, solved.steps_complete), (&drawn.solution, true));
        assert!(solved.steps.iter().all(|step| !step.sentence.contains("box") && !step.technique.contains("Box")));

        // The player notes the digits of the solution, so the next step places one. A note without its digit is wrong.
        let solution = drawn.solution_board.iter().flat_map(|row| &row.cells);
        let givens = drawn.board.iter().flat_map(|row| &row.cells);
        let mut candidates: Vec<u32> =
            solution.zip(givens).map(|(digit, given)| if *given == 0 { 1 << digit } else { 0 }).collect();
        let hint = pb::HintRequest { id: drawn.id.clone(), candidates: candidates.clone(), ..Default::default() };
        let step = puzzles.hint(hint.clone()).await.unwrap().into_inner().step.unwrap();
        assert_eq!(step.placed.len(), 1, "{step:?}");
        candidates.iter_mut().find(|marks| **marks != 0).into_iter().for_each(|marks| *marks = 1);
        let wrong = puzzles.hint(pb::HintRequest { candidates, ..hint }).await.unwrap().into_inner();
        assert_eq!((wrong.outcome(), wrong.wrong.len()), (pb::HintOutcome::Wrong, 1));

        let cells = drawn.solution.split(' ').nth(1).unwrap();
        for (board, state) in [
            (drawn.text.clone(), pb::BoardState::CorrectSoFar),
            (drawn.solution.clone(), pb::BoardState::Complete),
            (cells.to_owned(), pb::BoardState::Complete),
        ] {
            let check = pb::CheckBoardRequest { id: drawn.id.clone(), board, ..Default::default() };
            assert_eq!(puzzles.check_board(check).await.unwrap().into_inner().state(), state);
        }
        let view = shown_again(&server, &drawn).await;
        let find = pb::FindPuzzleRequest { kind: JIGSAW, text: view.text, ..Default::default() };
        let found = puzzles.find_puzzle(find).await.unwrap().into_inner().matches;
        assert_eq!((&found[0].puzzle_id, found[0].r#type()), (&drawn.id, pb::MatchType::Isomorph));
    }
}

#[tokio::test]
async fn board_with_other_regions_has_other_givens_in_their_cells() {
    let server = Server::start().await;
    let job = pb::GenerateRequest { kind: JIGSAW, variant: "6x6".to_owned(), count: Some(1), ..kakuro::generate() };
    kakuro::make(&server, job).await;
    let wanted = pb::GetPuzzleRequest { kind: JIGSAW, variant: "6x6".to_owned(), ..Default::default() };
    let drawn = server.get_puzzle(wanted).await.unwrap();
    let (cells, letters) = drawn.text.split_once(" regions=").unwrap();
    let mirrored: String = letters.chars().rev().collect();
    let board = format!("{cells} regions={mirrored}");
    let check = pb::CheckBoardRequest { id: drawn.id.clone(), board, ..Default::default() };
    let checked = server.puzzles().await.check_board(check).await.unwrap().into_inner();
    assert_eq!(checked.state(), pb::BoardState::GivensDiffer);
    assert!(!checked.cells.is_empty(), "{checked:?}");
}

#[tokio::test]
async fn text_and_level_that_the_variant_lacks_are_refused() {
    let server = Server::start().await;
    let wanted = pb::GenerateRequest { kind: JIGSAW, variant: "6x6".to_owned(), ..kakuro::generate() };
    let evil = pb::GenerateRequest { level: pb::Level::Evil.into(), ..wanted };
    check_fields(server.generate(evil).await, &[("level", "jigsaw 6x6 has no level evil; use easy, medium, hard")]);
    let text = format!("6x6: {} regions={}", ".".repeat(36), "aabbcc".repeat(6));
    let solve = pb::SolveRequest { kind: JIGSAW, text, ..Default::default() };
    let fault = "regions= has 3 regions; the puzzle must have exactly 6";
    check_fields(server.puzzles().await.solve(solve).await, &[("text", fault)]);
}
