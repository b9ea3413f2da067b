//! `GetPuzzle` with `wait`: how long a call waits for a puzzle, what ends the wait, and what the call returns then.

use puzzled_engine::shared::level::Level;
use tokio::task::JoinHandle;

use crate::{growth::bound, prelude::*};

const MINUTE_MS: i64 = 60_000;

/// A server whose clock does not advance, so no wait ends by its timeout.
async fn started() -> (Server, Arc<ManualClock>) {
    let clock = ManualClock::at(Millis(1_795_262_400_000));
    (Server::with(|options| options.clock = Some(Arc::clone(&clock))).await, clock)
}

fn waiting() -> pb::GetPuzzleRequest {
    pb::GetPuzzleRequest { wait: true, ..sudoku_for("anna") }
}

/// A call that waits, as soon as it does.
async fn begun(server: &Server, timeout: Option<&'static str>) -> JoinHandle<Status> {
    let (reads, mut raw) = (server.store.shelf_reads(), Raw::connect(server.address).await);
    let call = tokio::spawn(async move { raw::status(raw.call("PuzzleService/GetPuzzle", timeout, &waiting())).await });
    // Twice for the draw, and once for the wait.
    server.store.until_shelves_read(reads + 3).await;
    call
}

#[tokio::test]
async fn wait_ends_after_a_minute_or_before_the_deadline_or_after_ten_minutes() {
    // The clock of the server is moved by hand, so real time never reaches these deadlines.
    for (timeout, wait_ms) in [(None, MINUTE_MS), (Some("1H"), 10 * MINUTE_MS), (Some("300S"), 5 * MINUTE_MS - 100)] {
        let (server, clock) = started().await;
        server.queue_job(Symmetry::None, 1).await;
        let call = begun(&server, timeout).await;
        clock.advance_ms(wait_ms - 1);
        let reads = server.store.shelf_reads();
        server.store.until_shelves_read(reads + 2).await;
        assert!(!call.is_finished(), "{timeout:?}");
        clock.advance_ms(1);
        let details = check(Err::<(), _>(call.await.unwrap()), Code::FailedPrecondition, "STOCK_EXHAUSTED");
        assert!(details.retry_info().is_some(), "{timeout:?}");
    }
}

#[tokio::test]
async fn wait_fails_at_once_if_no_job_can_make_a_fitting_puzzle() {
    let (server, _clock) = started().await;
    check(server.get_puzzle(waiting()).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    server.queue_target(Symmetry::None, Difficulty::Level(Level::Hard), 1).await;
    server.queue_target(Symmetry::Full, Difficulty::Range { min: Tenths(12), max: Tenths(15) }, 1).await;
    for request in [
        pb::GetPuzzleRequest { level: pb::Level::Easy.into(), symmetry: pb::Symmetry::None.into(), ..waiting() },
        pb::GetPuzzleRequest { min_rating: Some(5.0), ..waiting() },
        pb::GetPuzzleRequest { kind: pb::Kind::Kakuro.into(), ..waiting() },
    ] {
        check(server.get_puzzle(request).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    }
}

#[tokio::test]
async fn a_wait_fails_at_once_while_the_queue_is_paused() {
    let (server, _clock) = started().await;
    server.queue_job(Symmetry::None, 1).await;
    server.pause_queue("a move").await.unwrap();
    let request = pb::GetPuzzleRequest { level: pb::Level::Easy.into(), enqueue_if_short: true, ..waiting() };
    let refused = server.get_puzzle(request).await;
    let message = "no Sudoku 9x9 of level easy in stock, nor any other Sudoku; the queue has been paused since \
                   2026-11-21T12:00:00Z; resume it with ResumeQueue (`puzzled queue resume`)";
    assert_eq!(refused.as_ref().unwrap_err().message(), message);
    let details = check(refused, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    assert!(details.retry_info().is_none());
    assert_eq!(details.error_info().unwrap().metadata["job"], "job-2", "it is queued all the same");
}

#[tokio::test]
async fn wait_ends_once_no_job_makes_a_fitting_puzzle() {
    for cause in ["paused", "cancelled", "full"] {
        let (server, _clock) = started().await;
        server.fill(Symmetry::None, 12, 1).await;
        server.get_puzzle(waiting()).await.unwrap();
        let job = server.queue_job(Symmetry::None, 1).await;
        let call = begun(&server, None).await;
        assert!(!call.is_finished());
        match cause {
            "paused" => drop(server.pause_queue("a move").await.unwrap()),
            "cancelled" => drop(server.cancel_job(&job.id.to_string()).await.unwrap()),
            _ => bound(&server, Some(1)).await,
        }
        check(Err::<(), _>(call.await.unwrap()), Code::FailedPrecondition, "STOCK_EXHAUSTED");
    }
}

#[tokio::test]
async fn wait_gets_the_last_puzzle_of_the_last_job() {
    let (server, _clock) = started().await;
    server.queue_job(Symmetry::None, 1).await;
    let call = begun(&server, None).await;
    server.work(12, u32::MAX).await;
    assert_eq!(call.await.unwrap().code(), Code::Ok);
}

#[tokio::test]
async fn a_shutdown_ends_a_wait() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 1).await;
    let call = begun(&server, None).await;
    server.shutdown.cancel();
    check(Err::<(), _>(call.await.unwrap()), Code::Unavailable, "SHUTTING_DOWN");
    server.ended().await.unwrap();
}
