//! Puzzles that an audience holds: `Generate` with `audience`, exclusive draws, and `ReleasePuzzles`.

use crate::prelude::*;

fn for_anna(count: u32) -> pb::GenerateRequest {
    pb::GenerateRequest { audience: "anna".to_owned(), count: Some(count), ..sudoku() }
}

fn exclusive(audience: &str) -> pb::GetPuzzleRequest {
    pb::GetPuzzleRequest { exclusive: true, ..sudoku_for(audience) }
}

fn by_id(id: &str) -> pb::GetPuzzleRequest {
    pb::GetPuzzleRequest { id: id.to_owned(), ..Default::default() }
}

async fn generated(server: &Server, request: pb::GenerateRequest) -> pb::Job {
    server.puzzles().await.generate(request).await.unwrap().into_inner().job.unwrap()
}

async fn batch(server: &Server, requests: Vec<pb::GetPuzzleRequest>) -> Vec<Result<pb::Puzzle, tonic_types::Status>> {
    use pb::batch_get_puzzles_result::Result as Answer;
    let answer = server.puzzles().await.batch_get_puzzles(pb::BatchGetPuzzlesRequest { requests }).await;
    let results = answer.unwrap().into_inner().results.into_iter();
    let result = |one: pb::BatchGetPuzzlesResult| match one.result.unwrap() {
        Answer::Puzzle(puzzle) => Ok(*puzzle),
        Answer::Status(status) => Err(status),
    };
    results.map(result).collect()
}

#[tokio::test]
async fn held_puzzles_are_delivered_to_their_audience_only() {
    let server = Server::start().await;
    let job = generated(&server, for_anna(3)).await;
    assert_eq!((job.audience.as_str(), job.series.as_str()), ("anna", ""));
    server.work(12, 9).await;
    let stock = server.get_stock(pb::GetStockRequest::default()).await.unwrap();
    assert_eq!((stock.total, stock.held), (0, 3));
    let other = pb::GetStockRequest { kind: pb::Kind::Kakuro.into(), ..Default::default() };
    assert_eq!(server.get_stock(other).await.unwrap().held, 0);

    let nobody = server.get_puzzle(sudoku_for("ben")).await.unwrap_err();
    assert!(nobody.message().starts_with("no Sudoku 9x9 in stock"), "{nobody:?}");
    let ben = server.get_puzzle(exclusive("ben")).await.unwrap_err();
    assert_eq!(
        ben.message(),
        "\"ben\" holds no Sudoku 9x9 that it has not had; queue some for this audience with Generate (`puzzled enqueue`), or set \
         enqueue_if_short (`puzzled get --make`)"
    );
    let mut ids = BTreeSet::new();
    for _ in 0..3 {
        let puzzle = server.get_puzzle(exclusive("anna")).await.unwrap();
        assert!(puzzle.held);
        ids.insert(puzzle.id);
    }
    assert_eq!(ids.len(), 3);
    let anna = server.get_puzzle(exclusive("anna")).await.unwrap_err();
    assert!(
        anna.message().starts_with("\"anna\" holds no Sudoku 9x9 that it has not had; it has had 3 puzzles; "),
        "{anna:?}"
    );
    assert_eq!(server.get_puzzle(by_id("puzzle-1")).await.unwrap().id, "puzzle-1", "a maker knows its ID");
}

#[tokio::test]
async fn exclusive_batch_queues_as_many_puzzles_as_it_lacks_for_its_audience() {
    let server = Server::start().await;
    generated(&server, for_anna(2)).await;
    server.work(12, 9).await;
    let enqueue = pb::GetPuzzleRequest { enqueue_if_short: true, ..exclusive("anna") };
    let named = |at: usize| pb::GetPuzzleRequest { request_id: format!("page {at}"), ..enqueue.clone() };
    let answers = batch(&server, (0..5).map(named).collect()).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 2, "{answers:?}");
    let jobs = server.jobs().await.list_jobs(pb::ListJobsRequest::default()).await.unwrap().into_inner().jobs;
    assert_eq!((jobs.len(), jobs[0].wanted, jobs[0].audience.as_str()), (2, 3, "anna"));
    server.work(12, 9).await;
    let again = batch(&server, (0..5).map(named).collect()).await;
    let ids: BTreeSet<_> = again.iter().map(|answer| answer.as_ref().unwrap().id.clone()).collect();
    assert_eq!(ids.len(), 5);
    for (before, after) in answers.iter().zip(&again).filter(|(before, _)| before.is_ok()) {
        assert_eq!(before.as_ref().unwrap().id, after.as_ref().unwrap().id, "a page keeps its puzzle");
    }
    assert_eq!(server.get_stock(pb::GetStockRequest::default()).await.unwrap().held, 5);
}

