//! Pruning of old jobs, request IDs, and deliveries. Puzzles are never pruned.

use puzzled_store::{
    deliveries::delivery::day_name,
    series::day::{DayDelivery, DayDrawn},
};

use crate::{
    days::new_day,
    prelude::*,
    series::{TODAY, created, wish_of},
    targets, work,
};

/// Prunes everything from before now except audit entries.
pub(crate) fn everything(world: &World) -> Prune {
    let before = Some(world.now());
    Prune {
        finished_before: before,
        pruned_before: before,
        delivered_before: before,
        seen_before: before,
        audited_before: None,
        rows_max: 100,
    }
}

/// Prunes jobs that ended before now, but no request IDs and no deliveries.
fn ended(world: &World) -> Prune {
    Prune { pruned_before: None, delivered_before: None, ..everything(world) }
}

async fn listed(store: &dyn Store) -> Vec<i64> {
    let jobs = store.jobs(&JobFilter::default(), None, u32::MAX).await.unwrap();
    jobs.iter().map(|job| job.id.0).collect()
}

async fn cancelled(store: &dyn Store, new: NewJob) -> Job {
    let queued = queue(store, new).await;
    work::cancelled(store, queued.id).await
}

pub(crate) async fn job_that_ended_long_ago_is_pruned(store: &dyn Store, world: &World) {
    let old = cancelled(store, NewJob { request: Some(request("a", "x")), ..job(2) }).await;
    assert_eq!(store.prune(ended(world)).await.unwrap(), Pruned::default(), "the job ended just now");
    world.pass_ms(1);
    cancelled(store, job(2)).await;
    assert_eq!(store.queue_state().await.unwrap().jobs[4], 2);
    let pruned = store.prune(ended(world)).await.unwrap();
    assert_eq!(pruned, Pruned { jobs: 1, ..Pruned::default() });
    assert_eq!(listed(store).await, [2]);
    assert_eq!(store.queue_state().await.unwrap().jobs[4], 1);
    assert_eq!(job_of(store, old.id).await, Job { pruned_at: Some(world.now()), ..old });
}

pub(crate) async fn pruned_job_with_puzzles_is_still_found_by_its_id(store: &dyn Store, world: &World) {
    let done = queue(store, job(2)).await;
    make(store, &[1, 2]).await;
    let empty = cancelled(store, job(2)).await;
    for _ in 0..2 {
        world.pass_ms(1);
        store.prune(everything(world)).await.unwrap();
    }
    assert_eq!(listed(store).await, [0; 0]);
    assert_eq!(job_of(store, done.id).await.spec, done.spec);
    assert_eq!(store.job(empty.id).await.unwrap(), None, "a job without puzzles is deleted");
    assert_eq!(all_puzzles(store).await.len(), 2);
}

pub(crate) async fn request_id_outlives_its_job(store: &dyn Store, world: &World) {
    let named = NewJob { request: Some(request("a", "x")), ..job(2) };
    let first = cancelled(store, named.clone()).await;
    world.pass_ms(1);
    let all = everything(world);
    assert_eq!(store.prune(all).await.unwrap(), Pruned { jobs: 1, ..Pruned::default() });
    assert_eq!(
        store.prune(all).await.unwrap(),
        Pruned::default(),
        "the retention of a request ID starts when its job is pruned"
    );
    let again = store.enqueue(named.clone(), OPEN_JOBS_MAX).await.unwrap();
    assert!(matches!(&again, Enqueued::Same(job) if job.id == first.id), "{again:?}");
    world.pass_ms(1);
    let forgotten = Pruned { requests: 1, deleted: 1, ..Pruned::default() };
    assert_eq!(store.prune(everything(world)).await.unwrap(), forgotten);
    let anew = queue(store, named).await;
    assert!(anew.id > first.id);
}

pub(crate) async fn open_jobs_puzzles_and_rates_are_never_pruned(store: &dyn Store, world: &World) {
    queue(store, NewJob { request: Some(request("a", "x")), ..job(3) }).await;
    make(store, &[1]).await;
    let held = claimed(store, 1).await;
    let rates = store.rates(&[spec().words()]).await.unwrap();
    for _ in 0..3 {
        world.pass_ms(1);
        assert_eq!(store.prune(everything(world)).await.unwrap(), Pruned::default());
    }
    assert_eq!(store.rates(&[spec().words()]).await.unwrap(), rates);
    committed(store, &held, &[2, 3]).await;
    assert_eq!(all_puzzles(store).await.len(), 3);
}

