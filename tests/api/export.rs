//! `ExportPuzzles`: order and size of the messages, filters, resuming with `after_id`, the limit on concurrent exports, and
//! shutdown during an export.

use crate::prelude::*;

#[tokio::test]
async fn every_puzzle_that_fits_comes_once_in_the_order_of_ids() {
    let server = Server::start().await;
    assert_eq!(server.export(pb::ExportPuzzlesRequest::default()).await.unwrap(), Vec::<Vec<_>>::new());
    server.fill(Symmetry::None, 12, 230).await;
    server.fill(Symmetry::Full, 28, 20).await;
    server.withdraw("puzzle-7").await.unwrap();
    let messages = server.export(pb::ExportPuzzlesRequest::default()).await.unwrap();
    assert_eq!(messages.iter().map(Vec::len).collect::<Vec<_>>(), [100, 100, 49]);
    let ids: Vec<_> = messages.concat().into_iter().map(|puzzle| puzzle.id).collect();
    let expected: Vec<_> = (1..=250).filter(|id| *id != 7).map(|id| format!("puzzle-{id}")).collect();
    assert_eq!(ids, expected);
    // The puzzles are those of ListPuzzles, and an interrupted stream can be resumed.
    let listed = pb::ListPuzzlesRequest { page_size: 3, ..Default::default() };
    let listed = server.list_puzzles(listed).await.unwrap().puzzles;
    assert_eq!(messages[0][..3], listed);
    let rest = pb::ExportPuzzlesRequest { after_id: "puzzle-248".to_owned(), ..Default::default() };
    assert_eq!(server.export(rest).await.unwrap().concat().len(), 2);
    let of = |job_id: &str| pb::ExportPuzzlesRequest { job_id: job_id.to_owned(), ..Default::default() };
    let with_record = pb::ExportPuzzlesRequest { include_record: true, ..of("job-2") };
    let of_job = server.export(with_record).await.unwrap().concat();
    assert!(of_job.len() == 20 && of_job.iter().all(|puzzle| puzzle.job_id == "job-2"));
    let of_job = pb::ExportPuzzlesRequest { after_id: "puzzle-150".to_owned(), ..of("job-1") };
    assert_eq!(server.export(of_job).await.unwrap().iter().map(Vec::len).collect::<Vec<_>>(), [80]);
    assert_eq!(server.export(of("job-9")).await.unwrap().len(), 0);
    let hard = pb::ExportPuzzlesRequest {
        kind: pb::Kind::Sudoku.into(),
        min_rating: Some(2.0),
        include_solutions: true,
        ..Default::default()
    };
    let hard = server.export(hard).await.unwrap().concat();
    assert!(hard.len() == 20 && hard.iter().all(|puzzle| puzzle.rating > 2.0 && puzzle.solution.len() == 81));
}

#[tokio::test]
async fn a_slow_caller_keeps_its_place_until_a_shutdown_ends_the_stream() {
    let server = Server::with(|options| options.settings.limits.max_exports = 1).await;
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
