//! Daily series: they are created, updated, ended, and declared, and keep their name, their puzzles, and their days.

use jiff::civil::Date;
use puzzled_store::{
    series::{
        daily_series::{SERIES_MAX, Series, SeriesWish, Terms, Zone},
        update::{SeriesChange, SeriesCreated, SeriesRefusal, SeriesUpdated},
    },
    targets::declaration::{Act, Clash, Declaration, Declared},
};

use puzzled_engine::shared::criteria::Criteria;

use crate::prelude::*;

/// The current day in UTC at the start of a case.
pub(crate) const TODAY: Date = Date::constant(2001, 9, 9);

pub(crate) fn date(day: i8) -> Date {
    Date::constant(2001, 9, day)
}

pub(crate) fn zone(name: &str) -> Zone {
    Zone::named(name).unwrap()
}

/// The criteria of a day with puzzles of any level, of the kind that the helpers of the cases make.
pub(crate) fn any() -> Criteria {
    let Spec { kind, variant, .. } = spec();
    Criteria { kind: Some(kind), variant: Some(variant), ..Criteria::default() }
}

pub(crate) fn at_level(level: Level) -> Criteria {
    Criteria { level: Some(level), ..any() }
}

/// A series of any puzzles that the helpers of the cases make, with days in UTC.
pub(crate) fn wish_of(name: &str) -> SeriesWish {
    SeriesWish { name: name.to_owned(), zone: zone("UTC"), days: vec![any()] }
}

pub(crate) async fn created(store: &dyn Store, wish: &SeriesWish) -> Series {
    match store.create_series(wish, None, &someone()).await.unwrap() {
        SeriesCreated::Created(series) => series,
        other => panic!("not created: {other:?}"),
    }
}

pub(crate) async fn updated(store: &dyn Store, name: &str, change: &SeriesChange) -> Series {
    match store.update_series(name, change, &someone()).await.unwrap() {
        SeriesUpdated::Updated(series) => series,
        other => panic!("not updated: {other:?}"),
    }
}

fn at_zone(name: &str) -> SeriesChange {
    SeriesChange { zone: Some(zone(name)), ..SeriesChange::default() }
}

pub(crate) fn declaration_of(name: &str, wishes: &[SeriesWish]) -> Declaration<SeriesWish> {
    Declaration::new(name.to_owned(), wishes.to_vec()).unwrap()
}

async fn declared(store: &dyn Store, name: &str, wishes: &[SeriesWish]) -> Vec<(Act, String)> {
    let declared = store.declare_series(&declaration_of(name, wishes), &someone()).await.unwrap().unwrap();
    declared.into_iter().map(|Declared { act, of }| (act, of.name)).collect()
}

pub(crate) async fn series_begins_with_the_current_day_of_its_zone(store: &dyn Store, world: &World) {
    let tokyo = SeriesWish { zone: zone("Asia/Tokyo"), ..wish_of("tokyo") };
    let new_york = SeriesWish { zone: zone("America/New_York"), ..wish_of("new-york") };
    for (wish, first) in [(&tokyo, 9), (&new_york, 8)] {
        let series = created(store, wish).await;
        assert_eq!(series.terms, [Terms { effective_date: date(first), ..wish.terms(TODAY) }]);
        assert_eq!(series.wish().as_ref(), Some(wish));
        assert_eq!((series.ended_at, series.declared_by.as_deref()), (None, None));
        assert_eq!(world.open().await.series(&wish.name).await.unwrap(), Some(series));
    }
    let names: Vec<_> = store.all_series().await.unwrap().into_iter().map(|series| series.name).collect();
    assert_eq!(names, ["new-york", "tokyo"]);
    assert_eq!(store.series("daily").await.unwrap(), None);
}

pub(crate) async fn series_is_not_created_twice_nor_before_today(store: &dyn Store, _: &World) {
    let early = store.create_series(&wish_of("daily"), Some(date(8)), &someone()).await.unwrap();
    assert_eq!(early, SeriesCreated::TooEarly { earliest: TODAY });
    let later = store.create_series(&wish_of("daily"), Some(date(20)), &someone()).await.unwrap();
    let SeriesCreated::Created(series) = later else { panic!("{later:?}") };
    assert_eq!(series.terms[0].effective_date, date(20));
    assert_eq!(store.end_series("daily", &someone()).await.unwrap().map(|ended| ended.name).as_deref(), Some("daily"));
    let again = store.create_series(&wish_of("daily"), None, &someone()).await.unwrap();
    assert_eq!(again, SeriesCreated::Exists);
}

pub(crate) async fn series_stay_within_their_limit(store: &dyn Store, _: &World) {
    let wishes: Vec<_> = (1..SERIES_MAX).map(|number| wish_of(&format!("series-{number}"))).collect();
    assert_eq!(declared(store, "day", &wishes).await.len(), wishes.len());
    created(store, &wish_of("last")).await;
    let full = store.create_series(&wish_of("more"), None, &someone()).await.unwrap();
    assert_eq!(full, SeriesCreated::TooMany { series: SERIES_MAX });
    // A series that ends still counts, because it keeps its name.
    let others = [wish_of("more"), wish_of("series-2")];
    let clash = store.declare_series(&declaration_of("day", &others), &someone()).await.unwrap();
    let number = SERIES_MAX as usize + 1;
    let words = clash.unwrap_err().to_string();
    let counted = format!(
        "with the configuration `day`, there would be {number} series; the limit is {SERIES_MAX}; ended ones count, too; "
    );
    assert_eq!(words, counted + "give a new table the name of an ended series");
    assert!(store.all_series().await.unwrap().iter().all(|series| series.ended_at.is_none()));
}