pub(crate) async fn last_refill_of_a_target_is_not_pruned(store: &dyn Store, world: &World) {
    let target = set(store, targets::wish(5)).await;
    let mut refills = Vec::new();
    for is_cancelled in [true, false, true] {
        let job = queued(store.refill(refill(&target, Asked::Manual(someone()))).await.unwrap());
        if is_cancelled {
            store.cancel(job.id, &someone()).await.unwrap();
        } else {
            store.stop_refill(job.id, Stop::Full).await.unwrap().unwrap();
        }
        refills.push(job.id);
    }
    world.pass_ms(1);
    assert_eq!(store.prune(everything(world)).await.unwrap(), Pruned { jobs: 2, deleted: 2, ..Pruned::default() });
    let last: Vec<_> = store.refills().await.unwrap().iter().map(|job| job.id).collect();
    assert_eq!(last, [refills[2]]);
    // A planner that read the last refill before the pruning can still name it.
    let planned = Asked::Planned { last: Some(refills[2]), not_after_at: None };
    queued(store.refill(refill(&target, planned)).await.unwrap());
    assert_eq!(store.prune(everything(world)).await.unwrap().jobs, 1);
    // The refill of a deleted target is pruned like any other job.
    let other = set(store, targets::of_level(Level::Hard)).await;
    let job = queued(store.refill(refill(&other, Asked::Manual(someone()))).await.unwrap());
    store.cancel(job.id, &someone()).await.unwrap();
    store.delete_target(other.id, &someone()).await.unwrap();
    world.pass_ms(1);
    assert_eq!(store.prune(everything(world)).await.unwrap().deleted, 1);
}

pub(crate) async fn pruned_job_cannot_be_retried(store: &dyn Store, world: &World) {
    let old = cancelled(store, NewJob { request: Some(request("a", "x")), ..job(2) }).await;
    world.pass_ms(1);
    store.prune(ended(world)).await.unwrap();
    let retried = queue_again(store, old.id, 5).await;
    assert_eq!((retried.state, retried.tries_max), (old.state, old.tries_max));
    nothing_is_due(store).await;
}

pub(crate) async fn rows_without_retention_limit_are_not_pruned(store: &dyn Store, world: &World) {
    cancelled(store, NewJob { request: Some(request("a", "x")), ..job(2) }).await;
    world.pass_ms(i64::from(u32::MAX));
    let none = Prune { finished_before: None, seen_before: None, ..ended(world) };
    assert_eq!(store.prune(none).await.unwrap(), Pruned::default());
    assert_eq!(listed(store).await, [1]);
    assert_eq!(store.prune(ended(world)).await.unwrap().jobs, 1);
    world.pass_ms(i64::from(u32::MAX));
    assert_eq!(store.prune(ended(world)).await.unwrap(), Pruned::default());
}

pub(crate) async fn pruning_stops_at_its_limit_per_call(store: &dyn Store, world: &World) {
    for name in 0..5 {
        cancelled(store, NewJob { request: Some(request(&name.to_string(), "")), ..job(2) }).await;
    }
    world.pass_ms(1);
    let few = Prune { rows_max: 2, ..ended(world) };
    for (jobs, left) in [(2, 3), (2, 1), (1, 0), (0, 0)] {
        assert_eq!(store.prune(few).await.unwrap(), Pruned { jobs, ..Pruned::default() });
        assert_eq!(listed(store).await.len(), left);
    }
    world.pass_ms(1);
    let few = Prune { rows_max: 2, ..everything(world) };
    for gone in [2, 2, 1, 0] {
        let pruned = store.prune(few).await.unwrap();
        assert_eq!(pruned, Pruned { requests: gone, deleted: gone, ..Pruned::default() });
    }
}

fn deliveries(world: &World) -> Prune {
    Prune { finished_before: None, pruned_before: None, ..everything(world) }
}

