//! Refills of stock targets: what counts as missing, the limits, at most one open refill for each target, stops,
//! and retries.

use crate::{
    prelude::*,
    targets::{of_level, wish},
};

/// A refill with high limits, for which puzzles of all ratings count.
pub(crate) fn refill(target: &StockTarget, asked: Asked) -> Refill {
    let spec = &target.wish.spec;
    Refill {
        target_id: target.id,
        shelves: ShelfFilter { difficulty: Difficulty::Any, ..ShelfFilter::of(spec) },
        asked,
        seed: 3,
        tries_max: 8,
        count_max: 1_000,
        refills_max: 100,
        open_jobs_max: 100,
        traceparent: None,
    }
}

/// A request of a planner that read this job as the last one of the target.
fn planned(last: Option<JobId>) -> Asked {
    Asked::Planned { last, not_after_at: None }
}

pub(crate) fn queued(refilled: Refilled) -> Job {
    match refilled {
        Refilled::Queued(job) => job,
        other => panic!("not queued: {other:?}"),
    }
}

pub(crate) async fn refill_queues_a_job_for_all_missing_puzzles(store: &dyn Store, world: &World) {
    queue(store, job(2)).await;
    make(store, &[1, 2]).await;
    let target = set(store, wish(7)).await;
    let closes_at = Some(Millis(START.0 + 99));
    let asked = Asked::Planned { last: None, not_after_at: closes_at };
    let traceparent = Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".to_owned());
    let traced = Refill { traceparent: traceparent.clone(), ..refill(&target, asked) };
    let job = queued(store.refill(traced).await.unwrap());
    assert_eq!(job.traceparent, traceparent);
    assert_eq!((job.state, &job.spec, job.wanted), (JobState::Queued, &target.wish.spec, 5));
    assert_eq!((job.seed, job.priority, job.tries_max), (3, -5, 8));
    assert_eq!((job.target_id, job.not_after_at), (Some(target.id), closes_at));
    assert_eq!(job_of(&*world.open().await, job.id).await, job);
    make(store, &[3, 4, 5, 6, 7]).await;
    let again = store.refill(refill(&target, planned(Some(job.id)))).await.unwrap();
    assert_eq!(again, Refilled::Enough { have: 7 });
}

pub(crate) async fn a_target_has_one_job_at_a_time(store: &dyn Store, _: &World) {
    let target = set(store, wish(2)).await;
    let job = queued(store.refill(refill(&target, planned(None))).await.unwrap());
    for asked in [planned(None), planned(Some(job.id)), Asked::Manual(someone())] {
        assert_eq!(store.refill(refill(&target, asked)).await.unwrap(), Refilled::Open(job.clone()));
    }
    let slice = claimed(store, 1).await;
    let running = Refilled::Open(job_of(store, job.id).await);
    assert_eq!(store.refill(refill(&target, Asked::Manual(someone()))).await.unwrap(), running);
    committed(store, &slice, &[1, 2]).await;
    // The larger target lacks a puzzle again, so a planner that names the last job may queue the next one.
    set(store, wish(3)).await;
    let next = queued(store.refill(refill(&target, planned(Some(job.id)))).await.unwrap());
    assert_eq!(next.wanted, 1);
}

pub(crate) async fn of_concurrent_planners_one_queues_the_job(store: &dyn Store, world: &World) {
    let target = set(store, wish(50)).await;
    for round in 0..20 {
        let last = store.refills().await.unwrap().pop().map(|job| job.id);
        let mut planners = JoinSet::new();
        for _ in 0..3 {
            let (store, target) = (world.open().await, target.clone());
            planners.spawn(async move { store.refill(refill(&target, planned(last))).await.unwrap() });
        }
        let refilled = planners.join_all().await;
        let jobs: Vec<_> = refilled.into_iter().filter(|one| matches!(one, Refilled::Queued(_))).map(queued).collect();
        assert_eq!(jobs.len(), 1, "round {round}: {jobs:?}");
        store.cancel(jobs[0].id, &someone()).await.unwrap();
    }
}

