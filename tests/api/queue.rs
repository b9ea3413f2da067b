//! `GetQueue`, `PauseQueue`, and `ResumeQueue`: a pause outlasts a restart. Also the count of reclaimed slices, and the
//! pruning of ended jobs.

use puzzled::work::keep_up;
use tokio::time::timeout;

use crate::prelude::*;

#[tokio::test]
async fn queue_stays_paused_across_a_restart_until_resumed() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 5).await;
    let paused = server.pause_queue("the database moves").await.unwrap();
    assert!(paused.paused && paused.pause_time.is_some(), "{paused:?}");
    assert_eq!((paused.pause_reason.as_str(), paused.queued_jobs), ("the database moves", 1));
    assert_eq!(server.work(12, 1).await, None);
    assert_eq!(crate::server::work(&server.other_process(), 12, 1).await, None, "every process obeys");
    let server = server.restart().await;
    let told = server.queue_state().await;
    assert_eq!((told.pause_time, told.pause_reason), (paused.pause_time, paused.pause_reason));
    assert_eq!(server.work(12, 1).await, None);
    server.queue_job(Symmetry::None, 3).await;
    let resumed = server.resume_queue().await;
    assert_eq!((resumed.paused, resumed.pause_time, resumed.pause_reason.as_str()), (false, None, ""));
    assert_eq!(server.work(12, u32::MAX).await.unwrap().made, 3);
    let told = server.queue_state().await;
    assert_eq!((told.queued_jobs, told.succeeded_jobs, told.oldest_wait), (0, 2, None));
}

#[tokio::test]
async fn a_reason_that_is_too_long_is_refused() {
    let server = Server::start().await;
    let fault = [("reason", "501 characters; at most 500 are allowed")];
    check_fields(server.pause_queue(&"\u{e9}".repeat(501)).await, &fault);
    assert!(!server.queue_state().await.paused);
}

#[tokio::test]
async fn ended_jobs_are_pruned_and_their_puzzles_stay() {
    let clock = ManualClock::at(Millis(1_000_000_000_000));
    let server = Server::with(|options| options.clock = Some(clock.clone())).await;
    let done = server.fill(Symmetry::None, 12, 3).await.id.to_string();
    let open = server.queue_job(Symmetry::None, 3).await.id.to_string();
    let stop = CancellationToken::new();
    clock.advance_ms(30 * 24 * 3_600_000 + 1);
    let upkeep = tokio::spawn(
        stop.clone().run_until_cancelled_owned(keep_up(Arc::clone(&server.queue), Arc::clone(&server.settings))),
    );
    let cleared = async {
        loop {
            let listed = server.list_jobs(pb::ListJobsRequest::default()).await.unwrap();
            if listed.len() == 1 {
                return listed;
            }
        }
    };
    let listed = timeout(Duration::from_mins(1), cleared).await.expect("nothing is cleared away");
    assert_eq!(listed[0].id, open);
    stop.cancel();
    upkeep.await.unwrap();
    let job = server.job(&done).await;
    assert!(job.prune_time.is_some(), "{job:?}");
    assert_eq!(server.retry_job(&done).await.unwrap(), job);
    assert_eq!(server.queue_state().await.succeeded_jobs, 0);
    assert_eq!(server.get_stock(pb::GetStockRequest::default()).await.unwrap().total, 3);
}
