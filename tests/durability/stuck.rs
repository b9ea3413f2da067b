//! Workers that stop: after SIGTERM in order, and hanging past a lease, which another worker then reclaims.

use std::time::Duration;

use puzzled_api::v1 as pb;
use tokio::time::timeout;
use tonic::{Code, Status, Streaming};

use crate::{
    Site, is_soak,
    results::{are_whole, request, stock},
    server::{Client, PATIENCE, Server},
};

/// The limit of freezes at a wrong moment: between two leases, or within a write, which blocks all others.
const FREEZES_MAX: u32 = 100;

/// If a write waits this long, the frozen process holds the write lock.
const HELD_UP: Duration = Duration::from_secs(3);

/// A job that takes longer than the test.
fn long() -> pb::GenerateRequest {
    pb::GenerateRequest {
        kind: pb::Kind::Sudoku.into(),
        level: pb::Level::Evil.into(),
        count: Some(1_000),
        seed: Some(1),
        ..Default::default()
    }
}

async fn queue(client: &Client) -> pb::Queue {
    client.jobs().get_queue(pb::GetQueueRequest {}).await.unwrap().into_inner().queue.unwrap()
}

/// Freezes a server at a moment when it holds a lease and no lock.
async fn freeze(server: &Server, other: &Client) {
    for _ in 0..FREEZES_MAX {
        server.freeze();
        // Resuming a queue that is not paused changes nothing, but needs the write lock.
        let write = async { other.jobs().resume_queue(pb::ResumeQueueRequest {}).await };
        if let Ok(Ok(_)) = timeout(HELD_UP, write).await
            && queue(other).await.leased_slices == 1
        {
            return;
        }
        server.thaw();
    }
    panic!("the server was never frozen with a lease and without a lock");
}

#[tokio::test]
async fn slice_of_a_hung_worker_is_reclaimed_and_both_log_it() {
    let site = Site::new().await;
    let mut hanging = Server::start(&site.database, &["--workers", "1", "--lease-ms", "1000"]).await;
    let asked = Server::start(&site.database, &["--workers", "0"]).await;
    let job = asked.client.generate(long()).await;
    hanging.client.job_when(&job.id, |job| job.state() == pb::JobState::Running).await;
    freeze(&hanging, &asked.client).await;
    let mut taking = Server::start(&site.database, &["--workers", "1", "--lease-ms", "1000"]).await;
    let line = taking.logs("slice reclaimed: its lease expired before the commit").await;
    assert!(line.contains("WARN") && line.contains("job=job-1 slice=") && line.contains(" worker="), "{line}");
    assert!(asked.client.job(&job.id).await.reclaimed_slices >= 1);
    let told = queue(&asked.client).await;
    assert!(told.reclaimed_slices >= 1 && told.reclaimed_slices_last_hour >= 1, "{told:?}");
    hanging.thaw();
    let line = hanging.logs("slice refused: its lease had expired before the commit").await;
    assert!(line.contains("WARN") && line.contains("job=job-1 slice=") && line.contains(" worker="), "{line}");
}

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
    let site = Site::new().await;
    let count = if is_soak() { 4_000 } else { 1_000 };
    let mut id = String::new();
    for start in 0..3 {
        let server = Server::start(&site.database, &ARGUMENTS).await;
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
    let server = Server::start(&site.database, &ARGUMENTS).await;
    let job = server.client.job_at_its_end(&id).await;
    assert_eq!((job.state(), job.made, job.failed_attempts), (pb::JobState::Succeeded, count, 0), "{job:?}");
    are_whole(&stock(&server.client).await, count);
}
