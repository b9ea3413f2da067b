//! `WatchJob`: sends the job at once, after changes by any process at a bounded rate, and at its end. Also the limit on
//! watches, and a lost database.

use puzzled_base::clock::SystemClock;
use tonic::Streaming;

use crate::{prelude::*, server};

pub(crate) async fn watch(server: &Server, id: &str) -> Streaming<pb::WatchJobResponse> {
    server.jobs().await.watch_job(pb::WatchJobRequest { id: id.to_owned() }).await.unwrap().into_inner()
}

pub(crate) async fn next(stream: &mut Streaming<pb::WatchJobResponse>) -> Option<pb::Job> {
    stream.message().await.unwrap().map(|message| message.job.unwrap())
}

#[tokio::test]
async fn the_job_is_sent_now_after_changes_and_at_its_end() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 40).await;
    let mut stream = watch(&server, "job-1").await;
    assert_eq!(next(&mut stream).await.unwrap().state(), pb::JobState::Queued);
    server.work(12, 1).await;
    let running = next(&mut stream).await.unwrap();
    assert_eq!(running.state(), pb::JobState::Running);
    server.work(12, u32::MAX).await;
    let mut last = running;
    while let Some(job) = next(&mut stream).await {
        assert!(job.made >= last.made && job != last, "each message tells something new: {job:?}");
        last = job;
    }
    assert_eq!((last.state(), last.made), (pb::JobState::Succeeded, 40));
    // A job that has ended is sent once.
    let mut stream = watch(&server, "job-1").await;
    assert_eq!((next(&mut stream).await, next(&mut stream).await), (Some(last), None));
}

#[tokio::test]
async fn changes_by_another_process_are_seen() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 1).await;
    let mut stream = watch(&server, "job-1").await;
    next(&mut stream).await;
    // Once for the first message, once after it, to find that nothing has changed; only then does something.
    server.store.until_job_read(2).await;
    server::work(&server.other_process(), 12, u32::MAX).await;
    let mut last = None;
    while let Some(job) = next(&mut stream).await {
        last = Some(job.state());
    }
    assert_eq!(last, Some(pb::JobState::Succeeded));
}

#[tokio::test]
async fn watcher_gets_no_changes_of_other_jobs() {
    let server = Server::start().await;
    let watched = server.queue_job(Symmetry::None, 1).await;
    let mut stream = watch(&server, "job-1").await;
    next(&mut stream).await;
    for _ in 0..3 {
        let other = server.queue_job(Symmetry::None, 1).await;
        server.queue.cancel(other.id, &someone()).await.unwrap();
    }
    server.queue.cancel(watched.id, &someone()).await.unwrap();
    assert_eq!(next(&mut stream).await.unwrap().state(), pb::JobState::Cancelled);
    assert_eq!(next(&mut stream).await, None);
}

#[tokio::test]
async fn a_fast_job_is_reported_at_a_bounded_rate() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 1_000).await;
    let mut stream = watch(&server, "job-1").await;
    let mut messages = 0_u32;
    let work = async {
        while server.work(12, 1).await.is_some() {}
        server.queue.store().job(puzzled_base::ids::JobId(1)).await.unwrap().unwrap()
    };
    let watched = async {
        while next(&mut stream).await.is_some() {
            messages += 1;
        }
    };
    let clock = SystemClock::shared();
    let (job, ()) = tokio::join!(work, watched);
    assert_eq!(job.made, 1_000);
    let allowed = clock.elapsed().as_millis() / 100 + 2;
    assert!(u128::from(messages) <= allowed, "{messages} messages, {allowed} allowed");
}

#[tokio::test]
async fn watcher_above_the_limit_is_refused_until_one_leaves() {
    let server = Server::with(|options| options.settings.limits.max_watchers = 1).await;
    let job = server.queue_job(Symmetry::None, 1).await;
    let mut first = watch(&server, "job-1").await;
    next(&mut first).await;
    let mut jobs = server.jobs().await;
    let again = pb::WatchJobRequest { id: "job-1".to_owned() };
    let details = check(jobs.watch_job(again.clone()).await, Code::ResourceExhausted, "BUSY");
    assert!(details.retry_info().is_some() && details.has_quota_failure_violations());
    server.queue.cancel(job.id, &someone()).await.unwrap();
    while next(&mut first).await.is_some() {}
    // The end reaches the client a moment before the place is free.
    while jobs.watch_job(again.clone()).await.is_err() {}
    // A client that disconnects frees its place too.
    server.queue_job(Symmetry::None, 1).await;
    let open = pb::WatchJobRequest { id: "job-2".to_owned() };
    let mut left = loop {
        if let Ok(answer) = jobs.watch_job(open.clone()).await {
            break answer.into_inner();
        }
    };
    next(&mut left).await;
    drop(left);
    while jobs.watch_job(open.clone()).await.is_err() {}
}

#[tokio::test]
async fn a_stream_ends_as_unavailable_when_the_database_is() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 1).await;
    let mut stream = watch(&server, "job-1").await;
    next(&mut stream).await;
    server.store.set(Gate::Unreachable);
    check(stream.message().await, Code::Unavailable, "DATABASE_UNAVAILABLE");
}
