//! Limits on concurrent calls, on the size of responses, on streams and the age of connections, and on texts that wait
//! for a compute thread. Also connections whose pings are not answered.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::prelude::*;

#[tokio::test]
async fn calls_beyond_the_limit_are_shed_at_once_and_health_is_not() {
    let server = Server::with(|options| options.settings.limits.max_calls = 2).await;
    server.store.set(Gate::Held);
    let mut raw = Raw::connect(server.address).await;
    let held = [(); 2].map(|()| raw.call("JobService/GetJob", None, &job_1()));
    server.store.until_held(2).await;
    let details = check(server.jobs().await.get_job(job_1()).await, Code::ResourceExhausted, "BUSY");
    assert!(details.retry_info().is_some());
    assert_eq!(details.quota_failure().unwrap().violations[0].subject, "calls being answered");
    server.health().await.check(HealthCheckRequest::default()).await.unwrap();
    server.store.set(Gate::Open);
    for call in held {
        assert_eq!(raw::status(call).await.code(), Code::NotFound);
    }
    check(server.jobs().await.get_job(job_1()).await, Code::NotFound, "JOB_NOT_FOUND");
}

#[tokio::test]
async fn an_answer_above_its_limit_is_not_sent() {
    let server = Server::with(|options| options.settings.limits.max_response_bytes = 1_000).await;
    server.fill(Symmetry::None, 12, 10).await;
    let status = server.list_puzzles(pb::ListPuzzlesRequest::default()).await.unwrap_err();
    assert_eq!(status.code(), Code::OutOfRange);
}

#[tokio::test]
async fn number_of_streams_on_a_connection_is_limited() {
    let server = Server::with(|options| options.settings.limits.max_streams = 3).await;
    server.queue_job(Symmetry::None, 1).await;
    let mut raw = Raw::connect(server.address).await;
    // The settings are there with the first answer.
    raw::status(raw.call("JobService/GetJob", None, &job_1())).await;
    assert_eq!(raw.requests.current_max_send_streams(), 3);
}

#[tokio::test]
async fn old_connection_gets_goaway_and_its_calls_finish() {
    let server =
        Server::with(|options| options.settings.connections.connection_age_seconds = Duration::from_millis(300)).await;
    server.queue_job(Symmetry::None, 1).await;
    server.store.set(Gate::Held);
    let mut raw = Raw::connect(server.address).await;
    let call = raw.call("JobService/GetJob", None, &job_1());
    server.store.until_held(1).await;
    while raw.requests.clone().ready().await.is_ok() {
        tokio::task::yield_now().await;
    }
    server.store.set(Gate::Open);
    assert_eq!(raw::status(call).await.code(), Code::Ok);
    raw.connection.await.unwrap().unwrap();
    Raw::connect(server.address).await;
}

#[tokio::test]
async fn old_connection_is_closed_after_its_grace_time() {
    let server = Server::with(|options| {
        options.settings.connections.connection_age_seconds = Duration::from_millis(200);
        options.settings.connections.connection_age_grace_seconds = Duration::from_millis(50);
    })
    .await;
    server.store.set(Gate::Held);
    let mut raw = Raw::connect(server.address).await;
    let call = raw.call("JobService/GetJob", None, &job_1());
    assert!(call.await.is_err());
}

#[tokio::test]
async fn a_connection_whose_pings_are_not_answered_is_closed() {
    let server = Server::with(|options| {
        options.settings.connections.keepalive_seconds = Duration::from_millis(20);
        options.settings.connections.keepalive_timeout_seconds = Duration::from_millis(20);
    })
    .await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    // No ping is ever answered.
    stream.write_all(&[&PREFACE[..], SETTINGS].concat()).await.unwrap();
    let mut read = Vec::new();
    // However it is closed, if only soon.
    let _ = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut read)).await.unwrap();
    assert!(read.windows(9).any(|frame| frame == b"\0\0\x08\x06\0\0\0\0\0"), "there was a PING: {read:?}");
}

#[tokio::test]
async fn texts_beyond_threads_and_places_are_refused() {
    let server = Server::with(|options| {
        options.settings.limits.compute_threads = 1;
        options.settings.limits.max_waiting_short = 0;
    })
    .await;
    let puzzles = server.puzzles().await;
    let text = PUZZLE.to_owned();
    let request = pb::ValidateRequest { kind: 1, text, ..Default::default() };
    let mut calls = JoinSet::new();
    for _ in 0..100 {
        let (mut puzzles, request) = (puzzles.clone(), request.clone());
        calls.spawn(async move { puzzles.validate(request).await });
    }
    let (mut answered, mut refused) = (0, 0);
    while let Some(answer) = calls.join_next().await {
        match answer.unwrap() {
            Ok(_) => answered += 1,
            answer => {
                check(answer, Code::ResourceExhausted, "BUSY");
                refused += 1;
            }
        }
    }
    assert!(answered > 0 && refused > 0, "{answered} answered, {refused} refused");
}
