//! A full stock: refused calls, work that continues, ways to make room, how the queue reports it, and limits that
//! change at a reload.

use puzzled::{settings::Settings, work::GrowthWatch};
use puzzled_store::jobs::growth::Growth;
use tonic_types::ErrorDetails;

use crate::{
    prelude::*,
    refills::refill,
    targets::{of_level, set},
};

/// The message of the bound in these cases: 19 puzzles of at most 20.
const FULL: &str = "the stock is full: 19 puzzles in circulation, max_puzzles is 20; withdraw puzzles until fewer than 18 are \
                    left, or raise max_puzzles";

pub(crate) async fn bound(server: &Server, puzzles_max: Option<u64>) {
    server.queue.keep_growth(Some(Growth { puzzles_max, database_bytes_max: None })).await.unwrap();
}

/// A stock of 19 hard puzzles, with a bound of 20, and an open job.
async fn filled(server: &Server) {
    server.fill(Symmetry::None, 26, 19).await;
    server.queue_job(Symmetry::None, 5).await;
    bound(server, Some(20)).await;
}

async fn full() -> Server {
    let server = Server::start().await;
    filled(&server).await;
    server
}

/// A hard puzzle, for an audience if there is one.
fn hard(audience: &str) -> pb::GetPuzzleRequest {
    pb::GetPuzzleRequest { level: pb::Level::Hard.into(), ..sudoku_for(audience) }
}

/// An easy one, of which there is none.
fn easy() -> pb::GetPuzzleRequest {
    pb::GetPuzzleRequest { level: pb::Level::Easy.into(), enqueue_if_short: true, ..hard("") }
}

/// Checks a refusal by the full stock.
#[track_caller]
fn check_full<T: std::fmt::Debug>(answer: Result<T, Status>) -> ErrorDetails {
    let details = check(answer, Code::ResourceExhausted, "STOCK_FULL");
    assert!(details.retry_info().is_none(), "nothing passes by itself");
    let metadata = &details.error_info().unwrap().metadata;
    assert_eq!(["bound", "used", "max"].map(|name| metadata[name].as_str()), ["max_puzzles", "19", "20"]);
    assert_eq!(details.quota_failure().unwrap().violations[0].subject, "max_puzzles");
    details
}

#[tokio::test]
async fn full_stock_refuses_new_jobs_of_every_call() {
    let server = Server::start().await;
    let cancelled = server.generate(sudoku()).await.unwrap().id;
    server.cancel_job(&cancelled).await.unwrap();
    let target = set(&server, of_level(pb::Level::Hard)).await;
    filled(&server).await;
    let refused = server.generate(sudoku()).await;
    assert_eq!(refused.as_ref().unwrap_err().message(), FULL);
    check_full(refused);
    check_full(server.retry_job(&cancelled).await);
    check_full(refill(&server, &target.id).await);
    let refused = server.batch_generate(&[sudoku(), sudoku()]).await;
    assert_eq!(check_full(refused).error_info().unwrap().metadata["index"], "0");
    assert_eq!(server.queue_state().await.queued_jobs, 1, "the one that was queued before");

    bound(&server, Some(40)).await;
    server.generate(sudoku()).await.unwrap();
    assert_eq!(server.retry_job(&cancelled).await.unwrap().state(), pb::JobState::Queued);
    refill(&server, &target.id).await.unwrap().unwrap();
}

#[tokio::test]
async fn full_stock_delivers_and_lists_and_its_open_jobs_are_not_claimed() {
    let server = full().await;
    assert_eq!(server.work(12, 1).await, None);
    assert_eq!(crate::server::work(&server.other_process(), 12, 1).await, None, "every process obeys");
    for audience in ["", "anna"] {
        server.get_puzzle(hard(audience)).await.unwrap();
    }
    server.create_daily(pb::Kind::Sudoku).await;
    server.puzzles().await.get_daily_puzzle(pb::GetDailyPuzzleRequest::default()).await.unwrap();
    let listed = server.list_puzzles(pb::ListPuzzlesRequest::default()).await.unwrap();
    assert_eq!(listed.puzzles.len(), 18);
    assert_eq!(server.job("job-2").await.state(), pb::JobState::Queued);
}

#[tokio::test]
async fn queue_says_that_the_stock_is_full_since_when_and_why() {
    let clock = ManualClock::at(Millis(1_795_262_400_000));
    let server = Server::with(|options| options.clock = Some(Arc::clone(&clock))).await;
    filled(&server).await;
    clock.advance_ms(59_999);
    server.queue.keep_growth(None).await.unwrap();
    let told = server.queue_state().await;
    assert_eq!((told.stock_full, told.stock_full_reason.as_str()), (true, FULL));
    assert_eq!(told.stock_full_time.unwrap().seconds, 1_795_262_400);
    assert_eq!((told.puzzles, told.max_puzzles), (19, Some(20)));
    assert!(told.database_bytes > 0 && told.max_database_bytes.is_none(), "{told:?}");
    // By bytes, at the last reading.
    let bounds = Growth { puzzles_max: None, database_bytes_max: Some(told.database_bytes) };
    server.queue.keep_growth(Some(bounds)).await.unwrap();
    let told = server.queue_state().await;
    assert_eq!((told.max_puzzles, told.max_database_bytes), (None, Some(told.database_bytes)));
    assert!(told.stock_full_reason.contains("raise max_database_bytes"), "{}", told.stock_full_reason);
    check(server.generate(sudoku()).await, Code::ResourceExhausted, "STOCK_FULL");
    bound(&server, None).await;
    let told = server.queue_state().await;
    assert_eq!((told.stock_full, told.stock_full_time, told.stock_full_reason.as_str()), (false, None, ""));
}

#[tokio::test]
async fn nothing_is_queued_for_an_exhausted_criterion_of_a_full_stock() {
    let server = full().await;
    for wait in [false, true] {
        // It does not even wait.
        let refused = server.get_puzzle(pb::GetPuzzleRequest { wait, ..easy() }).await;
        let message = refused.as_ref().unwrap_err().message().to_owned();
        assert!(message.ends_with(FULL), "{message}");
        let details = check(refused, Code::FailedPrecondition, "STOCK_EXHAUSTED");
        assert!(details.retry_info().is_none());
        assert!(!details.error_info().unwrap().metadata.contains_key("job"));
    }
    assert_eq!(server.queue_state().await.queued_jobs, 1);
    bound(&server, None).await;
    let details = check(server.get_puzzle(easy()).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    assert_eq!(details.error_info().unwrap().metadata["job"], "job-3");
}

#[tokio::test]
async fn limits_of_a_reload_apply_at_the_next_check() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 26, 19).await;
    let mut watch = GrowthWatch::of_a_server(Arc::clone(&server.queue));
    for (puzzles_max, is_full) in [(None, false), (Some(20), true), (Some(22), false), (Some(19), true), (None, false)]
    {
        let mut settings = Settings::clone(&server.settings.get());
        settings.stock.max_puzzles = puzzles_max.unwrap_or(0);
        server.settings.set(settings);
        watch.look().await;
        let told = server.queue_state().await;
        assert_eq!((told.max_puzzles, told.stock_full), (puzzles_max, is_full));
    }
    // Limits of another server hold until this server changes its own.
    bound(&server, Some(20)).await;
    watch.look().await;
    assert!(server.queue_state().await.stock_full);
    // A process without settings obeys.
    let mut of_workers = GrowthWatch::of_workers(Arc::new(server.other_process()));
    of_workers.look().await;
    assert!(server.queue_state().await.stock_full);
}
