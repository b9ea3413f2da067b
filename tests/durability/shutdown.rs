//! The orderly end: SIGTERM in the middle of a job.

use puzzled::proto::v1 as pb;
use tokio::time::timeout;
use tonic::{Code, Status, Streaming};

use crate::{
    results::{are_whole, request, stock},
    server::{PATIENCE, Server},
};

/// What ends the stream. A job that is done before the server is ends its stream in order, and then this test saw nothing.
async fn refusal(watch: &mut Streaming<pb::WatchJobResponse>) -> Status {
    let refused = async {
        loop {
            match watch.message().await {
                Err(status) => return status,
                Ok(Some(_)) => {}
                Ok(None) => panic!("the job was done before the server was told to end"),
            }
        }
    };
    timeout(PATIENCE, refused).await.expect("the stream does not end")
}

/// Leases that outlast this test: only what was committed or given back can go on.
const ARGUMENTS: [&str; 4] = ["--workers", "2", "--lease-ms", "3600000"];

#[tokio::test]
async fn sigterm_ends_streams_gives_leases_back_and_exits_with_0() {
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
        // Slices are being worked: some of the job's puzzles are committed, and the rest is not.
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
