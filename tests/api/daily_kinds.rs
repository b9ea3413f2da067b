//! Series whose days have different kinds: planned, delivered, changed, and refused by their fields.

use puzzled_store::{ProcessStore as _, jobs::process};

use crate::{
    daily::{create, daily, list, on, started, update},
    kakuro::{by_engine, work},
    prelude::*,
};

fn of(kind: pb::Kind, variant: &str) -> pb::DayCriteria {
    pb::DayCriteria {
        kind: kind.into(),
        variant: variant.to_owned(),
        level: pb::Level::Easy.into(),
        ..Default::default()
    }
}

/// Easy Sudokus, but a futoshiki on Sundays.
fn week() -> Vec<pb::DayCriteria> {
    [vec![of(pb::Kind::Sudoku, ""); 6], vec![of(pb::Kind::Futoshiki, "4x4")]].concat()
}

fn weekly(criteria: Vec<pb::DayCriteria>) -> pb::CreateDailySeriesRequest {
    pb::CreateDailySeriesRequest { name: "daily".to_owned(), criteria, ..Default::default() }
}

fn to(criteria: Vec<pb::DayCriteria>) -> pb::UpdateDailySeriesRequest {
    pb::UpdateDailySeriesRequest { name: "daily".to_owned(), criteria, ..Default::default() }
}

#[tokio::test]
async fn weekday_has_its_own_kind() {
    let (server, _) = started(0).await;
    let series = create(&server, weekly(week())).await.unwrap();
    assert_eq!((series.kind(), series.variant.as_str()), (pb::Kind::Unspecified, ""));
    let stated = |set: &pb::DayCriteria| (set.kind(), set.variant.clone());
    let of_sets: Vec<_> = series.terms[0].criteria.iter().map(stated).collect();
    assert_eq!(of_sets[5..], [(pb::Kind::Sudoku, "9x9".to_owned()), (pb::Kind::Futoshiki, "4x4".to_owned())]);
    // 22 November 2026 is a Sunday. Eight days have two.
    let wanted: Vec<_> =
        server.stock.plan_days().await.unwrap().queued.into_iter().map(|(_, job)| job.wanted).collect();
    assert_eq!(wanted.iter().sum::<u32>(), 8);
    assert_eq!(wanted.len(), 2);
    work(&server.queue, by_engine).await;
    assert_eq!(server.stock.plan_days().await.unwrap().drawn.len(), 8);
    let coming = list(&server).await.remove(0).coming_days;
    for day in &coming {
        let puzzle = daily(&server, on(&day.date)).await.unwrap().puzzle.unwrap();
        assert_eq!((puzzle.kind(), &puzzle.variant), (day.kind(), &day.variant), "{}", day.date);
        assert_eq!(day.state(), pb::DayState::Ready);
    }
    let sundays: Vec<_> = coming.iter().filter(|day| day.kind() == pb::Kind::Futoshiki).map(|day| &day.date).collect();
    assert_eq!(sundays, ["2026-11-22"]);
}

#[tokio::test]
async fn view_of_a_day_depends_on_its_own_kind() {
    let (server, _) = started(0).await;
    let kakuro = pb::DayCriteria { level: 0, ..of(pb::Kind::Kakuro, "") };
    create(&server, weekly([vec![of(pb::Kind::Sudoku, ""); 6], vec![kakuro]].concat())).await.unwrap();
    let view = |date| pb::GetDailyPuzzleRequest { scramble_seed: Some(1), ..on(date) };
    let sunday = daily(&server, view("2026-11-22")).await;
    assert!(sunday.as_ref().unwrap_err().message().starts_with("scramble_seed: "), "{sunday:?}");
    check(daily(&server, view("2026-11-21")).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
}

#[tokio::test]
async fn series_gets_several_kinds_and_returns_to_its_own() {
    let (server, clock) = started(9).await;
    server.create_daily(pb::Kind::Sudoku).await;
    daily(&server, on("")).await.unwrap();
    let several = update(&server, to(week())).await.unwrap();
    assert_eq!((several.kind(), several.terms[1].effective_date.as_str()), (pb::Kind::Unspecified, "2026-11-22"));
    let easy = pb::DayCriteria { level: pb::Level::Easy.into(), ..Default::default() };
    let fault = "the days of the series have different kinds; set a kind in each set";
    check_fields(update(&server, to(vec![easy])).await, &[("criteria", fault)]);
    update(&server, to(vec![of(pb::Kind::Sudoku, "")])).await.unwrap();
    server.stock.plan_days().await.unwrap();
    let one = &list(&server).await[0];
    assert_eq!((one.kind(), one.variant.as_str()), (pb::Kind::Sudoku, "9x9"));
    let fault = "the series is of sudoku 9x9 and cannot become one of futoshiki 4x4; create one with another name";
    check_fields(update(&server, to(vec![of(pb::Kind::Futoshiki, "4x4")])).await, &[("criteria", fault)]);
    clock.advance_ms(0);
}

#[tokio::test]
async fn kinds_of_days_are_refused_by_their_fields() {
    let (server, _) = started(0).await;
    let (sudoku, any) = (of(pb::Kind::Sudoku, ""), pb::DayCriteria::default());
    let mixed = [vec![sudoku.clone(); 6], vec![any.clone()]].concat();
    let with_kind = pb::CreateDailySeriesRequest { kind: pb::Kind::Sudoku.into(), ..weekly(week()) };
    let lone = pb::DayCriteria { variant: "9x9".to_owned(), ..any };
    let lone = pb::CreateDailySeriesRequest { kind: pb::Kind::Sudoku.into(), ..weekly(vec![lone]) };
    let lacking =
        [vec![sudoku; 6], vec![pb::DayCriteria { level: pb::Level::Evil.into(), ..of(pb::Kind::Futoshiki, "4x4") }]];
    for (request, field, fault) in [
        (weekly(mixed), "criteria", "criteria[0] has a kind, criteria[6] has none; set all kinds, or none"),
        (with_kind, "kind", "set together with the kinds of the days; set one or the other"),
        (weekly(vec![]), "kind", "required; GetServerInfo lists the kinds (`puzzled info`)"),
        (lone, "criteria[0].variant", "set without a kind; set both, or neither"),
        (weekly(lacking.concat()), "criteria[6].level", "futoshiki 4x4 has no level evil; use easy"),
    ] {
        let refused = create(&server, request).await;
        assert_eq!(refused.as_ref().unwrap_err().message().split(": ").next(), Some(field), "{refused:?}");
        assert!(refused.as_ref().unwrap_err().message().contains(fault), "{refused:?}");
    }
    assert_eq!(list(&server).await, []);
}

#[tokio::test]
async fn older_process_prevents_a_series_of_several_kinds() {
    let (server, _) = started(0).await;
    let old = process::Process {
        name: "aaaa0001".to_owned(),
        host: "paper-2".to_owned(),
        pid: 7,
        role: process::Role::Serve,
        version: "0.2.0".to_owned(),
        workers: 0,
    };
    server.store.keep_process(&old).await.unwrap();
    let refused = create(&server, weekly(week())).await;
    let message = "the process on host paper-2 has version 0.2.0, which draws no puzzles for a series of several kinds; \
                   replace it with 0.3 or later, and repeat the call";
    assert_eq!(refused.as_ref().unwrap_err().message(), message);
    check(refused, Code::FailedPrecondition, "PROCESS_TOO_OLD");
    server.store.remove_process("aaaa0001").await.unwrap();
    create(&server, weekly(week())).await.unwrap();
}
