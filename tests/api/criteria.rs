//! Criteria of requests (technique, number of givens, variant, and open rating ranges) in every call that selects
//! puzzles. Also counts of surplus puzzles and of stock targets with a technique.

use crate::{kakuro, prelude::*};

const SUDOKU: i32 = pb::Kind::Sudoku as i32;

const KAKURO: i32 = pb::Kind::Kakuro as i32;

async fn generated(server: &Server, request: pb::GenerateRequest, rating: u8) -> pb::Job {
    let job = server.generate(request).await.unwrap();
    server.work(rating, u32::MAX).await.unwrap();
    job
}

fn wanted(technique: &str, clues: Option<u32>) -> pb::GetPuzzleRequest {
    pb::GetPuzzleRequest { kind: SUDOKU, technique: technique.to_owned(), clues, ..Default::default() }
}

fn made_with(puzzle: &pb::Puzzle) -> (&str, Option<u32>) {
    (puzzle.technique.as_str(), puzzle.clues)
}

/// Two plain puzzles, two that need an X-Wing, and two that need one and have 24 givens, with a surplus puzzle.
async fn stocked() -> Server {
    let server = Server::start().await;
    generated(&server, pb::GenerateRequest { count: Some(2), ..sudoku() }, 32).await;
    let x_wing = pb::GenerateRequest { technique: "x wing".to_owned(), count: Some(2), ..sudoku() };
    let job = generated(&server, x_wing.clone(), 32).await;
    assert_eq!(job.spec.unwrap().technique, "X-Wing");
    let of_24 = pb::GenerateRequest { clues: Some(24), ..x_wing };
    server.generate(of_24).await.unwrap();
    server.work_with_surplus(32, 40).await;
    server.work(32, u32::MAX).await;
    server
}

#[tokio::test]
async fn puzzles_made_with_a_technique_can_be_got_listed_and_exported() {
    let server = stocked().await;
    for (technique, clues, count) in [
        ("", None, 7),
        ("X-Wing", None, 4),
        ("x_wing", Some(24), 2),
        ("", Some(24), 2),
        ("X-Wing", Some(25), 0),
        ("Swordfish", None, 0),
    ] {
        let technique = technique.to_owned();
        let list = pb::ListPuzzlesRequest { kind: SUDOKU, technique: technique.clone(), clues, ..Default::default() };
        let listed = server.list_puzzles(list).await.unwrap().puzzles;
        assert_eq!(listed.len(), count, "{technique} {clues:?}");
        assert!(technique.is_empty() || listed.iter().all(|puzzle| puzzle.technique == "X-Wing"), "{listed:?}");
        assert!(clues.is_none() || listed.iter().all(|puzzle| puzzle.clues == clues), "{listed:?}");
        let export =
            pb::ExportPuzzlesRequest { kind: SUDOKU, technique: technique.clone(), clues, ..Default::default() };
        assert_eq!(server.export(export).await.unwrap().concat(), listed);
        let got = server.get_puzzle(pb::GetPuzzleRequest { clues, ..wanted(&technique, None) }).await;
        if count > 0 {
            let got = got.unwrap();
            assert!(listed.contains(&got), "{got:?}");
        } else {
            check(got, Code::FailedPrecondition, "STOCK_EXHAUSTED");
        }
    }
}

#[tokio::test]
async fn surplus_puzzle_has_no_technique_and_is_counted_separately() {
    let server = stocked().await;
    let stock = server.get_stock(pb::GetStockRequest::default()).await.unwrap();
    let shelves: Vec<_> =
        stock.shelves.iter().map(|shelf| (shelf.technique.as_str(), shelf.clues, shelf.count)).collect();
    assert_eq!(shelves, [("", None, 2), ("X-Wing", None, 2), ("X-Wing", Some(24), 2), ("", None, 1)]);
    let list = pb::ListPuzzlesRequest { kind: SUDOKU, min_rating: Some(4.0), ..Default::default() };
    let listed = server.list_puzzles(list).await.unwrap().puzzles;
    assert_eq!(listed.iter().map(made_with).collect::<Vec<_>>(), [("", None)]);
    assert!(listed[0].surplus);
}

