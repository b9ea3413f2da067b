//! Jobs, as a client sees them: progress, cancel, failures, retry, and labels.

use std::{collections::BTreeMap, num::NonZeroU32};

use puzzled::{telemetry::Telemetry, work::Workers};
use puzzled_base::clock::SystemClock;

use crate::prelude::*;

#[tokio::test]
async fn a_job_is_queued_then_running_then_succeeded_with_its_progress() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 20).await;
    let queued = server.job("job-1").await;
    assert_eq!((queued.state(), queued.made, queued.wanted), (pb::JobState::Queued, 0, 20));
    server.work(12, 1).await;
    let running = server.job("job-1").await;
    assert_eq!(running.state(), pb::JobState::Running);
    assert!((1..20).contains(&running.made) && running.start_time.is_some() && running.end_time.is_none());
    assert_eq!(running.tries, u64::from(running.made));
    server.work(12, u32::MAX).await;
    let done = server.job("job-1").await;
    assert_eq!((done.state(), done.made), (pb::JobState::Succeeded, 20));
    assert!(done.end_time.is_some() && done.error.is_empty());
    assert_eq!(done.missed, Some(pb::MissedTries::default()));
}

#[tokio::test]
async fn job_out_of_tries_fails_with_the_nearest_miss_and_resumes_on_retry() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 1).await;
    let slice = server.queue.claim("tester").await.unwrap().unwrap();
    let tally = Tally {
        tries: 15,
        repeats: 0,
        unrated: 1,
        off_target: 2,
        givens: 3,
        unproven: 4,
        solvers_disagreed: 5,
        nearest: Some((2, "rated 3.4 with 24 givens".to_owned())),
    };
    let work = SliceWork { tally, next_index: slice.first_index, next_try: 10, work_ms: 5, ..SliceWork::default() };
    server.queue.commit(slice.lease, work).await.unwrap();
    let failed = server.job("job-1").await;
    assert_eq!((failed.state(), failed.tries), (pb::JobState::Failed, 15));
    assert_eq!(failed.nearest, "rated 3.4 with 24 givens");
    assert!(!failed.error.is_empty());
    let missed =
        pb::MissedTries { repeats: 0, unrated: 1, off_target: 2, givens: 3, unproven: 4, solvers_disagreed: 5 };
    assert_eq!(failed.missed, Some(missed));

    for _ in 0..2 {
        let retried = server.retry_job("job-1").await.unwrap();
        assert!(matches!(retried.state(), pb::JobState::Queued | pb::JobState::Running), "{retried:?}");
    }
    server.work(12, u32::MAX).await;
    assert_eq!(server.job("job-1").await.state(), pb::JobState::Succeeded);
}

#[tokio::test]
async fn stored_job_of_a_refused_spec_fails_with_the_sentence() {
    let server = Server::start().await;
    let target = Difficulty::Range { min: Tenths(110), max: Tenths(119) };
    server.queue_target(Symmetry::None, target, 1).await;
    let mut events = server.queue.events();
    let (clock, shutdown) = (SystemClock::shared(), CancellationToken::new());
    let workers =
        Workers::start(NonZeroU32::MIN, "tester", &server.queue, &clock, &Telemetry::new(&*clock), &shutdown).unwrap();
    while server.job("job-1").await.state() != pb::JobState::Failed {
        events.recv().await.unwrap();
    }
    shutdown.cancel();
    workers.stopped().await;
    let job = server.job("job-1").await;
    assert_eq!(job.error, "min_rating: 11.0 is above 10.4, the hardest rating that is generated");
    assert_eq!(job.failed_attempts, 1);
}

fn labels(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn labelled(pairs: &[(&str, &str)]) -> pb::GenerateRequest {
    pb::GenerateRequest { kind: pb::Kind::Sudoku.into(), labels: labels(pairs), ..Default::default() }
}

#[tokio::test]
async fn jobs_keep_their_labels_and_are_found_by_them() {
    let server = Server::start().await;
    for pairs in [&[("team", "web"), ("run", "7")][..], &[("team", "app")], &[]] {
        let job = server.generate(labelled(pairs)).await.unwrap();
        assert_eq!(job.labels, labels(pairs));
    }
    for (pairs, expected) in
        [(&[("team", "web")][..], vec!["job-1"]), (&[("team", "x")], vec![]), (&[], vec!["job-3", "job-2", "job-1"])]
    {
        let request = pb::ListJobsRequest { labels: labels(pairs), ..Default::default() };
        let listed = server.list_jobs(request).await.unwrap();
        assert_eq!(listed.iter().map(|job| job.id.as_str()).collect::<Vec<_>>(), expected);
    }
}

#[tokio::test]
async fn bad_labels_and_targets_are_refused_with_value_and_limit() {
    let server = Server::start().await;
    let long = "x".repeat(64);
    let words = format!(
        "the name \"{}\"… (64 bytes) is not allowed; use 1 to 63 characters of a-z, 0-9, '.', '_' and '-'",
        "x".repeat(40)
    );
    check_fields(server.generate(labelled(&[(&long, "")])).await, &[("labels", &words)]);
    let words = "the value \"\\n\" of \"a\" is not allowed; use at most 63 printable ASCII characters";
    check_fields(server.generate(labelled(&[("a", "\n")])).await, &[("labels", words)]);
    let many: Vec<_> = (0..17).map(|number| (number.to_string(), String::new())).collect();
    let request = pb::GenerateRequest { labels: many.into_iter().collect(), ..labelled(&[]) };
    check_fields(server.generate(request).await, &[("labels", "17 labels; at most 16 are allowed")]);
    let request = pb::ListJobsRequest { target_id: "job-1".to_owned(), ..Default::default() };
    let words = "\"job-1\" is not the ID of a stock target";
    check_fields(server.list_jobs(request).await, &[("target_id", words)]);
}
