//! `GetDailyPuzzle`: all callers of a day get the same puzzle, each set of criteria has its own, and impossible dates are
//! refused.

use crate::prelude::*;

/// Noon of 2026-11-21.
const NOON: Millis = Millis(1_795_262_400_000);

const DAY_MS: i64 = 86_400_000;

/// A server whose clock shows 2026-11-21, with easy puzzles.
async fn started(puzzles: u32) -> (Server, Arc<ManualClock>) {
    let clock = ManualClock::at(NOON);
    let server = Server::with(|options| options.clock = Some(Arc::clone(&clock))).await;
    if puzzles > 0 {
        server.fill(Symmetry::None, 12, puzzles).await;
    }
    (server, clock)
}

fn on(date: &str, audience: &str) -> pb::GetDailyPuzzleRequest {
    pb::GetDailyPuzzleRequest {
        kind: pb::Kind::Sudoku.into(),
        date: date.to_owned(),
        audience: audience.to_owned(),
        ..Default::default()
    }
}

async fn daily(server: &Server, request: pb::GetDailyPuzzleRequest) -> Result<pb::GetDailyPuzzleResponse, Status> {
    server.puzzles().await.get_daily_puzzle(request).await.map(tonic::Response::into_inner)
}

async fn id(server: &Server, request: pb::GetDailyPuzzleRequest) -> String {
    daily(server, request).await.unwrap().puzzle.unwrap().id
}

/// The puzzle IDs and dates of an audience's deliveries, newest first.
async fn listed(server: &Server, audience: &str) -> Vec<(String, String)> {
    server.deliveries(audience).await.into_iter().map(|one| (one.puzzle_id, one.date)).collect()
}

#[tokio::test]
async fn daily_puzzle_is_the_same_for_all_callers_and_stocks() {
    let (server, clock) = started(5).await;
    let first = daily(&server, on("", "")).await.unwrap();
    assert_eq!(first.date, "2026-11-21");
    let first = first.puzzle.unwrap();
    assert_eq!(first.solution, "");
    server.fill(Symmetry::None, 12, 20).await;
    let server = server.restart().await;
    let request = pb::GetDailyPuzzleRequest { include_solution: true, ..on("2026-11-21", "") };
    let again = daily(&server, request).await.unwrap().puzzle.unwrap();
    assert_eq!((again.id, again.solution.is_empty()), (first.id.clone(), false));
    clock.advance_ms(DAY_MS);
    let next = daily(&server, on("", "")).await.unwrap();
    assert_eq!(next.date, "2026-11-22");
    assert_ne!(next.puzzle.unwrap().id, first.id);
    assert_eq!(id(&server, on("2026-11-21", "")).await, first.id);
}

