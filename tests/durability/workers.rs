//! The number of workers changes how soon a job ends, not its puzzles.

use puzzled::proto::v1 as pb;

use crate::{
    Site, is_soak,
    results::{are_whole, request, set, stock},
    server::Server,
};

#[tokio::test]
async fn one_two_and_four_workers_make_the_same_puzzles() {
    let site = Site::new().await;
    let count = if is_soak() { 2_000 } else { 300 };
    let mut results = Vec::new();
    for workers in ["1", "2", "4"] {
        let server = Server::start(&site.folder.path().join(workers), &["--workers", workers]).await;
        let job = server.client.generate(request(count)).await;
        let job = server.client.job_at_its_end(&job.id).await;
        assert_eq!((job.state(), job.made), (pb::JobState::Succeeded, count), "{job:?}");
        results.push(stock(&server.client).await);
    }
    are_whole(&results[0], count);
    for other in &results[1..] {
        assert_eq!(set(other), set(&results[0]));
    }
}
