//! `GetPuzzle` with `scramble_seed`: a scrambled view is an isomorph of the stored puzzle, and has its own rating. If
//! there can be no view, the call is refused before it records a delivery.

use puzzled_api::v1::batch_get_puzzles_result::Result as Answer;
use puzzled_engine::registry;
use tokio::time::timeout;

use crate::{kakuro, prelude::*};

/// Longest wait for an answer: only a server that hangs meets it.
const PATIENCE: Duration = Duration::from_mins(1);

/// The view of the puzzle of these tests with the seed 7.
const VIEW: &str = "......9.....832.67..2...4.1.3..4..5.17.2.9.34.6..8..7.8.7...2..62.451.....4......";

/// The number of seeds that are tried.
const SEEDS: u64 = 40;

async fn view(server: &Server, seed: u64) -> pb::Puzzle {
    let request = pb::GetPuzzleRequest {
        id: "puzzle-1".to_owned(),
        include_solution: true,
        include_record: true,
        scramble_seed: Some(seed),
        ..Default::default()
    };
    server.get_puzzle(request).await.unwrap()
}

#[tokio::test]
async fn scrambled_view_is_an_isomorph_with_the_same_id() {
    let server = Server::start().await;
    server.fill(Symmetry::Rotation180, 26, 1).await;
    let sudoku = registry::kind("sudoku").unwrap();
    let canonical = sudoku.canonical("9x9", PUZZLE).unwrap();
    let mut texts = BTreeSet::new();
    for seed in 0..SEEDS {
        let view = view(&server, seed).await;
        assert!(view.scrambled && view.scramble_seed == Some(seed), "{view:?}");
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
async fn view_has_its_own_rating_and_the_stored_puzzle_is_unchanged() {
    let server = Server::start().await;
    // The test's stock stores a puzzle of hidden singles in boxes with the rating 2.6.
    server.fill(Symmetry::Rotation180, 26, 1).await;
    let view = view(&server, 7).await;
    assert_eq!((view.rating.to_bits(), view.level()), (1.2_f64.to_bits(), pb::Level::Easy));
    assert_eq!(view.text, VIEW, "frozen, see docs/compatibility.md");
    let view_text = pb::RateRequest { kind: pb::Kind::Sudoku.into(), text: view.text.clone(), ..Default::default() };
    let rated = server.puzzles().await.rate(view_text).await.unwrap().into_inner();
    assert_eq!(rated.record, view.record);
    let stored = pb::GetPuzzleRequest { id: "puzzle-1".to_owned(), include_solution: true, ..Default::default() };
    let stored = server.get_puzzle(stored).await.unwrap();
    assert_eq!((stored.text.as_str(), stored.solution.as_str(), stored.scrambled), (PUZZLE, SOLUTION, false));
    assert_eq!(stored.rating.to_bits(), 2.6_f64.to_bits());
}

#[tokio::test]
async fn view_fits_the_criteria_as_the_stored_puzzle_does() {
    let server = Server::start().await;
    kakuro::make(&server, pb::GenerateRequest { technique: "X-Wing".to_owned(), seed: Some(7), ..sudoku() }).await;
    let mut scrambled = 0;
    for seed in 0..30 {
        let technique = "X-Wing".to_owned();
        let request = pb::GetPuzzleRequest { technique, scramble_seed: Some(seed), ..sudoku_for("") };
        let view = server.get_puzzle(request).await.unwrap();
        assert_eq!((view.technique.as_str(), view.rating), ("X-Wing", 3.2), "{view:?}");
        scrambled += u32::from(view.scrambled);
    }
    assert!(scrambled > 0, "every view is the stored puzzle");
}

#[tokio::test]
async fn view_outside_the_wanted_level_is_replaced_by_the_stored_puzzle() {
    let server = Server::start().await;
    // Every view of this puzzle of hidden singles is rated 1.2.
    server.fill(Symmetry::None, 26, 1).await;
    let hard = pb::GetPuzzleRequest { level: pb::Level::Hard.into(), scramble_seed: Some(1), ..sudoku_for("") };
    let view = server.get_puzzle(hard).await.unwrap();
    assert_eq!((view.scrambled, view.scramble_seed, view.rating, view.text.as_str()), (false, None, 2.6, PUZZLE));
}

#[tokio::test]
async fn a_drawn_puzzle_can_be_scrambled_and_a_seed_gives_one_view() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 15, 1).await;
    let request = pb::GetPuzzleRequest {
        kind: pb::Kind::Sudoku.into(),
        level: pb::Level::Easy.into(),
        include_solution: true,
        include_record: true,
        scramble_seed: Some(u64::MAX),
        ..Default::default()
    };
    let drawn = server.get_puzzle(request).await.unwrap();
    assert_eq!(drawn, view(&server, u64::MAX).await);
    assert_eq!((drawn.id.as_str(), drawn.scrambled), ("puzzle-1", true));
}

