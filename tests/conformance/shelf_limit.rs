//! The limit on shelves: a surplus puzzle that needs one more is dropped, and a wanted puzzle fails its job.

use puzzled::store::{
    Claim, Store,
    job::{JobState, NewJob},
};
use puzzled_engine::{spec::Spec, symmetry::Symmetry};
use tokio::task::JoinSet;

use crate::{
    backend::World,
    support::{job, someone, spec},
    work::{
        claim, claimed_whole, committed, done, nothing_is_due, queue, range_of, result_of, slices_of, work,
        work_with_surplus,
    },
};

/// The numbers of positions and of withdrawn puzzles of each shelf.
async fn counts(store: &dyn Store) -> Vec<(i64, i64)> {
    store.shelves().await.unwrap().iter().map(|shelf| (shelf.positions, shelf.withdrawn)).collect()
}

pub(crate) async fn surplus_puzzle_that_needs_a_shelf_beyond_the_limit_is_dropped(_: &dyn Store, world: &World) {
    let store = world.open_with_shelves(2).await;
    queue(&*store, job(2)).await;
    let slice = claimed_whole(&*store, 1).await;
    // Numbers 10 and 15 are on one shelf, 11 is on another, and 12 would need a third.
    let made = done(store.commit(slice.lease, work_with_surplus(&slice, &[10], &[11, 12, 15])).await.unwrap());
    assert_eq!((made.state, made.made, made.surplus), (JobState::Running, 1, 2));
    assert_eq!(counts(&*store).await, [(2, 0), (1, 0)]);
    let rest = claimed_whole(&*store, 2).await;
    assert_eq!(committed(&*store, &rest, &[16]).await.state, JobState::Succeeded);
}

pub(crate) async fn wanted_puzzles_get_the_last_shelf_before_surplus_ones(_: &dyn Store, world: &World) {
    let store = world.open_with_shelves(1).await;
    queue(&*store, job(2)).await;
    let slice = claimed_whole(&*store, 1).await;
    let made = done(store.commit(slice.lease, work_with_surplus(&slice, &[14], &[10])).await.unwrap());
    assert_eq!((made.made, made.surplus), (1, 0));
    assert_eq!(store.shelves().await.unwrap()[0].key.rating.0, 14);
}

pub(crate) async fn wanted_puzzle_that_needs_a_shelf_beyond_the_limit_fails_its_job(_: &dyn Store, world: &World) {
    let store = world.open_with_shelves(2).await;
    let spec = Spec { technique: Some("X-Wing".to_owned()), clues: Some(24), ..spec() };
    let queued = queue(&*store, NewJob { spec, ..job(4) }).await;
    let slice = claimed_whole(&*store, 1).await;
    let mut work = work(&slice, &[10, 11, 12, 15]);
    work.made[2].attempt = 3;
    let failed = done(store.commit(slice.lease, work).await.unwrap());
    assert_eq!((failed.state, failed.made, failed.tally.repeats), (JobState::Failed, 3, 0));
    let error = "index 2 needs a new shelf (number 1x1, symmetry none, rated 1.2, needing X-Wing, with 24 givens), and the \
                 limit of 2 shelves is reached; queue a job without technique and clues, or for a variant and symmetry of \
                 which the stock holds all ratings";
    assert_eq!(failed.error.as_deref(), Some(error));
    assert_eq!(result_of(&*store, queued.id).await, [(0, 0, 10), (1, 0, 11), (3, 0, 15)]);
    assert_eq!(counts(&*store).await, [(2, 0), (1, 0)]);
    // The rest of the slice starts at the same try of the same index.
    let wider = world.open().await;
    wider.retry(queued.id, 1, &someone()).await.unwrap();
    let rest = claimed_whole(&*wider, 2).await;
    assert_eq!(range_of(&rest), (2, 3, 3));
    assert_eq!(committed(&*wider, &rest, &[12]).await.state, JobState::Succeeded);
    nothing_is_due(&*wider).await;
}

pub(crate) async fn puzzle_without_a_shelf_replaces_nothing(_: &dyn Store, world: &World) {
    let store = world.open_with_shelves(1).await;
    let queued = queue(&*store, job(4)).await;
    let low = store.claim(Claim { size: slices_of(1), ..claim(1) }).await.unwrap().slice.unwrap();
    let high = claimed_whole(&*store, 2).await;
    committed(&*store, &high, &[10, 15]).await;
    // The lower index makes a puzzle with the solution of a higher one and another rating.
    let mut work = work(&low, &[10]);
    work.made[0].made.record.rating.0 = 12;
    let failed = done(store.commit(low.lease, work).await.unwrap());
    assert_eq!((failed.state, failed.made), (JobState::Failed, 2));
    assert_eq!(result_of(&*store, queued.id).await, [(1, 0, 10), (2, 0, 15)]);
    assert_eq!(counts(&*store).await, [(2, 0)]);
}

pub(crate) async fn concurrent_commits_never_exceed_the_limit_of_shelves(_: &dyn Store, world: &World) {
    let mut committers = JoinSet::new();
    let store = world.open_with_shelves(3).await;
    for (symmetry, token) in Symmetry::ALL.into_iter().zip(1..) {
        queue(&*store, NewJob { spec: Spec { symmetry, ..spec() }, ..job(1) }).await;
        let slice = claimed_whole(&*store, token).await;
        let other = world.open_with_shelves(3).await;
        let number = u64::try_from(token).unwrap() * 5;
        committers.spawn(async move { done(other.commit(slice.lease, work(&slice, &[number])).await.unwrap()).state });
    }
    let states = committers.join_all().await;
    let succeeded = states.iter().filter(|&&state| state == JobState::Succeeded).count();
    assert_eq!((succeeded, states.len()), (3, Symmetry::ALL.len()), "{states:?}");
    assert_eq!(counts(&*store).await, [(1, 0); 3]);
}
