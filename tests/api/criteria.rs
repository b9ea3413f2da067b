//! Criteria of requests (technique, number of givens, variant, and open rating ranges) in every call that selects
//! puzzles, and what a call says if no puzzle fits.

use crate::{kakuro, prelude::*};

const SUDOKU: i32 = pb::Kind::Sudoku as i32;

const KAKURO: i32 = pb::Kind::Kakuro as i32;

/// Makes the puzzles of a request, with this rating in tenths.
pub(crate) async fn generated(server: &Server, request: pb::GenerateRequest, rating: u8) {
    server.generate(request).await.unwrap();
    server.work(rating, u32::MAX).await.unwrap();
}

fn get(technique: &str, min_givens: Option<u32>, max_givens: Option<u32>) -> pb::GetPuzzleRequest {
    let technique = technique.to_owned();
    pb::GetPuzzleRequest { kind: SUDOKU, technique, min_givens, max_givens, ..Default::default() }
}

/// Two puzzles with 30 givens whose hardest technique is a Hidden Single, and four with an X-Wing, of which two have 24 givens.
async fn stocked() -> Server {
    let server = Server::start().await;
    generated(&server, pb::GenerateRequest { count: Some(2), ..sudoku() }, 32).await;
    let x_wing = pb::GenerateRequest { technique: "x wing".to_owned(), count: Some(2), ..sudoku() };
    generated(&server, x_wing.clone(), 32).await;
    generated(&server, pb::GenerateRequest { min_givens: Some(24), max_givens: Some(24), ..x_wing }, 32).await;
    server
}

#[tokio::test]
async fn puzzles_are_got_listed_and_exported_by_technique_and_givens() {
    let server = stocked().await;
    for (technique, min_givens, max_givens, count) in [
        ("", None, None, 6),
        ("X-Wing", None, None, 4),
        ("x_wing", Some(24), Some(24), 2),
        ("", Some(24), Some(24), 2),
        ("XWING", Some(25), Some(25), 0),
        ("Swordfish", None, None, 0),
        // Without the other end, the range goes to the end that the level of each puzzle delivers.
        ("", Some(25), None, 4),
        ("", None, Some(25), 2),
        ("", None, Some(20), 0),
        ("", Some(17), Some(80), 6),
    ] {
        let technique = technique.to_owned();
        let list = pb::ListPuzzlesRequest {
            kind: SUDOKU,
            technique: technique.clone(),
            min_givens,
            max_givens,
            ..Default::default()
        };
        let listed = server.list_puzzles(list).await.unwrap().puzzles;
        assert_eq!(listed.len(), count, "{technique} {min_givens:?} {max_givens:?}");
        assert!(technique.is_empty() || listed.iter().all(|puzzle| puzzle.technique == "X-Wing"), "{listed:?}");
        let export = pb::ExportPuzzlesRequest {
            kind: SUDOKU,
            technique: technique.clone(),
            min_givens,
            max_givens,
            ..Default::default()
        };
        assert_eq!(server.export(export).await.unwrap().concat(), listed);
        let got = server.get_puzzle(get(&technique, min_givens, max_givens)).await;
        if count > 0 {
            let got = got.unwrap();
            assert!(listed.contains(&got), "{got:?}");
        } else {
            check(got, Code::FailedPrecondition, "STOCK_EXHAUSTED");
        }
    }
    let stock = server.get_stock(pb::GetStockRequest::default()).await.unwrap();
    let [row] = &stock.shelves[..] else { panic!("one row for all techniques and givens: {stock:?}") };
    assert_eq!((row.symmetry(), row.rating, row.count), (pb::Symmetry::Rotation180, 3.2, 6));
}

