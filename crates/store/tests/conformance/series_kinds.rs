//! Series whose days have different kinds or variants: a series gets several, keeps the puzzles of its past days, and returns to one.

use puzzled_store::{
    jobs::process::{OlderProcess, RUNNING_MS},
    series::{
        daily_series::{SEVERAL, Series, SeriesWish},
        day::DayDrawn,
        update::{SeriesChange, SeriesCreated, SeriesRefusal, SeriesUpdated},
    },
    targets::declaration::Clash,
};

use puzzled_engine::shared::criteria::Criteria;

use crate::{
    days::new_day,
    prelude::*,
    processes::process,
    series::{TODAY, any, created, date, declaration_of, updated, wish_of},
};

/// A variant beside that of the other cases.
const OTHER: &str = "2x2";

fn of(variant: &str) -> Criteria {
    Criteria { variant: Some(variant.to_owned()), ..any() }
}

/// The other variant on Mondays.
pub(crate) fn mixed() -> Vec<Criteria> {
    [vec![of(OTHER)], vec![any(); 6]].concat()
}

pub(crate) fn to(days: Vec<Criteria>) -> SeriesChange {
    SeriesChange { days: Some(days), ..SeriesChange::default() }
}

/// Withdraws the puzzle of a day, if it has one, and returns the variant of the next one.
async fn drawn_anew(store: &dyn Store, series: &Series, day: i8) -> String {
    if let Some(old) = store.puzzle_of_day(series.id, date(day)).await.unwrap() {
        store.withdraw(old.id, "misprinted", &someone()).await.unwrap();
    }
    match store.draw_day(&new_day(store, series, date(day), 1).await).await.unwrap() {
        DayDrawn::New(puzzle) => puzzle.shelf.variant,
        other => panic!("no new puzzle: {other:?}"),
    }
}

async fn read(store: &dyn Store) -> Series {
    store.series("daily").await.unwrap().unwrap()
}

pub(crate) async fn days_keep_their_variant_when_a_series_gets_several(store: &dyn Store, world: &World) {
    let own = spec().variant;
    stock(store, 0..9).await;
    let others = [(10, 15, "Counting", 1), (11, 15, "Counting", 1), (12, 15, "Counting", 1)];
    stock_of(store, Spec { variant: OTHER.to_owned(), ..spec() }, &others).await;
    let series = created(store, &wish_of("daily")).await;
    assert_eq!(drawn_anew(store, &series, 9).await, own);

    // 10 September 2001 is a Monday.
    let series = updated(store, "daily", &to(mixed())).await;
    assert_eq!((series.kind.as_str(), series.puzzles()), (SEVERAL, None));
    assert_eq!((series.criteria_on(TODAY), series.criteria_on(date(10))), (Some(any()), Some(of(OTHER))));
    assert_eq!(world.open().await.series("daily").await.unwrap().as_ref(), Some(&series));
    for (day, variant) in [(10, OTHER), (11, &own), (9, &own)] {
        assert_eq!(drawn_anew(store, &series, day).await, variant, "{day}");
    }

    // While the days of its several variants last, the series keeps the word.
    let series = updated(store, "daily", &to(vec![any()])).await;
    assert_eq!((series.kind.as_str(), series.terms.len()), (SEVERAL, 3));
    store.settle_series(series.id).await.unwrap();
    assert_eq!(read(store).await, series);
    world.pass_ms(3 * 24 * 3_600_000);
    assert!(!series.is_settled(store.now().await.unwrap()));
    store.settle_series(series.id).await.unwrap();
    let series = read(store).await;
    assert_eq!(series.puzzles(), Some((spec().kind.as_str(), own.as_str())));
    for (day, variant) in [(9, own.as_str()), (10, OTHER), (11, &own), (12, &own)] {
        assert_eq!(drawn_anew(store, &series, day).await, variant, "{day}");
    }

    // A series of one variant becomes one of another only over several.
    let refused = store.update_series("daily", &to(vec![of(OTHER)]), &someone()).await.unwrap();
    let SeriesUpdated::Refused(SeriesRefusal::OtherPuzzles { was, wanted }) = refused else { panic!("{refused:?}") };
    assert_eq!((was, wanted), ("number 1x1".to_owned(), "number 2x2".to_owned()));
    world.is_sound().await;
}

pub(crate) async fn no_series_gets_several_kinds_while_an_older_process_runs(store: &dyn Store, world: &World) {
    let old = process("aaaa0001");
    let older = OlderProcess { host: old.host.clone(), version: old.version.clone() };
    store.keep_process(&old).await.unwrap();
    created(store, &wish_of("daily")).await;
    let several = SeriesWish { days: mixed(), ..wish_of("several") };
    let refused = store.create_series(&several, None, &someone()).await.unwrap();
    assert_eq!(refused, SeriesCreated::Older(older.clone()));
    let refused = store.update_series("daily", &to(mixed()), &someone()).await.unwrap();
    assert_eq!(refused, SeriesUpdated::Refused(SeriesRefusal::Older(older.clone())));
    for wish in [several.clone(), SeriesWish { days: mixed(), ..wish_of("daily") }] {
        let series = wish.name.clone();
        let tables = declaration_of("day", &[wish_of("other"), wish]);
        let clash = store.declare_series(&tables, &someone()).await.unwrap();
        assert_eq!(clash, Err(Clash::Older { table: 2, series, older: older.clone() }));
    }
    assert_eq!(store.all_series().await.unwrap().len(), 1);

    world.pass_ms(RUNNING_MS);
    assert_eq!(created(store, &several).await.puzzles(), None);
    // Once a series has several kinds, an older process that starts again does not prevent its changes.
    store.keep_process(&old).await.unwrap();
    let later = [mixed()[1..].to_vec(), vec![of(OTHER)]].concat();
    assert_eq!(updated(store, "several", &to(later)).await.kind, SEVERAL);
    world.is_sound().await;
}
