//! `GetPuzzle` with `scramble_seed`: a stored puzzle as somebody else would write it.

use std::collections::BTreeSet;

use puzzled::proto::v1 as pb;
use puzzled_engine::{registry, symmetry::Symmetry};

use crate::server::{PUZZLE, SOLUTION, Server};

/// Seeds that are looked at.
const SEEDS: u64 = 40;

async fn view(server: &Server, seed: u64) -> pb::Puzzle {
    let request = pb::GetPuzzleRequest {
        id: "puzzle-1".to_owned(),
        include_solution: true,
        scramble_seed: Some(seed),
        ..Default::default()
    };
    server.puzzles().await.get_puzzle(request).await.unwrap().into_inner().puzzle.unwrap()
}

#[tokio::test]
async fn a_scrambled_view_is_the_same_puzzle_in_other_clothes() {
    let server = Server::start().await;
    server.fill(Symmetry::Rotation180, 26, 1).await;
    let sudoku = registry::kind("sudoku").unwrap();
    let canonical = sudoku.canonical("9x9", PUZZLE).unwrap();
    let mut texts = BTreeSet::new();
    for seed in 0..SEEDS {
        let view = view(&server, seed).await;
        assert!(view.scrambled, "{view:?}");
        assert_eq!((view.id.as_str(), view.symmetry(), view.givens), ("puzzle-1", pb::Symmetry::Rotation180, 30));
        assert_eq!(sudoku.canonical("9x9", &view.text).unwrap(), canonical);
        let given = |at: usize| view.text.as_bytes()[at] != b'.';
        assert!((0..81).all(|at| given(at) == given(80 - at)), "not symmetric any more: {}", view.text);
        assert!(view.text.bytes().zip(view.solution.bytes()).all(|(given, digit)| given == b'.' || given == digit));
        texts.insert(view.text);
    }
    assert_eq!(texts.len() as u64, SEEDS, "two seeds gave one view");
}

#[tokio::test]
async fn a_view_is_rated_anew_and_the_stored_puzzle_stays_as_it_is() {
    let server = Server::start().await;
    // The test's stock says 2.6 of a puzzle of hidden singles in boxes.
    server.fill(Symmetry::Rotation180, 26, 1).await;
    let view = view(&server, 7).await;
    assert_eq!((view.rating.to_bits(), view.level()), (1.2_f64.to_bits(), pb::Level::Easy));
    let view_text = pb::RateRequest { kind: pb::Kind::Sudoku.into(), text: view.text.clone(), ..Default::default() };
    let rated = server.puzzles().await.rate(view_text).await.unwrap().into_inner();
    assert_eq!(rated.record, view.record);
    let stored = pb::GetPuzzleRequest { id: "puzzle-1".to_owned(), include_solution: true, ..Default::default() };
    let stored = server.puzzles().await.get_puzzle(stored).await.unwrap().into_inner().puzzle.unwrap();
    assert_eq!((stored.text.as_str(), stored.solution.as_str(), stored.scrambled), (PUZZLE, SOLUTION, false));
    assert_eq!(stored.rating.to_bits(), 2.6_f64.to_bits());
}

#[tokio::test]
async fn a_drawn_puzzle_can_be_scrambled_and_a_seed_gives_one_view() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 15, 1).await;
    let request = pb::GetPuzzleRequest {
        kind: pb::Kind::Sudoku.into(),
        level: pb::Level::Easy.into(),
        include_solution: true,
        scramble_seed: Some(u64::MAX),
        ..Default::default()
    };
    let drawn = server.puzzles().await.get_puzzle(request).await.unwrap().into_inner().puzzle.unwrap();
    assert_eq!(drawn, view(&server, u64::MAX).await);
    assert_eq!((drawn.id.as_str(), drawn.scrambled), ("puzzle-1", true));
}
