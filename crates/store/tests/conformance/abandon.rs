//! Writes that fail, are abandoned, or lose their reply: each write is applied completely or not at all, and a repeat
//! is safe.

use std::fmt::Debug;

use puzzled_store::{
    deliveries::history::Had,
    series::{day::DayDelivery, update::SeriesChange},
};
use serde_json::json;

use crate::{
    days::new_day,
    histories::hash,
    prelude::*,
    processes::process,
    prune::everything,
    ratings::rated,
    series::{any, created, date, declaration_of, updated, wish_of, zone},
    series_kinds::{mixed, to},
    targets::{declaration, of_level, wish as target_wish},
    withdrawals::of_job,
};

/// More than the points of any write. A write that passes this many points without a change fails its case.
const POINTS_MAX: u32 = 60;

/// Abandons the write at its first point, then fails it there, and does the same at each later point. Nothing may
/// change before the commit. The check ends at the point after the commit, at which the change is visible.
pub(crate) async fn all_or_nothing<T: Debug>(
    store: &dyn Store,
    world: &World,
    write: impl AsyncFn() -> Result<T, StoreError>,
) {
    let before = Everything::of(store).await;
    for nth in 1..POINTS_MAX {
        world.trap.hold_at(nth);
        tokio::select! {
            answered = write() => panic!("{answered:?} without a point {nth}"),
            () = world.trap.held() => {}
        }
        if Everything::of(store).await != before {
            return;
        }
        world.trap.fail_at(nth);
        let failed = write().await;
        assert!(matches!(failed, Err(StoreError::Injected(_))), "point {nth}: {failed:?}");
        assert_eq!(Everything::of(store).await, before, "{failed:?}");
    }
    panic!("the write changes nothing");
}

pub(crate) async fn enqueue_is_all_or_nothing(store: &dyn Store, world: &World) {
    let new = NewJob { request: Some(request("a", "x")), ..job(2) };
    all_or_nothing(store, world, async || store.enqueue(new.clone(), OPEN_JOBS_MAX).await).await;
    assert!(matches!(store.enqueue(new, OPEN_JOBS_MAX).await.unwrap(), Enqueued::Same(_)));
    let batch = [job(2), NewJob { request: Some(request("b", "x")), ..job(3) }, job(1)];
    all_or_nothing(store, world, async || store.enqueue_batch(&batch, OPEN_JOBS_MAX).await).await;
    assert!(matches!(store.enqueue(batch[1].clone(), OPEN_JOBS_MAX).await.unwrap(), Enqueued::Same(_)));
}

pub(crate) async fn a_claim_of_new_indices_is_all_or_nothing(store: &dyn Store, world: &World) {
    queue(store, job(3)).await;
    all_or_nothing(store, world, async || store.claim(claim(9)).await).await;
    assert_eq!(claimed(store, 10).await.first_index, 2);
}

pub(crate) async fn claim_that_reclaims_slices_is_all_or_nothing(store: &dyn Store, world: &World) {
    // The claim finds two expired leases: it fails the first job, which has no attempts left, and reclaims the slice of
    // the second.
    let failing = queue(store, job(2)).await;
    claimed(store, 1).await;
    for token in 2..=i64::from(ATTEMPTS_MAX) {
        world.pass_ms(LEASE_MS);
        claimed(store, token).await;
    }
    queue(store, job(2)).await;
    claimed(store, 8).await;
    world.pass_ms(LEASE_MS);
    all_or_nothing(store, world, async || store.claim(claim(9)).await).await;
    nothing_is_due(store).await;
    assert_eq!(job_of(store, failing.id).await.state, JobState::Failed);
}

pub(crate) async fn renew_is_all_or_nothing(store: &dyn Store, world: &World) {
    queue(store, job(4)).await;
    let leases = [claimed(store, 1).await.lease, claimed(store, 2).await.lease];
    world.pass_ms(1);
    all_or_nothing(store, world, async || store.renew(&leases, LEASE_MS).await).await;
    assert_eq!(store.renew(&leases, LEASE_MS).await.unwrap(), []);
}

