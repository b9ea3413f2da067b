//! The queue as a whole: what a pause stops and what continues, the counts of its state, and notices between the
//! processes of one database.

use puzzled_store::{
    Notice::{Finished, Queued, Resumed},
    jobs::{
        growth::Gauge,
        queue_state::{HOUR_MS, Pause, ReclaimedSlice},
    },
};

use crate::{growth::bound, prelude::*, targets::wish};

const EMPTY: QueueState = QueueState {
    pause: None,
    jobs: [0; 6],
    waiting_slices: 0,
    leased_slices: 0,
    oldest_wait_ms: None,
    reclaimed_slices_last_hour: 0,
    reclaimed_slices: 0,
    growth: GrowthState {
        puzzles: Gauge { used: 0, max: None, full_at: None },
        bytes: Gauge { used: 0, max: None, full_at: None },
        bytes_read_at: None,
    },
};

fn with_puzzles(used: u64) -> GrowthState {
    GrowthState { puzzles: Gauge { used, ..EMPTY.growth.puzzles }, ..EMPTY.growth }
}

async fn state(store: &dyn Store) -> QueueState {
    store.queue_state().await.unwrap()
}

async fn pause(store: &dyn Store) {
    store.set_pause(Some(""), &someone()).await.unwrap();
}

async fn resume(store: &dyn Store) {
    store.set_pause(None, &someone()).await.unwrap();
}

pub(crate) async fn a_paused_queue_takes_jobs_and_has_nothing_due(store: &dyn Store, _: &World) {
    queue(store, job(3)).await;
    pause(store).await;
    let waits = queue(store, job(3)).await;
    nothing_is_due(store).await;
    assert_eq!(store.next_due().await.unwrap(), None);
    assert_eq!(job_of(store, waits.id).await.state, JobState::Queued);
    resume(store).await;
    assert!(store.next_due().await.unwrap().is_some());
    claimed(store, 1).await;
    // Resuming a queue that is not paused changes nothing.
    resume(store).await;
    assert_eq!(claimed(store, 2).await.lease.job_id, waits.id);
}

pub(crate) async fn leased_slices_finish_in_a_paused_queue_and_none_is_reclaimed(store: &dyn Store, world: &World) {
    let begun = queue(store, job(4)).await;
    let slices = [claimed(store, 1).await, claimed(store, 2).await];
    pause(store).await;
    world.pass_ms(LEASE_MS);
    nothing_is_due(store).await;
    assert_eq!(store.renew(&slices.clone().map(|slice| slice.lease), LEASE_MS).await.unwrap(), []);
    assert_eq!(store.give_back(slices[0].lease).await.unwrap(), Guarded::Done(()));
    assert_eq!(committed(store, &slices[1], &[3, 4]).await.made, 2);
    nothing_is_due(store).await;
    assert_eq!((job_of(store, begun.id).await.state, state(store).await.reclaimed_slices), (JobState::Running, 0));
}

pub(crate) async fn paused_queue_plans_no_refill_and_queues_manual_ones(store: &dyn Store, _: &World) {
    let target = set(store, wish(5)).await;
    pause(store).await;
    let planned = || refill(&target, Asked::Planned { last: None, not_after_at: None });
    assert_eq!(store.refill(planned()).await.unwrap(), Refilled::Paused);
    resume(store).await;
    let job = queued(store.refill(planned()).await.unwrap());
    store.cancel(job.id, &someone()).await.unwrap();
    pause(store).await;
    queued(store.refill(refill(&target, Asked::Manual(someone()))).await.unwrap());
}

pub(crate) async fn a_pause_outlives_the_process_and_keeps_its_time_and_reason(store: &dyn Store, world: &World) {
    queue(store, job(2)).await;
    store.set_pause(Some("a move"), &someone()).await.unwrap();
    world.pass_ms(10);
    let next = world.open().await;
    for (said, reason) in [(None, "a move"), (Some(""), "a move"), (Some("it\'s late"), "it\'s late")] {
        if let Some(said) = said {
            next.set_pause(Some(said), &someone()).await.unwrap();
        }
        let pause = Pause { at: START, reason: reason.to_owned() };
        assert_eq!(state(&*next).await.pause, Some(pause));
    }
    nothing_is_due(&*next).await;
    resume(&*next).await;
    assert_eq!(state(store).await.pause, None);
    claimed(store, 1).await;
    pause(store).await;
    let anew = Pause { at: START.plus_ms(10), reason: String::new() };
    assert_eq!(state(store).await.pause, Some(anew));
}