#[tokio::test]
async fn exclusive_call_waits_for_the_job_that_it_queued() {
    let server = Server::start().await;
    let request = pb::GetPuzzleRequest { enqueue_if_short: true, wait: true, ..exclusive("anna") };
    let mut client = server.puzzles().await;
    let waiting = tokio::spawn(async move { client.get_puzzle(request).await });
    while server.work(12, 1).await.is_none() {
        tokio::task::yield_now().await;
    }
    let puzzle = waiting.await.unwrap().unwrap().into_inner().puzzle.unwrap();
    assert_eq!((puzzle.held, puzzle.id.as_str()), (true, "puzzle-1"));
}

#[tokio::test]
async fn released_puzzles_are_drawn_by_everyone() {
    let server = Server::start().await;
    generated(&server, for_anna(3)).await;
    server.work(12, 9).await;
    let request = pb::ReleasePuzzlesRequest {
        audience: "anna".to_owned(),
        reason: "the book was cancelled".to_owned(),
        ..Default::default()
    };
    let mut client = server.puzzles().await;
    let dry = pb::ReleasePuzzlesRequest { dry_run: true, ..request.clone() };
    let counted = client.release_puzzles(dry).await.unwrap().into_inner();
    assert_eq!((counted.released, counted.ids.len(), counted.remaining), (3, 3, 0));
    assert_eq!(server.get_stock(pb::GetStockRequest::default()).await.unwrap().held, 3);
    let ids = vec!["puzzle-2".to_owned()];
    let one = pb::ReleasePuzzlesRequest { audience: String::new(), ids: ids.clone(), ..request.clone() };
    assert_eq!(client.release_puzzles(one.clone()).await.unwrap().into_inner().ids, ids);
    assert_eq!(client.release_puzzles(one).await.unwrap().into_inner().released, 0, "it is not held any more");
    assert_eq!(client.release_puzzles(request).await.unwrap().into_inner().released, 2);
    let stock = server.get_stock(pb::GetStockRequest::default()).await.unwrap();
    assert_eq!((stock.total, stock.held), (3, 0));
    server.get_puzzle(sudoku_for("ben")).await.unwrap();
}

#[tokio::test]
async fn forgotten_audience_holds_nothing() {
    let server = Server::start().await;
    generated(&server, for_anna(2)).await;
    server.work(12, 9).await;
    server.get_puzzle(exclusive("anna")).await.unwrap();
    generated(&server, for_anna(1)).await;
    let request = pb::ForgetAudienceRequest { audience: "anna".to_owned() };
    let forgotten = server.puzzles().await.forget_audience(request).await.unwrap().into_inner();
    assert_eq!((forgotten.forgotten, forgotten.withdrawn, forgotten.cancelled), (1, 2, 1));
    let jobs = server.jobs().await.list_jobs(pb::ListJobsRequest::default()).await.unwrap().into_inner().jobs;
    assert!(jobs.iter().all(|job| job.audience.is_empty()), "{jobs:?}");
}

#[tokio::test]
async fn requests_about_held_puzzles_are_refused_with_the_field() {
    let server = Server::start().await;
    let mut client = server.puzzles().await;
    let long = "a".repeat(129);
    let generate = pb::GenerateRequest { audience: long.clone(), ..sudoku() };
    check_fields(client.generate(generate).await, &[("audience", "129 characters; at most 128 are allowed")]);
    let alone = pb::GetPuzzleRequest { audience: String::new(), ..exclusive("anna") };
    check_fields(client.get_puzzle(alone).await, &[("exclusive", "true without an audience; set both")]);
    let reason = "a test".to_owned();
    let one_of = "set exactly one of series, audience, and ids";
    for (request, field, fault) in [
        (pb::ReleasePuzzlesRequest { reason: reason.clone(), ..Default::default() }, "criteria", one_of),
        (
            pb::ReleasePuzzlesRequest {
                audience: "anna".to_owned(),
                series: "daily".to_owned(),
                reason: reason.clone(),
                ..Default::default()
            },
            "criteria",
            one_of,
        ),
        (
            pb::ReleasePuzzlesRequest { ids: vec!["puzzle-1".to_owned(); 501], reason, ..Default::default() },
            "ids",
            "501 ids; at most 500 are allowed",
        ),
        (
            pb::ReleasePuzzlesRequest { audience: "anna".to_owned(), ..Default::default() },
            "reason",
            "0 characters are outside 1 to 500",
        ),
    ] {
        check_fields(client.release_puzzles(request).await, &[(field, fault)]);
    }
}
