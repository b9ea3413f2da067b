//! The end: calls in flight finish, streams end, new ones are refused, and what is left is cut.

use std::time::Duration;

use puzzled::proto::v1 as pb;
use puzzled_engine::symmetry::Symmetry;
use tokio::net::TcpStream;
use tonic::Code;

use crate::{
    errors::check,
    raw::{self, Raw},
    server::Server,
    store::Gate,
    watch::{next, watch},
};

fn job_1() -> pb::GetJobRequest {
    pb::GetJobRequest { id: "job-1".to_owned() }
}

#[tokio::test]
async fn a_call_in_flight_finishes_and_new_dials_are_refused() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 1).await;
    let mut raw = Raw::connect(server.address).await;
    server.store.set(Gate::Held);
    let call = raw.call("JobService/GetJob", None, &job_1());
    server.store.until_held(1).await;
    server.shutdown.cancel();
    // Until the server has told this client to go, by GOAWAY.
    while raw.requests.clone().ready().await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert!(TcpStream::connect(server.address).await.is_err(), "the listener is closed");
    server.store.set(Gate::Open);
    assert_eq!(raw::status(call).await.code(), Code::Ok);
    raw.connection.await.unwrap().unwrap();
    server.ended().await.unwrap();
}

#[tokio::test]
async fn streams_end_as_unavailable_so_that_clients_ask_elsewhere() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 1).await;
    let mut stream = watch(&server, "job-1").await;
    next(&mut stream).await;
    server.shutdown.cancel();
    let details = check(stream.message().await, Code::Unavailable, "SHUTTING_DOWN");
    assert!(details.retry_info().is_some());
    server.ended().await.unwrap();
}

#[tokio::test]
async fn what_outlasts_the_grace_time_is_cut() {
    let server = Server::with(|options| options.settings.shutdown_grace = Duration::from_millis(50)).await;
    server.store.set(Gate::Held);
    let mut raw = Raw::connect(server.address).await;
    let call = raw.call("JobService/GetJob", None, &job_1());
    server.store.until_held(1).await;
    server.shutdown.cancel();
    assert!(call.await.is_err());
    server.store.until_nobody_held().await;
    server.ended().await.unwrap();
}