pub(crate) async fn queue_state_counts_jobs_and_leased_slices(store: &dyn Store, world: &World) {
    assert_eq!(state(store).await, EMPTY);
    let cancelled = queue(store, job(2)).await;
    store.cancel(cancelled.id, &someone()).await.unwrap();
    queue(store, job(2)).await;
    let slice = claimed(store, 1).await;
    committed(store, &slice, &[1, 2]).await;
    queue(store, job(4)).await;
    claimed(store, 2).await;
    claimed(store, 3).await;
    queue(store, job(1)).await;
    world.pass_ms(7);
    let expected = QueueState {
        jobs: [1, 1, 1, 0, 1, 0],
        leased_slices: 2,
        oldest_wait_ms: Some(7),
        growth: with_puzzles(2),
        ..EMPTY
    };
    let told = state(store).await;
    assert_eq!(told, expected);
    let named = [JobState::Queued, JobState::Succeeded, JobState::Failed].map(|state| told.jobs_in(state));
    assert_eq!(named, [1, 1, 0]);
}

pub(crate) async fn oldest_wait_starts_when_the_job_could_have_started(store: &dyn Store, world: &World) {
    queue(store, NewJob { not_before_at: START.plus_ms(50), ..job(1) }).await;
    world.pass_ms(49);
    assert_eq!(state(store).await.oldest_wait_ms, None);
    world.pass_ms(11);
    assert_eq!(state(store).await.oldest_wait_ms, Some(10));
    queue(store, job(1)).await;
    world.pass_ms(5);
    assert_eq!(state(store).await.oldest_wait_ms, Some(15));
    claimed(store, 1).await;
    assert_eq!(state(store).await.oldest_wait_ms, Some(5), "a started job no longer waits");
}

pub(crate) async fn unleased_slices_count_as_waiting(store: &dyn Store, world: &World) {
    queue(store, job(6)).await;
    let slices = [claimed(store, 1).await, claimed(store, 2).await, claimed(store, 3).await];
    store.give_back(slices[0].lease).await.unwrap();
    let waiting = |state: QueueState| (state.waiting_slices, state.leased_slices);
    assert_eq!(waiting(state(store).await), (1, 2));
    // One lease is renewed, the other expires.
    world.pass_ms(LEASE_MS - 1);
    store.renew(&[slices[1].lease], LEASE_MS).await.unwrap();
    world.pass_ms(1);
    assert_eq!(waiting(state(store).await), (2, 1));
    store.cancel(slices[0].lease.job_id, &someone()).await.unwrap();
    assert_eq!(waiting(state(store).await), (0, 0));
}

pub(crate) async fn expired_lease_counts_as_reclaimed_unless_its_job_ended(store: &dyn Store, world: &World) {
    let [one, other] = [queue(store, job(2)).await, queue(store, job(2)).await];
    let late = claimed(store, 1).await;
    claimed(store, 2).await;
    store.cancel(other.id, &someone()).await.unwrap();
    world.pass_ms(LEASE_MS);
    claimed(store, 3).await;
    assert_eq!(state(store).await.reclaimed_slices, 1);
    assert_eq!((job_of(store, one.id).await.reclaimed_slices, job_of(store, other.id).await.reclaimed_slices), (1, 0));
    // The worker that held the expired lease is too late.
    assert_eq!(store.commit(late.lease, work(&late, &[1, 2])).await.unwrap(), Guarded::LeaseLost);
    assert_eq!(job_of(store, one.id).await.made, 0);
}