pub(crate) async fn update_replaces_the_terms_from_its_day_on(store: &dyn Store, world: &World) {
    let first = created(store, &wish_of("daily")).await;
    world.pass_ms(1_000);
    let planned = SeriesChange { effective_date: Some(date(20)), ..at_zone("Asia/Tokyo") };
    let series = updated(store, "daily", &planned).await;
    let froms = |series: &Series| series.terms.iter().map(|terms| terms.effective_date).collect::<Vec<_>>();
    assert_eq!(froms(&series), [TODAY, date(20)]);
    assert!(series.updated_at > first.updated_at);
    let from = |day| SeriesChange { effective_date: Some(date(day)), ..at_zone("Europe/Berlin") };
    assert_eq!(froms(&updated(store, "daily", &from(15)).await), [TODAY, date(15)]);
    assert_eq!(froms(&updated(store, "daily", &from(9)).await), [TODAY]);
    let refused = store.update_series("daily", &from(8), &someone()).await.unwrap();
    assert_eq!(refused, SeriesUpdated::Refused(SeriesRefusal::TooEarly { earliest: TODAY }));
    let unknown = store.update_series("weekly", &from(9), &someone()).await.unwrap();
    assert_eq!(unknown, SeriesUpdated::NoSeries);
}

pub(crate) async fn series_that_has_ended_continues_when_it_is_updated(store: &dyn Store, _: &World) {
    let series = created(store, &wish_of("daily")).await;
    let ended = store.end_series("daily", &someone()).await.unwrap().unwrap();
    assert!(ended.ended_at.is_some());
    assert_eq!(store.end_series("daily", &someone()).await.unwrap(), Some(ended));
    assert_eq!(store.end_series("weekly", &someone()).await.unwrap(), None);
    assert_eq!(updated(store, "daily", &SeriesChange::default()).await, series);
    // The second end changed nothing.
    let entries = store.audit_entries(&AuditFilter::default(), None, 9).await.unwrap();
    assert_eq!(entries.len(), 3);
    assert!(entries.iter().all(|entry| entry.subjects == ["daily"]));
}

pub(crate) async fn declared_series_follow_their_configuration(store: &dyn Store, _: &World) {
    created(store, &wish_of("by-call")).await;
    let day = ["by-call", "daily", "mini"].map(wish_of);
    let named = |acts: &[(Act, &str)]| acts.iter().map(|(act, name)| (*act, (*name).to_owned())).collect::<Vec<_>>();
    let all = named(&[(Act::Declared, "by-call"), (Act::Added, "daily"), (Act::Added, "mini")]);
    assert_eq!(declared(store, "day", &day).await, all);
    assert_eq!(declared(store, "day", &day).await, []);
    let refused = store.update_series("mini", &SeriesChange::default(), &someone()).await.unwrap();
    assert_eq!(refused, SeriesUpdated::Refused(SeriesRefusal::Declared("day".to_owned())));
    let tokyo = SeriesWish { zone: zone("Asia/Tokyo"), ..wish_of("daily") };
    assert_eq!(
        declared(store, "day", std::slice::from_ref(&tokyo)).await,
        named(&[(Act::Removed, "by-call"), (Act::Removed, "mini"), (Act::Changed, "daily")])
    );
    let mini = store.series("mini").await.unwrap().unwrap();
    assert!(mini.ended_at.is_some() && mini.declared_by.is_none());
    assert_eq!(declared(store, "day", &[tokyo, wish_of("mini")]).await, named(&[(Act::Declared, "mini")]));
    assert_eq!(store.series("mini").await.unwrap().unwrap().ended_at, None);
    // A configuration without series changes none.
    assert_eq!(declared(store, "day", &[]).await, []);
}

pub(crate) async fn declaration_of_another_series_is_refused_and_nothing_changes(store: &dyn Store, _: &World) {
    declared(store, "day", &[wish_of("daily"), wish_of("mini")]).await;
    let before = store.all_series().await.unwrap();
    let night = declaration_of("night", &[wish_of("new"), wish_of("mini")]);
    let clash = store.declare_series(&night, &someone()).await.unwrap().unwrap_err();
    let words = clash.to_string();
    let declared = "[[series]] 2 of the configuration `night` is for the series `mini`, which the configuration `day` has declared, too; ";
    assert!(words.starts_with(declared) && words.ends_with("no longer used, end the series"), "{words}");
    let days = vec![Criteria { variant: Some("other".to_owned()), ..any() }];
    let other = SeriesWish { days, ..wish_of("daily") };
    let clash = store.declare_series(&declaration_of("day", &[other]), &someone()).await.unwrap().unwrap_err();
    assert!(matches!(clash, Clash::OtherPuzzles { table: 1, .. }), "{clash:?}");
    assert_eq!(store.all_series().await.unwrap(), before);
}