pub(crate) async fn planner_with_an_outdated_last_job_queues_nothing(store: &dyn Store, _: &World) {
    let target = set(store, wish(5)).await;
    let job = queued(store.refill(refill(&target, planned(None))).await.unwrap());
    store.cancel(job.id, &someone()).await.unwrap();
    assert_eq!(store.refill(refill(&target, planned(None))).await.unwrap(), Refilled::Overtaken);
    queued(store.refill(refill(&target, planned(Some(job.id)))).await.unwrap());
}

pub(crate) async fn only_planned_refills_wait_for_the_low_water_mark(store: &dyn Store, _: &World) {
    queue(store, job(3)).await;
    make(store, &[1, 2, 3]).await;
    let mut target = wish(5);
    target.low_water = Some(3);
    let target = set(store, target).await;
    assert_eq!(store.refill(refill(&target, planned(None))).await.unwrap(), Refilled::Enough { have: 3 });
    assert_eq!(queued(store.refill(refill(&target, Asked::Manual(someone()))).await.unwrap()).wanted, 2);
}

pub(crate) async fn only_puzzles_in_stock_that_fit_the_target_count(store: &dyn Store, _: &World) {
    // The remainder of a number gives a rating from 10 to 14. The lower slice makes number 12 too, which withdraws the
    // puzzle of the higher slice.
    queue(store, job(4)).await;
    let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
    committed(store, &high, &[12, 14]).await;
    committed(store, &low, &[11, 12]).await;
    assert_eq!(all_puzzles(store).await.len(), 3);
    let target = set(store, wish(10)).await;
    let shelves = |min, max| ShelfFilter {
        difficulty: Difficulty::Range { min: Tenths(min), max: Tenths(max) },
        ..refill(&target, Asked::Manual(someone())).shelves
    };
    for (shelves, missing) in [
        (shelves(0, 255), 7),
        (shelves(12, 12), 9),
        (shelves(11, 12), 8),
        (shelves(15, 255), 10),
        (ShelfFilter { symmetry: Some(Symmetry::Full), ..shelves(0, 255) }, 10),
        (ShelfFilter { variant: VariantFilter::named(None, "2x2"), ..shelves(0, 255) }, 10),
        (ShelfFilter { kind: Some("letter".to_owned()), ..shelves(0, 255) }, 10),
    ] {
        let job = queued(store.refill(Refill { shelves, ..refill(&target, Asked::Manual(someone())) }).await.unwrap());
        assert_eq!(job.wanted, missing);
        store.cancel(job.id, &someone()).await.unwrap();
    }
}

pub(crate) async fn refill_keeps_the_limits_on_puzzles_and_on_open_jobs(store: &dyn Store, _: &World) {
    let target = set(store, wish(50)).await;
    let capped = Refill { count_max: 20, ..refill(&target, planned(None)) };
    assert_eq!(queued(store.refill(capped).await.unwrap()).wanted, 20);
    let other = set(store, of_level(Level::Hard)).await;
    let refused = store.refill(Refill { open_jobs_max: 1, ..refill(&other, Asked::Manual(someone())) }).await.unwrap();
    assert_eq!(refused, Refilled::BacklogFull { open: 1 });
}

pub(crate) async fn open_refills_never_exceed_their_limit(store: &dyn Store, world: &World) {
    let mut callers = JoinSet::new();
    for level in Level::ALL {
        let target = set(store, of_level(level)).await;
        let store = world.open().await;
        callers.spawn(async move {
            store.refill(Refill { refills_max: 2, ..refill(&target, Asked::Manual(someone())) }).await.unwrap()
        });
    }
    let refilled = callers.join_all().await;
    let full = refilled.iter().filter(|one| **one == Refilled::RefillsFull { open: 2 }).count();
    assert_eq!((full, refilled.len()), (3, 5), "{refilled:?}");
    // Other open jobs do not count as refills.
    queue(store, job(1)).await;
    store.cancel(store.refills().await.unwrap()[0].id, &someone()).await.unwrap();
    let target = set(store, wish(1)).await;
    queued(store.refill(Refill { refills_max: 2, ..refill(&target, Asked::Manual(someone())) }).await.unwrap());
}

