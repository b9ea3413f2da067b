//! Many callers queue jobs while the server is killed: no acknowledged job is lost.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use puzzled_api::v1 as pb;
use puzzled_engine::shared::rng::Rng;
use tokio::{sync::mpsc, task::JoinSet};

use crate::{Site, is_soak, server::Server};

/// Concurrent callers.
const CALLERS: u32 = 64;

const ARGUMENTS: [&str; 4] = ["--workers", "0", "--max-open-jobs", "1000000"];

/// A job that differs from all others.
fn request(number: u32) -> pb::GenerateRequest {
    pb::GenerateRequest {
        kind: pb::Kind::Sudoku.into(),
        seed: Some(number.into()),
        request_id: format!("request {number}"),
        ..Default::default()
    }
}

#[tokio::test]
async fn kill_loses_no_acknowledged_job_of_64_callers() {
    let site = Site::new().await;
    let mut acknowledged = Vec::new();
    let next = Arc::new(AtomicU32::new(0));
    let mut rng = Rng::from_seed(64);
    for _ in 0..if is_soak() { 20 } else { 3 } {
        let server = Server::start(&site.database, &ARGUMENTS).await;
        let (tell, mut told) = mpsc::unbounded_channel();
        let mut callers = JoinSet::new();
        for _ in 0..CALLERS {
            let (mut client, next, tell) = (server.client.puzzles(), Arc::clone(&next), tell.clone());
            callers.spawn(async move {
                loop {
                    let number = next.fetch_add(1, Ordering::SeqCst);
                    // A call fails when the server is killed.
                    let Ok(answer) = client.generate(request(number)).await else { return };
                    tell.send((number, answer.into_inner().job.unwrap().id)).unwrap();
                }
            });
        }
        drop(tell);
        // The kill comes after some hundred answers, while other calls are in progress.
        for _ in 0..200 + rng.below(400) {
            acknowledged.push(told.recv().await.expect("callers get answers"));
        }
        server.kill().await;
        callers.join_all().await;
        while let Some(last) = told.recv().await {
            acknowledged.push(last);
        }
    }
    let server = Server::start(&site.database, &ARGUMENTS).await;
    for (number, id) in acknowledged {
        let job = server.client.job(&id).await;
        assert_eq!((job.seed, job.request_id), (number.into(), format!("request {number}")), "{id}");
        // A repeat gets the same job.
        assert_eq!(server.client.generate(request(number)).await.id, id);
    }
}
