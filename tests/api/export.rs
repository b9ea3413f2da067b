//! `ExportPuzzles`: order and size of the messages, filters, resuming with `after_id`, the limit on concurrent exports, and
//! shutdown during an export.

use puzzled::proto::v1 as pb;
use puzzled_engine::symmetry::Symmetry;
use tonic::Code;

use crate::{
    errors::{check, check_fields},
    server::Server,
};

async fn exported(server: &Server, request: pb::ExportPuzzlesRequest) -> Vec<Vec<pb::Puzzle>> {
    let mut stream = server.puzzles().await.export_puzzles(request).await.unwrap().into_inner();
    let mut messages = Vec::new();
    while let Some(message) = stream.message().await.unwrap() {
        messages.push(message.puzzles);
    }
    messages
}

#[tokio::test]
async fn every_puzzle_that_fits_comes_once_in_the_order_of_ids() {
    let server = Server::start().await;
    assert_eq!(exported(&server, pb::ExportPuzzlesRequest::default()).await, Vec::<Vec<_>>::new());
    server.fill(Symmetry::None, 12, 230).await;
    server.fill(Symmetry::Full, 28, 20).await;
    let withdrawal = pb::WithdrawPuzzleRequest { id: "puzzle-7".to_owned(), reason: "a misprint".to_owned() };
    server.puzzles().await.withdraw_puzzle(withdrawal).await.unwrap();
    let messages = exported(&server, pb::ExportPuzzlesRequest::default()).await;
    assert_eq!(messages.iter().map(Vec::len).collect::<Vec<_>>(), [100, 100, 49]);
    let ids: Vec<_> = messages.concat().into_iter().map(|puzzle| puzzle.id).collect();
    let wanted: Vec<_> = (1..=250).filter(|id| *id != 7).map(|id| format!("puzzle-{id}")).collect();
    assert_eq!(ids, wanted);
    // The puzzles are those of ListPuzzles, and an interrupted stream can be resumed.
    let listed = pb::ListPuzzlesRequest { page_size: 3, ..Default::default() };
    let listed = server.puzzles().await.list_puzzles(listed).await.unwrap().into_inner().puzzles;
    assert_eq!(messages[0][..3], listed);
    let rest = pb::ExportPuzzlesRequest { after_id: "puzzle-248".to_owned(), ..Default::default() };
    assert_eq!(exported(&server, rest).await.concat().len(), 2);
    let of = |job_id: &str| pb::ExportPuzzlesRequest { job_id: job_id.to_owned(), ..Default::default() };
    let of_job = exported(&server, of("job-2")).await.concat();
    assert!(of_job.len() == 20 && of_job.iter().all(|puzzle| puzzle.job_id == "job-2"));
    let of_job = pb::ExportPuzzlesRequest { after_id: "puzzle-150".to_owned(), ..of("job-1") };
    assert_eq!(exported(&server, of_job).await.iter().map(Vec::len).collect::<Vec<_>>(), [80]);
    assert_eq!(exported(&server, of("job-9")).await.len(), 0);
    let hard = pb::ExportPuzzlesRequest {
        kind: pb::Kind::Sudoku.into(),
        min_rating: Some(2.0),
        include_solutions: true,
        ..Default::default()
    };
    let hard = exported(&server, hard).await.concat();
    assert!(hard.len() == 20 && hard.iter().all(|puzzle| puzzle.rating > 2.0 && puzzle.solution.len() == 81));
}

#[tokio::test]
async fn a_slow_caller_keeps_its_place_until_a_shutdown_ends_the_stream() {
    let server = Server::with(|options| options.settings.limits.exports_max = 1).await;
    server.fill(Symmetry::None, 12, 2_000).await;
    let mut slow =
        server.puzzles().await.export_puzzles(pb::ExportPuzzlesRequest::default()).await.unwrap().into_inner();
    slow.message().await.unwrap().unwrap();
    let refused = server.puzzles().await.export_puzzles(pb::ExportPuzzlesRequest::default()).await;
    check(refused, Code::ResourceExhausted, "BUSY");
    server.shutdown.cancel();
    let ended = loop {
        match slow.message().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("it ended as if all had been sent"),
            Err(status) => break status,
        }
    };
    check(Err::<(), _>(ended), Code::Unavailable, "SHUTTING_DOWN");
}

#[tokio::test]
async fn bad_criteria_are_refused_before_anything_is_sent() {
    let server = Server::start().await;
    let request = pb::ExportPuzzlesRequest {
        level: 1,
        after_id: "seven".to_owned(),
        job_id: "1".to_owned(),
        ..Default::default()
    };
    check_fields(
        server.puzzles().await.export_puzzles(request).await,
        &[
            ("kind", "required together with a level or a rating; set a kind"),
            ("job_id", "\"1\" is not the ID of a job"),
            ("after_id", "\"seven\" is not the ID of a puzzle"),
        ],
    );
}