#[tokio::test]
async fn each_set_of_criteria_has_its_own_daily_puzzle() {
    let (server, _) = started(20).await;
    server.fill(Symmetry::Full, 12, 20).await;
    let request = on("", "");
    let mut ids = BTreeSet::new();
    for other in [
        request.clone(),
        pb::GetDailyPuzzleRequest { level: pb::Level::Easy.into(), ..request.clone() },
        pb::GetDailyPuzzleRequest { symmetry: pb::Symmetry::Full.into(), ..request.clone() },
        pb::GetDailyPuzzleRequest { min_rating: Some(1.2), ..request.clone() },
        pb::GetDailyPuzzleRequest { min_rating: Some(1.2), max_rating: Some(1.2), ..request.clone() },
    ] {
        assert!(ids.insert(id(&server, other.clone()).await), "{other:?}");
        // A default that is written out is the same criterion.
        let same = pb::GetDailyPuzzleRequest { variant: "9x9".to_owned(), ..other };
        assert!(!ids.insert(id(&server, same.clone()).await), "{same:?}");
    }
    let hard = pb::GetDailyPuzzleRequest { min_rating: Some(2.7), max_rating: Some(2.7), ..request };
    check(daily(&server, hard).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
}

#[tokio::test]
async fn the_shared_puzzle_is_recorded_for_an_audience_once() {
    let (server, _) = started(4).await;
    let shared = || pb::GetDailyPuzzleRequest { shared: true, ..on("", "anna") };
    let puzzle = id(&server, shared()).await;
    for request in [shared(), on("", ""), pb::GetDailyPuzzleRequest { audience: "bert".to_owned(), ..shared() }] {
        assert_eq!(id(&server, request).await, puzzle);
    }
    assert_eq!(listed(&server, "anna").await, [(puzzle.clone(), "2026-11-21".to_owned())]);
    assert_ne!(id(&server, on("", "anna")).await, puzzle);
}

#[tokio::test]
async fn day_too_far_back_gets_no_puzzle() {
    let (server, clock) = started(9).await;
    assert_eq!(server.limits().await.max_daily_past_days, 31);
    let first = id(&server, on("2026-10-21", "")).await;
    let refused = daily(&server, on("2026-10-20", "")).await;
    let message = "date: 2026-10-20 has no puzzle and lies more than 31 days back; ask for 2026-10-21 or a later day";
    assert_eq!(refused.as_ref().unwrap_err().message(), message);
    let details = check(refused, Code::NotFound, "DAILY_NOT_KEPT");
    assert_eq!(details.error_info().unwrap().metadata["first_date"], "2026-10-21");
    clock.advance_ms(40 * DAY_MS);
    assert_eq!(id(&server, on("2026-10-21", "")).await, first, "a day that has one is still answered");
    check(daily(&server, on("2026-10-21", "anna")).await, Code::NotFound, "DAILY_NOT_KEPT");
    let wait = pb::GetDailyPuzzleRequest { wait: true, enqueue_if_short: true, ..on("1970-01-01", "") };
    check(daily(&server, wait).await, Code::NotFound, "DAILY_NOT_KEPT");
}

#[tokio::test]
async fn day_without_a_puzzle_gets_one_once_the_stock_has_one() {
    let (server, _) = started(0).await;
    check(daily(&server, on("", "")).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    server.fill(Symmetry::None, 12, 3).await;
    let hard = pb::GetDailyPuzzleRequest { level: pb::Level::Hard.into(), ..on("", "") };
    check(daily(&server, hard).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    let first = id(&server, on("", "")).await;
    assert_eq!(id(&server, on("", "")).await, first);
    // With a separate job.
    let wanted = pb::GetDailyPuzzleRequest { min_rating: Some(2.7), wait: true, enqueue_if_short: true, ..on("", "") };
    let (mut client, reads) = (server.puzzles().await, server.store.shelf_reads());
    let waiting = tokio::spawn(async move { client.get_daily_puzzle(wanted).await });
    server.store.until_shelves_read(reads + 2).await;
    server.work(27, u32::MAX).await;
    assert_ne!(waiting.await.unwrap().unwrap().into_inner().puzzle.unwrap().id, first);
}

#[tokio::test]
async fn only_days_of_the_calendar_up_to_the_limit_are_answered() {
    let (server, clock) = started(3).await;
    assert_eq!(server.limits().await.max_daily_ahead_days, 7);
    for (date, fault) in [
        ("2026-11-29", "2026-11-29 is after 2026-11-28, 7 days from today (UTC)"),
        ("1969-12-31", "1969-12-31 is before 1970-01-01"),
        ("2026-02-29", "\"2026-02-29\" is not a date; use one such as 2026-11-21"),
        ("tomorrow", "\"tomorrow\" is not a date; use one such as 2026-11-21"),
    ] {
        check_fields(daily(&server, on(date, "")).await, &[("date", fault)]);
    }
    daily(&server, on("2026-11-28", "")).await.unwrap();
    // Twelve hours later it is the next day.
    clock.advance_ms(DAY_MS / 2);
    daily(&server, on("2026-11-29", "")).await.unwrap();
    check_fields(
        daily(&server, pb::GetDailyPuzzleRequest { kind: 0, ..on("", "zo\u{eb}") }).await,
        &[
            ("kind", "required; GetServerInfo lists the kinds"),
            ("audience", "\"zo\u{eb}\" has characters that are not allowed; use printable ASCII"),
        ],
    );
}