pub(crate) async fn puzzles_of_pruned_deliveries_are_not_delivered_again(store: &dyn Store, world: &World) {
    stock(store, 1..=5).await;
    let named = request("a", "x");
    let wanted = NewDelivery { name: Some(named), ..wish(store, "one", 1).await };
    let first = deliver_one(store, wanted.clone()).await;
    let Delivered::New(first) = first else { panic!("{first:?}") };
    world.pass_ms(10);
    deliver_one(store, wish(store, "one", 2).await).await;
    let pruned = store.prune(deliveries(world)).await.unwrap();
    assert_eq!(pruned, Pruned { deliveries: 1, ..Pruned::default() });
    assert_eq!(had(store, "one").await.len(), 1);
    // The request ID is free after the pruning, so the repeat gets another puzzle.
    let again = deliver_one(store, wanted).await;
    assert!(matches!(&again, Delivered::New(puzzle) if puzzle.id != first.id), "{again:?}");
    let rest = drained(store, "one").await;
    assert_eq!(rest.len(), 2);
    assert!(rest.iter().all(|puzzle| puzzle.id != first.id));
    assert_eq!(all_puzzles(store).await.len(), 5);
}

pub(crate) async fn daily_puzzle_outlives_all_other_deliveries(store: &dyn Store, world: &World) {
    stock(store, 1..=6).await;
    let series = created(store, &wish_of("daily")).await;
    let drawn = store.draw_day(&new_day(store, &series, TODAY, 1).await).await.unwrap();
    let DayDrawn::New(puzzle) = drawn else { panic!("{drawn:?}") };
    // A request ID may equal the stored name of a daily puzzle.
    let alike = request(&day_name("daily", TODAY), "easy");
    deliver_one(store, NewDelivery { name: Some(alike), ..wish(store, "one", 2).await }).await;
    let (audience, series) = ("one".to_owned(), "daily".to_owned());
    store.deliver_days(&[DayDelivery { audience, series, date: TODAY, puzzle_id: puzzle.id }]).await.unwrap();
    deliver_one(store, wish(store, "one", 3).await).await;
    world.pass_ms(1);
    assert_eq!(store.prune(deliveries(world)).await.unwrap().deliveries, 2);
    for _ in 0..3 {
        world.pass_ms(1);
        assert_eq!(store.prune(deliveries(world)).await.unwrap().deliveries, 0);
    }
    assert_eq!(had(store, "one").await, [puzzle.id]);
}

pub(crate) async fn deliveries_are_pruned_in_parts(store: &dyn Store, world: &World) {
    stock(store, 1..=20).await;
    for seed in 0..5 {
        deliver_one(store, wish(store, "one", seed).await).await;
    }
    world.pass_ms(10);
    for seed in 5..7 {
        deliver_one(store, wish(store, "one", seed).await).await;
    }
    let few = Prune { rows_max: 2, ..deliveries(world) };
    for gone in [2, 2, 1, 0, 0] {
        assert_eq!(store.prune(few).await.unwrap().deliveries, gone);
    }
    // After all deliveries were pruned, later ones are found too.
    world.pass_ms(10);
    let few = Prune { rows_max: 2, ..deliveries(world) };
    assert_eq!(store.prune(few).await.unwrap().deliveries, 2);
    assert_eq!(store.prune(few).await.unwrap().deliveries, 0);
    deliver_one(store, wish(store, "one", 8).await).await;
    world.pass_ms(10);
    let few = Prune { rows_max: 2, ..deliveries(world) };
    assert_eq!(store.prune(few).await.unwrap().deliveries, 1);
    assert_eq!(had(store, "one").await.len(), 0);
}

pub(crate) async fn concurrent_processes_prune_each_row_once(store: &dyn Store, world: &World) {
    for _ in 0..6 {
        cancelled(store, job(1)).await;
    }
    world.pass_ms(1);
    let few = Prune { rows_max: 4, finished_before: Some(Millis(world.now().0)), ..everything(world) };
    let mut processes = JoinSet::new();
    for _ in 0..3 {
        let store: Arc<dyn Store> = world.open().await;
        processes.spawn(async move { store.prune(few).await.unwrap() });
    }
    let pruned = processes.join_all().await;
    assert_eq!(pruned.iter().map(|pruned| pruned.jobs).sum::<u64>(), 6);
    assert_eq!(pruned.iter().map(|pruned| pruned.deleted).sum::<u64>(), 6);
    assert_eq!(listed(store).await, [0; 0]);
}