/// A scrambled Sudoku for an audience.
fn scrambled_to(audience: &str) -> pb::GetPuzzleRequest {
    let kind = pb::Kind::Sudoku.into();
    pb::GetPuzzleRequest { kind, audience: audience.to_owned(), scramble_seed: Some(1), ..Default::default() }
}

#[tokio::test]
async fn each_request_of_a_scrambled_batch_is_answered_by_one_delivery() {
    // A single place, for which the requests of both batches wait.
    let server = Server::with(|options| options.settings.limits.max_waiting_short = 1).await;
    server.fill(Symmetry::None, 12, 120).await;
    let batch = async |audience: &'static str| {
        let requests = (0..100).map(|at| {
            // Every fourth one as it is stored.
            let scramble_seed = (at % 4 != 0).then_some(at);
            pb::GetPuzzleRequest { request_id: at.to_string(), scramble_seed, ..scrambled_to(audience) }
        });
        let batch = pb::BatchGetPuzzlesRequest { requests: requests.collect() };
        let answers = server.puzzles().await.batch_get_puzzles(batch).await.unwrap().into_inner().results;
        let seeds = answers.into_iter().map(|answer| match answer.result.unwrap() {
            Answer::Puzzle(puzzle) => {
                assert_eq!(puzzle.scrambled, puzzle.scramble_seed.is_some());
                puzzle.scramble_seed
            }
            Answer::Status(status) => panic!("{status:?}"),
        });
        let expected: Vec<_> = (0..100).map(|at| (at % 4 != 0).then_some(at)).collect();
        assert_eq!(seeds.collect::<Vec<_>>(), expected, "in the order of the requests");
    };
    tokio::join!(batch("anna"), batch("bert"));
    assert_eq!((server.deliveries("anna").await.len(), server.deliveries("bert").await.len()), (100, 100));
}

#[tokio::test]
async fn view_of_a_kind_without_views_is_refused_before_the_delivery() {
    let server = Server::start().await;
    server.generate(kakuro::generate()).await.unwrap();
    server.work(12, u32::MAX).await;
    let kind = pb::Kind::Kakuro.into();
    let fault = [("scramble_seed", "1: puzzles of kind kakuro have no scrambled views; leave it unset")];
    check_fields(server.get_puzzle(pb::GetPuzzleRequest { kind, ..scrambled_to("anna") }).await, &fault);
    assert_eq!(server.deliveries("anna").await.len(), 0);
    let by_id = pb::GetPuzzleRequest { id: "puzzle-1".to_owned(), scramble_seed: Some(1), ..Default::default() };
    check_fields(server.get_puzzle(by_id).await, &fault);
}

#[tokio::test]
async fn view_without_a_place_is_refused_before_the_delivery() {
    let server = Server::with(|options| options.settings.limits.max_waiting_short = 1).await;
    server.fill(Symmetry::None, 12, 2).await;
    server.store.set(Gate::Held);
    let mut raw = Raw::connect(server.address).await;
    let by_id = pb::GetPuzzleRequest { id: "puzzle-1".to_owned(), scramble_seed: Some(1), ..Default::default() };
    let holds_the_place = raw.call("PuzzleService/GetPuzzle", None, &by_id);
    server.store.until_held(1).await;
    let refused = server.get_puzzle(scrambled_to("anna")).await;
    check(refused, Code::ResourceExhausted, "BUSY");
    server.store.set(Gate::Open);
    assert_eq!(raw::status(holds_the_place).await.code(), Code::Ok);
    assert_eq!(server.deliveries("anna").await.len(), 0);
    server.get_puzzle(scrambled_to("anna")).await.unwrap();
    assert_eq!(server.deliveries("anna").await.len(), 1);
}

#[tokio::test]
async fn call_that_waits_for_stock_holds_no_place() {
    let server = Server::with(|options| options.settings.limits.max_waiting_short = 1).await;
    server.fill(Symmetry::Full, 12, 1).await;
    server.queue_job(Symmetry::None, 1).await;
    let waits = pb::GetPuzzleRequest { symmetry: pb::Symmetry::None.into(), wait: true, ..scrambled_to("anna") };
    let (reads, mut raw) = (server.store.shelf_reads(), Raw::connect(server.address).await);
    let waits = raw.call("PuzzleService/GetPuzzle", None, &waits);
    server.store.until_shelves_read(reads + 3).await;
    // A batch waits for the place while the other call draws.
    let by_id = pb::GetPuzzleRequest { id: "puzzle-1".to_owned(), scramble_seed: Some(1), ..Default::default() };
    let batch = pb::BatchGetPuzzlesRequest { requests: vec![by_id] };
    let mut puzzles = server.puzzles().await;
    let answer = timeout(PATIENCE, puzzles.batch_get_puzzles(batch)).await.expect("the place is held").unwrap();
    assert!(matches!(answer.into_inner().results[0].result, Some(Answer::Puzzle(_))));
    server.work(12, u32::MAX).await;
    assert_eq!(raw::status(waits).await.code(), Code::Ok);
    assert_eq!(server.deliveries("anna").await.len(), 1);
}
