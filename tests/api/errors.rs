//! Every failed call has a status code, a reason in the domain `puzzled.v1`, and details that a program can read.
//! Internal causes stay hidden, and long values are shortened. Also the helpers with which other tests check errors.

use tonic_types::{ErrorDetails, StatusExt as _};

use crate::{prelude::*, store::SQL};

/// Checks what every refusal has, and returns its details.
#[track_caller]
pub(crate) fn check<T: std::fmt::Debug>(answer: Result<T, Status>, code: Code, reason: &str) -> ErrorDetails {
    let status = answer.expect_err("this should be refused");
    let details = status.get_error_details();
    let info = details.error_info().unwrap_or_else(|| panic!("no ErrorInfo: {status:?}")).clone();
    assert_eq!((status.code(), info.reason.as_str(), info.domain.as_str()), (code, reason, "puzzled.v1"), "{status:?}");
    assert!(!status.message().is_empty());
    details
}

/// Checks a refusal for fields, and that exactly these are named, each with these words.
#[track_caller]
pub(crate) fn check_fields<T: std::fmt::Debug>(answer: Result<T, Status>, expected: &[(&str, &str)]) {
    let details = check(answer, Code::InvalidArgument, "INVALID_FIELD");
    let violations = &details.bad_request().expect("no BadRequest").field_violations;
    let found: Vec<_> = violations.iter().map(|one| (one.field.as_str(), one.description.as_str())).collect();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn an_unreachable_database_is_unavailable_with_advice_to_retry() {
    let server = Server::start().await;
    server.store.set(Gate::Unreachable);
    let answer = server.jobs().await.get_job(job_1()).await;
    let details = check(answer, Code::Unavailable, "DATABASE_UNAVAILABLE");
    assert!(details.retry_info().unwrap().retry_delay.is_some());

    // A read that several draws share fails for each of them in the same way.
    server.store.set(Gate::Open);
    server.fill(Symmetry::None, 12, 1).await;
    let wanted = pb::GetPuzzleRequest { kind: pb::Kind::Sudoku.into(), ..Default::default() };
    server.get_puzzle(wanted.clone()).await.unwrap();
    server.store.set(Gate::Unreachable);
    check(server.get_puzzle(wanted).await, Code::Unavailable, "DATABASE_UNAVAILABLE");
}

#[tokio::test]
async fn internal_error_hides_its_cause() {
    let server = Server::start().await;
    server.store.set(Gate::Refusing);
    let status = server.get_stock(pb::GetStockRequest::default()).await.unwrap_err();
    let all = format!("{status:?}{}", String::from_utf8_lossy(status.details()));
    assert!(!all.contains("select") && !all.contains(SQL), "{all}");
    let details = check(Err::<(), _>(status), Code::Internal, "INTERNAL");
    assert!(details.retry_info().is_none());
}

#[tokio::test]
async fn refusals_by_tonic_carry_a_reason() {
    let server = Server::with(|options| options.settings.limits.max_request_bytes = 100).await;
    let text = ".".repeat(101);
    let request = pb::ValidateRequest { kind: pb::Kind::Sudoku.into(), text, ..Default::default() };
    check(server.puzzles().await.validate(request).await, Code::OutOfRange, "MESSAGE_TOO_LARGE");

    let mut unknown = tonic::client::Grpc::new(server.channel().await);
    unknown.ready().await.unwrap();
    let path = http::uri::PathAndQuery::from_static("/puzzled.v1.PuzzleService/Nothing");
    let codec = tonic_prost::ProstCodec::<pb::GetJobRequest, pb::GetJobResponse>::default();
    let answer = unknown.unary(tonic::Request::new(pb::GetJobRequest::default()), path, codec).await;
    check(answer, Code::Unimplemented, "METHOD_UNKNOWN");

    let health = server.health().await.check(HealthCheckRequest { service: "puzzled.v1.Nothing".to_owned() }).await;
    check(health, Code::NotFound, "SERVICE_UNKNOWN");
}

#[tokio::test]
async fn requests_that_grpc_cannot_read_are_refused_with_reasons() {
    let server = Server::start().await;
    let mut raw = Raw::connect(server.address).await;
    let compressed = raw.call_with("JobService/GetJob", Some(("grpc-encoding", "gzip")), &job_1());
    let status = raw::status(compressed).await;
    assert!(status.metadata().contains_key("grpc-accept-encoding"), "what it reads instead is told: {status:?}");
    check(Err::<(), _>(status), Code::Unimplemented, "COMPRESSION_UNSUPPORTED");
    // Field 1 is a number there and a text here.
    let other = pb::GetStockRequest { kind: 1, ..Default::default() };
    let status = raw::status(raw.call("JobService/GetJob", None, &other)).await;
    check(Err::<(), _>(status), Code::Internal, "PROTOCOL");
}

#[tokio::test]
async fn a_long_wrong_value_is_not_repeated_in_full() {
    let server = Server::start().await;
    let id = "x".repeat(20_000);
    let details =
        check(server.jobs().await.get_job(pb::GetJobRequest { id: id.clone() }).await, Code::NotFound, "JOB_NOT_FOUND");
    assert_eq!(details.resource_info().unwrap().resource_name, "x".repeat(40));
    let page = pb::ListPuzzlesRequest { page_token: id.clone(), variant: id.clone(), ..Default::default() };
    let token = format!(
        "\"{}\"… (20000 bytes) is not a token of this list and these criteria; use the last next_page_token",
        "x".repeat(40)
    );
    check_fields(
        server.list_puzzles(page).await,
        &[("variant", "20000 bytes; at most 1024 are allowed"), ("page_token", &token)],
    );
    let states = pb::ListJobsRequest { states: vec![99; 20_000], ..Default::default() };
    let details = check(server.list_jobs(states).await, Code::InvalidArgument, "INVALID_FIELD");
    assert_eq!(details.bad_request().unwrap().field_violations.len(), 20);
}
