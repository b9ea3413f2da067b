//! The days of series: each has one puzzle for all processes, which no other day and no draw gets, also after a withdrawal.

use std::collections::HashSet;

use jiff::civil::Date;
use puzzled_store::{
    deliveries::holder::{Holder, Release, ReleaseOf},
    series::{
        calendar::after,
        daily_series::{Series, SeriesWish},
        day::{Day, DayDelivery, DayDrawn, NewDay},
        update::{SeriesChange, SeriesRefusal, SeriesUpdated},
    },
};

use crate::{
    prelude::*,
    series::{TODAY, at_level, created, date, updated, wish_of},
    withdrawals::of_all,
};

/// A request for a day of a series, from the shelves too.
pub(crate) async fn new_day(store: &dyn Store, series: &Series, date: Date, seed: u64) -> NewDay {
    let fitting = series.filter_on(date).unwrap();
    let among = Some(Arc::new(FittingShelves::of(&store.shelves().await.unwrap(), &fitting)));
    NewDay { series_id: series.id, date, fitting, among, seed }
}

/// A request for a day of a series, from the held puzzles only.
async fn held_day(store: &dyn Store, series: &Series, date: Date, seed: u64) -> NewDay {
    NewDay { among: None, ..new_day(store, series, date, seed).await }
}

async fn drawn(store: &dyn Store, new: &NewDay) -> Puzzle {
    match store.draw_day(new).await.unwrap() {
        DayDrawn::New(puzzle) | DayDrawn::Same(puzzle) => *puzzle,
        other => panic!("no puzzle: {other:?}"),
    }
}

/// The numbers of positions and of empty ones of all shelves.
async fn summed(store: &dyn Store) -> (i64, i64) {
    let all = counts(store).await;
    (all.iter().map(|(positions, _)| positions).sum(), all.iter().map(|(_, empty)| empty).sum())
}

/// Adds a puzzle of each of these numbers that a series holds, by a job in one commit.
pub(crate) async fn hold(store: &dyn Store, series: &str, numbers: impl IntoIterator<Item = u64>) {
    let numbers: Vec<_> = numbers.into_iter().collect();
    let holder = Some(Holder::Series(series.to_owned()));
    queue(store, NewJob { holder, ..job(u32::try_from(numbers.len()).unwrap()) }).await;
    let slice = claimed_whole(store, 1).await;
    committed(store, &slice, &numbers).await;
}

pub(crate) async fn day_gets_one_puzzle_for_all_processes(store: &dyn Store, world: &World) {
    stock(store, 0..20).await;
    let series = created(store, &wish_of("daily")).await;
    let mut callers = JoinSet::new();
    for process in 0..3 {
        let store = world.open().await;
        for caller in 0..4 {
            let (store, series) = (Arc::clone(&store), series.clone());
            callers.spawn(async move {
                let mut ids = Vec::new();
                for day in 9..12 {
                    let new = new_day(&*store, &series, date(day), process * 100 + caller).await;
                    ids.push(drawn(&*store, &new).await.id);
                }
                ids
            });
        }
    }
    let answers: BTreeSet<_> = callers.join_all().await.into_iter().collect();
    let [ids] = &answers.into_iter().collect::<Vec<_>>()[..] else { panic!("several puzzles for a day") };
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 3);
    let known = (9..).zip(ids).map(|(day, &puzzle_id)| Day { series_id: series.id, date: date(day), puzzle_id });
    assert_eq!(store.days(TODAY).await.unwrap(), known.collect::<Vec<_>>());
    assert_eq!(store.puzzle_of_day(series.id, date(10)).await.unwrap().map(|puzzle| puzzle.id), Some(ids[1]));
    world.is_sound().await;
}

