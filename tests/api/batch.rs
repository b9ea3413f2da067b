//! `BatchGetPuzzles`: each request gets the puzzle or the error that `GetPuzzle` would return, in the order of the
//! requests. Also the size of a response full of errors, and batches with no request or too many.

use prost::Message as _;
use puzzled_api::v1::batch_get_puzzles_result::Result as Answer;
use tonic_types::RpcStatusExt as _;

use crate::prelude::*;

async fn batch(server: &Server, requests: Vec<pb::GetPuzzleRequest>) -> Result<Vec<Answer>, Status> {
    let reply = server.puzzles().await.batch_get_puzzles(pb::BatchGetPuzzlesRequest { requests }).await?;
    Ok(reply.into_inner().results.into_iter().map(|one| one.result.unwrap()).collect())
}

fn id_of(answer: &Answer) -> &str {
    match answer {
        Answer::Puzzle(puzzle) => &puzzle.id,
        Answer::Status(status) => panic!("{status:?}"),
    }
}

#[tokio::test]
async fn each_request_succeeds_or_fails_on_its_own_in_the_order_of_the_requests() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 3).await;
    server.fill(Symmetry::Full, 28, 1).await;
    let named = pb::GetPuzzleRequest { request_id: "r1".to_owned(), ..sudoku_for("anna") };
    let hard = pb::GetPuzzleRequest { level: pb::Level::Hard.into(), include_solution: true, ..sudoku_for("") };
    let requests = vec![
        named.clone(),
        hard.clone(),
        pb::GetPuzzleRequest { level: pb::Level::Evil.into(), ..sudoku_for("") },
        pb::GetPuzzleRequest { id: "puzzle-2".to_owned(), ..Default::default() },
        pb::GetPuzzleRequest { id: "puzzle-9".to_owned(), ..Default::default() },
        pb::GetPuzzleRequest { level: 77, ..sudoku_for("") },
        pb::GetPuzzleRequest { wait: true, ..sudoku_for("") },
        pb::GetPuzzleRequest { level: pb::Level::Hard.into(), ..named.clone() },
        pb::GetPuzzleRequest::default(),
        named.clone(),
    ];
    let answers = batch(&server, requests).await.unwrap();
    let codes: Vec<_> = answers
        .iter()
        .map(|answer| match answer {
            Answer::Puzzle(_) => (Code::Ok, String::new()),
            Answer::Status(status) => (Code::from(status.code), status.get_details_error_info().unwrap().reason),
        })
        .collect();
    let expected = [
        (Code::Ok, ""),
        (Code::Ok, ""),
        (Code::FailedPrecondition, "STOCK_EXHAUSTED"),
        (Code::Ok, ""),
        (Code::NotFound, "PUZZLE_NOT_FOUND"),
        (Code::InvalidArgument, "INVALID_FIELD"),
        (Code::InvalidArgument, "INVALID_FIELD"),
        (Code::AlreadyExists, "REQUEST_ID_REUSED"),
        (Code::InvalidArgument, "INVALID_FIELD"),
        (Code::Ok, ""),
    ];
    assert_eq!(codes, expected.map(|(code, reason)| (code, reason.to_owned())));
    assert_eq!(id_of(&answers[0]), id_of(&answers[9]));
    assert_eq!(id_of(&answers[3]), "puzzle-2");
    let Answer::Puzzle(puzzle) = &answers[1] else { panic!() };
    assert_eq!((puzzle.level(), puzzle.solution.len()), (pb::Level::Hard, 81));
    // The whole call may be repeated.
    let again = batch(&server, vec![named.clone(), named]).await.unwrap();
    assert_eq!(again.iter().map(id_of).collect::<BTreeSet<_>>(), [id_of(&answers[0])].into());
}

#[tokio::test]
async fn a_failed_request_has_the_status_that_its_own_call_would_have() {
    let server = Server::start().await;
    let requests = [
        // The first call queues a job, which the others find.
        pb::GetPuzzleRequest { enqueue_if_short: true, ..sudoku_for("anna") },
        sudoku_for("bert"),
        pb::GetPuzzleRequest { level: 77, symmetry: -1, ..sudoku_for("") },
        pb::GetPuzzleRequest { id: "puzzle-9".to_owned(), ..Default::default() },
    ];
    let answers = batch(&server, vec![requests[0].clone()]).await.unwrap();
    let Answer::Status(first) = &answers[0] else { panic!("{answers:?}") };
    let names: Vec<_> = first.details.iter().map(|any| any.type_url.rsplit('/').next().unwrap()).collect();
    assert_eq!(names, ["google.rpc.RetryInfo", "google.rpc.ErrorInfo", "google.rpc.PreconditionFailure"]);
    assert_eq!(first.get_details_retry_info().unwrap().retry_delay.unwrap().as_secs(), 10);
    let message = "no Sudoku 9x9 in stock, nor any other Sudoku; job-1: no tries yet; ask again in 10 s";
    assert_eq!(first.message, message);
    let answers = batch(&server, requests.to_vec()).await.unwrap();
    for (answer, request) in answers.iter().zip(requests) {
        let alone = server.get_puzzle(request).await.unwrap_err();
        let Answer::Status(status) = answer else { panic!("{answer:?}") };
        assert_eq!((Code::from(status.code), status.message.as_str()), (alone.code(), alone.message()));
        let mut alone = tonic_types::Status::decode(alone.details()).unwrap();
        // A call has an ID; the requests of a batch have that of the batch.
        let before = alone.details.len();
        alone.details.retain(|detail| !detail.type_url.ends_with("google.rpc.RequestInfo"));
        assert_eq!(alone.details.len(), before - 1);
        assert_eq!(*status, alone);
    }
}

#[tokio::test]
async fn a_hundred_failures_of_the_longest_kind_fit_in_one_answer() {
    let server = Server::start().await;
    let long = "é".repeat(2_000);
    let bad = pb::GetPuzzleRequest {
        variant: "x".repeat(150),
        audience: long.clone(),
        symmetry: -1,
        level: 99,
        min_rating: Some(-1.0),
        ..sudoku_for("")
    };
    // As many as fit into a request message.
    let requests =
        vec![bad; 10].into_iter().chain(vec![pb::GetPuzzleRequest { level: 99, ..sudoku_for("") }; 90]).collect();
    let request = pb::BatchGetPuzzlesRequest { requests };
    let answer = server.puzzles().await.batch_get_puzzles(request).await.unwrap().into_inner();
    assert_eq!(answer.results.len(), 100);
    assert!(answer.encoded_len() < 200_000, "{} bytes", answer.encoded_len());
}

#[tokio::test]
async fn a_batch_of_none_or_too_many_is_refused_as_a_whole() {
    let server = Server::start().await;
    check_fields(batch(&server, vec![]).await, &[("requests", "0 are outside 1 to 100")]);
    check_fields(batch(&server, vec![sudoku_for(""); 101]).await, &[("requests", "101 are outside 1 to 100")]);
}