pub(crate) async fn commit_with_every_kind_of_result_is_all_or_nothing(store: &dyn Store, world: &World) {
    queue(store, job(8)).await;
    let slice = claimed_of(store, 5, 1).await;
    let above = claimed_whole(store, 2).await;
    committed(store, &above, &[50, 51, 52]).await;
    // Two new puzzles, a repeat, a puzzle that replaces one of a higher index, misses, and a remainder of the
    // slice.
    let work = with_misses(2, work(&slice, &[1, 2, 2, 50]));
    all_or_nothing(store, world, async || store.commit(slice.lease, work.clone()).await).await;
    assert_eq!(store.commit(slice.lease, work).await.unwrap(), Guarded::LeaseLost);
}

pub(crate) async fn the_commit_that_ends_a_job_is_all_or_nothing(store: &dyn Store, world: &World) {
    queue(store, job(1)).await;
    let slice = claimed(store, 1).await;
    all_or_nothing(store, world, async || store.commit(slice.lease, work(&slice, &[1])).await).await;
    assert_eq!(store.commit(slice.lease, work(&slice, &[1])).await.unwrap(), Guarded::LeaseLost);
    assert_eq!(job_of(store, slice.lease.job_id).await.state, JobState::Succeeded);
}

pub(crate) async fn commit_at_the_limit_of_shelves_is_all_or_nothing(_: &dyn Store, world: &World) {
    let store = &*world.open_with_shelves(2).await;
    queue(store, job(4)).await;
    let slice = claimed_whole(store, 1).await;
    // One puzzle adds the last shelf. Two others need shelves beyond the limit.
    committed(store, &slice, &[10]).await;
    let rest = claimed_whole(store, 2).await;
    let work = work(&rest, &[11, 12, 13]);
    all_or_nothing(store, world, async || store.commit(rest.lease, work.clone()).await).await;
    assert_eq!(job_of(store, slice.lease.job_id).await.state, JobState::Failed);
    assert_eq!(store.shelves().await.unwrap().len(), 2);
}

pub(crate) async fn failed_attempts_are_stored_all_or_nothing(store: &dyn Store, world: &World) {
    let queued = queue(store, job(2)).await;
    for attempt in 1..=ATTEMPTS_MAX {
        let slice = claimed(store, attempt.into()).await;
        all_or_nothing(store, world, async || store.fail_attempt(slice.lease, failure("it broke")).await).await;
        assert_eq!(store.fail_attempt(slice.lease, failure("it broke")).await.unwrap(), Guarded::LeaseLost);
        assert_eq!(job_of(store, queued.id).await.failed_attempts, attempt);
        world.pass_ms(1_000);
    }
    assert_eq!(job_of(store, queued.id).await.state, JobState::Failed);
}

pub(crate) async fn give_back_is_all_or_nothing(store: &dyn Store, world: &World) {
    queue(store, job(2)).await;
    let slice = claimed(store, 1).await;
    all_or_nothing(store, world, async || store.give_back(slice.lease).await).await;
    assert_eq!(store.give_back(slice.lease).await.unwrap(), Guarded::LeaseLost);
}

pub(crate) async fn audit_entries_are_written_all_or_nothing(store: &dyn Store, world: &World) {
    all_or_nothing(store, world, async || store.note(&someone(), json!({ "kind": "number" })).await).await;
    let denials = [Denial { by: (*someone()).clone(), calls: 2 }];
    all_or_nothing(store, world, async || store.note_denied(&denials).await).await;
}