pub(crate) async fn puzzle_of_a_day_leaves_the_shelves(store: &dyn Store, world: &World) {
    stock(store, 0..3).await;
    let series = created(store, &wish_of("daily")).await;
    let puzzle = drawn(store, &new_day(store, &series, TODAY, 1).await).await;
    assert_eq!((puzzle.position, &puzzle.holder), (None, &Some(Holder::Series("daily".to_owned()))));
    assert!(puzzle.record.is_some());
    assert_eq!(summed(store).await, (3, 1));
    let left: HashSet<_> = drained(store, "one").await.into_iter().map(|puzzle| puzzle.id).collect();
    assert_eq!((left.len(), left.contains(&puzzle.id)), (2, false));
    // The other days get the other puzzles, and then there is none.
    for day in [10, 11] {
        let other = drawn(store, &new_day(store, &series, date(day), 1).await).await;
        assert!(left.contains(&other.id));
    }
    let none = store.draw_day(&new_day(store, &series, date(12), 1).await).await.unwrap();
    assert_eq!(none, DayDrawn::Exhausted);
    assert_eq!(summed(store).await, (3, 3));
    world.is_sound().await;
}

pub(crate) async fn held_puzzles_come_before_those_of_the_shelves(store: &dyn Store, world: &World) {
    stock(store, 0..9).await;
    let series = created(store, &wish_of("daily")).await;
    let other = created(store, &wish_of("other")).await;
    hold(store, "daily", 10..12).await;
    let mut numbers = Vec::new();
    for day in [9, 10, 11] {
        numbers.push(number_of(&drawn(store, &new_day(store, &series, date(day), 5).await).await));
    }
    assert_eq!((numbers[..2].iter().all(|number| *number >= 10), numbers[2] < 10), (true, true), "{numbers:?}");
    // Another series does not get them.
    let none = store.draw_day(&held_day(store, &other, TODAY, 1).await).await.unwrap();
    assert_eq!(none, DayDrawn::Exhausted);
    assert_eq!(store.free_held(99).await.unwrap(), []);
    world.is_sound().await;
}

pub(crate) async fn held_puzzles_wait_for_the_end_of_their_job(store: &dyn Store, _: &World) {
    let series = created(store, &wish_of("daily")).await;
    let holder = Some(Holder::Series("daily".to_owned()));
    queue(store, NewJob { holder, shortfall: Some("a spec".to_owned()), ..job(2) }).await;
    let slice = claimed_of(store, 1, 1).await;
    committed(store, &slice, &[1]).await;
    let held = held_day(store, &series, TODAY, 1).await;
    assert_eq!(store.draw_day(&held).await.unwrap(), DayDrawn::Exhausted);
    let jobs = store.jobs_of_series("daily", 9).await.unwrap();
    assert_eq!((jobs.len(), jobs[0].0.as_str(), jobs[0].1.made), (1, "a spec", 1));
    let slice = claimed_of(store, 1, 2).await;
    committed(store, &slice, &[2]).await;
    assert_eq!(store.free_held(99).await.unwrap().len(), 2);
    drawn(store, &held).await;
    assert_eq!(store.free_held(99).await.unwrap().len(), 1);
}

pub(crate) async fn each_held_puzzle_has_the_same_chance(store: &dyn Store, _: &World) {
    let series = created(store, &wish_of("daily")).await;
    hold(store, "daily", 0..400).await;
    let mut first = 0;
    for days in 0..200 {
        let new = held_day(store, &series, after(TODAY, days), days.unsigned_abs()).await;
        first += u32::from(number_of(&drawn(store, &new).await) < 200);
    }
    // 200 of 400 without replacement: within four standard deviations of 100.
    assert!((80..=120).contains(&first), "{first}");
}

pub(crate) async fn withdrawn_day_gets_another_puzzle_by_its_own_criteria(store: &dyn Store, world: &World) {
    stock(store, 0..9).await;
    let series = created(store, &wish_of("daily")).await;
    let first = drawn(store, &new_day(store, &series, TODAY, 1).await).await;
    let last = drawn(store, &new_day(store, &series, date(12), 1).await).await;
    // From now on, only evil puzzles fit, which the stock does not have.
    let evil = SeriesChange { days: Some(vec![at_level(Level::Evil)]), ..SeriesChange::default() };
    let early = SeriesChange { effective_date: Some(date(12)), ..evil.clone() };
    let refused = store.update_series("daily", &early, &someone()).await.unwrap();
    assert_eq!(refused, SeriesUpdated::Refused(SeriesRefusal::TooEarly { earliest: date(13) }));
    let series = updated(store, "daily", &evil).await;
    for (day, old) in [(TODAY, &first), (date(12), &last)] {
        store.withdraw(old.id, "misprinted", &someone()).await.unwrap();
        assert_eq!(store.puzzle_of_day(series.id, day).await.unwrap(), None);
        let new = drawn(store, &new_day(store, &series, day, 2).await).await;
        assert_ne!(new.id, old.id);
        assert_eq!(
            store.draw_day(&new_day(store, &series, day, 3).await).await.unwrap(),
            DayDrawn::Same(Box::new(new))
        );
    }
    let none = store.draw_day(&new_day(store, &series, date(13), 1).await).await.unwrap();
    assert_eq!(none, DayDrawn::Exhausted);
    world.is_sound().await;
}