pub(crate) async fn a_refill_is_stopped_with_its_reason(store: &dyn Store, world: &World) {
    let target = set(store, wish(9)).await;
    let mut last = None;
    for (stop, ms) in [(Stop::Full, 10), (Stop::TooLate, 1_000)] {
        let asked = Asked::Planned { last, not_after_at: Some(world.now().plus_ms(1_000)) };
        let job = queued(store.refill(refill(&target, asked)).await.unwrap());
        let slice = claimed(store, 1).await;
        world.pass_ms(ms - 1);
        assert_eq!(store.stop_refill(job.id, Stop::TooLate).await.unwrap(), None, "the window is still open");
        world.pass_ms(1);
        let stopped = store.stop_refill(job.id, stop).await.unwrap().unwrap();
        assert_eq!((stopped.state, stopped.error.as_deref()), (JobState::Ended, Some(stop.reason())));
        assert_eq!((stopped.ended_at, stopped.not_after_at), (Some(world.now()), job.not_after_at));
        is_refused(store, &slice, &[1, 2]).await;
        last = Some(job.id);
    }
}

/// Regression: a planner that had read the job before its retry ended the retried job.
pub(crate) async fn retried_refill_is_not_stopped_as_too_late(store: &dyn Store, world: &World) {
    let target = set(store, wish(9)).await;
    let asked = |last| Asked::Planned { last, not_after_at: Some(START) };
    let first = queued(store.refill(refill(&target, asked(None))).await.unwrap());
    store.cancel(first.id, &someone()).await.unwrap();
    store.retry(first.id, 0, &someone()).await.unwrap();
    world.pass_ms(1_000);
    assert_eq!(store.stop_refill(first.id, Stop::TooLate).await.unwrap(), None);
    store.cancel(first.id, &someone()).await.unwrap();
    queued(store.refill(refill(&target, asked(Some(first.id)))).await.unwrap());
    store.retry(first.id, 0, &someone()).await.unwrap();
    for stop in [Stop::Full, Stop::TooLate] {
        assert_eq!(store.stop_refill(first.id, stop).await.unwrap(), None, "the job no longer fills the target");
    }
}

pub(crate) async fn an_ended_job_is_not_stopped_again(store: &dyn Store, _: &World) {
    let target = set(store, wish(1)).await;
    let job = queued(store.refill(refill(&target, planned(None))).await.unwrap());
    make(store, &[1]).await;
    let before = job_of(store, job.id).await;
    for id in [job.id, JobId(0), JobId(i64::MAX)] {
        assert_eq!(store.stop_refill(id, Stop::Full).await.unwrap(), None);
    }
    assert_eq!(job_of(store, job.id).await, before);
}

pub(crate) async fn last_refill_of_each_target_is_listed(store: &dyn Store, _: &World) {
    assert_eq!(store.refills().await.unwrap(), []);
    let [one, other] = [set(store, wish(5)).await, set(store, of_level(Level::Hard)).await];
    set(store, of_level(Level::Easy)).await;
    let first = queued(store.refill(refill(&one, Asked::Manual(someone()))).await.unwrap());
    store.cancel(first.id, &someone()).await.unwrap();
    let second = queued(store.refill(refill(&other, Asked::Manual(someone()))).await.unwrap());
    queue(store, job(1)).await;
    let third = queued(store.refill(refill(&one, Asked::Manual(someone()))).await.unwrap());
    assert_eq!(store.refills().await.unwrap(), [second, third]);
}

pub(crate) async fn deleted_target_has_no_refill_and_its_job_continues(store: &dyn Store, _: &World) {
    let target = set(store, wish(2)).await;
    let job = queued(store.refill(refill(&target, planned(None))).await.unwrap());
    store.delete_target(target.id, &someone()).await.unwrap();
    assert_eq!(store.refill(refill(&target, Asked::Manual(someone()))).await.unwrap(), Refilled::NoTarget);
    let unknown = StockTarget { id: TargetId(99), ..target };
    assert_eq!(store.refill(refill(&unknown, Asked::Manual(someone()))).await.unwrap(), Refilled::NoTarget);
    let slice = claimed(store, 1).await;
    assert_eq!(committed(store, &slice, &[1, 2]).await.state, JobState::Succeeded);
    assert_eq!(job_of(store, job.id).await.target_id, None);
}

