//! A cancel stops the job's running slices soon, in the process that gets the call and in others.

use std::time::Duration;

use puzzled_api::v1 as pb;
use puzzled_base::clock::SystemClock;

use crate::{
    Site,
    server::{Client, Server},
};

/// Timed cancels of each type of job.
const CANCELS: usize = 10;

/// The limit of the median time from the reply to the end of the work.
const USUAL: Duration = Duration::from_millis(100);

/// The limit of the longest time. A worker has idle priority, so on a busy machine a few cancels may take longer.
const LONGEST: Duration = Duration::from_secs(2);

/// A job whose slices take a full second of many short tries, because no starter has its symmetry. The other jobs take
/// as long, so that a cancel always meets a running slice.
fn slow() -> pb::GenerateRequest {
    pb::GenerateRequest {
        kind: pb::Kind::Sudoku.into(),
        symmetry: pb::Symmetry::Rotation180.into(),
        min_rating: Some(5.0),
        max_rating: Some(5.3),
        count: Some(1_000),
        seed: Some(1),
        ..Default::default()
    }
}

/// A job whose tries rate for a long time, because of chains within chains. Its puzzles are made only from starters.
fn hardest() -> pb::GenerateRequest {
    pb::GenerateRequest { symmetry: 0, min_rating: Some(10.0), max_rating: None, ..slow() }
}

/// A job whose tries each rate for a while.
fn harder() -> pb::GenerateRequest {
    pb::GenerateRequest { min_rating: Some(8.6), max_rating: Some(8.9), ..slow() }
}

/// A job of the largest boards, whose tries do much besides searching.
fn largest() -> pb::GenerateRequest {
    pb::GenerateRequest {
        kind: pb::Kind::Kakuro.into(),
        variant: "30x30".to_owned(),
        min_rating: None,
        max_rating: None,
        ..slow()
    }
}

/// Starts a job, cancels it while it runs, and returns the time from the reply to the log line in which the worker
/// reports the dropped slice.
async fn time_to_stop(request: pb::GenerateRequest, asked: &Client, working: &mut Server) -> Duration {
    let job = asked.generate(request).await;
    working.client.job_when(&job.id, |job| job.state() == pb::JobState::Running).await;
    let mut jobs = asked.jobs();
    let reply = jobs.cancel_job(pb::CancelJobRequest { id: job.id.clone() }).await.unwrap();
    let since_the_reply = SystemClock::shared();
    assert_eq!(reply.into_inner().job.unwrap().state(), pb::JobState::Cancelled);
    working.logs("slice dropped: its job has ended").await;
    since_the_reply.elapsed()
}

async fn all_are_short(request: fn() -> pb::GenerateRequest, asked: &Client, working: &mut Server) {
    let mut times = Vec::new();
    for _ in 0..CANCELS {
        times.push(time_to_stop(request(), asked, working).await);
    }
    times.sort();
    assert!(times[CANCELS / 2] <= USUAL && times[CANCELS - 1] <= LONGEST, "{times:?}");
}

#[tokio::test]
async fn running_slice_stops_within_100_ms_of_the_reply() {
    let site = Site::alone().await;
    let mut server = Server::start(&site.database, &["--workers", "1"]).await;
    let client = server.client.clone();
    for request in [slow, harder, hardest, largest] {
        all_are_short(request, &client, &mut server).await;
    }
}

#[tokio::test]
async fn running_slice_of_another_process_stops_within_100_ms_of_the_reply() {
    let site = Site::alone().await;
    let mut working = Server::start(&site.database, &["--workers", "1"]).await;
    let asked = Server::start(&site.database, &["--workers", "0"]).await;
    all_are_short(harder, &asked.client, &mut working).await;
}
