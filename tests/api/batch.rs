//! `BatchGetPuzzles`: each request is answered as `GetPuzzle` would answer it, and none holds up another.

use std::collections::BTreeSet;

use puzzled::proto::v1::{self as pb, batch_get_puzzles_result::Result as Answer};
use puzzled_engine::symmetry::Symmetry;
use tonic::{Code, Status};

use crate::{errors::check_fields, server::Server};

fn to(audience: &str) -> pb::GetPuzzleRequest {
    pb::GetPuzzleRequest { kind: pb::Kind::Sudoku.into(), audience: audience.to_owned(), ..Default::default() }
}

async fn batch(server: &Server, requests: Vec<pb::GetPuzzleRequest>) -> Result<Vec<Answer>, Status> {
    let reply = server.puzzles().await.batch_get_puzzles(pb::BatchGetPuzzlesRequest { requests }).await?;
    Ok(reply.into_inner().results.into_iter().map(|one| one.result.unwrap()).collect())
}

fn id_of(answer: &Answer) -> &str {
    match answer {
        Answer::Puzzle(puzzle) => &puzzle.id,
        Answer::Failure(failure) => panic!("{failure:?}"),
    }
}

#[tokio::test]
async fn a_hundred_requests_of_one_audience_get_a_hundred_puzzles() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 150).await;
    let answers = batch(&server, vec![to("anna"); 100]).await.unwrap();
    assert_eq!(answers.iter().map(id_of).collect::<BTreeSet<_>>().len(), 100);
    let rest = batch(&server, vec![to("anna"); 100]).await.unwrap();
    let got: BTreeSet<_> = rest.iter().filter(|answer| matches!(answer, Answer::Puzzle(_))).map(id_of).collect();
    assert_eq!(got.len(), 50);
    assert!(answers.iter().all(|answer| !got.contains(id_of(answer))));
}

#[tokio::test]
async fn each_request_succeeds_or_fails_on_its_own_in_the_order_of_the_requests() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 3).await;
    server.fill(Symmetry::Full, 28, 1).await;
    let named = pb::GetPuzzleRequest { request_id: "r1".to_owned(), ..to("anna") };
    let hard = pb::GetPuzzleRequest { level: pb::Level::Hard.into(), include_solution: true, ..to("") };
    let requests = vec![
        named.clone(),
        hard.clone(),
        pb::GetPuzzleRequest { level: pb::Level::Evil.into(), ..to("") },
        pb::GetPuzzleRequest { id: "puzzle-2".to_owned(), ..Default::default() },
        pb::GetPuzzleRequest { id: "puzzle-9".to_owned(), ..Default::default() },
        pb::GetPuzzleRequest { level: 77, ..to("") },
        pb::GetPuzzleRequest { wait: true, ..to("") },
        pb::GetPuzzleRequest { level: pb::Level::Hard.into(), ..named.clone() },
        pb::GetPuzzleRequest::default(),
        named.clone(),
    ];
    let answers = batch(&server, requests).await.unwrap();
    let codes: Vec<_> = answers
        .iter()
        .map(|answer| match answer {
            Answer::Puzzle(_) => (Code::Ok, ""),
            Answer::Failure(failure) => (Code::from(failure.code), failure.reason.as_str()),
        })
        .collect();
    let wanted = [
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
    assert_eq!(codes, wanted);
    assert_eq!(id_of(&answers[0]), id_of(&answers[9]));
    assert_eq!(id_of(&answers[3]), "puzzle-2");
    let Answer::Puzzle(puzzle) = &answers[1] else { panic!() };
    assert_eq!((puzzle.level(), puzzle.solution.len()), (pb::Level::Hard, 81));
    // The whole call may be repeated.
    let again = batch(&server, vec![named.clone(), named]).await.unwrap();
    assert_eq!(again.iter().map(id_of).collect::<BTreeSet<_>>(), [id_of(&answers[0])].into());
}

#[tokio::test]
async fn a_failure_tells_when_to_ask_again() {
    let server = Server::start().await;
    let wanted = pb::GetPuzzleRequest { enqueue_if_short: true, ..to("anna") };
    let answers = batch(&server, vec![wanted, to("bert")]).await.unwrap();
    let Answer::Failure(failure) = &answers[0] else { panic!("{answers:?}") };
    assert_eq!(failure.retry_delay.unwrap().seconds, 10);
    assert!(failure.message.starts_with("no puzzle in stock fits that \"anna\" has not had"), "{failure:?}");
}

#[tokio::test]
async fn a_batch_of_none_or_too_many_is_refused_as_a_whole() {
    let server = Server::start().await;
    check_fields(batch(&server, vec![]).await, &[("requests", "0 are outside 1 to 100")]);
    check_fields(batch(&server, vec![to(""); 101]).await, &[("requests", "101 are outside 1 to 100")]);
}
