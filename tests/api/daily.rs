//! `GetDailyPuzzle`: one puzzle a day for all, whoever asks first and wherever.

use std::{collections::BTreeSet, sync::Arc};

use puzzled::{
    clock::{ManualClock, Millis},
    proto::v1 as pb,
};
use puzzled_engine::symmetry::Symmetry;
use tokio::task::JoinSet;
use tonic::{Code, Status};

use crate::{
    errors::{check, check_fields},
    server::Server,
};

/// Noon of 2026-11-21.
const NOON: Millis = Millis(1_795_262_400_000);

const DAY_MS: i64 = 86_400_000;

/// A server on whose calendar it is 2026-11-21, with easy puzzles.
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

#[tokio::test]
async fn the_puzzle_of_a_day_stays_whoever_asks_and_whatever_is_stocked_or_withdrawn() {
    let (server, clock) = started(5).await;
    let first = daily(&server, on("", "")).await.unwrap();
    assert_eq!(first.date, "2026-11-21");
    let first = first.puzzle.unwrap();
    assert_eq!(first.solution, "");
    server.fill(Symmetry::None, 12, 20).await;
    let withdrawal = pb::WithdrawPuzzleRequest { id: first.id.clone(), reason: "a misprint".to_owned() };
    server.puzzles().await.withdraw_puzzle(withdrawal).await.unwrap();
    let server = server.restart().await;
    let request = pb::GetDailyPuzzleRequest { include_solution: true, ..on("2026-11-21", "") };
    let again = daily(&server, request).await.unwrap().puzzle.unwrap();
    assert_eq!((again.id, again.solution.is_empty(), again.withdraw_time.is_some()), (first.id.clone(), false, true));
    clock.advance_ms(DAY_MS);
    let next = daily(&server, on("", "")).await.unwrap();
    assert_eq!(next.date, "2026-11-22");
    assert_ne!(next.puzzle.unwrap().id, first.id);
    assert_eq!(id(&server, on("2026-11-21", "")).await, first.id);
}

#[tokio::test]
async fn each_day_audience_and_level_has_a_puzzle_of_its_own() {
    let (server, _) = started(40).await;
    for audience in ["", "anna"] {
        let mut ids = BTreeSet::new();
        for date in ["2026-11-20", "2026-11-21", "2026-11-22", "1970-01-01"] {
            for level in [pb::Level::Unspecified, pb::Level::Easy] {
                let request = pb::GetDailyPuzzleRequest { level: level.into(), ..on(date, audience) };
                let puzzle = id(&server, request.clone()).await;
                assert_eq!(id(&server, request).await, puzzle);
                ids.insert(puzzle);
            }
        }
        assert_eq!(ids.len(), 8, "to {audience:?} none is handed out twice");
    }
}

#[tokio::test]
async fn the_puzzle_of_a_day_counts_as_handed_out_to_its_audience() {
    let (server, _) = started(2).await;
    let puzzle = id(&server, on("", "anna")).await;
    let listed = pb::ListDeliveriesRequest { audience: "anna".to_owned(), ..Default::default() };
    let listed = server.puzzles().await.list_deliveries(listed).await.unwrap().into_inner().deliveries;
    let listed: Vec<_> = listed.iter().map(|one| (one.puzzle_id.as_str(), one.date.as_str())).collect();
    assert_eq!(listed, [(puzzle.as_str(), "2026-11-21")]);
    let wanted =
        pb::GetPuzzleRequest { kind: pb::Kind::Sudoku.into(), audience: "anna".to_owned(), ..Default::default() };
    let other = server.puzzles().await.get_puzzle(wanted.clone()).await.unwrap().into_inner().puzzle.unwrap();
    assert_ne!(other.id, puzzle);
    check(server.puzzles().await.get_puzzle(wanted).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    check(daily(&server, on("2026-11-22", "anna")).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    assert_eq!(id(&server, on("", "anna")).await, puzzle);
}

#[tokio::test]
async fn a_day_without_a_puzzle_gets_one_as_soon_as_there_is_stock() {
    let (server, _) = started(0).await;
    check(daily(&server, on("", "")).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    server.fill(Symmetry::None, 12, 3).await;
    let hard = pb::GetDailyPuzzleRequest { level: pb::Level::Hard.into(), ..on("", "") };
    check(daily(&server, hard).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    assert_eq!(id(&server, on("", "")).await, id(&server, on("", "")).await);
}

#[tokio::test]
async fn callers_at_once_get_one_puzzle() {
    let (server, _) = started(50).await;
    let mut callers = JoinSet::new();
    for _ in 0..32 {
        let mut client = server.puzzles().await;
        callers
            .spawn(async move { client.get_daily_puzzle(on("", "")).await.unwrap().into_inner().puzzle.unwrap().id });
    }
    assert_eq!(callers.join_all().await.into_iter().collect::<BTreeSet<_>>().len(), 1);
}

#[tokio::test]
async fn only_days_of_the_calendar_up_to_the_limit_are_answered() {
    let (server, clock) = started(3).await;
    let limits = server.info().await.get_server_info(pb::GetServerInfoRequest {}).await.unwrap().into_inner().limits;
    assert_eq!(limits.unwrap().max_daily_ahead_days, 7);
    for (date, fault) in [
        ("2026-11-29", "2026-11-29 is after 2026-11-28, 7 days from today (UTC)"),
        ("1969-12-31", "1969-12-31 is before 1970-01-01"),
        ("2026-02-29", "\"2026-02-29\" is not a date such as 2026-11-21"),
        ("tomorrow", "\"tomorrow\" is not a date such as 2026-11-21"),
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
            ("kind", "KIND_UNSPECIFIED where a kind is required"),
            ("audience", "\"zo\u{eb}\" has other than printable ASCII characters"),
        ],
    );
}