pub(crate) async fn reclaimed_slice_names_the_worker_that_lost_it(store: &dyn Store, world: &World) {
    let job = queue(store, job(4)).await;
    let by = |worker: &str, token| Claim { worker: worker.into(), ..claim(token) };
    let first = store.claim(by("one", 1)).await.unwrap();
    let second = store.claim(by("two", 2)).await.unwrap();
    assert_eq!((first.reclaimed_slices, second.reclaimed_slices), (vec![], vec![]));
    let [first, second] = [first.slice.unwrap(), second.slice.unwrap()];
    world.pass_ms(LEASE_MS);
    store.renew(&[second.lease], LEASE_MS).await.unwrap();
    let taken = store.claim(by("three", 3)).await.unwrap();
    let reclaimed =
        |slice_id, worker: &str| ReclaimedSlice { job_id: job.id, slice_id, first_index: 0, worker: worker.to_owned() };
    assert_eq!(taken.reclaimed_slices, [reclaimed(first.lease.slice_id, "one")]);
    // The slice now belongs to the worker `three`.
    world.pass_ms(LEASE_MS - 1);
    store.renew(&[second.lease], LEASE_MS).await.unwrap();
    world.pass_ms(1);
    let again = store.claim(by("four", 4)).await.unwrap();
    assert_eq!(again.reclaimed_slices, [reclaimed(first.lease.slice_id, "three")]);
    assert_eq!(job_of(store, job.id).await.reclaimed_slices, 2);
}

pub(crate) async fn reclaimed_slices_are_counted_in_total_and_for_the_last_hour(store: &dyn Store, world: &World) {
    queue(store, job(20)).await;
    let counts = |state: QueueState| (state.reclaimed_slices_last_hour, state.reclaimed_slices);
    claimed(store, 1).await;
    world.pass_ms(LEASE_MS);
    claimed(store, 2).await;
    assert_eq!(counts(state(store).await), (1, 1));
    world.pass_ms(HOUR_MS - 1);
    claimed(store, 3).await;
    assert_eq!(counts(state(store).await), (2, 2));
    world.pass_ms(1);
    assert_eq!(counts(state(store).await), (1, 2));
    world.pass_ms(HOUR_MS);
    assert_eq!(counts(state(store).await), (0, 2));
}

/// SQLite has no notices, so this case and the next do nothing there.
pub(crate) async fn notices_of_other_processes_reach_the_listener(store: &dyn Store, world: &World) {
    let other = world.open().await;
    let Some(mut listener) = store.listen().await.unwrap() else { return };
    let id = queue(&*other, job(1)).await.id;
    assert_eq!(listener.next().await.unwrap(), Queued(id));
    other.cancel(id, &someone()).await.unwrap();
    assert_eq!(listener.next().await.unwrap(), Finished(id));
    other.retry(id, 0, &someone()).await.unwrap();
    assert_eq!(listener.next().await.unwrap(), Queued(id));
    let slice = claimed(&*other, 1).await;
    assert_eq!(committed(&*other, &slice, &[1]).await.state, JobState::Succeeded);
    assert_eq!(listener.next().await.unwrap(), Finished(id));
    let failing = queue(&*other, job(1)).await.id;
    assert_eq!(listener.next().await.unwrap(), Queued(failing));
    for token in 0..i64::from(ATTEMPTS_MAX) {
        let slice = claimed(&*other, token).await;
        done(other.fail_attempt(slice.lease, failure("it broke")).await.unwrap());
        world.pass_ms(1_000);
    }
    assert_eq!(listener.next().await.unwrap(), Finished(failing));
    other.set_pause(Some(""), &someone()).await.unwrap();
    other.set_pause(None, &someone()).await.unwrap();
    assert_eq!(listener.next().await.unwrap(), Resumed);
    // With the one puzzle that was made, the limit makes the stock full. Without the limit, the queue resumes.
    bound(&*other, Some(1)).await;
    bound(&*other, None).await;
    assert_eq!(listener.next().await.unwrap(), Resumed);
}

pub(crate) async fn uncommitted_changes_send_no_notice(store: &dyn Store, world: &World) {
    let Some(mut listener) = store.listen().await.unwrap() else { return };
    // The call fails at the last point before its commit, when it has already written the job.
    let mut points = 0;
    let failed = loop {
        points += 1;
        world.trap.fail_at(points);
        match store.enqueue(job(1), OPEN_JOBS_MAX).await {
            Err(StoreError::Injected("enqueue.commit")) => break points,
            Err(StoreError::Injected(_)) => {}
            other => panic!("{other:?} without a point before its commit"),
        }
    };
    world.trap.fail_at(0);
    assert!(failed > 1);
    let queued = queue(store, job(1)).await;
    assert_eq!(listener.next().await.unwrap(), Queued(queued.id));
}
