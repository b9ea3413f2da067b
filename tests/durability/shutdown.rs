//! The orderly end: SIGTERM in the middle of a job.

use puzzled::proto::v1 as pb;
use tonic::Code;

use crate::{
    results::{are_whole, request, stock},
    server::Server,
};

/// Leases that outlast this test: only what was committed or given back can go on.
const ARGUMENTS: [&str; 4] = ["--workers", "2", "--lease-ms", "3600000"];

#[tokio::test]
async fn sigterm_ends_streams_gives_leases_back_and_exits_with_0() {
    let _alone = crate::alone().await;
    let count = 400;
    let directory = tempfile::tempdir().unwrap();
    let database = directory.path().join("puzzled.db");
    let mut id = String::new();
    for start in 0..3 {
        let server = Server::start(&database, &ARGUMENTS).await;
        if start == 0 {
            id = server.client.generate(request(count)).await.id;
        }
        let before = server.client.job(&id).await;
        // Slices are being worked: some of the job's puzzles are committed, and the rest is not.
        let mut watch = server.client.watch(&id).await;
        while watch.message().await.unwrap().unwrap().job.unwrap().made == before.made {}
        server.terminate();
        let refused = loop {
            if let Err(status) = watch.message().await {
                break status;
            }
        };
        assert_eq!(refused.code(), Code::Unavailable, "{refused:?}");
        assert_eq!(server.exit_code().await, Some(0));
    }
    let server = Server::start(&database, &ARGUMENTS).await;
    let job = server.client.job_at_its_end(&id).await;
    assert_eq!((job.state(), job.made, job.failed_attempts), (pb::JobState::Succeeded, count, 0), "{job:?}");
    are_whole(&stock(&server.client).await, count);
}
