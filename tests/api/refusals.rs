//! Refused requests of `Generate`, `GetPuzzle`, the lists, `GetStock`, and schedules, case by case: each error names the
//! field, the value, and the limit. Also unknown and missing IDs, and the limit of 400 characters for a message.

use prost_types::Timestamp;
use puzzled_api::v1::{GenerateRequest, GetPuzzleRequest, ListPuzzlesRequest};

use crate::prelude::*;

const SUDOKU: i32 = pb::Kind::Sudoku as i32;

const NO_KIND: (&str, &str) = ("kind", "required; GetServerInfo lists the kinds (`puzzled info`)");
const NO_KIND_NO_ID: (&str, &str) = ("kind", "required unless id is set");
const NO_KIND_BUT_LEVEL: (&str, &str) = ("kind", "required together with a level or a rating; set a kind");
const ID_AND_KIND: (&str, &str) = ("id", "\"puzzle-1\" is set together with kind; set only one");
const ID_AND_RATING: (&str, &str) = ("id", "\"puzzle-1\" is set together with max_rating; set only one");
const FOREIGN_TOKEN: (&str, &str) =
    ("page_token", "\"garbage\" is not a token of this list and these criteria; use the last next_page_token");
const NO_SUCH_LEVEL: (&str, &str) = ("level", "9 is not a level; use 1 (LEVEL_EASY) to 5 (LEVEL_EVIL)");
const NO_SUCH_SYMMETRY: (&str, &str) = ("symmetry", "-1 is not a symmetry; use 1 (SYMMETRY_NONE) to 8 (SYMMETRY_FULL)");
const NO_SUCH_VARIANT: (&str, &str) =
    ("variant", "unknown variant \"5x5\" of sudoku; use 9x9, 4x4, 6x6, 8x8, 9x9-x, 9x9-windoku, 10x10, 12x12, 16x16");

const NO_KIND_HAS_VARIANT: (&str, &str) =
    ("variant", "no kind has the variant \"2x2\"; with a kind, the error lists its variants");
const KAKURO_HAS_NONE: &str = "\"X-Wing\": techniques are no criterion of the kind kakuro; leave it out";

