//! Styles: the symmetry and the givens of a job whose request leaves them open, what is delivered if nothing is said, and the
//! record of a puzzle, which comes only on request.

use crate::{criteria::generated, prelude::*};

/// A variant of Kakuro whose name has the layout, so that no style adds a symmetry.
const OWN_LAYOUT: &str = "4x4:####,#..#,#...,##..";

/// The resolved parts of a spec: symmetry, ratings, and givens.
type Resolved = (pb::Symmetry, [Option<f64>; 2], [Option<u32>; 2]);

fn resolved(spec: &pb::JobSpec) -> Resolved {
    (spec.symmetry(), [spec.min_rating, spec.max_rating], [spec.min_givens, spec.max_givens])
}

fn of_level(level: pb::Level) -> pb::GenerateRequest {
    pb::GenerateRequest { level: level.into(), ..sudoku() }
}

#[tokio::test]
async fn job_has_the_style_of_its_level_where_the_request_is_open() {
    use pb::Symmetry::{None as Bare, Rotation180};
    let server = Server::start().await;
    let easy = || of_level(pb::Level::Easy);
    let range = |min, max| pb::GenerateRequest { min_rating: Some(min), max_rating: Some(max), ..sudoku() };
    let technique = |name: &str| pb::GenerateRequest { technique: name.to_owned(), ..sudoku() };
    let (open, bare) = ([None; 2], [None; 2]);
    let cases = [
        (sudoku(), (Rotation180, open, [Some(28), Some(30)])),
        (easy(), (Rotation180, open, [Some(32), Some(38)])),
        (of_level(pb::Level::Evil), (Rotation180, open, [Some(23), Some(28)])),
        // The symmetry of the first level, and the givens that easy and medium deliver.
        (range(1.3, 1.8), (Rotation180, [Some(1.3), Some(1.8)], [Some(28), Some(36)])),
        (range(7.4, 8.0), (Rotation180, [Some(7.4), Some(8.0)], [Some(19), Some(30)])),
        (range(7.5, 8.0), (Bare, [Some(7.5), Some(8.0)], bare)),
        (technique("X-Wing"), (Rotation180, [Some(3.2), Some(3.2)], [Some(23), Some(34)])),
        (technique("Dynamic Cell Forcing Chains (+)"), (Bare, [Some(9.0), Some(11.4)], bare)),
        (pb::GenerateRequest { symmetry: Bare.into(), ..easy() }, (Bare, open, [Some(32), Some(38)])),
        (pb::GenerateRequest { min_givens: Some(30), ..easy() }, (Rotation180, open, [Some(30), Some(38)])),
        (pb::GenerateRequest { min_givens: Some(45), ..easy() }, (Rotation180, open, [Some(45), Some(45)])),
        (pb::GenerateRequest { max_givens: Some(34), ..easy() }, (Rotation180, open, [Some(32), Some(34)])),
        (pb::GenerateRequest { max_givens: Some(24), ..easy() }, (Rotation180, open, [Some(24), Some(24)])),
        (pb::GenerateRequest { min_rating: Some(1.3), max_rating: Some(2.0), ..easy() }, {
            (Rotation180, [Some(1.3), Some(1.5)], [Some(28), Some(40)])
        }),
        (pb::GenerateRequest { kind: pb::Kind::Kakuro.into(), ..easy() }, (Rotation180, open, bare)),
        (
            pb::GenerateRequest { kind: pb::Kind::Kakuro.into(), variant: OWN_LAYOUT.to_owned(), ..easy() },
            (Bare, open, bare),
        ),
    ];
    for (request, expected) in cases {
        let job = server.generate(request.clone()).await.unwrap();
        assert_eq!(resolved(&job.spec.unwrap()), expected, "{request:?}");
    }
}

#[tokio::test]
async fn level_and_range_without_a_common_rating_are_refused_with_both() {
    let server = Server::start().await;
    let (min_rating, max_rating) = (Some(2.0), Some(2.5));
    let fault = [("level", "easy is rated 1.0 to 1.5; the wanted ratings are 2.0 to 2.5; change one of them")];
    let generate = pb::GenerateRequest { min_rating, max_rating, ..of_level(pb::Level::Easy) };
    check_fields(server.generate(generate).await, &fault);
    let get = pb::GetPuzzleRequest { level: pb::Level::Easy.into(), min_rating, max_rating, ..sudoku_for("") };
    check_fields(server.get_puzzle(get).await, &fault);
}