#[tokio::test]
async fn exhausted_stock_names_the_nearest_puzzles_that_are_there() {
    let server = Server::start().await;
    let (min_rating, max_rating) = (Some(2.6), Some(4.0));
    for (number, count, rating) in [(25, 14, 28), (31, 3, 27), (25, 1, 42)] {
        let givens = Some(number);
        let request = pb::GenerateRequest { min_givens: givens, max_givens: givens, count: Some(count), ..sudoku() };
        generated(&server, request, rating).await;
    }
    let wanted = pb::GetPuzzleRequest { min_rating, max_rating, ..get("", Some(22), Some(24)) };
    let refused = server.get_puzzle(wanted.clone()).await;
    assert_eq!(
        refused.as_ref().unwrap_err().message(),
        "no Sudoku 9x9 rated 2.6–4.0 with 22–24 givens in stock; nearest: 25 givens, rated 2.8 (14 puzzles); queue some \
         with Generate (`puzzled enqueue`), or set enqueue_if_short (`puzzled get --make`)"
    );
    let details = check(refused, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    let metadata = &details.error_info().unwrap().metadata;
    let nearest = ["nearest_1", "nearest_2", "nearest_3"].map(|name| metadata[name].as_str());
    let expected = [
        "sudoku 9x9, 25 givens, rated 2.8: 14",
        "sudoku 9x9, 31 givens, rated 2.7: 3",
        "sudoku 9x9, 25 givens, rated 4.2: 1",
    ];
    assert_eq!(nearest, expected);
}

/// Commits a slice of the first job without a puzzle, after this work.
async fn miss(server: &Server, tries: u32, work_ms: i64) {
    let slice = server.queue.claim("tester").await.unwrap().unwrap();
    let nearest = Some((2, "rated 3.4 with 24 givens".to_owned()));
    let tally = Tally { tries: tries.into(), off_target: tries.into(), nearest, ..Tally::default() };
    let work = SliceWork { tally, next_index: slice.first_index, next_try: tries, work_ms, ..SliceWork::default() };
    server.queue.commit(slice.lease, work).await.unwrap();
}

#[tokio::test]
async fn retry_is_advised_until_a_puzzle_is_unlikely_within_10_seconds() {
    let server = Server::start().await;
    let wanted = pb::GetPuzzleRequest { enqueue_if_short: true, ..get("Swordfish", None, None) };
    let start = "no Sudoku 9x9 with hardest technique Swordfish in stock, nor any other Sudoku; ";
    for (work_ms, end) in [
        (0, "job-1: no tries yet; ask again in 10 s"),
        (46_000, "job-1: 0 of 290 tries so far; ask again in 10 s"),
        (1_000, "job-1: 0 of 580 tries; do not retry, set fewer criteria"),
    ] {
        if work_ms > 0 {
            miss(&server, 290, work_ms).await;
        }
        let refused = server.get_puzzle(wanted.clone()).await;
        assert_eq!(refused.as_ref().unwrap_err().message(), format!("{start}{end}"));
        let details = check(refused, Code::FailedPrecondition, "STOCK_EXHAUSTED");
        assert_eq!(details.retry_info().is_some(), end.contains("ask again"));
    }
}

#[tokio::test]
async fn unreachable_puzzles_are_refused_to_a_caller_and_queued_by_generate() {
    let server = Server::start().await;
    let wanted = pb::GetPuzzleRequest { enqueue_if_short: true, ..get("Swordfish", Some(24), Some(24)) };
    check(server.get_puzzle(wanted.clone()).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    miss(&server, 1_500, 277_000).await;
    let failed = server.job("job-1").await;
    assert_eq!((failed.state(), failed.error_reason()), (pb::JobState::Failed, pb::ErrorReason::Unreachable));
    let details = check(server.get_puzzle(wanted.clone()).await, Code::FailedPrecondition, "UNREACHABLE");
    let metadata = &details.error_info().unwrap().metadata;
    assert_eq!((metadata["tries"].as_str(), metadata["work_seconds"].as_str()), ("1500", "277"));
    let other = pb::GetPuzzleRequest { max_givens: Some(25), ..wanted };
    check(server.get_puzzle(other).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    let givens = Some(24);
    let technique = "swordfish".to_owned();
    let again = pb::GenerateRequest { technique, min_givens: givens, max_givens: givens, ..sudoku() };
    assert_eq!(server.generate(again).await.unwrap().state(), pb::JobState::Queued);
}

#[tokio::test]
async fn empty_stock_of_a_technique_is_filled_by_the_job_that_the_call_queues() {
    let server = Server::start().await;
    let request = pb::GetPuzzleRequest { enqueue_if_short: true, ..get("Swordfish", Some(26), Some(26)) };
    check(server.get_puzzle(request.clone()).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    check(server.get_puzzle(request.clone()).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    let other = pb::GetPuzzleRequest { min_givens: Some(25), ..request.clone() };
    check(server.get_puzzle(other).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    let jobs = server.list_jobs(pb::ListJobsRequest::default()).await.unwrap();
    let specs = jobs.iter().map(|job| job.spec.as_ref().unwrap());
    let specs: Vec<_> = specs.map(|spec| (spec.technique.as_str(), spec.min_givens, spec.max_givens)).collect();
    assert_eq!(specs, [("Swordfish", Some(25), Some(26)), ("Swordfish", Some(26), Some(26))]);
    assert!(jobs.iter().all(|job| job.wanted == 20 && job.max_work_time.unwrap().seconds == 10), "{jobs:?}");
    server.work(38, u32::MAX).await;
    let got = server.get_puzzle(request).await.unwrap();
    assert_eq!((got.technique.as_str(), got.givens), ("Swordfish", 26));
}

#[tokio::test]
async fn target_of_a_technique_counts_the_shelves_of_a_draw() {
    let server = stocked().await;
    let mut stock = server.stock().await;
    let target = pb::CreateStockTargetRequest {
        kind: SUDOKU,
        technique: "x-wing".to_owned(),
        min_givens: Some(24),
        max_givens: Some(24),
        target: 5,
        ..Default::default()
    };
    let set = stock.create_stock_target(target.clone()).await.unwrap().into_inner().target.unwrap();
    assert_eq!((set.technique.as_str(), set.min_givens, set.max_givens), ("X-Wing", Some(24), Some(24)));
    assert_eq!((set.symmetry(), set.min_rating, set.max_rating), (pb::Symmetry::Rotation180, Some(3.2), Some(3.2)));
    let plain = pb::CreateStockTargetRequest { technique: String::new(), min_givens: None, max_givens: None, ..target };
    stock.create_stock_target(plain).await.unwrap();
    let told = server.get_stock(pb::GetStockRequest::default()).await.unwrap().targets;
    assert_eq!(told.iter().map(|outlook| outlook.have).collect::<Vec<_>>(), [2, 4]);
    let refill = pb::RefillRequest { id: set.id };
    let job = stock.refill(refill).await.unwrap().into_inner().job.unwrap();
    let spec = job.spec.unwrap();
    assert_eq!((job.wanted, spec.technique.as_str(), spec.min_givens), (3, "X-Wing", Some(24)));
}

#[tokio::test]
async fn technique_or_number_that_cannot_be_searched_is_refused() {
    let server = Server::start().await;
    let rare = get("Dynamic Cell Forcing Chains (+)", Some(24), Some(24));
    let of_kakuro = |request| pb::GetPuzzleRequest { kind: KAKURO, ..request };
    for (request, fault) in [
        (get("", Some(16), None), ("min_givens", "16 is outside 17 to 80")),
        (get("", None, Some(81)), ("max_givens", "81 is outside 17 to 80")),
        (get("", None, Some(70_000)), ("max_givens", "70000 is above 65535")),
        (get("", Some(28), Some(22)), ("min_givens", "28 is above max_givens, 22")),
        (
            pb::GetPuzzleRequest { max_rating: Some(3.1), ..get("X-Wing", None, None) },
            ("technique", "X-Wing is rated 3.2; the wanted ratings are 1.0 to 3.1; change one of them"),
        ),
        (
            pb::GetPuzzleRequest { enqueue_if_short: true, ..rare },
            (
                "min_givens",
                "24 givens cannot be combined with Dynamic Cell Forcing Chains (+), which is too rare; omit the givens",
            ),
        ),
        (
            of_kakuro(get("X-Wing", None, None)),
            ("technique", "\"X-Wing\": techniques are no criterion of the kind kakuro; leave it out"),
        ),
        (
            of_kakuro(get("", Some(20), None)),
            ("min_givens", "20: numbers of givens are no criterion of the kind kakuro; leave it out"),
        ),
        (
            of_kakuro(get("", None, Some(20))),
            ("max_givens", "20: numbers of givens are no criterion of the kind kakuro; leave it out"),
        ),
    ] {
        check_fields(server.get_puzzle(request).await, &[fault]);
    }
    for (request, fault) in [
        (
            pb::ListPuzzlesRequest { technique: "X-Wing".to_owned(), ..Default::default() },
            "required together with a technique; set a kind",
        ),
        (
            pb::ListPuzzlesRequest { max_givens: Some(24), ..Default::default() },
            "required together with a number of givens; set a kind",
        ),
    ] {
        check_fields(server.list_puzzles(request).await, &[("kind", fault)]);
    }
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
    server.create_daily(pb::Kind::Kakuro).await;
    let daily = pb::GetDailyPuzzleRequest::default();
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
    // The series takes the puzzle.
    assert_eq!(puzzles.get_daily_puzzle(daily).await.unwrap().into_inner().puzzle.unwrap().id, default.id);
}