pub(crate) async fn targets_are_declared_all_or_nothing(store: &dyn Store, world: &World) {
    let before = declaration("day", &[target_wish(1), of_level(Level::Easy), of_level(Level::Evil)]);
    store.declare_targets(&before, 9, &someone()).await.unwrap().unwrap();
    set(store, of_level(Level::Medium)).await;
    // One target is removed, one changes, one that a call created becomes declared, one is added, and one stays
    // unchanged.
    let wishes = [target_wish(2), of_level(Level::Hard), of_level(Level::Medium), of_level(Level::Evil)];
    let after = declaration("day", &wishes);
    world.pass_ms(1);
    all_or_nothing(store, world, async || store.declare_targets(&after, 9, &someone()).await).await;
    assert_eq!(store.targets().await.unwrap().len(), 4);
    assert_eq!(store.declare_targets(&after, 9, &someone()).await.unwrap(), Ok(Vec::new()));
}

pub(crate) async fn deliveries_with_every_kind_of_result_are_all_or_nothing(store: &dyn Store, world: &World) {
    queue(store, job(12)).await;
    make(store, &[1, 2, 3, 4, 5, 6]).await;
    let known = NewDelivery { name: Some(request("a", "x")), ..wish(store, "one", 1).await };
    for seed in 0..3 {
        deliver_one(store, NewDelivery { name: None, seed, ..known.clone() }).await;
    }
    deliver_one(store, known.clone()).await;
    let known_to_it = had(store, "one").await;
    let all = all_puzzles(store).await;
    let barred = all.iter().find(|puzzle| !known_to_it.contains(&puzzle.id)).unwrap();
    store.withdraw(barred.id, "a test", &someone()).await.unwrap();
    // The requests have a known request ID, new ones, and a new audience. They find an empty position and the end of
    // the stock.
    let mut wanted = vec![known.clone()];
    for audience in AUDIENCES {
        for seed in 10..14 {
            let name = (seed == 11).then(|| request("b", "y"));
            wanted.push(NewDelivery { audience: audience.to_owned(), name, seed, ..known.clone() });
        }
    }
    all_or_nothing(store, world, async || store.deliver(&wanted).await).await;
    assert_eq!(had(store, "one").await.len() + had(store, "other").await.len(), 9);
    let again = store.deliver(&wanted).await.unwrap();
    assert!(matches!((&again[0], &again[6]), (Delivered::Same(_), Delivered::Same(_))), "{again:?}");
}

pub(crate) async fn daily_series_and_their_days_change_all_or_nothing(store: &dyn Store, world: &World) {
    stock(store, 1..=6).await;
    let series = created(store, &wish_of("daily")).await;
    let tokyo = SeriesChange { zone: Some(zone("Asia/Tokyo")), ..SeriesChange::default() };
    all_or_nothing(store, world, async || store.update_series("daily", &tokyo, &someone()).await).await;
    all_or_nothing(store, world, async || store.end_series("daily", &someone()).await).await;
    let declaration = declaration_of("day", &[wish_of("daily"), wish_of("mini")]);
    all_or_nothing(store, world, async || store.declare_series(&declaration, &someone()).await).await;
    let new = new_day(store, &store.series("daily").await.unwrap().unwrap(), date(20), 1).await;
    all_or_nothing(store, world, async || store.draw_day(&new).await).await;
    let puzzle_id = store.puzzle_of_day(series.id, date(20)).await.unwrap().unwrap().id;
    let to = |audience: &str| {
        let (audience, series) = (audience.to_owned(), "daily".to_owned());
        DayDelivery { audience, series, date: date(20), puzzle_id }
    };
    let both = AUDIENCES.map(to);
    all_or_nothing(store, world, async || store.deliver_days(&both).await).await;
    assert_eq!((had(store, "one").await, had(store, "other").await), (vec![puzzle_id], vec![puzzle_id]));
}

