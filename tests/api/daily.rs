//! `GetDailyPuzzle` and the daily series: all callers of a day get the same puzzle, also after a withdrawal, and impossible days
//! are refused.

use puzzled::settings::CurrentSettings;
use puzzled_base::{chance::Chance, clock::Clock as _};
use puzzled_store::{
    DayStore as _, SeriesStore as _, Store,
    series::daily_series::{SeriesWish, Zone},
    stock::draws::Stock,
    targets::declaration::Declaration,
};

use puzzled_engine::shared::criteria::Criteria;

use crate::prelude::*;

/// Noon of 2026-11-21, a Saturday.
const NOON: Millis = Millis(1_795_262_400_000);

const DAY_MS: i64 = 86_400_000;

/// A server whose clock shows 2026-11-21, with easy puzzles.
pub(crate) async fn started(puzzles: u32) -> (Server, Arc<ManualClock>) {
    let clock = ManualClock::at(NOON);
    let server = Server::with(|options| options.clock = Some(Arc::clone(&clock))).await;
    if puzzles > 0 {
        server.fill(Symmetry::None, 12, puzzles).await;
    }
    (server, clock)
}

/// A series of Sudoku in a time zone.
fn in_zone(name: &str, time_zone: &str) -> pb::CreateDailySeriesRequest {
    pb::CreateDailySeriesRequest {
        name: name.to_owned(),
        kind: pb::Kind::Sudoku.into(),
        time_zone: time_zone.to_owned(),
        ..Default::default()
    }
}

pub(crate) async fn create(server: &Server, request: pb::CreateDailySeriesRequest) -> Result<pb::DailySeries, Status> {
    let created = server.series().await.create_daily_series(request).await;
    created.map(|created| created.into_inner().series.unwrap())
}

pub(crate) async fn update(server: &Server, request: pb::UpdateDailySeriesRequest) -> Result<pb::DailySeries, Status> {
    let updated = server.series().await.update_daily_series(request).await;
    updated.map(|updated| updated.into_inner().series.unwrap())
}

async fn end(server: &Server, name: &str) -> Result<pb::DailySeries, Status> {
    let ended = server.series().await.end_daily_series(pb::EndDailySeriesRequest { name: name.to_owned() }).await;
    ended.map(|ended| ended.into_inner().series.unwrap())
}

pub(crate) async fn list(server: &Server) -> Vec<pb::DailySeries> {
    let listed = server.series().await.list_daily_series(pb::ListDailySeriesRequest::default()).await;
    listed.unwrap().into_inner().series
}

pub(crate) fn on(date: &str) -> pb::GetDailyPuzzleRequest {
    pb::GetDailyPuzzleRequest { date: date.to_owned(), ..Default::default() }
}

fn of_level(level: pb::Level) -> pb::DayCriteria {
    pb::DayCriteria { level: level.into(), ..Default::default() }
}

pub(crate) async fn daily(
    server: &Server,
    request: pb::GetDailyPuzzleRequest,
) -> Result<pb::GetDailyPuzzleResponse, Status> {
    server.puzzles().await.get_daily_puzzle(request).await.map(tonic::Response::into_inner)
}

async fn id(server: &Server, request: pb::GetDailyPuzzleRequest) -> String {
    daily(server, request).await.unwrap().puzzle.unwrap().id
}

