//! Jobs, as a client sees them: progress, cancel, failures, and retry.

use std::num::NonZeroU32;

use puzzled::{
    clock::SystemClock,
    proto::v1 as pb,
    store::job::{SliceWork, Tally},
    telemetry::Telemetry,
    worker::Workers,
};
use puzzled_engine::{level::Tenths, spec::Difficulty, symmetry::Symmetry};
use tokio_util::sync::CancellationToken;

use crate::server::Server;

async fn get(server: &Server, id: &str) -> pb::Job {
    server.jobs().await.get_job(pb::GetJobRequest { id: id.to_owned() }).await.unwrap().into_inner().job.unwrap()
}

#[tokio::test]
async fn a_job_is_queued_then_running_then_succeeded_with_its_progress() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 20).await;
    let queued = get(&server, "job-1").await;
    assert_eq!((queued.state(), queued.made, queued.wanted), (pb::JobState::Queued, 0, 20));
    server.work(12, 1).await;
    let running = get(&server, "job-1").await;
    assert_eq!(running.state(), pb::JobState::Running);
    assert!((1..20).contains(&running.made) && running.start_time.is_some() && running.end_time.is_none());
    assert_eq!(running.tries, u64::from(running.made));
    server.work(12, u32::MAX).await;
    let done = get(&server, "job-1").await;
    assert_eq!((done.state(), done.made), (pb::JobState::Succeeded, 20));
    assert!(done.end_time.is_some() && done.error.is_empty());
    assert_eq!(done.missed, Some(pb::MissedTries::default()));
}

#[tokio::test]
async fn cancel_ends_an_open_job_keeps_its_puzzles_and_may_be_repeated() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 100).await;
    server.work(12, 1).await;
    let made = get(&server, "job-1").await.made;
    let mut jobs = server.jobs().await;
    for _ in 0..2 {
        let request = pb::CancelJobRequest { id: "job-1".to_owned() };
        let cancelled = jobs.cancel_job(request).await.unwrap().into_inner().job.unwrap();
        assert_eq!((cancelled.state(), cancelled.made), (pb::JobState::Cancelled, made));
    }
    assert!(server.work(12, 1).await.is_none(), "nothing of it is offered any more");
    let stock = server.stock().await.get_stock(pb::GetStockRequest::default()).await.unwrap().into_inner();
    assert_eq!(stock.total, u64::from(made));
}

#[tokio::test]
async fn cancel_and_retry_leave_an_ended_job_as_it_is() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 1).await;
    let done = get(&server, "job-1").await;
    let mut jobs = server.jobs().await;
    let id = "job-1".to_owned();
    let cancelled = jobs.cancel_job(pb::CancelJobRequest { id: id.clone() }).await.unwrap().into_inner().job;
    assert_eq!(cancelled.as_ref(), Some(&done));
    let retried = jobs.retry_job(pb::RetryJobRequest { id }).await.unwrap().into_inner().job;
    assert_eq!(retried.as_ref(), Some(&done));
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
        clues: 3,
        unproven: 4,
        solvers_disagreed: 5,
        nearest: Some((2, "rated 3.4 with 24 givens".to_owned())),
    };
    let work = SliceWork {
        made: Vec::new(),
        tally,
        next_index: slice.first_index,
        next_try: 10,
        work_ms: 5,
        ..SliceWork::default()
    };
    server.queue.commit(slice.lease, work).await.unwrap();
    let failed = get(&server, "job-1").await;
    assert_eq!((failed.state(), failed.tries), (pb::JobState::Failed, 15));
    assert_eq!(failed.nearest, "rated 3.4 with 24 givens");
    assert!(!failed.error.is_empty());
    let missed = pb::MissedTries { repeats: 0, unrated: 1, off_target: 2, clues: 3, unproven: 4, solvers_disagreed: 5 };
    assert_eq!(failed.missed, Some(missed));

    let mut jobs = server.jobs().await;
    for _ in 0..2 {
        let request = pb::RetryJobRequest { id: "job-1".to_owned() };
        let retried = jobs.retry_job(request).await.unwrap().into_inner().job.unwrap();
        assert!(matches!(retried.state(), pb::JobState::Queued | pb::JobState::Running), "{retried:?}");
    }
    server.work(12, u32::MAX).await;
    assert_eq!(get(&server, "job-1").await.state(), pb::JobState::Succeeded);
}

#[tokio::test]
async fn fault_of_the_machine_is_recorded_in_the_job() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 1).await;
    let slice = server.queue.claim("tester").await.unwrap().unwrap();
    server.queue.fail(&slice, "the engine panicked: boom".to_owned()).await.unwrap();
    let job = get(&server, "job-1").await;
    assert_eq!((job.failed_attempts, job.error.as_str()), (1, "the engine panicked: boom"));
    assert!(matches!(job.state(), pb::JobState::Queued | pb::JobState::Running));
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
    while get(&server, "job-1").await.state() != pb::JobState::Failed {
        events.recv().await.unwrap();
    }
    shutdown.cancel();
    workers.stopped().await;
    let job = get(&server, "job-1").await;
    assert_eq!(job.error, "min_rating: 11.0 is above 10.4, the hardest rating that is generated");
    assert_eq!(job.failed_attempts, 1);
}