pub(crate) async fn kinds_of_days_change_all_or_nothing(store: &dyn Store, world: &World) {
    stock(store, 1..=3).await;
    let series = created(store, &wish_of("daily")).await;
    let several = &to(mixed());
    all_or_nothing(store, world, async || store.update_series("daily", several, &someone()).await).await;
    // Only the days after this one can return to the variant of the series.
    let tomorrow = new_day(store, &store.series("daily").await.unwrap().unwrap(), date(11), 1).await;
    all_or_nothing(store, world, async || store.draw_day(&tomorrow).await).await;
    updated(store, "daily", &to(vec![any()])).await;
    world.pass_ms(3 * 24 * 3_600_000);
    all_or_nothing(store, world, async || store.settle_series(series.id).await).await;
    assert_eq!(store.series("daily").await.unwrap().unwrap().puzzles(), Some(("number", "1x1")));
}

pub(crate) async fn forgetting_an_audience_is_all_or_nothing(store: &dyn Store, world: &World) {
    stock(store, 1..=6).await;
    for audience in AUDIENCES {
        drained(store, audience).await;
    }
    all_or_nothing(store, world, async || store.forget_audience("one", &someone()).await).await;
    assert_eq!(had(store, "one").await, []);
    assert_eq!(drained(store, "one").await.len(), 6);
}

pub(crate) async fn recording_deliveries_is_all_or_nothing(store: &dyn Store, world: &World) {
    stock(store, 1..=6).await;
    drained(store, "other").await;
    for audience in AUDIENCES {
        let had = [Had::Stored(PuzzleId(1)), Had::Solved(hash(3)), Had::Solved(hash(77))];
        all_or_nothing(store, world, async || store.record_deliveries(audience, &had, &someone()).await).await;
    }
    assert_eq!(drained(store, "one").await.len(), 4);
}

pub(crate) async fn pruning_is_all_or_nothing(store: &dyn Store, world: &World) {
    stock(store, 1..=5).await;
    deliver_one(store, wish(store, AUDIENCES[0], 1).await).await;
    for name in ["a", "b"] {
        let queued = queue(store, NewJob { request: Some(request(name, "")), ..job(2) }).await;
        claimed_whole(store, 2).await;
        store.cancel(queued.id, &someone()).await.unwrap();
        world.pass_ms(10);
        store.prune(Prune { delivered_before: None, pruned_before: None, ..everything(world) }).await.unwrap();
    }
    let old = queue(store, job(2)).await;
    store.cancel(old.id, &someone()).await.unwrap();
    store.keep_process(&process("aaaa0001")).await.unwrap();
    world.pass_ms(10);
    let all = everything(world);
    all_or_nothing(store, world, async || store.prune(all).await).await;
    assert_eq!(store.prune(all).await.unwrap(), Pruned::default());
}

pub(crate) async fn ratings_and_withdrawals_are_all_or_nothing(store: &dyn Store, world: &World) {
    queue(store, job(3)).await;
    make(store, &[1, 2, 3]).await;
    let new = [1, 2, 3].map(|puzzle| rated(puzzle, 4));
    all_or_nothing(store, world, async || store.add_ratings(&new, Some(&someone())).await).await;
    assert_eq!(store.add_ratings(&new, None).await.unwrap(), 0);
    let id = all_puzzles(store).await[0].id;
    all_or_nothing(store, world, async || store.withdraw(id, "a test", &someone()).await).await;
    assert_eq!(all_puzzles(store).await.len(), 2);
    stock(store, 11..20).await;
    deliver_one(store, wish(store, AUDIENCES[0], 1).await).await;
    for job in [1, 2] {
        let withdrawal = of_job(JobId(job), job == 2);
        all_or_nothing(store, world, async || store.withdraw_many(&withdrawal, None, 500, &someone()).await).await;
    }
    assert_eq!(all_puzzles(store).await, []);
}

pub(crate) async fn cancel_and_retry_are_all_or_nothing(store: &dyn Store, world: &World) {
    let queued = queue(store, job(3)).await;
    claimed(store, 1).await;
    all_or_nothing(store, world, async || store.cancel(queued.id, &someone()).await).await;
    assert_eq!(cancelled(store, queued.id).await.state, JobState::Cancelled);
    all_or_nothing(store, world, async || store.retry(queued.id, 5, &someone()).await).await;
    let job = queue_again(store, queued.id, 5).await;
    assert_eq!((job.state, job.tries_max), (JobState::Queued, queued.tries_max + 5));
}