pub(crate) async fn day_is_not_drawn_by_terms_that_have_changed(store: &dyn Store, _: &World) {
    stock(store, 0..9).await;
    let series = created(store, &wish_of("daily")).await;
    let stale = new_day(store, &series, TODAY, 1).await;
    let evil = SeriesChange { days: Some(vec![at_level(Level::Evil)]), ..SeriesChange::default() };
    updated(store, "daily", &evil).await;
    assert_eq!(store.draw_day(&stale).await.unwrap(), DayDrawn::Unlucky);
    assert_eq!(store.days(TODAY).await.unwrap(), []);
}

pub(crate) async fn series_that_has_ended_keeps_its_days_and_gets_no_more(store: &dyn Store, _: &World) {
    stock(store, 0..9).await;
    let series = created(store, &wish_of("daily")).await;
    let today = new_day(store, &series, TODAY, 1).await;
    let puzzle = drawn(store, &today).await;
    store.end_series("daily", &someone()).await.unwrap().unwrap();
    assert_eq!(drawn(store, &today).await.id, puzzle.id);
    let tomorrow = new_day(store, &series, date(10), 1).await;
    assert_eq!(store.draw_day(&tomorrow).await.unwrap(), DayDrawn::Ended);
    let series = updated(store, "daily", &SeriesChange::default()).await;
    assert_ne!(drawn(store, &new_day(store, &series, date(10), 1).await).await.id, puzzle.id);
    assert_eq!(drawn(store, &today).await.id, puzzle.id);
}

pub(crate) async fn daily_puzzle_is_recorded_for_an_audience_once(store: &dyn Store, world: &World) {
    stock(store, 0..9).await;
    let series = created(store, &wish_of("daily")).await;
    let puzzle = drawn(store, &new_day(store, &series, TODAY, 1).await).await;
    let delivery = |audience: &str, puzzle: &Puzzle| DayDelivery {
        audience: audience.to_owned(),
        series: "daily".to_owned(),
        date: TODAY,
        puzzle_id: puzzle.id,
    };
    let both = [delivery("one", &puzzle), delivery("other", &puzzle), delivery("one", &puzzle)];
    for recorded in [[true, true, false], [false; 3]] {
        assert_eq!(store.deliver_days(&both).await.unwrap(), recorded);
        for audience in AUDIENCES {
            let listed = store.deliveries(audience, None, 9).await.unwrap();
            let [listed] = &listed[..] else { panic!("{listed:?}") };
            assert_eq!((listed.series.as_deref(), listed.date.as_deref()), (Some("daily"), Some("2001-09-09")));
            assert_eq!((listed.puzzle_id, listed.request_id.as_deref()), (Some(puzzle.id), None));
        }
    }
    // After a withdrawal, the audience gets the other puzzle of the day, and the first one stays recorded without a date.
    store.withdraw(puzzle.id, "misprinted", &someone()).await.unwrap();
    let other = drawn(store, &new_day(store, &series, TODAY, 2).await).await;
    store.deliver_days(&[delivery("one", &other)]).await.unwrap();
    let dates: Vec<_> = store.deliveries("one", None, 9).await.unwrap().into_iter().map(|it| it.date).collect();
    assert_eq!(dates, [Some("2001-09-09".to_owned()), None]);
    assert_eq!(had(store, "one").await, [puzzle.id, other.id]);
    world.is_sound().await;
}

