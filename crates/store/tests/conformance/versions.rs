//! Jobs that need a certain engine version, and workers of several versions on one database.

use crate::{prelude::*, targets::wish};

/// A job that needs the next engine version.
fn newer(wanted: u32) -> NewJob {
    NewJob { needed_version: ENGINE_VERSION + 1, priority: 9, ..job(wanted) }
}

pub(crate) async fn job_waits_for_a_worker_of_its_engine_version(store: &dyn Store, world: &World) {
    let waits = queue(store, newer(2)).await;
    assert_eq!(job_of(store, waits.id).await, waits);
    nothing_is_due(store).await;
    assert_eq!(store.next_due().await.unwrap(), None);
    // The job has a higher priority, and still does not block other jobs.
    let other = queue(store, job(2)).await;
    assert_eq!(claimed(store, 1).await.lease.job_id, other.id);
    nothing_is_due(store).await;
    assert_eq!(job_of(store, waits.id).await.state, JobState::Queued);

    let newer = world.open_for_version(ENGINE_VERSION + 1).await;
    assert!(newer.next_due().await.unwrap().is_some_and(|due| due <= world.now()));
    let slice = claimed(&*newer, 2).await;
    assert_eq!(slice.lease.job_id, waits.id);
    assert_eq!(committed(&*newer, &slice, &[1, 2]).await.state, JobState::Succeeded);
}

pub(crate) async fn newer_worker_claims_jobs_of_every_version(store: &dyn Store, world: &World) {
    let newer_store = world.open_for_version(ENGINE_VERSION + 1).await;
    let both = [queue(store, newer(1)).await.id, queue(store, job(1)).await.id];
    let done = [claimed(&*newer_store, 1).await, claimed(&*newer_store, 2).await];
    assert_eq!(done.map(|slice| slice.lease.job_id), both);
}

pub(crate) async fn work_of_a_newer_worker_is_not_offered_to_an_older_one(store: &dyn Store, world: &World) {
    let newer_store = world.open_for_version(ENGINE_VERSION + 1).await;
    let begun = queue(store, newer(4)).await;
    let slice = claimed(&*newer_store, 1).await;
    newer_store.give_back(slice.lease).await.unwrap();
    nothing_is_due(store).await;
    claimed_whole(&*newer_store, 2).await;
    world.pass_ms(LEASE_MS);
    nothing_is_due(store).await;
    assert_eq!(store.next_due().await.unwrap(), None);
    assert_eq!(claimed(&*newer_store, 3).await.lease.job_id, begun.id);
    store.cancel(begun.id, &someone()).await.unwrap();
    assert_eq!(queue_again(store, begun.id, 1).await.needed_version, ENGINE_VERSION + 1);
    nothing_is_due(store).await;
}

pub(crate) async fn a_refill_needs_the_version_of_its_spec(store: &dyn Store, world: &World) {
    let target = set(store, wish(5)).await;
    let job = queued(store.refill(refill(&target, Asked::Manual(someone()))).await.unwrap());
    // The kind of these cases is not in the registry, so the job needs the current engine version.
    assert_eq!(job.needed_version, ENGINE_VERSION);
    nothing_is_due(&*world.open_for_version(ENGINE_VERSION - 1).await).await;
    assert_eq!(claimed(store, 1).await.lease.job_id, job.id);
}
