//! A moved database: calls that need it are refused, and the error names the new database.

use puzzled::proto::v1 as pb;
use puzzled_engine::symmetry::Symmetry;
use tonic::{Code, Status};
use tonic_health::pb::{HealthCheckRequest, health_check_response::ServingStatus};

use crate::{
    errors::check,
    server::{PUZZLE, Server},
    store::{Gate, MOVED_TO},
};

fn any() -> pb::GetPuzzleRequest {
    pb::GetPuzzleRequest { kind: pb::Kind::Sudoku.into(), ..Default::default() }
}

#[track_caller]
fn is_refused<T: std::fmt::Debug>(answer: Result<T, Status>) {
    let said = answer.as_ref().err().map(|status| status.message().to_owned());
    let details = check(answer, Code::Unavailable, "DATABASE_MOVED");
    assert_eq!(said.unwrap(), format!("the database was moved to {MOVED_TO}; call a server of that database"));
    assert_eq!(details.error_info().unwrap().metadata["moved_to"], MOVED_TO);
    assert!(details.retry_info().is_none(), "it does not come back");
}

#[tokio::test]
async fn each_call_that_needs_a_moved_database_says_where_it_is() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 5).await;
    let (mut puzzles, mut jobs, mut stock) = (server.puzzles().await, server.jobs().await, server.stock().await);
    // Counts and draws are cached, but none is used after the move was noticed.
    puzzles.get_puzzle(any()).await.unwrap();
    server.store.set(Gate::Moved);
    is_refused(puzzles.get_puzzle(any()).await);
    is_refused(puzzles.get_puzzle(pb::GetPuzzleRequest { audience: "anna".to_owned(), ..any() }).await);
    is_refused(puzzles.get_puzzle(pb::GetPuzzleRequest { id: "puzzle-1".to_owned(), ..Default::default() }).await);
    let generate = pb::GenerateRequest { kind: pb::Kind::Sudoku.into(), ..Default::default() };
    is_refused(puzzles.generate(generate).await);
    is_refused(puzzles.list_puzzles(pb::ListPuzzlesRequest::default()).await);
    is_refused(jobs.get_job(pb::GetJobRequest { id: "job-1".to_owned() }).await);
    is_refused(jobs.get_queue(pb::GetQueueRequest {}).await);
    is_refused(stock.get_stock(pb::GetStockRequest::default()).await);
    is_refused(server.info().await.list_processes(pb::ListProcessesRequest::default()).await);
    // Calls that need no database are answered.
    let solve = pb::SolveRequest { kind: pb::Kind::Sudoku.into(), text: PUZZLE.to_owned(), ..Default::default() };
    puzzles.solve(solve).await.unwrap();
    server.info().await.get_server_info(pb::GetServerInfoRequest {}).await.unwrap();
    let mut watch = server.health().await.watch(HealthCheckRequest::default()).await.unwrap().into_inner();
    while watch.message().await.unwrap().unwrap().status() != ServingStatus::NotServing {}
}
