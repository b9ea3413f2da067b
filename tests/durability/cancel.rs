//! A cancel stops the job's running slices, in the process that was asked and in others.

use std::time::Duration;

use puzzled::{clock::SystemClock, proto::v1 as pb};

use crate::server::{Client, Server};

/// Cancels that are timed.
const CANCELS: usize = 10;

/// Time from the reply to the end of the work.
const USUAL: Duration = Duration::from_millis(100);

/// A worker yields to everything else that the machine does, so on a busy one a few may take longer.
const LONGEST: Duration = Duration::from_secs(2);

/// A job whose slices take their whole second, of many short looks: no starter has its symmetry. All the jobs here do: a slice
/// that is done before the cancel comes has nothing to be stopped.
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

/// A job whose slices take more, of tries that rate for long: chains within chains. They are made from starters alone.
fn hardest() -> pb::GenerateRequest {
    pb::GenerateRequest { symmetry: 0, min_rating: Some(10.0), max_rating: None, ..slow() }
}

/// One of tries that rate for a while each.
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

/// Starts a job, waits until it is worked on, cancels it, and takes the time from the reply to the line in which the
/// worker says that it has let go.
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
async fn a_running_slice_stops_within_100_ms_of_the_reply() {
    let _alone = crate::alone().await;
    let directory = tempfile::tempdir().unwrap();
    let mut server = Server::start(&directory.path().join("puzzled.db"), &["--workers", "1"]).await;
    let client = server.client.clone();
    for request in [slow, harder, hardest, largest] {
        all_are_short(request, &client, &mut server).await;
    }
}

#[tokio::test]
async fn a_slice_that_runs_in_another_process_stops_within_100_ms_of_the_reply() {
    let _alone = crate::alone().await;
    let directory = tempfile::tempdir().unwrap();
    let database = directory.path().join("puzzled.db");
    let mut working = Server::start(&database, &["--workers", "1"]).await;
    let asked = Server::start(&database, &["--workers", "0"]).await;
    all_are_short(harder, &asked.client, &mut working).await;
}
