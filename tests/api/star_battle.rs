//! Star battle through every call: jobs, draws, structure, hints with pencil marks, boards, steps, pictures, searches, and refusals.

use crate::{
    kakuro,
    prelude::*,
    walks::{made, shown_again},
};

const STARS: i32 = pb::Kind::StarBattle as i32;

#[tokio::test]
async fn job_makes_puzzles_that_are_drawn_solved_hinted_and_checked() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    for (variant, level) in [("6x6", pb::Level::Evil), ("8x8", pb::Level::Medium)] {
        let drawn = made(&server, STARS, variant, level).await;
        let size = drawn.rows as usize;
        assert_eq!(drawn.givens, 0);
        assert_eq!((drawn.board.len(), drawn.regions.len()), (size, size));
        assert!(drawn.regions.iter().all(|region| region.r#type() == pb::RegionType::Region && region.cells.len() > 1));
        let stars: Vec<u32> =
            drawn.solution_board.iter().flat_map(|row| &row.cells).map(|cell| u32::try_from(*cell).unwrap()).collect();
        assert_eq!(stars.iter().sum::<u32>() as usize, size, "{:?}", drawn.solution_board);
        assert!(drawn.drawing.starts_with("+-") && drawn.drawing.contains('.'), "{}", drawn.drawing);
        let Some(pb::rating_record::Metrics::Grid(metrics)) = drawn.record.clone().unwrap().metrics else {
            panic!("metrics")
        };
        assert_eq!(metrics.clues as usize, size);

        let solve =
            pb::SolveRequest { kind: STARS, text: drawn.text.clone(), include_steps: true, ..Default::default() };
        let solved = puzzles.solve(solve).await.unwrap().into_inner();
        assert_eq!((&solved.solution, solved.steps_complete), (&drawn.solution, true));
        assert!(solved.steps.iter().all(|step| step.sentence.contains("star")));
        // Every cell without a star is crossed out, so the next step places one. A crossed out star is wrong.
        let mut candidates: Vec<u32> = stars.iter().map(|star| 1 + star).collect();
        let hint = pb::HintRequest { id: drawn.id.clone(), candidates: candidates.clone(), ..Default::default() };
        let step = puzzles.hint(hint.clone()).await.unwrap().into_inner().step.unwrap();
        assert_eq!((step.technique.as_str(), step.placed.len()), ("Last Place", 1));
        candidates[stars.iter().position(|star| *star == 1).unwrap()] = 1;
        let wrong = puzzles.hint(pb::HintRequest { candidates, ..hint }).await.unwrap().into_inner();
        assert_eq!((wrong.outcome(), wrong.wrong.len()), (pb::HintOutcome::Wrong, 1));

        let (_, rest) = drawn.solution.split_once(' ').unwrap();
        let (cells, _) = rest.split_once(' ').unwrap();
        for (board, state) in [
            (drawn.text.clone(), pb::BoardState::CorrectSoFar),
            (drawn.solution.clone(), pb::BoardState::Complete),
            (cells.to_owned(), pb::BoardState::Complete),
        ] {
            let check = pb::CheckBoardRequest { id: drawn.id.clone(), board, ..Default::default() };
            assert_eq!(puzzles.check_board(check).await.unwrap().into_inner().state(), state);
        }
        shown_again(&server, &drawn).await;
    }
}

#[tokio::test]
async fn criteria_that_the_kind_lacks_are_refused() {
    let server = Server::start().await;
    let wanted = pb::GenerateRequest { kind: STARS, ..kakuro::generate() };
    let givens = pb::GenerateRequest { min_givens: Some(3), ..wanted.clone() };
    check_fields(
        server.generate(givens).await,
        &[("min_givens", "3: numbers of givens are no criterion of the kind star battle; leave it out")],
    );
    let symmetry = pb::GenerateRequest { symmetry: pb::Symmetry::Full.into(), ..wanted };
    check_fields(server.generate(symmetry).await, &[("symmetry", "star battle 8x8 has no symmetry full; use none")]);
}
