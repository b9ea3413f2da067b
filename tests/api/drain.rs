//! Shutdown: calls continue during the drain delay. Then calls in flight finish, streams end, new calls are refused,
//! and connections that remain after the grace time are closed.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::{
    connections::{bounded, silent},
    log::Log,
    prelude::*,
    watch::{next, watch},
};

#[tokio::test]
async fn a_call_in_flight_finishes_and_new_dials_are_refused() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 1).await;
    let mut raw = Raw::connect(server.address).await;
    server.store.set(Gate::Held);
    let call = raw.call("JobService/GetJob", None, &job_1());
    server.store.until_held(1).await;
    server.shutdown.cancel();
    // Until the server has sent GOAWAY to this client.
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
async fn calls_that_outlast_the_grace_time_are_cut() {
    let log = Log::begin();
    let server = bounded(|settings| settings.process.grace_seconds = Duration::from_millis(50)).await;
    server.store.set(Gate::Held);
    let mut raw = Raw::connect(server.address).await;
    let call = raw.call("JobService/GetJob", None, &job_1());
    server.store.until_held(1).await;
    server.shutdown.cancel();
    assert!(call.await.is_err());
    server.store.until_no_call_is_held().await;
    server.ended().await.unwrap();
    let warnings = log.with("calls cut after the grace time");
    assert!(warnings.len() == 1 && warnings[0].contains("calls=1"), "{warnings:?}");
}

/// A client that sends these bytes and then nothing, once the server has read them.
async fn silent_after(server: &Server, bytes: &[u8]) -> TcpStream {
    let mut socket = TcpStream::connect(server.address).await.unwrap();
    socket.write_all(bytes).await.unwrap();
    // The server's settings, which it sends to each client that has sent the preface.
    socket.read_exact(&mut [0; 9]).await.unwrap();
    socket
}

#[tokio::test]
async fn connections_without_a_call_do_not_delay_the_shutdown() {
    // Each of these used to delay the shutdown for the whole grace time, and was counted as a call.
    let log = Log::begin();
    let server = bounded(|settings| settings.process.grace_seconds = Duration::from_hours(24)).await;
    let silent = silent(&server, 100).await;
    let greeted = silent_after(&server, PREFACE).await;
    let settled = silent_after(&server, &[&PREFACE[..], SETTINGS].concat()).await;
    let mut idle = Raw::connect(server.address).await;
    let not_found = idle.call("JobService/GetJob", None, &job_1());
    assert_eq!(raw::status(not_found).await.code(), Code::NotFound);
    server.shutdown.cancel();
    server.ended().await.unwrap();
    assert_eq!((log.with("WARN").len(), log.with("drain").len(), log.with("drain started").len()), (0, 1, 1));
    drop((silent, greeted, settled, idle));
}

#[tokio::test]
async fn silent_client_with_finished_calls_does_not_delay_the_shutdown() {
    let server = bounded(|settings| settings.process.grace_seconds = Duration::from_hours(24)).await;
    let stream = TcpStream::connect(server.address).await.unwrap();
    let (requests, mut frozen) = h2::client::handshake(stream).await.unwrap();
    let mut raw = Raw { requests, connection: tokio::spawn(async { Ok(()) }) };
    let not_found = raw.call("JobService/GetJob", None, &job_1());
    tokio::select! {
        status = raw::status(not_found) => assert_eq!(status.code(), Code::NotFound),
        ended = &mut frozen => panic!("{ended:?}"),
    }
    // From here on the client does not read its socket, which stays open.
    server.shutdown.cancel();
    server.ended().await.unwrap();
    drop(frozen);
}

#[tokio::test]
async fn calls_and_streams_go_on_until_the_drain_delay_ends() {
    let server = bounded(|settings| settings.server.drain_delay_seconds = Duration::from_hours(24)).await;
    server.queue_job(Symmetry::None, 2).await;
    let mut stream = watch(&server, "job-1").await;
    next(&mut stream).await;
    let mut health = server.health().await.watch(HealthCheckRequest::default()).await.unwrap().into_inner();
    while health.message().await.unwrap().unwrap().status() != ServingStatus::Serving {}
    server.shutdown.cancel();
    assert_eq!(health.message().await.unwrap().unwrap().status(), ServingStatus::NotServing);
    // New connections too: a load balancer may not have noticed yet.
    server.jobs().await.get_job(job_1()).await.unwrap();
    server.work(12, 1).await.unwrap();
    while next(&mut stream).await.unwrap().made < 2 {}
}

#[tokio::test]
async fn the_drain_begins_when_the_drain_delay_ends() {
    let log = Log::begin();
    let server = bounded(|settings| settings.server.drain_delay_seconds = Duration::from_millis(20)).await;
    server.queue_job(Symmetry::None, 1).await;
    let mut stream = watch(&server, "job-1").await;
    next(&mut stream).await;
    server.shutdown.cancel();
    check(stream.message().await, Code::Unavailable, "SHUTTING_DOWN");
    server.ended().await.unwrap();
    let lines = log.with("drain");
    assert!(lines.len() == 2 && lines[0].contains("drain delayed") && lines[1].contains("drain started"), "{lines:?}");
}
