//! Binairo through every call: jobs, draws, structure, hints with pencil marks, boards, steps, pictures, searches, and refusals.

use crate::{
    kakuro,
    prelude::*,
    walks::{made, shown_again},
};

const BINAIRO: i32 = pb::Kind::Binairo as i32;

#[tokio::test]
async fn job_makes_puzzles_that_are_drawn_solved_hinted_and_checked() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    for (variant, level) in [("6x6", pb::Level::Expert), ("8x8", pb::Level::Medium), ("6x6-signs", pb::Level::Hard)] {
        let drawn = made(&server, BINAIRO, variant, level).await;
        let size = drawn.rows as usize;
        assert_eq!(drawn.board.len(), size);
        let cells = |rows: &[pb::BoardRow]| rows.iter().flat_map(|row| row.cells.clone()).collect::<Vec<_>>();
        let (given, digits) = (cells(&drawn.board), cells(&drawn.solution_board));
        assert_eq!(given.iter().filter(|digit| **digit != 0).count(), drawn.givens as usize);
        assert!(
            digits.chunks(size).all(|row| usize::try_from(row.iter().sum::<i32>()) == Ok(size / 2 * 3)),
            "{digits:?}"
        );
        for sign in &drawn.regions {
            let [one, other] = [0, 1]
                .map(|at| &sign.cells[at])
                .map(|cell| digits[(cell.row - 1) as usize * size + cell.column as usize - 1]);
            assert_eq!(sign.r#type(), pb::RegionType::Edge);
            assert_eq!(sign.operator(), if one == other { "=" } else { "x" });
        }
        assert_eq!(drawn.regions.is_empty(), !variant.ends_with("-signs"));
        assert!(drawn.drawing.starts_with("+-") && drawn.drawing.contains('.'), "{}", drawn.drawing);
        let Some(pb::rating_record::Metrics::Grid(metrics)) = drawn.record.clone().unwrap().metrics else {
            panic!("metrics")
        };
        assert_eq!(metrics.clues as usize, drawn.regions.len());

        let solve =
            pb::SolveRequest { kind: BINAIRO, text: drawn.text.clone(), include_steps: true, ..Default::default() };
        let solved = puzzles.solve(solve).await.unwrap().into_inner();
        assert_eq!((&solved.solution, solved.steps_complete), (&drawn.solution, true));
        // The player has excluded the wrong digit of each cell, and then the right one of the first.
        let open = given.iter().position(|digit| *digit == 0).unwrap();
        let right = |(given, digit): (&i32, &i32)| if *given == 0 { 1 << digit } else { 0 };
        let mut candidates: Vec<u32> = given.iter().zip(&digits).map(right).collect();
        let hint = pb::HintRequest { id: drawn.id.clone(), candidates: candidates.clone(), ..Default::default() };
        let step = puzzles.hint(hint.clone()).await.unwrap().into_inner().step.unwrap();
        assert_eq!((step.technique.as_str(), step.placed.len()), ("Naked Single", 1));
        candidates[open] = 6 - candidates[open];
        let wrong = puzzles.hint(pb::HintRequest { candidates, ..hint }).await.unwrap().into_inner();
        assert_eq!((wrong.outcome(), wrong.wrong.len()), (pb::HintOutcome::Wrong, 1));

        let cells = drawn.solution.split(' ').nth(1).unwrap();
        for (board, state) in [
            (drawn.text.as_str(), pb::BoardState::CorrectSoFar),
            (&drawn.solution, pb::BoardState::Complete),
            (cells, pb::BoardState::Complete),
        ] {
            let check = pb::CheckBoardRequest { id: drawn.id.clone(), board: board.to_owned(), ..Default::default() };
            assert_eq!(puzzles.check_board(check).await.unwrap().into_inner().state(), state);
        }
        shown_again(&server, &drawn).await;
    }
}

#[tokio::test]
async fn givens_are_a_criterion_and_symmetry_is_none() {
    let server = Server::start().await;
    let wanted = pb::GenerateRequest { kind: BINAIRO, level: pb::Level::Easy.into(), ..kakuro::generate() };
    let givens = pb::GenerateRequest { min_givens: Some(24), max_givens: Some(26), ..wanted.clone() };
    assert_eq!(kakuro::make(&server, givens).await.state(), pb::JobState::Succeeded);
    let range =
        pb::GetPuzzleRequest { kind: BINAIRO, min_givens: Some(24), max_givens: Some(26), ..Default::default() };
    assert!((24..=26).contains(&server.get_puzzle(range).await.unwrap().givens));
    let symmetry = pb::GenerateRequest { symmetry: pb::Symmetry::Full.into(), ..wanted };
    check_fields(server.generate(symmetry).await, &[("symmetry", "binairo 8x8 has no symmetry full; use none")]);
}

#[tokio::test]
async fn verdict_names_the_rule_that_publishers_treat_differently() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let equal_rows = "6x6: 0.0101101010010101101010010101101010";
    let rows_as_regions =
        format!("6x6: {} regions={}", ".".repeat(36), "ABCDEF".chars().flat_map(|it| [it; 6]).collect::<String>());
    for (kind, text, verdict, words) in [
        (BINAIRO, equal_rows, pb::Verdict::None, "no solution with unlike lines; one solution without that rule"),
        (
            pb::Kind::StarBattle.into(),
            &rows_as_regions,
            pb::Verdict::Several,
            "more than one solution with one star in each row, column, and region; two of them differ in ",
        ),
    ] {
        let request = pb::ValidateRequest { kind, text: text.to_owned(), ..Default::default() };
        let answer = puzzles.validate(request).await.unwrap().into_inner();
        assert_eq!((answer.verdict(), answer.message.starts_with(words)), (verdict, true), "{}", answer.message);
        let solve = pb::SolveRequest { kind, text: text.to_owned(), ..Default::default() };
        let refused = puzzles.solve(solve).await.unwrap_err();
        let words = words.split(';').next().unwrap();
        assert!(refused.message().starts_with(&format!("text: the puzzle has {words}")), "{}", refused.message());
    }
}