type Cases<R> = Vec<(R, &'static [(&'static str, &'static str)])>;

async fn check_generate(cases: Cases<GenerateRequest>) {
    let server = Server::start().await;
    for (request, expected) in cases {
        check_fields(server.generate(request).await, expected);
    }
    let jobs = server.list_jobs(pb::ListJobsRequest::default()).await.unwrap();
    assert!(jobs.is_empty(), "nothing of it was queued: {jobs:?}");
}

#[tokio::test]
async fn generate_refuses_each_bad_wish_for_a_puzzle() {
    let cases: Cases<GenerateRequest> = vec![
        (GenerateRequest::default(), &[NO_KIND]),
        (
            GenerateRequest { kind: 99, ..sudoku() },
            &[("kind", "99 is not a kind; GetServerInfo lists the kinds (`puzzled info`)")],
        ),
        (GenerateRequest { variant: "5x5".into(), ..sudoku() }, &[NO_SUCH_VARIANT]),
        (GenerateRequest { level: 9, ..sudoku() }, &[NO_SUCH_LEVEL]),
        (GenerateRequest { symmetry: -1, ..sudoku() }, &[NO_SUCH_SYMMETRY]),
        (GenerateRequest { count: Some(0), ..sudoku() }, &[("count", "0 is below 1")]),
        (GenerateRequest { count: Some(100_001), ..sudoku() }, &[("count", "100001 is above 100000")]),
        (
            GenerateRequest { min_rating: Some(9.5), max_givens: Some(24), ..sudoku() },
            &[(
                "min_givens",
                "19–24 givens cannot be combined with ratings from 9.5 on, which are too rare; omit the givens",
            )],
        ),
        (GenerateRequest { min_givens: Some(18), ..sudoku() }, &[("min_givens", "18 is not allowed; use 19 to 80")]),
        (GenerateRequest { max_givens: Some(81), ..sudoku() }, &[("max_givens", "81 is not allowed; use 19 to 80")]),
        (GenerateRequest { max_givens: Some(70_000), ..sudoku() }, &[("max_givens", "70000 is above 65535")]),
        (
            GenerateRequest { min_givens: Some(28), max_givens: Some(22), ..sudoku() },
            &[("min_givens", "28 is above max_givens, 22")],
        ),
        (
            GenerateRequest { level: 1, technique: "Naked Pair".into(), ..sudoku() },
            &[("technique", "Naked Pair is rated 3.0; the wanted ratings are 1.0 to 1.5; change one of them")],
        ),
        (
            GenerateRequest { kind: pb::Kind::Kakuro.into(), technique: "X-Wing".into(), ..Default::default() },
            &[("technique", KAKURO_HAS_NONE)],
        ),
        (
            GenerateRequest { min_rating: Some(2.6), max_rating: Some(2.5), ..sudoku() },
            &[("min_rating", "2.6 is above 2.5, the highest rating")],
        ),
        (
            GenerateRequest { level: 1, min_rating: Some(1.6), ..sudoku() },
            &[("level", "easy is rated 1.0 to 1.5; the wanted ratings are 1.6 to 13.4; change one of them")],
        ),
        (GenerateRequest { min_rating: Some(2.65), ..sudoku() }, &[("min_rating", "2.65 has more than 1 decimal")]),
        (GenerateRequest { max_rating: Some(13.5), ..sudoku() }, &[("max_rating", "13.5 is outside 0.0 to 13.4")]),
    ];
    check_generate(cases).await;
}

#[tokio::test]
async fn unknown_technique_is_refused_with_the_nearest_names() {
    let server = Server::start().await;
    for (technique, expected) in [
        ("xwnig", "\"xwnig\" is unknown; did you mean X-Wing? GetServerInfo lists all (`puzzled info --kind sudoku`)"),
        (
            "Y-Wing",
            "\"Y-Wing\" is unknown; the nearest are X-Wing, XY-Wing, XYZ-Wing; GetServerInfo lists all (`puzzled info --kind sudoku`)",
        ),
    ] {
        let technique = || technique.to_owned();
        let expected = &[("technique", expected)];
        let generate = server.generate(GenerateRequest { technique: technique(), ..sudoku() }).await;
        assert_eq!(generate.as_ref().unwrap_err().message(), format!("technique: {}", expected[0].1));
        check_fields(generate, expected);
        let (kind, technique) = (SUDOKU, technique());
        let get = GetPuzzleRequest { kind, technique: technique.clone(), ..Default::default() };
        check_fields(server.get_puzzle(get).await, expected);
        let list = ListPuzzlesRequest { kind, technique: technique.clone(), ..Default::default() };
        check_fields(server.list_puzzles(list).await, expected);
        let export = pb::ExportPuzzlesRequest { kind, technique: technique.clone(), ..Default::default() };
        check_fields(server.export(export).await, expected);
        let target = pb::CreateStockTargetRequest { kind, technique, target: 1, ..Default::default() };
        check_fields(server.stock().await.create_stock_target(target).await, expected);
    }
}

#[tokio::test]
async fn generate_refuses_each_bad_wish_for_a_job_and_names_all_faults_at_once() {
    let long = "x".repeat(129);
    let at = |seconds, nanos| Some(Timestamp { seconds, nanos });
    let cases: Cases<GenerateRequest> = vec![
        (GenerateRequest { priority: 101, ..sudoku() }, &[("priority", "101 is outside -100 to 100")]),
        (
            GenerateRequest { request_id: long, ..sudoku() },
            &[("request_id", "129 characters; at most 128 are allowed")],
        ),
        (
            GenerateRequest { request_id: "a\nb".into(), ..sudoku() },
            &[("request_id", "\"a\\nb\" has characters that are not allowed; use printable ASCII")],
        ),
        (
            GenerateRequest { not_before_time: at(253_402_300_799, 0), ..sudoku() },
            &[("not_before_time", "9999-12-31T23:59:59Z is more than 366 days ahead")],
        ),
        (
            GenerateRequest { not_before_time: at(0, -1), ..sudoku() },
            &[("not_before_time", "-1 nanos are outside 0 to 999999999")],
        ),
        (
            GenerateRequest {
                kind: 0,
                level: 9,
                symmetry: -1,
                count: Some(0),
                priority: 101,
                ..GenerateRequest::default()
            },
            &[
                NO_KIND,
                NO_SUCH_SYMMETRY,
                NO_SUCH_LEVEL,
                ("count", "0 is below 1"),
                ("priority", "101 is outside -100 to 100"),
            ],
        ),
    ];
    check_generate(cases).await;
}

#[tokio::test]
async fn generate_refuses_ratings_beyond_its_range_and_get_puzzle_is_empty() {
    let server = Server::start().await;
    for request in [
        GenerateRequest { min_rating: Some(10.5), ..sudoku() },
        GenerateRequest { min_rating: Some(13.4), max_rating: Some(13.4), ..sudoku() },
    ] {
        let details = check(server.generate(request).await, Code::FailedPrecondition, "RATING_UNSUPPORTED");
        assert!(details.error_info().unwrap().metadata.contains_key("supported_max"));
        assert!(details.has_precondition_failure_violations());
    }
    let evil = GetPuzzleRequest { kind: SUDOKU, level: pb::Level::Evil.into(), ..Default::default() };
    check(server.get_puzzle(evil).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
}

#[tokio::test]
async fn get_puzzle_refuses_each_bad_field_with_its_value_and_limit() {
    let server = Server::start().await;
    let any = || GetPuzzleRequest { kind: SUDOKU, ..Default::default() };
    let cases: Cases<GetPuzzleRequest> = vec![
        (GetPuzzleRequest::default(), &[NO_KIND_NO_ID]),
        (GetPuzzleRequest { level: 1, ..Default::default() }, &[NO_KIND_BUT_LEVEL, NO_KIND_NO_ID]),
        (GetPuzzleRequest { min_rating: Some(1.0), ..Default::default() }, &[NO_KIND_BUT_LEVEL, NO_KIND_NO_ID]),
        (GetPuzzleRequest { id: "puzzle-1".into(), kind: SUDOKU, ..Default::default() }, &[ID_AND_KIND]),
        (GetPuzzleRequest { id: "puzzle-1".into(), max_rating: Some(0.0), ..Default::default() }, &[ID_AND_RATING]),
        (
            GetPuzzleRequest { kind: -1, ..any() },
            &[("kind", "-1 is not a kind; GetServerInfo lists the kinds (`puzzled info`)")],
        ),
        (GetPuzzleRequest { level: 9, ..any() }, &[NO_SUCH_LEVEL]),
        (GetPuzzleRequest { symmetry: -1, ..any() }, &[NO_SUCH_SYMMETRY]),
        (GetPuzzleRequest { variant: "5x5".into(), ..any() }, &[NO_SUCH_VARIANT]),
        (
            GetPuzzleRequest { level: 2, max_rating: Some(1.5), ..any() },
            &[("level", "medium is rated 1.6 to 2.5; the wanted ratings are 1.0 to 1.5; change one of them")],
        ),
    ];
    for (request, expected) in cases {
        check_fields(server.get_puzzle(request).await, expected);
    }
}

#[tokio::test]
async fn lists_and_stock_refuse_each_bad_field_with_its_value_and_limit() {
    let server = Server::start().await;
    let cases: Cases<ListPuzzlesRequest> = vec![
        (ListPuzzlesRequest { level: 1, ..Default::default() }, &[NO_KIND_BUT_LEVEL]),
        (ListPuzzlesRequest { max_rating: Some(1.0), ..Default::default() }, &[NO_KIND_BUT_LEVEL]),
        (ListPuzzlesRequest { kind: SUDOKU, variant: "5x5".into(), ..Default::default() }, &[NO_SUCH_VARIANT]),
        (ListPuzzlesRequest { variant: "2x2".into(), ..Default::default() }, &[NO_KIND_HAS_VARIANT]),
        (
            ListPuzzlesRequest { page_size: -1, ..Default::default() },
            &[("page_size", "-1 is below 0; use 0 for the default, or 1 to 200")],
        ),
        (
            ListPuzzlesRequest { page_token: "garbage".into(), page_size: -1, ..Default::default() },
            &[("page_size", "-1 is below 0; use 0 for the default, or 1 to 200"), FOREIGN_TOKEN],
        ),
    ];
    for (request, expected) in cases {
        check_fields(server.list_puzzles(request).await, expected);
    }
    let states = pb::ListJobsRequest { states: vec![7, -1, 0, 1], page_token: "garbage".into(), ..Default::default() };
    check_fields(
        server.list_jobs(states).await,
        &[
            ("states", "7 is not a state; use 1 (JOB_STATE_QUEUED) to 6 (JOB_STATE_ENDED)"),
            ("states", "-1 is not a state; use 1 (JOB_STATE_QUEUED) to 6 (JOB_STATE_ENDED)"),
            FOREIGN_TOKEN,
        ],
    );
    let stock = pb::GetStockRequest { level: 1, symmetry: -1, ..Default::default() };
    check_fields(server.get_stock(stock).await, &[NO_KIND_BUT_LEVEL, NO_SUCH_SYMMETRY]);
}

#[tokio::test]
async fn unknown_ids_are_not_found_and_missing_ones_invalid() {
    let server = Server::start().await;
    let mut jobs = server.jobs().await;
    for id in ["puzzle-1", "puzzle-01", "puzzle-0", "puzzle--1", "job-1", "nothing", "puzzle-99999999999999999999"] {
        let id = id.to_owned();
        let answer = server.get_puzzle(GetPuzzleRequest { id: id.clone(), ..Default::default() }).await;
        let details = check(answer, Code::NotFound, "PUZZLE_NOT_FOUND");
        let resource = details.resource_info().unwrap();
        assert_eq!((resource.resource_type.as_str(), &resource.resource_name), ("puzzled.v1.Puzzle", &id));
    }
    for id in ["job-1", "job-01", "puzzle-1", "17"] {
        let id = id.to_owned();
        let answers = [
            jobs.get_job(pb::GetJobRequest { id: id.clone() }).await.map(drop),
            jobs.watch_job(pb::WatchJobRequest { id: id.clone() }).await.map(drop),
            jobs.cancel_job(pb::CancelJobRequest { id: id.clone() }).await.map(drop),
            jobs.retry_job(pb::RetryJobRequest { id: id.clone() }).await.map(drop),
        ];
        for answer in answers {
            let details = check(answer, Code::NotFound, "JOB_NOT_FOUND");
            assert_eq!(details.resource_info().unwrap().resource_name, id);
        }
    }
    let missing = [("id", "required; set the ID of a job")];
    check_fields(jobs.get_job(pb::GetJobRequest::default()).await, &missing);
    check_fields(jobs.watch_job(pb::WatchJobRequest::default()).await, &missing);
    check_fields(jobs.cancel_job(pb::CancelJobRequest::default()).await, &missing);
    check_fields(jobs.retry_job(pb::RetryJobRequest::default()).await, &missing);
}

const KAKURO: i32 = pb::Kind::Kakuro as i32;

fn rate(kind: i32, variant: &str, text: &str) -> pb::RateRequest {
    pb::RateRequest { kind, variant: variant.to_owned(), text: text.to_owned() }
}

#[tokio::test]
async fn wrong_schedule_is_refused_with_the_field_of_the_cron_expression() {
    let server = Server::start().await;
    let mut stock = server.stock().await;
    let cases = [
        ("every day", "cron: \"every day\" has 2 fields; use minute, hour, day, month, and weekday, such as 0 1 * * *"),
        ("61 * * * *", "cron: minute \"61\" is not allowed; use 0 to 59"),
        ("0 24 * * *", "cron: hour \"24\" is not allowed; use 0 to 23"),
        ("0 0 32 * *", "cron: day \"32\" is not allowed; use 1 to 31"),
        ("0 0 * 13 *", "cron: month \"13\" is not allowed; use 1 to 12 or JAN to DEC"),
        ("0 0 * * 8", "cron: weekday \"8\" is not allowed; use 0 to 7 or SUN to SAT"),
        ("0 0 30 2 *", "cron: \"0 0 30 2 *\" never occurs; use a day that its month has"),
    ];
    for (cron, expected) in cases {
        let request = pb::CreateStockTargetRequest {
            kind: SUDOKU,
            target: 1,
            cron: cron.to_owned(),
            time_zone: "UTC".to_owned(),
            window_minutes: 60,
            ..Default::default()
        };
        assert_eq!(stock.create_stock_target(request).await.unwrap_err().message(), expected);
    }
}

#[tokio::test]
async fn message_has_at_most_400_characters() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let long = "é".repeat(4_000);
    let worst = GenerateRequest {
        kind: 99,
        variant: long.clone(),
        symmetry: -1,
        level: 99,
        min_rating: Some(1e300),
        max_rating: Some(-1e300),
        technique: long.clone(),
        min_givens: Some(u32::MAX),
        priority: i32::MAX,
        labels: (0..20).map(|number| (format!("{number}{long}"), long.clone())).collect(),
        request_id: long.clone(),
        ..Default::default()
    };
    let asked = GetPuzzleRequest { id: long.clone(), audience: long.clone(), kind: -1, ..Default::default() };
    let statuses = [
        puzzles.generate(worst).await.unwrap_err(),
        puzzles.get_puzzle(asked).await.unwrap_err(),
        puzzles.rate(rate(SUDOKU, "", &long)).await.unwrap_err(),
        puzzles.rate(rate(KAKURO, &long[..1_000], &"x".repeat(4_000))).await.unwrap_err(),
        puzzles.rate(rate(KAKURO, "", &"x".repeat(4_000))).await.unwrap_err(),
    ];
    for status in &statuses {
        assert!(status.message().chars().count() <= 400, "{status:?}");
    }
    assert!(statuses[0].message().ends_with('…'), "{:?}", statuses[0]);
}