#[tokio::test]
async fn daily_puzzle_is_the_same_for_all_callers_and_stocks() {
    let (server, clock) = started(5).await;
    server.create_daily(pb::Kind::Sudoku).await;
    let first = daily(&server, on("")).await.unwrap();
    assert_eq!((first.series.as_str(), first.date.as_str()), ("daily", "2026-11-21"));
    assert_eq!(first.next_day_time.map(|at| at.to_string()).as_deref(), Some("2026-11-22T00:00:00Z"));
    let first = first.puzzle.unwrap();
    assert_eq!(first.solution, "");
    server.fill(Symmetry::None, 12, 20).await;
    let server = server.restart().await;
    let request = pb::GetDailyPuzzleRequest { include_solution: true, ..on("2026-11-21") };
    let again = daily(&server, request).await.unwrap().puzzle.unwrap();
    assert_eq!((again.id, again.solution.is_empty()), (first.id.clone(), false));
    clock.advance_ms(DAY_MS);
    let next = daily(&server, on("")).await.unwrap();
    assert_eq!(next.date, "2026-11-22");
    assert_ne!(next.puzzle.unwrap().id, first.id);
    assert_eq!(id(&server, on("2026-11-21")).await, first.id);
    // No other call gets the puzzle of a day.
    for _ in 0..23 {
        assert_ne!(server.get_puzzle(sudoku_for("anna")).await.unwrap().id, first.id);
    }
    check(server.get_puzzle(sudoku_for("anna")).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
}

#[tokio::test]
async fn day_begins_in_the_zone_of_its_series() {
    let (server, clock) = started(9).await;
    for (name, zone) in [("tokyo", "Asia/Tokyo"), ("new-york", "America/New_York"), ("world", "Etc/GMT-14")] {
        create(&server, in_zone(name, zone)).await.unwrap();
    }
    let dates = async || {
        let mut dates = Vec::new();
        for series in ["tokyo", "new-york", "world"] {
            let request = pb::GetDailyPuzzleRequest { series: series.to_owned(), ..on("") };
            dates.push(daily(&server, request).await.unwrap().date);
        }
        dates
    };
    assert_eq!(dates().await, ["2026-11-21", "2026-11-21", "2026-11-22"]);
    // It is midnight in Tokyo, and ten o'clock in New York.
    clock.advance_ms(3 * 3_600_000);
    assert_eq!(dates().await, ["2026-11-22", "2026-11-21", "2026-11-22"]);
}

#[tokio::test]
async fn weekday_has_its_own_level() {
    let (server, _) = started(3).await;
    let week =
        [vec![of_level(pb::Level::Hard); 5], vec![of_level(pb::Level::Easy), of_level(pb::Level::Evil)]].concat();
    let request = pb::CreateDailySeriesRequest { criteria: week.clone(), ..in_zone("daily", "") };
    let series = create(&server, request).await.unwrap();
    assert_eq!((series.terms[0].criteria.clone(), series.terms[0].time_zone.as_str()), (week, "UTC"));
    assert_eq!(daily(&server, on("")).await.unwrap().puzzle.unwrap().level(), pb::Level::Easy);
    let sunday = check(daily(&server, on("2026-11-22")).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    assert!(sunday.error_info().is_some());
}

#[tokio::test]
async fn daily_puzzle_is_recorded_for_an_audience_once() {
    let (server, _) = started(4).await;
    server.create_daily(pb::Kind::Sudoku).await;
    let with = |audience: &str| pb::GetDailyPuzzleRequest { audience: audience.to_owned(), ..on("") };
    let puzzle = id(&server, with("anna")).await;
    for request in [with("anna"), with(""), with("bert")] {
        assert_eq!(id(&server, request).await, puzzle);
    }
    for audience in ["anna", "bert"] {
        let [delivery] = &server.deliveries(audience).await[..] else { panic!("several deliveries") };
        let told = (delivery.puzzle_id.clone(), delivery.series.as_str(), delivery.date.as_str());
        assert_eq!(told, (puzzle.clone(), "daily", "2026-11-21"));
    }
}

#[tokio::test]
async fn withdrawn_day_gets_another_puzzle() {
    let (server, _) = started(4).await;
    server.create_daily(pb::Kind::Sudoku).await;
    let first = id(&server, on("")).await;
    let request = pb::WithdrawPuzzleRequest { id: first.clone(), reason: "misprint".to_owned(), include_record: false };
    server.puzzles().await.withdraw_puzzle(request).await.unwrap();
    let second = id(&server, on("")).await;
    assert_ne!(second, first);
    assert_eq!(id(&server, on("2026-11-21")).await, second);
}

#[tokio::test]
async fn servers_prepare_the_coming_days_with_puzzles_that_no_other_call_gets() {
    let (server, clock) = started(0).await;
    let series = server.create_daily(pb::Kind::Sudoku).await;
    assert_eq!((series.days_ready, series.coming_days.len()), (0, 8));
    let planned = server.stock.plan_days().await.unwrap();
    let [(name, job)] = &planned.queued[..] else { panic!("{planned:?}") };
    assert_eq!((name.as_str(), job.wanted, planned.drawn.len()), ("daily", 8, 0));
    assert!(server.stock.plan_days().await.unwrap().queued.is_empty(), "a shortfall has one job");
    let making = list(&server).await.remove(0).coming_days;
    assert!(making.iter().all(|day| day.state() == pb::DayState::Making));
    server.work(12, u32::MAX).await;
    check(server.get_puzzle(sudoku_for("")).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    assert_eq!(server.stock.plan_days().await.unwrap().drawn.len(), 8);
    let series = list(&server).await.remove(0);
    assert_eq!(series.days_ready, 8);
    assert_eq!(series.coming_days[7].date, "2026-11-28");
    // A day later, only the new last day lacks a puzzle.
    clock.advance_ms(DAY_MS);
    assert_eq!(server.stock.plan_days().await.unwrap().queued[0].1.wanted, 1);
    assert_eq!(list(&server).await[0].days_ready, 7);
}

#[tokio::test]
async fn paused_queue_leaves_no_day_empty_while_the_stock_has_puzzles() {
    let (server, clock) = started(9).await;
    server.create_daily(pb::Kind::Sudoku).await;
    let pause = pb::PauseQueueRequest { reason: "a week off".to_owned() };
    server.jobs().await.pause_queue(pause).await.unwrap();
    let mut ids = BTreeSet::new();
    for _ in 0..7 {
        let planned = server.stock.plan_days().await.unwrap();
        assert!(planned.queued.is_empty(), "{planned:?}");
        assert!(ids.insert(id(&server, on("")).await));
        clock.advance_ms(DAY_MS);
    }
    // A past day that nobody asked for gets its puzzle when it is asked for.
    clock.advance_ms(2 * DAY_MS);
    assert!(ids.insert(id(&server, on("2026-11-29")).await));
}

#[tokio::test]
async fn day_without_a_puzzle_waits_for_one() {
    let (server, _) = started(0).await;
    server.create_daily(pb::Kind::Sudoku).await;
    let refused = check(daily(&server, on("")).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    assert!(refused.retry_info().is_none());
    let wanted = pb::GetDailyPuzzleRequest { wait: true, enqueue_if_short: true, ..on("") };
    let (mut client, reads) = (server.puzzles().await, server.store.shelf_reads());
    let waiting = tokio::spawn(async move { client.get_daily_puzzle(wanted).await });
    server.store.until_shelves_read(reads + 2).await;
    server.work(12, u32::MAX).await;
    let puzzle = waiting.await.unwrap().unwrap().into_inner().puzzle.unwrap();
    assert_eq!(id(&server, on("")).await, puzzle.id);
}

#[tokio::test]
async fn series_that_has_ended_keeps_its_days_and_returns() {
    let (server, clock) = started(5).await;
    server.create_daily(pb::Kind::Sudoku).await;
    let first = id(&server, on("")).await;
    let ended = end(&server, "daily").await.unwrap();
    assert!(ended.end_time.is_some() && ended.coming_days.is_empty());
    assert_eq!(id(&server, on("")).await, first);
    clock.advance_ms(DAY_MS);
    let refused = daily(&server, on("")).await;
    let message = "the series `daily` has ended, and 2026-11-22 has no puzzle; let the series continue with \
                   UpdateDailySeries";
    assert_eq!(refused.as_ref().unwrap_err().message(), message);
    check(refused, Code::FailedPrecondition, "SERIES_ENDED");
    check(create(&server, in_zone("daily", "")).await, Code::AlreadyExists, "SERIES_EXISTS");
    let name = "daily".to_owned();
    let updated = update(&server, pb::UpdateDailySeriesRequest { name, ..Default::default() }).await.unwrap();
    assert!(updated.end_time.is_none());
    assert_ne!(id(&server, on("")).await, first);
}

#[tokio::test]
async fn update_holds_from_the_first_day_without_a_puzzle() {
    let (server, _) = started(5).await;
    server.create_daily(pb::Kind::Sudoku).await;
    daily(&server, on("2026-11-23")).await.unwrap();
    let change = |from: &str| pb::UpdateDailySeriesRequest {
        name: "daily".to_owned(),
        time_zone: "Asia/Tokyo".to_owned(),
        effective_date: from.to_owned(),
        ..Default::default()
    };
    let fault = "2026-11-23 is before 2026-11-24, the earliest day that can change";
    check_fields(update(&server, change("2026-11-23")).await, &[("effective_date", fault)]);
    let terms = update(&server, change("")).await.unwrap().terms;
    let told: Vec<_> = terms.iter().map(|it| (it.effective_date.as_str(), it.time_zone.as_str())).collect();
    assert_eq!(told, [("2026-11-21", "UTC"), ("2026-11-24", "Asia/Tokyo")]);
}

#[tokio::test]
async fn unknown_series_and_impossible_days_are_refused() {
    let (server, clock) = started(3).await;
    let unknown = daily(&server, on("")).await;
    let message = unknown.as_ref().unwrap_err().message().to_owned();
    assert!(
        message.starts_with("there is no daily series \"daily\"; create it with CreateDailySeries, or"),
        "{message}"
    );
    check(unknown, Code::NotFound, "SERIES_NOT_FOUND");
    server.create_daily(pb::Kind::Sudoku).await;
    assert_eq!(server.limits().await.max_daily_ahead_days, 7);
    for (date, fault) in [
        ("2026-11-29", "2026-11-29 is after 2026-11-28, which is 7 days after the current day of the series"),
        ("2026-11-20", "2026-11-20 is before 2026-11-21, the first day of the series"),
        ("2026-02-29", "\"2026-02-29\" is not a date from 1970-01-01 on; use one such as 2026-11-21"),
        ("tomorrow", "\"tomorrow\" is not a date from 1970-01-01 on; use one such as 2026-11-21"),
    ] {
        check_fields(daily(&server, on(date)).await, &[("date", fault)]);
    }
    daily(&server, on("2026-11-28")).await.unwrap();
    // Twelve hours later it is the next day.
    clock.advance_ms(DAY_MS / 2);
    daily(&server, on("2026-11-29")).await.unwrap();
    let audience = pb::GetDailyPuzzleRequest { audience: "zo\u{eb}".to_owned(), ..on("") };
    let fault = "\"zo\u{eb}\" has characters that are not allowed; use printable ASCII";
    check_fields(daily(&server, audience).await, &[("audience", fault)]);
}

#[tokio::test]
async fn impossible_series_is_refused_with_each_field() {
    let (server, _) = started(0).await;
    let criteria = vec![of_level(pb::Level::Easy); 6];
    let request = pb::CreateDailySeriesRequest { name: "Daily".to_owned(), kind: 0, criteria, ..in_zone("", "Mars") };
    check_fields(
        create(&server, request).await,
        &[
            ("name", "\"Daily\" has other characters than a to z, 0 to 9, ., _, and -"),
            ("time_zone", "\"Mars\" is not an IANA time zone; use one such as Europe/Berlin"),
            ("kind", "required; GetServerInfo lists the kinds (`puzzled info`)"),
            ("criteria", "6 sets; send one for all days, or seven, Monday first"),
        ],
    );
    let early = pb::CreateDailySeriesRequest { effective_date: "2026-11-20".to_owned(), ..in_zone("daily", "") };
    let fault = "2026-11-20 is before 2026-11-21, the current day of the series";
    check_fields(create(&server, early).await, &[("effective_date", fault)]);
    assert_eq!(list(&server).await, []);
    check(end(&server, "daily").await, Code::NotFound, "SERIES_NOT_FOUND");
    let update_of = pb::UpdateDailySeriesRequest { name: "daily".to_owned(), ..Default::default() };
    check(update(&server, update_of).await, Code::NotFound, "SERIES_NOT_FOUND");
}

#[tokio::test]
async fn declared_series_is_changed_in_its_configuration_only() {
    let (server, _) = started(0).await;
    let zone = Zone::named("UTC").unwrap();
    let [kind, variant] = ["sudoku", "9x9"].map(|word| Some(word.to_owned()));
    let days = vec![Criteria { kind, variant, ..Criteria::default() }];
    let wish = SeriesWish { name: "daily".to_owned(), zone, days };
    let declaration = Declaration::new("day".to_owned(), vec![wish]).unwrap();
    server.store.declare_series(&declaration, &someone()).await.unwrap().unwrap();
    assert_eq!(list(&server).await[0].declared_by, "day");
    let change = pb::UpdateDailySeriesRequest { name: "daily".to_owned(), ..Default::default() };
    let refused = update(&server, change).await;
    let message = "the series `daily` is declared by the configuration \"day\"; change it there and restart a server that \
                   has it";
    assert_eq!(refused.as_ref().unwrap_err().message(), message);
    check(refused, Code::FailedPrecondition, "SERIES_DECLARED");
}

#[tokio::test]
async fn two_servers_at_midnight_give_a_day_one_puzzle() {
    let (server, clock) = started(20).await;
    server.create_daily(pb::Kind::Sudoku).await;
    let store: Arc<dyn Store> = Arc::clone(&server.store) as _;
    let other =
        Stock::new(store, Arc::new(Chance::from_seed(2)), Arc::clone(&clock) as _, Arc::<CurrentSettings>::default());
    // From 21 November at noon to the first instant of the 22nd.
    clock.advance_ms(DAY_MS / 2);
    let asked = async || daily(&server, on("")).await.unwrap();
    let (one, two, _, _) = tokio::join!(asked(), asked(), server.stock.plan_days(), other.plan_days());
    assert_eq!((one.date.as_str(), &one.puzzle), ("2026-11-22", &two.puzzle));
    let id = one.puzzle.unwrap().id;
    let series = server.store.series("daily").await.unwrap().unwrap();
    let days = server.store.days(series.current_date(clock.now()).unwrap()).await.unwrap();
    let today: Vec<_> = days.iter().filter(|day| day.date.to_string() == "2026-11-22").collect();
    assert_eq!((today.len(), today[0].puzzle_id.to_string()), (1, id));
}