pub(crate) async fn target_is_created_updated_and_deleted_all_or_nothing(store: &dyn Store, world: &World) {
    all_or_nothing(store, world, async || store.create_target(&target_wish(5), 9, &someone()).await).await;
    let target = store.targets().await.unwrap()[0].id;
    assert_eq!(store.create_target(&target_wish(5), 9, &someone()).await.unwrap(), TargetCreated::Exists(target));
    let change = Change { count: Edit::Set(6), ..Change::default() };
    world.pass_ms(1);
    all_or_nothing(store, world, async || store.update_target(target, &change, &someone()).await).await;
    assert_eq!(store.targets().await.unwrap()[0].wish.count, 6);
    all_or_nothing(store, world, async || store.delete_target(target, &someone()).await).await;
    assert_eq!(store.delete_target(target, &someone()).await.unwrap(), None);
}

pub(crate) async fn refill_is_queued_and_stopped_all_or_nothing(store: &dyn Store, world: &World) {
    let target = set(store, target_wish(5)).await;
    all_or_nothing(store, world, async || store.refill(refill(&target, Asked::Manual(someone()))).await).await;
    let again = store.refill(refill(&target, Asked::Manual(someone()))).await.unwrap();
    let Refilled::Open(job) = again else { panic!("{again:?}") };
    assert_eq!(job.wanted, 5);
    all_or_nothing(store, world, async || store.stop_refill(job.id, Stop::Full).await).await;
    assert_eq!(store.stop_refill(job.id, Stop::Full).await.unwrap(), None);
}

pub(crate) async fn queue_is_paused_and_resumed_all_or_nothing(store: &dyn Store, world: &World) {
    for pause in [Some("why"), None] {
        all_or_nothing(store, world, async || store.set_pause(pause, &someone()).await).await;
        assert_eq!(store.queue_state().await.unwrap().pause.is_some(), pause.is_some());
    }
}

pub(crate) async fn process_is_added_renewed_and_removed_all_or_nothing(store: &dyn Store, world: &World) {
    for _ in 0..2 {
        world.pass_ms(1);
        all_or_nothing(store, world, async || store.keep_process(&process("aaaa0001")).await).await;
        let listed = store.processes(None, 9).await.unwrap();
        assert_eq!((listed.len(), listed[0].seen_at), (1, world.now()));
    }
    all_or_nothing(store, world, async || store.remove_process("aaaa0001").await).await;
    assert!(!store.remove_process("aaaa0001").await.unwrap());
}

pub(crate) async fn dropped_calls_are_all_or_nothing_and_block_no_other(store: &dyn Store, _: &World) {
    for waits in 0..40 {
        let name = request(&format!("{waits}"), "");
        let new = NewJob { request: Some(name), ..job(2) };
        dropped_after(waits, store.enqueue(new.clone(), OPEN_JOBS_MAX)).await;
        let queued = match store.enqueue(new, OPEN_JOBS_MAX).await.unwrap() {
            Enqueued::New(job) | Enqueued::Same(job) => job,
            other @ Enqueued::Refused(_) => panic!("{other:?}"),
        };
        let slice = claimed_whole(store, 1).await;
        assert_eq!(slice.lease.job_id, queued.id);
        let number = u64::from(waits) * 2;
        dropped_after(waits, store.commit(slice.lease, work(&slice, &[number, number + 1]))).await;
        store.commit(slice.lease, work(&slice, &[number, number + 1])).await.unwrap();
        let job = job_of(store, queued.id).await;
        assert_eq!((job.state, job.made, job.tally.tries), (JobState::Succeeded, 2, 2), "dropped after {waits} waits");
    }
}
