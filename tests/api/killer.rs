//! Killer through every call: jobs, draws, structure, hints, boards, steps, pictures, searches, and refusals.

use crate::{
    kakuro,
    prelude::*,
    walks::{made, shown_again},
};

const KILLER: i32 = pb::Kind::Killer as i32;

#[tokio::test]
async fn job_makes_killers_that_are_drawn_solved_hinted_and_checked() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    for (variant, level) in [("6x6", pb::Level::Expert), ("9x9", pb::Level::Medium)] {
        let drawn = made(&server, KILLER, variant, level).await;
        let size = drawn.rows as usize;
        assert_eq!(drawn.givens, 0);
        let (boxes, cages) = drawn.regions.split_at(size);
        assert!(boxes.iter().all(|region| region.r#type() == pb::RegionType::Region && region.sum.is_none()));
        assert!(cages.iter().all(|cage| cage.r#type() == pb::RegionType::Cage && cage.sum.is_some()));
        assert_eq!(cages.iter().map(|cage| cage.cells.len()).sum::<usize>(), size * size);
        assert!(drawn.drawing.starts_with("+====") && drawn.drawing.contains('|'), "{}", drawn.drawing);
        let Some(pb::rating_record::Metrics::Grid(metrics)) = drawn.record.clone().unwrap().metrics else {
            panic!("metrics")
        };
        assert_eq!((metrics.clues as usize, metrics.cage_sizes.iter().sum::<u32>()), (cages.len(), metrics.clues));

        let solve =
            pb::SolveRequest { kind: KILLER, text: drawn.text.clone(), include_steps: true, ..Default::default() };
        let solved = puzzles.solve(solve).await.unwrap().into_inner();
        assert_eq!((&solved.solution, solved.steps_complete), (&drawn.solution, true));
        // The number of a cage is its index in the regions.
        let houses = solved.steps.iter().flat_map(|step| &step.houses);
        let mut cages = houses.filter(|house| house.r#type() == pb::HouseType::Cage);
        assert!(cages.all(|cage| drawn.regions[cage.number as usize].sum.is_some()));
        assert!(solved.steps.iter().any(|step| step.sentence.contains("the cage of ")));
        let hint = pb::HintRequest { id: drawn.id.clone(), ..Default::default() };
        assert!(puzzles.hint(hint).await.unwrap().into_inner().step.is_some());

        let cells = drawn.solution.split(' ').nth(1).unwrap().to_owned();
        for (board, state) in [
            (drawn.text.clone(), pb::BoardState::CorrectSoFar),
            (drawn.solution.clone(), pb::BoardState::Complete),
            (cells, pb::BoardState::Complete),
        ] {
            let check = pb::CheckBoardRequest { id: drawn.id.clone(), board, ..Default::default() };
            assert_eq!(puzzles.check_board(check).await.unwrap().into_inner().state(), state);
        }
        shown_again(&server, &drawn).await;
    }
}

#[tokio::test]
async fn cage_that_is_impossible_or_lacks_its_sum_is_named() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    for (sums, fault) in [
        ("2", "the cage at row 1, column 1 has 2 cells and the sum \"2\"; use 3 to 11"),
        ("", "sums= has 0 numbers for 1 cage; the cage at row 1, column 1 has no sum"),
    ] {
        let text = format!("6x6: {} cages=aa{} sums={sums}", ".".repeat(36), ".".repeat(34));
        let validate = pb::ValidateRequest { kind: KILLER, text, ..Default::default() };
        let refused = puzzles.validate(validate).await.unwrap_err();
        assert!(refused.message().contains(fault), "{refused}");
    }
    let givens = pb::GenerateRequest { kind: KILLER, min_givens: Some(3), ..kakuro::generate() };
    check_fields(
        server.generate(givens).await,
        &[("min_givens", "3: numbers of givens are no criterion of the kind killer; leave it out")],
    );
}

/// The techniques solve few killers whose cages all have 3 to 5 cells.
#[tokio::test]
async fn killer_with_large_cages_is_rated_or_refused_and_always_solved() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let texts = include_str!("../../crates/engine/tests/data/killer_large_cages.txt").lines();
    let mut refused = 0;
    for text in texts.filter(|line| !line.starts_with('#')).take(6).map(str::to_owned) {
        let rate = pb::RateRequest { kind: KILLER, text: text.clone(), ..Default::default() };
        let rated = puzzles.rate(rate).await;
        if rated.is_err() {
            refused += 1;
            check(rated, Code::FailedPrecondition, "RATING_UNSUPPORTED");
        }
        let solve = pb::SolveRequest { kind: KILLER, text, ..Default::default() };
        assert!(puzzles.solve(solve).await.is_ok());
    }
    assert!((1..6).contains(&refused), "{refused}");
}
