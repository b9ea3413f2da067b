//! A worker that hangs past its lease: another worker reclaims its slice, and both log it.

use std::time::Duration;

use puzzled::proto::v1 as pb;
use tokio::time::timeout;

use crate::server::{Client, Server};

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
    let _alone = crate::alone().await;
    let directory = tempfile::tempdir().unwrap();
    let database = directory.path().join("puzzled.db");
    let mut hanging = Server::start(&database, &["--workers", "1", "--lease-ms", "1000"]).await;
    let asked = Server::start(&database, &["--workers", "0"]).await;
    let job = asked.client.generate(long()).await;
    hanging.client.job_when(&job.id, |job| job.state() == pb::JobState::Running).await;
    freeze(&hanging, &asked.client).await;
    let mut taking = Server::start(&database, &["--workers", "1", "--lease-ms", "1000"]).await;
    let line = taking.logs("slice reclaimed: its lease expired before the commit").await;
    assert!(line.contains("WARN") && line.contains("job=job-1 slice=") && line.contains(" worker="), "{line}");
    assert!(asked.client.job(&job.id).await.reclaimed_slices >= 1);
    let told = queue(&asked.client).await;
    assert!(told.reclaimed_slices >= 1 && told.reclaimed_slices_last_hour >= 1, "{told:?}");
    hanging.thaw();
    let line = hanging.logs("slice refused: its lease had expired before the commit").await;
    assert!(line.contains("WARN") && line.contains("job=job-1 slice=") && line.contains(" worker="), "{line}");
}