#[tokio::test]
async fn repeat_is_compared_with_what_the_caller_sent() {
    let server = Server::start().await;
    let request = pb::GenerateRequest { request_id: "r1".to_owned(), ..of_level(pb::Level::Easy) };
    let first = server.generate(request.clone()).await.unwrap();
    assert_eq!(server.generate(request.clone()).await.unwrap(), first);
    let (min_givens, max_givens) = (Some(32), Some(38));
    let resolved = pb::GenerateRequest { min_givens, max_givens, ..request };
    let refused = server.generate(resolved).await;
    assert!(refused.as_ref().unwrap_err().message().contains("min_givens (32, before not set)"), "{refused:?}");
    check(refused, Code::AlreadyExists, "REQUEST_ID_REUSED");
}

#[tokio::test]
async fn odd_puzzle_is_delivered_only_to_callers_who_ask_for_its_givens() {
    let server = Server::start().await;
    let givens = Some(70);
    let odd = pb::GenerateRequest { min_givens: givens, max_givens: givens, ..of_level(pb::Level::Easy) };
    generated(&server, odd, 12).await;
    let (any, mut puzzles) = (sudoku_for(""), server.puzzles().await);
    let refused = server.get_puzzle(any.clone()).await;
    let message = refused.as_ref().unwrap_err().message().to_owned();
    assert!(message.starts_with("no Sudoku 9x9 in stock; nearest: 70 givens, rated 1.2 (1 puzzle)"), "{message}");
    check(refused, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    let batch = pb::BatchGetPuzzlesRequest { requests: vec![any.clone()] };
    let results = puzzles.batch_get_puzzles(batch).await.unwrap().into_inner().results;
    assert!(matches!(results[0].result, Some(pb::batch_get_puzzles_result::Result::Status(_))), "{results:?}");
    let asked = pb::GetPuzzleRequest { min_givens: Some(17), max_givens: Some(80), ..any };
    assert_eq!(server.get_puzzle(asked).await.unwrap().givens, 70);
    assert_eq!(server.list_puzzles(pb::ListPuzzlesRequest::default()).await.unwrap().puzzles.len(), 1);
    assert_eq!(server.get_stock(pb::GetStockRequest::default()).await.unwrap().total, 1);
}

#[tokio::test]
async fn record_seed_and_job_come_only_on_request() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 2).await;
    server.create_daily(pb::Kind::Sudoku).await;
    let mut puzzles = server.puzzles().await;
    for include_record in [false, true] {
        let get = pb::GetPuzzleRequest { include_record, ..sudoku_for("") };
        let batch = pb::BatchGetPuzzlesRequest { requests: vec![get.clone()] };
        let Some(pb::batch_get_puzzles_result::Result::Puzzle(of_batch)) =
            puzzles.batch_get_puzzles(batch).await.unwrap().into_inner().results.remove(0).result
        else {
            panic!("no puzzle")
        };
        let daily = pb::GetDailyPuzzleRequest { include_record, ..Default::default() };
        let list = pb::ListPuzzlesRequest { include_record, ..Default::default() };
        let export = pb::ExportPuzzlesRequest { include_record, ..Default::default() };
        for puzzle in [
            server.get_puzzle(get).await.unwrap(),
            *of_batch,
            puzzles.get_daily_puzzle(daily).await.unwrap().into_inner().puzzle.unwrap(),
            server.list_puzzles(list).await.unwrap().puzzles.remove(0),
            server.export(export).await.unwrap().concat().remove(0),
        ] {
            assert_eq!((puzzle.technique.as_str(), puzzle.predicted_seconds), ("Hidden Single", Some(120)));
            let has = (puzzle.record.is_some(), puzzle.seed == 7, puzzle.job_id == "job-1", puzzle.engine_version > 0);
            let all = (include_record, include_record, include_record, include_record);
            assert_eq!(has, all, "{puzzle:?}");
        }
    }
}