/// Regression: the refill with the highest ID counted as the last one, although an earlier one had been retried.
pub(crate) async fn retried_earlier_refill_is_the_only_open_job_of_its_target(store: &dyn Store, _: &World) {
    let target = set(store, wish(5)).await;
    let first = queued(store.refill(refill(&target, planned(None))).await.unwrap());
    store.cancel(first.id, &someone()).await.unwrap();
    let second = queued(store.refill(refill(&target, planned(Some(first.id)))).await.unwrap());
    store.cancel(second.id, &someone()).await.unwrap();
    let retried = queue_again(store, first.id, 0).await;
    assert_eq!(retried.target_id, Some(target.id));
    for asked in [planned(Some(second.id)), Asked::Manual(someone())] {
        assert_eq!(store.refill(refill(&target, asked)).await.unwrap(), Refilled::Open(retried.clone()));
    }
    assert_eq!(store.refills().await.unwrap(), [retried]);
    store.cancel(first.id, &someone()).await.unwrap();
    queued(store.refill(refill(&target, planned(Some(second.id)))).await.unwrap());
}

pub(crate) async fn retried_refill_has_no_window_and_leaves_a_target_with_another(store: &dyn Store, _: &World) {
    let target = set(store, wish(9)).await;
    let asked = |last| Asked::Planned { last, not_after_at: Some(START) };
    let first = queued(store.refill(refill(&target, asked(None))).await.unwrap());
    store.cancel(first.id, &someone()).await.unwrap();
    let retried = queue_again(store, first.id, 0).await;
    assert_eq!((retried.target_id, retried.not_after_at), (Some(target.id), None));
    assert_eq!(store.refill(refill(&target, Asked::Manual(someone()))).await.unwrap(), Refilled::Open(retried));
    store.cancel(first.id, &someone()).await.unwrap();
    queued(store.refill(refill(&target, asked(Some(first.id)))).await.unwrap());
    let retried = queue_again(store, first.id, 0).await;
    assert_eq!((retried.state, retried.target_id), (JobState::Queued, None));
}

pub(crate) async fn ended_refill_is_listed_counted_and_retried_like_a_cancelled_one(store: &dyn Store, world: &World) {
    let target = set(store, wish(4)).await;
    let asked = Asked::Planned { last: None, not_after_at: Some(START) };
    let job = queued(store.refill(refill(&target, asked)).await.unwrap());
    let slice = claimed(store, 1).await;
    committed(store, &slice, &[1, 2]).await;
    let ended = store.stop_refill(job.id, Stop::TooLate).await.unwrap().unwrap();
    assert_eq!((ended.state, ended.made), (JobState::Ended, 2));
    let of_state = |state| JobFilter { states: vec![state], ..JobFilter::default() };
    assert_eq!(store.jobs(&of_state(JobState::Ended), None, 9).await.unwrap(), std::slice::from_ref(&ended));
    assert_eq!(store.jobs(&of_state(JobState::Cancelled), None, 9).await.unwrap(), []);
    let counted = store.queue_state().await.unwrap();
    assert_eq!((counted.jobs_in(JobState::Ended), counted.jobs_in(JobState::Cancelled)), (1, 0));
    assert_eq!(cancelled(store, job.id).await, ended);

    let retried = queue_again(store, job.id, 0).await;
    assert_eq!((retried.state, retried.error, retried.not_after_at), (JobState::Queued, None, None));
    assert_eq!(retried.target_id, Some(target.id));
    let slice = claimed(store, 2).await;
    assert_eq!(slice.first_index, 2, "the job resumes where it ended");
    committed(&*world.open().await, &slice, &[3, 4]).await;
    assert_eq!(job_of(store, job.id).await.state, JobState::Succeeded);
}
