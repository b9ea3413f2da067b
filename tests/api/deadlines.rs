//! Deadlines: the server ends a call at its deadline, even if the client keeps waiting, and when the client disconnects. A
//! malformed deadline is an error.

use crate::prelude::*;

#[tokio::test]
async fn call_past_its_deadline_is_answered_in_time_and_dropped() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 1).await;
    server.store.set(Gate::Held);
    let mut raw = Raw::connect(server.address).await;
    let call = raw.call("JobService/GetJob", Some("500m"), &job_1());
    server.store.until_held(1).await;
    check(Err::<(), _>(raw::status(call).await), Code::DeadlineExceeded, "DEADLINE_EXCEEDED");
    server.store.until_no_call_is_held().await;
}

#[tokio::test]
async fn deadline_of_a_call_does_not_change_its_job() {
    let server = Server::start().await;
    let mut raw = Raw::connect(server.address).await;
    let named = pb::GenerateRequest { request_id: "r1".to_owned(), ..sudoku() };
    let job = server.generate(named.clone()).await.unwrap();
    server.store.set(Gate::Held);
    for (method, timeout) in [("JobService/GetJob", "0n"), ("JobService/CancelJob", "20m")] {
        let call = raw.call(method, Some(timeout), &pb::CancelJobRequest { id: job.id.clone() });
        check(Err::<(), _>(raw::status(call).await), Code::DeadlineExceeded, "DEADLINE_EXCEEDED");
    }
    // A client that does not know the result of a call repeats it under the same name.
    let call = raw.call("PuzzleService/Generate", Some("20m"), &named);
    check(Err::<(), _>(raw::status(call).await), Code::DeadlineExceeded, "DEADLINE_EXCEEDED");
    server.store.set(Gate::Open);
    let again = server.generate(named).await.unwrap();
    assert_eq!(again, job);
}

#[tokio::test]
async fn a_stream_ends_at_its_deadline() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 1).await;
    let mut raw = Raw::connect(server.address).await;
    let call = raw.call("JobService/WatchJob", Some("50m"), &job_1());
    check(Err::<(), _>(raw::status(call).await), Code::DeadlineExceeded, "DEADLINE_EXCEEDED");
}

#[tokio::test]
async fn a_call_in_time_is_answered_and_a_garbled_timeout_is_refused() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 1).await;
    let mut raw = Raw::connect(server.address).await;
    for timeout in [None, Some("10S"), Some("99999999H")] {
        let status = raw::status(raw.call("JobService/GetJob", timeout, &job_1())).await;
        assert_eq!(status.code(), Code::Ok, "{timeout:?} {status:?}");
    }
    let status = raw::status(raw.call("JobService/GetJob", Some("10s"), &job_1())).await;
    check_fields(
        Err::<(), _>(status),
        &[("grpc-timeout", "\"10s\" is not a timeout; use 1 to 8 digits and a unit: H, M, S, m, u, or n")],
    );
}

#[tokio::test]
async fn work_stops_when_the_caller_disconnects() {
    let server = Server::start().await;
    server.store.set(Gate::Held);
    let mut raw = Raw::connect(server.address).await;
    let call = raw.call("JobService/GetJob", None, &job_1());
    server.store.until_held(1).await;
    drop(call);
    server.store.until_no_call_is_held().await;
}