#[tokio::test]
async fn empty_stock_of_a_technique_is_filled_by_the_job_that_the_call_queues() {
    let server = Server::start().await;
    let request = pb::GetPuzzleRequest { enqueue_if_short: true, ..wanted("Swordfish", Some(26)) };
    check(server.get_puzzle(request.clone()).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    check(server.get_puzzle(request.clone()).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    let other = pb::GetPuzzleRequest { clues: Some(27), ..request.clone() };
    check(server.get_puzzle(other).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    let jobs = server.list_jobs(pb::ListJobsRequest::default()).await.unwrap();
    let specs: Vec<_> = jobs.iter().map(|job| job.spec.as_ref().unwrap()).collect();
    let specs: Vec<_> = specs.iter().map(|spec| (spec.technique.as_str(), spec.clues)).collect();
    assert_eq!(specs, [("Swordfish", Some(27)), ("Swordfish", Some(26))]);
    server.work(38, u32::MAX).await;
    assert_eq!(made_with(&server.get_puzzle(request).await.unwrap()), ("Swordfish", Some(26)));
}

#[tokio::test]
async fn target_of_a_technique_counts_the_shelves_of_a_draw() {
    let server = stocked().await;
    let mut stock = server.stock().await;
    let target = pb::CreateStockTargetRequest {
        kind: SUDOKU,
        technique: "x-wing".to_owned(),
        clues: Some(24),
        target: 5,
        ..Default::default()
    };
    let set = stock.create_stock_target(target.clone()).await.unwrap().into_inner().target.unwrap();
    assert_eq!((set.technique.as_str(), set.clues), ("X-Wing", Some(24)));
    let plain = pb::CreateStockTargetRequest { technique: String::new(), clues: None, ..target };
    stock.create_stock_target(plain).await.unwrap();
    let told = server.get_stock(pb::GetStockRequest::default()).await.unwrap().targets;
    assert_eq!(told.iter().map(|outlook| outlook.have).collect::<Vec<_>>(), [2, 7]);
    let refill = pb::RefillRequest { id: set.id, ..Default::default() };
    let job = stock.refill(refill).await.unwrap().into_inner().job.unwrap();
    let spec = job.spec.unwrap();
    assert_eq!((job.wanted, spec.technique.as_str(), spec.clues), (3, "X-Wing", Some(24)));
}

#[tokio::test]
async fn technique_or_number_that_no_job_can_ask_for_is_refused() {
    let server = Server::start().await;
    let of_kakuro = |technique: &str, clues| pb::GetPuzzleRequest { kind: KAKURO, ..wanted(technique, clues) };
    let rare = "24 cannot be combined with Dynamic Cell Forcing Chains (+), which is too rare; omit the number";
    for (request, fault) in [
        (wanted("", Some(81)), ("clues", "81 is not allowed; use 19 to 80")),
        (wanted("", Some(70_000)), ("clues", "70000 is above 65535")),
        (wanted("Dynamic Cell Forcing Chains (+)", Some(24)), ("clues", rare)),
        (
            of_kakuro("X-Wing", None),
            ("technique", "\"X-Wing\" cannot be requested; the rating of a kakuro says which reasoning it needs"),
        ),
        (
            of_kakuro("", Some(20)),
            ("clues", "20 clues cannot be requested; a kakuro has as many clues as its layout has runs"),
        ),
    ] {
        check_fields(server.get_puzzle(request).await, &[fault]);
    }
    let without_kind = pb::ListPuzzlesRequest { technique: "X-Wing".to_owned(), ..Default::default() };
    let fault = ("kind", "required together with a technique; set a kind");
    check_fields(server.list_puzzles(without_kind).await, &[fault]);
}

#[tokio::test]
async fn open_range_ends_at_the_raters_maximum() {
    let server = Server::start().await;
    for (kind, end) in [(SUDOKU, 13.4), (KAKURO, 7.9)] {
        let request = pb::GenerateRequest { kind, min_rating: Some(2.0), ..Default::default() };
        let job = server.generate(request).await.unwrap();
        assert_eq!(job.spec.unwrap().max_rating, Some(end));
        let request = pb::CreateStockTargetRequest { kind, min_rating: Some(2.0), target: 1, ..Default::default() };
        let target = server.stock().await.create_stock_target(request).await.unwrap().into_inner().target.unwrap();
        assert_eq!((target.min_rating, target.max_rating), (Some(2.0), Some(end)));
        let beyond = pb::GetPuzzleRequest { kind, min_rating: Some(14.0), ..Default::default() };
        let fault = format!("14 is outside 0.0 to {end}");
        check_fields(server.get_puzzle(beyond).await, &[("min_rating", fault.as_str())]);
        let open = pb::GetPuzzleRequest { kind, min_rating: Some(end), ..Default::default() };
        let refused = server.get_puzzle(open).await.unwrap_err();
        assert!(refused.message().contains(&format!("rated {end} or more")), "{refused:?}");
    }
}

#[tokio::test]
async fn empty_variant_is_the_default_one_and_any_is_all() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let get = |variant: &str| pb::GetPuzzleRequest { kind: KAKURO, variant: variant.to_owned(), ..Default::default() };
    for variant in ["6x6", "6x6-runs4"] {
        kakuro::make(&server, pb::GenerateRequest { variant: variant.to_owned(), ..kakuro::generate() }).await;
    }
    check(server.get_puzzle(get("")).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    let daily = pb::GetDailyPuzzleRequest { kind: KAKURO, ..Default::default() };
    check(puzzles.get_daily_puzzle(daily.clone()).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    let any = pb::GetPuzzleRequest { enqueue_if_short: true, level: pb::Level::Evil.into(), ..get("any") };
    check(server.get_puzzle(any).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    let jobs = server.list_jobs(pb::ListJobsRequest::default()).await.unwrap();
    assert_eq!(jobs[0].spec.as_ref().unwrap().variant, "8x10");
    server.cancel_job(&jobs[0].id).await.unwrap();

    let mut drawn = BTreeSet::new();
    for asked in ["any", "6x6"] {
        for _ in 0..40 {
            drawn.insert((asked, server.get_puzzle(get(asked)).await.unwrap().variant));
        }
    }
    let both = |asked| ["6x6", "6x6-runs4"].map(|variant| (asked, variant.to_owned()));
    assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [both("6x6"), both("any")].concat());
    let own = server.get_puzzle(get("6x6-runs4")).await.unwrap();
    assert_eq!(own.variant, "6x6-runs4");
    check(server.get_puzzle(get("6x6-runs5")).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");

    // A list without a variant includes all variants.
    let list = pb::ListPuzzlesRequest { kind: KAKURO, ..Default::default() };
    assert_eq!(server.list_puzzles(list.clone()).await.unwrap().puzzles.len(), 2);
    let listed = server.list_puzzles(pb::ListPuzzlesRequest { variant: "6x6-runs4".to_owned(), ..list }).await;
    assert_eq!(listed.unwrap().puzzles.len(), 1);

    kakuro::make(&server, pb::GenerateRequest { variant: String::new(), ..kakuro::generate() }).await;
    let default = server.get_puzzle(get("")).await.unwrap();
    assert_eq!(default.variant, "8x10");
    assert_eq!(puzzles.get_daily_puzzle(daily).await.unwrap().into_inner().puzzle.unwrap().id, default.id);
}
