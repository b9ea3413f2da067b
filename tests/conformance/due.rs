//! `next_due`: the time at which the next slice can be claimed.

use puzzled::{
    clock::Millis,
    store::{Store, job::NewJob},
};

use crate::{
    backend::{START, World},
    support::{job, someone},
    work::{LEASE_MS, claimed, claimed_whole, committed, done, failure, queue},
};

async fn is_due_now(store: &dyn Store, world: &World) {
    let due = store.next_due().await.unwrap();
    assert!(due.is_some_and(|due| due <= world.now()), "{due:?}");
}

async fn is_due_at(store: &dyn Store, at: Millis) {
    assert_eq!(store.next_due().await.unwrap(), Some(at));
}

pub(crate) async fn an_empty_queue_has_nothing_due(store: &dyn Store, _: &World) {
    assert_eq!(store.next_due().await.unwrap(), None);
}

pub(crate) async fn a_queued_job_is_due_at_its_time(store: &dyn Store, world: &World) {
    queue(store, NewJob { not_before_at: START.plus_ms(500), ..job(1) }).await;
    is_due_at(store, START.plus_ms(500)).await;
    queue(store, NewJob { not_before_at: START.plus_ms(300), ..job(1) }).await;
    is_due_at(store, START.plus_ms(300)).await;
    queue(store, job(1)).await;
    is_due_now(store, world).await;
}

pub(crate) async fn unleased_indices_are_due_now(store: &dyn Store, world: &World) {
    queue(store, job(3)).await;
    claimed(store, 1).await;
    is_due_now(store, world).await;
    claimed(store, 2).await;
    is_due_at(store, START.plus_ms(LEASE_MS)).await;
}

pub(crate) async fn leased_slice_is_due_when_its_lease_expires(store: &dyn Store, world: &World) {
    queue(store, job(2)).await;
    let slice = claimed(store, 1).await;
    is_due_at(store, START.plus_ms(LEASE_MS)).await;
    world.pass_ms(400);
    store.renew(&[slice.lease], LEASE_MS).await.unwrap();
    is_due_at(store, START.plus_ms(400 + LEASE_MS)).await;
    done(store.give_back(slice.lease).await.unwrap());
    is_due_now(store, world).await;
}

pub(crate) async fn slice_is_due_after_the_backoff_of_its_failed_attempt(store: &dyn Store, _: &World) {
    queue(store, job(2)).await;
    let slice = claimed(store, 1).await;
    done(store.fail_attempt(slice.lease, failure("it broke")).await.unwrap());
    is_due_at(store, START.plus_ms(1_000)).await;
}

pub(crate) async fn the_rest_of_a_slice_is_due_now(store: &dyn Store, world: &World) {
    queue(store, job(2)).await;
    let slice = claimed(store, 1).await;
    committed(store, &slice, &[1]).await;
    is_due_now(store, world).await;
}

pub(crate) async fn a_job_that_has_ended_has_nothing_due(store: &dyn Store, _: &World) {
    queue(store, job(2)).await;
    let slice = claimed_whole(store, 1).await;
    committed(store, &slice, &[1, 2]).await;
    let cancelled = queue(store, job(4)).await;
    claimed(store, 2).await;
    store.cancel(cancelled.id, &someone()).await.unwrap();
    assert_eq!(store.next_due().await.unwrap(), None);
}

pub(crate) async fn store_returns_the_time_of_its_clock(store: &dyn Store, world: &World) {
    assert_eq!(store.now().await.unwrap(), START);
    world.pass_ms(5);
    assert_eq!(store.now().await.unwrap(), START.plus_ms(5));
    store.ping().await.unwrap();
}
