//! The orderly shutdown after SIGTERM: during a job, with connections on which the client sends nothing, and with a
//! drain delay, which a second SIGTERM ends.

use puzzled::proto::v1 as pb;
use tokio::{net::TcpStream, time::timeout};
use tonic::{Code, Status, Streaming};
use tonic_health::pb::{HealthCheckRequest, health_check_response::ServingStatus};

use crate::{
    results::{are_whole, request, stock},
    server::{Client, PATIENCE, Server},
};

/// The status that ends the stream. If the job ends before the server, the stream ends without one, and the test would
/// prove nothing.
async fn refusal(watch: &mut Streaming<pb::WatchJobResponse>) -> Status {
    let refused = async {
        loop {
            match watch.message().await {
                Err(status) => return status,
                Ok(Some(_)) => {}
                Ok(None) => panic!("the job ended before the shutdown"),
            }
        }
    };
    timeout(PATIENCE, refused).await.expect("the stream does not end")
}

/// Leases that outlast the test, so that workers can resume a slice only if its lease was given back.
const ARGUMENTS: [&str; 4] = ["--workers", "2", "--lease-ms", "3600000"];

#[tokio::test]
async fn sigterm_ends_streams_returns_leases_and_exits_with_0() {
    let _alone = crate::alone().await;
    let count = 4_000;
    let directory = tempfile::tempdir().unwrap();
    let database = directory.path().join("puzzled.db");
    let mut id = String::new();
    for start in 0..3 {
        let server = Server::start(&database, &ARGUMENTS).await;
        if start == 0 {
            id = server.client.generate(request(count)).await.id;
        }
        let before = server.client.job(&id).await;
        // Wait for a commit, so that the workers are amid the job.
        let mut watch = server.client.watch(&id).await;
        while watch.message().await.unwrap().unwrap().job.unwrap().made == before.made {}
        server.terminate();
        let refused = refusal(&mut watch).await;
        assert_eq!(refused.code(), Code::Unavailable, "{refused:?}");
        assert_eq!(server.exit_code().await, Some(0));
    }
    let server = Server::start(&database, &ARGUMENTS).await;
    let job = server.client.job_at_its_end(&id).await;
    assert_eq!((job.state(), job.made, job.failed_attempts), (pb::JobState::Succeeded, count, 0), "{job:?}");
    are_whole(&stock(&server.client).await, count);
}

#[tokio::test]
async fn sigterm_among_silent_sockets_neither_waits_nor_warns() {
    let _alone = crate::alone().await;
    let directory = tempfile::tempdir().unwrap();
    // If the server waited for this grace time, the test would time out.
    let arguments = ["--workers", "0", "--grace-seconds", "3600"];
    let server = Server::start(&directory.path().join("puzzled.db"), &arguments).await;
    let count = if crate::is_soak() { 500 } else { 100 };
    let mut silent = Vec::new();
    for _ in 0..count {
        silent.push(TcpStream::connect(&server.address).await.unwrap());
    }
    server.terminate();
    let (code, log) = server.end().await;
    assert_eq!(code, Some(0));
    assert!(log.iter().all(|line| !line.contains("WARN")), "{log:#?}");
}

#[tokio::test]
async fn drain_delay_keeps_the_listener_open_and_a_second_sigterm_ends_it() {
    let _alone = crate::alone().await;
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["--workers", "1", "--drain-delay-seconds", "3600"];
    let mut server = Server::start(&directory.path().join("puzzled.db"), &arguments).await;
    let watched = server.client.health().watch(HealthCheckRequest::default()).await;
    let mut health = watched.unwrap().into_inner();
    while health.message().await.unwrap().unwrap().status() != ServingStatus::Serving {}
    server.terminate();
    assert_eq!(health.message().await.unwrap().unwrap().status(), ServingStatus::NotServing);
    server.logs("drain delayed").await;
    // A client that does not know of the shutdown yet can still queue a job. The workers have stopped, so the job waits
    // for another process.
    let client = Client::connect(&server.address).await.unwrap();
    let queued = client.generate(request(1)).await;
    assert_eq!(client.job(&queued.id).await.state(), pb::JobState::Queued);
    server.terminate();
    assert_eq!(server.exit_code().await, Some(143));
}
