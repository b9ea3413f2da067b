//! Limits on the growth of the stock: what a full stock stops, what continues, and when work resumes.

use puzzled_store::jobs::{
    growth::{Bound, Full, Growth, GrowthChange},
    queue_state::Stops,
};

use crate::{abandon::all_or_nothing, prelude::*, targets::wish};

/// Sets a limit on puzzles, or removes it.
pub(crate) async fn bound(store: &dyn Store, puzzles_max: Option<u64>) -> GrowthChange {
    store.keep_growth(Some(Growth { puzzles_max, database_bytes_max: None })).await.unwrap()
}

async fn look(store: &dyn Store) -> GrowthChange {
    store.keep_growth(None).await.unwrap()
}

async fn growth(store: &dyn Store) -> GrowthState {
    store.queue_state().await.unwrap().growth
}

fn full_of(used: u64) -> Full {
    Full { bound: Bound::Puzzles, used, max: 20, at: START }
}

/// A full stock of 19 puzzles with a limit of 20, and the open job of 30 that made them.
pub(crate) async fn fill(store: &dyn Store) {
    queue(store, NewJob { request: Some(request("first", "")), ..job(30) }).await;
    make(store, &(1..=19).collect::<Vec<_>>()).await;
    assert_eq!(bound(store, Some(20)).await, GrowthChange::Filled(full_of(19)));
}

pub(crate) async fn a_full_stock_gives_no_slice_and_has_nothing_due(store: &dyn Store, world: &World) {
    fill(store).await;
    for store in [store, &*world.open().await] {
        nothing_is_due(store).await;
        assert_eq!(store.next_due().await.unwrap(), None);
        assert_eq!(store.stops().await.unwrap(), Stops { pause: None, full: Some(full_of(19)) });
    }
    assert_eq!(bound(store, Some(40)).await, GrowthChange::Room);
    assert_eq!(store.stops().await.unwrap(), Stops::default());
    assert!(store.next_due().await.unwrap().is_some());
    claimed(store, 1).await;
}

pub(crate) async fn full_stock_refuses_new_jobs_and_answers_repeats(store: &dyn Store, _: &World) {
    fill(store).await;
    let known = NewJob { request: Some(request("first", "")), ..job(30) };
    let new = NewJob { request: Some(request("new", "")), ..job(1) };
    let answers = store.enqueue_all(&[new.clone(), known.clone(), job(1)], OPEN_JOBS_MAX).await.unwrap();
    let refused = Enqueued::Refused(Refusal::StockFull(full_of(19)));
    assert!(
        matches!(&answers[..], [one, Enqueued::Same(_), other] if *one == refused && *other == refused),
        "{answers:?}"
    );
    // At the limit of open jobs, callers still get the full stock as the reason: the other limit clears by itself.
    assert_eq!(store.enqueue(new.clone(), 1).await.unwrap(), refused);
    let batch = store.enqueue_batch(&[known, new.clone()], OPEN_JOBS_MAX).await.unwrap();
    assert_eq!(batch, Batch::Refused { index: 1, why: Refusal::StockFull(full_of(19)) });
    bound(store, None).await;
    queue(store, new).await;
}

pub(crate) async fn full_stock_refuses_retries_of_ended_jobs(store: &dyn Store, _: &World) {
    let cancelled = queue(store, job(2)).await;
    store.cancel(cancelled.id, &someone()).await.unwrap();
    fill(store).await;
    let before = job_of(store, cancelled.id).await;
    assert_eq!(store.retry(cancelled.id, 1, &someone()).await.unwrap(), Retried::StockFull(full_of(19)));
    assert_eq!(job_of(store, cancelled.id).await, before);
    // A retry of an open job needs no room.
    assert!(matches!(store.retry(JobId(2), 1, &someone()).await.unwrap(), Retried::Job(job) if job.state.is_open()));
    bound(store, None).await;
    assert!(
        matches!(store.retry(cancelled.id, 1, &someone()).await.unwrap(), Retried::Job(job) if job.state == JobState::Queued)
    );
}

pub(crate) async fn full_stock_refuses_planned_and_manual_refills(store: &dyn Store, _: &World) {
    let target = set(store, wish(50)).await;
    fill(store).await;
    for asked in [Asked::Manual(someone()), Asked::Planned { last: None, not_after_at: None }] {
        assert_eq!(store.refill(refill(&target, asked)).await.unwrap(), Refilled::StockFull(full_of(19)));
    }
    bound(store, None).await;
    assert!(matches!(store.refill(refill(&target, Asked::Manual(someone()))).await.unwrap(), Refilled::Queued(_)));
}

pub(crate) async fn leased_slices_finish_in_a_full_stock(store: &dyn Store, world: &World) {
    queue(store, job(6)).await;
    let slices = [claimed(store, 1).await, claimed(store, 2).await, claimed(store, 3).await];
    committed(store, &slices[0], &[1, 2]).await;
    assert!(matches!(bound(store, Some(2)).await, GrowthChange::Filled(_)));
    world.pass_ms(LEASE_MS);
    assert_eq!(store.renew(&slices.clone().map(|slice| slice.lease)[1..], LEASE_MS).await.unwrap(), []);
    assert_eq!(store.give_back(slices[1].lease).await.unwrap(), Guarded::Done(()));
    assert!(
        matches!(store.commit(slices[2].lease, work(&slices[2], &[3, 4])).await.unwrap(), Guarded::Done(job) if job.made == 4)
    );
    // Slices that were leased before may exceed the limit.
    assert_eq!(growth(store).await.puzzles.used, 4);
    nothing_is_due(store).await;
}