pub(crate) async fn daily_puzzle_with_a_delivered_solution_is_not_recorded(store: &dyn Store, _: &World) {
    stock(store, 0..2).await;
    let all = drained(store, "one").await;
    let series = created(store, &wish_of("daily")).await;
    let puzzle = drawn(store, &new_day(store, &series, TODAY, 1).await).await;
    assert!(all.iter().any(|had| had.id == puzzle.id));
    let (audience, series, puzzle_id) = ("one".to_owned(), "daily".to_owned(), puzzle.id);
    let delivery = DayDelivery { audience, series, date: TODAY, puzzle_id };
    assert_eq!(store.deliver_days(&[delivery]).await.unwrap(), [false]);
    assert_eq!(had(store, "one").await.len(), 2);
}

pub(crate) async fn nothing_repeats_within_400_days_of_a_series(store: &dyn Store, world: &World) {
    stock(store, 0..200).await;
    let series = created(store, &wish_of("daily")).await;
    hold(store, "daily", 200..400).await;
    let mut solutions = HashSet::new();
    for days in 0..400 {
        let puzzle = drawn(store, &new_day(store, &series, after(TODAY, days), days.unsigned_abs()).await).await;
        assert!(solutions.insert(number_of(&puzzle)), "day {days} repeats a puzzle");
    }
    assert_eq!(store.days(after(TODAY, 390)).await.unwrap().len(), 10);
    assert_eq!(summed(store).await, (200, 200));
    world.is_sound().await;
}

pub(crate) async fn weekday_has_its_own_criteria(store: &dyn Store, _: &World) {
    stock(store, 0..9).await;
    let sunday = at_level(Level::Evil);
    let days = [vec![crate::series::any(); 6], vec![sunday]].concat();
    let series = created(store, &SeriesWish { days, ..wish_of("daily") }).await;
    // 9 September 2001 is a Sunday. The stock has no evil puzzle.
    let none = store.draw_day(&new_day(store, &series, TODAY, 1).await).await.unwrap();
    assert_eq!(none, DayDrawn::Exhausted);
    drawn(store, &new_day(store, &series, date(10), 1).await).await;
}

pub(crate) async fn puzzle_of_a_coming_day_is_not_released(store: &dyn Store, world: &World) {
    let series = created(store, &wish_of("daily")).await;
    hold(store, "daily", 0..4).await;
    let today = drawn(store, &held_day(store, &series, TODAY, 1).await).await;
    let tomorrow = drawn(store, &held_day(store, &series, date(10), 1).await).await;
    let of = ReleaseOf::Holder(series.holder());
    assert_eq!((store.count_releasable(&of).await.unwrap(), store.count_kept(&of).await.unwrap()), (3, 1));
    let release = Release { of: of.clone(), reason: "the series ended".to_owned() };
    let released = store.release(&release, 9, &someone()).await.unwrap();
    assert_eq!((released.len(), released.contains(&today.id)), (3, true));
    let kept = Release { of: ReleaseOf::Ids(vec![tomorrow.id]), ..release };
    assert_eq!(store.release(&kept, 9, &someone()).await.unwrap(), []);
    // The days keep their puzzles.
    for (day, puzzle) in [(TODAY, &today), (date(10), &tomorrow)] {
        assert_eq!(store.puzzle_of_day(series.id, day).await.unwrap().map(|it| it.id), Some(puzzle.id));
    }
    world.pass_ms(24 * 3_600_000);
    assert_eq!(store.release(&kept, 9, &someone()).await.unwrap(), [tomorrow.id]);
    world.is_sound().await;
}

pub(crate) async fn puzzle_of_a_day_is_withdrawn_but_never_forgotten(store: &dyn Store, world: &World) {
    stock(store, 0..4).await;
    let series = created(store, &wish_of("daily")).await;
    let puzzle = drawn(store, &new_day(store, &series, TODAY, 1).await).await;
    assert_eq!(store.day_of(puzzle.id).await.unwrap().map(|day| day.date), Some(TODAY));
    let done = store.withdraw_many(&of_all(true), None, 9, &someone()).await.unwrap();
    assert_eq!((done.changed.len(), done.forgotten), (4, 3));
    assert!(store.puzzle(puzzle.id).await.unwrap().unwrap().withdrawn.is_some());
    world.is_sound().await;
}