pub(crate) async fn full_stock_has_room_again_below_90_percent_of_its_limit(store: &dyn Store, _: &World) {
    fill(store).await;
    for (puzzle, change) in
        [(1, GrowthChange::None(Some(full_of(18)))), (2, GrowthChange::Room), (3, GrowthChange::None(None))]
    {
        store.withdraw(PuzzleId(puzzle), "to make room", &someone()).await.unwrap().unwrap();
        assert_eq!(look(store).await, change, "{puzzle}");
    }
    // The stock is full again at 95 % of the limit.
    make(store, &[31, 32]).await;
    assert_eq!(look(store).await, GrowthChange::None(None));
    make(store, &[33]).await;
    assert!(matches!(look(store).await, GrowthChange::Filled(full) if full.used == 19));
}

pub(crate) async fn last_limits_apply_to_all_processes_and_outlive_them(store: &dyn Store, world: &World) {
    fill(store).await;
    world.pass_ms(5);
    let other = world.open().await;
    // A process without limits keeps the last ones.
    assert_eq!(look(&*other).await, GrowthChange::None(Some(full_of(19))));
    assert_eq!(growth(&*other).await.puzzles.full_at, Some(START));
    assert_eq!(bound(&*other, Some(21)).await, GrowthChange::Room, "a raised limit is checked anew: 90 % are in use");
    assert_eq!(look(store).await, GrowthChange::None(None));
    assert_eq!(growth(store).await.puzzles.max, Some(21));
    assert_eq!(bound(store, None).await, GrowthChange::None(None));
    assert_eq!(growth(&*other).await.puzzles.max, None);
}

pub(crate) async fn of_concurrent_checks_of_the_limits_one_reports_a_change(store: &dyn Store, world: &World) {
    fill(store).await;
    for (puzzles_max, notices) in [(40, GrowthChange::Room), (20, GrowthChange::Filled(full_of(19)))] {
        let mut looks = JoinSet::new();
        for _ in 0..6 {
            let store = world.open().await;
            looks.spawn(async move { bound(&*store, Some(puzzles_max)).await });
        }
        let turns = looks.join_all().await;
        assert_eq!(turns.iter().filter(|turn| **turn == notices).count(), 1, "{turns:?}");
    }
}

pub(crate) async fn used_bytes_are_read_once_a_minute_and_limit_the_stock(store: &dyn Store, world: &World) {
    assert_eq!(growth(store).await.bytes.used, 0);
    look(store).await;
    let first = growth(store).await;
    assert!(first.bytes.used > 0 && first.bytes_read_at == Some(START), "{first:?}");
    // A table of some hundred pages.
    world.tamper("create table ballast as with recursive rows (row) as (select 1 union all select row + 1 from rows where row < 20000) select * from rows").await;
    world.pass_ms(59_999);
    look(store).await;
    assert_eq!(growth(store).await.bytes, first.bytes);
    world.pass_ms(1);
    look(&*world.open().await).await;
    let second = growth(store).await;
    assert!(second.bytes.used > first.bytes.used, "{first:?}, {second:?}");

    let max = first.bytes.used;
    let bounds = Growth { puzzles_max: None, database_bytes_max: Some(max) };
    let full = Full { bound: Bound::DatabaseBytes, used: second.bytes.used, max, at: world.now() };
    assert_eq!(store.keep_growth(Some(bounds)).await.unwrap(), GrowthChange::Filled(full));
    assert_eq!(store.enqueue(job(1), OPEN_JOBS_MAX).await.unwrap(), Enqueued::Refused(Refusal::StockFull(full)));
    let bounds = Growth { database_bytes_max: Some(second.bytes.used * 2), ..bounds };
    assert_eq!(store.keep_growth(Some(bounds)).await.unwrap(), GrowthChange::Room);
    queue(store, job(1)).await;
    claimed(store, 1).await;
}

pub(crate) async fn full_stock_and_room_are_recorded_all_or_nothing(store: &dyn Store, world: &World) {
    fill(store).await;
    bound(store, Some(40)).await;
    let low = Some(Growth { puzzles_max: Some(20), database_bytes_max: None });
    all_or_nothing(store, world, async || store.keep_growth(low).await).await;
    nothing_is_due(store).await;
    assert!(matches!(store.keep_growth(low).await.unwrap(), GrowthChange::None(Some(_))), "a repeat is safe");
    for puzzle in [1, 2] {
        store.withdraw(PuzzleId(puzzle), "to make room", &someone()).await.unwrap();
    }
    all_or_nothing(store, world, async || store.keep_growth(None).await).await;
    claimed(store, 1).await;
    assert_eq!(look(store).await, GrowthChange::None(None));
}
