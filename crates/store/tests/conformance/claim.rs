//! Claims: the order in which they choose jobs, the indices of their slices, that no index is leased twice, and the time
//! at which the next slice can be claimed (`next_due`).

use crate::prelude::*;

/// The jobs of the next claims, in order. Each claim is for one index.
async fn next_jobs(store: &dyn Store, order: ClaimOrder, claims: i64) -> Vec<JobId> {
    let mut jobs = Vec::new();
    for token in 0..claims {
        let slice = store.claim(Claim { order, size: slices_of(1), ..claim(token) }).await.unwrap().slice;
        jobs.extend(slice.map(|slice| slice.lease.job_id));
    }
    jobs
}

async fn queue_at(store: &dyn Store, priority: i32) -> JobId {
    queue(store, NewJob { priority, ..job(100) }).await.id
}

pub(crate) async fn slice_has_everything_that_its_work_depends_on(store: &dyn Store, world: &World) {
    nothing_is_due(store).await;
    let traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let by = Some(Arc::new((*someone()).clone().within(Some(traceparent.into()))));
    let queued = queue(store, NewJob { seed: u64::MAX, tries_max: 6, by, ..job(3) }).await;
    world.pass_ms(30);
    let slice = claimed(store, -9).await;
    let expected = Slice {
        lease: Lease { slice_id: slice.lease.slice_id, job_id: queued.id, token: -9 },
        spec: spec(),
        seed: u64::MAX,
        first_index: 0,
        end_index: 2,
        first_try: 0,
        tries_max: 6,
        failed_attempts: 0,
        traceparent: Some(traceparent.to_owned()),
        waited_ms: Some(30),
    };
    assert_eq!(slice, expected);
}

pub(crate) async fn the_first_claim_starts_the_job(store: &dyn Store, world: &World) {
    let queued = queue(store, job(5)).await;
    world.pass_ms(30);
    claimed(store, 1).await;
    world.pass_ms(30);
    claimed(store, 2).await;
    let started_at = Some(START.plus_ms(30));
    let expected = Job { state: JobState::Running, next_index: 4, started_at, ..queued.clone() };
    assert_eq!(job_of(store, queued.id).await, expected);
}

pub(crate) async fn slice_has_the_requested_size_or_that_of_the_pace_of_its_job(store: &dyn Store, _: &World) {
    for (size, end_index) in [(1, 1), (0, 1), (5, 5), (u32::MAX, 10)] {
        let queued = queue(store, job(10)).await;
        let slice = claimed_of(store, size, 1).await;
        assert_eq!(range_of(&slice), (0, end_index, 0));
        store.cancel(queued.id, &someone()).await.unwrap();
    }
    queue(store, job(10)).await;
    let slice = claimed(store, 1).await;
    // The pace of the job is two puzzles in five milliseconds.
    committed(store, &slice, &[1, 2]).await;
    let size = SliceSize { first: 1, work_ms: 8, max: 10 };
    let slice = store.claim(Claim { size, ..claim(2) }).await.unwrap().slice.unwrap();
    assert_eq!(range_of(&slice), (2, 6, 0));
}

pub(crate) async fn job_of_higher_priority_is_claimed_first(store: &dyn Store, _: &World) {
    let [low, high, middle] = [queue_at(store, -1).await, queue_at(store, 9).await, queue_at(store, 0).await];
    for job in [high, middle, low] {
        assert_eq!(next_jobs(store, ClaimOrder::Priority, 3).await, [job; 3]);
        store.cancel(job, &someone()).await.unwrap();
    }
}

pub(crate) async fn job_with_nothing_left_to_claim_does_not_block_lower_priorities(store: &dyn Store, _: &World) {
    let low = queue_at(store, 0).await;
    let high = queue(store, NewJob { priority: 1, ..job(1) }).await.id;
    assert_eq!(next_jobs(store, ClaimOrder::Priority, 3).await, [high, low, low]);
}

pub(crate) async fn jobs_of_one_priority_take_turns(store: &dyn Store, _: &World) {
    let [a, b, c] = [queue_at(store, 0).await, queue_at(store, 0).await, queue_at(store, 0).await];
    assert_eq!(next_jobs(store, ClaimOrder::Priority, 7).await, [a, b, c, a, b, c, a]);
}

pub(crate) async fn claims_by_turn_ignore_priorities(store: &dyn Store, _: &World) {
    let [low, high] = [queue_at(store, 0).await, queue_at(store, 9).await];
    assert_eq!(next_jobs(store, ClaimOrder::Turn, 4).await, [low, high, low, high]);
    assert_eq!(next_jobs(store, ClaimOrder::Priority, 2).await, [high, high]);
    assert_eq!(next_jobs(store, ClaimOrder::Turn, 2).await, [low, high]);
}

/// Regression: a new job had turn 0, so claims by turn chose it before every job that had already been claimed. A stream of
/// new jobs kept a job of low priority from all claims by turn.
pub(crate) async fn claims_by_turn_reach_a_new_job_after_jobs_that_waited_longer(store: &dyn Store, _: &World) {
    let low = queue_at(store, 0).await;
    assert_eq!(next_jobs(store, ClaimOrder::Turn, 1).await, [low]);
    let [new, newer] = [queue_at(store, 9).await, queue_at(store, 9).await];
    assert_eq!(next_jobs(store, ClaimOrder::Turn, 4).await, [low, new, newer, low]);
}

/// Regression: the same as for new jobs. The wait of a retried job starts at its retry.
pub(crate) async fn claims_by_turn_reach_a_retried_job_after_jobs_that_waited_longer(store: &dyn Store, _: &World) {
    let [again, other] = [queue_at(store, 0).await, queue_at(store, 0).await];
    store.cancel(again, &someone()).await.unwrap();
    assert_eq!(next_jobs(store, ClaimOrder::Turn, 3).await, [other; 3]);
    store.retry(again, 0, &someone()).await.unwrap();
    assert_eq!(next_jobs(store, ClaimOrder::Turn, 3).await, [other, again, other]);
}

pub(crate) async fn job_that_waits_for_its_time_does_not_block_others(store: &dyn Store, _: &World) {
    queue(store, NewJob { priority: 9, not_before_at: Millis(i64::MAX), ..job(1) }).await;
    let due = queue_at(store, 0).await;
    assert_eq!(next_jobs(store, ClaimOrder::Priority, 2).await, [due; 2]);
}

pub(crate) async fn started_slices_precede_new_indices_lowest_first(store: &dyn Store, _: &World) {
    queue(store, job(20)).await;
    let slices = claimed_by(store, 1..=3).await;
    done(store.give_back(slices[2].lease).await.unwrap());
    let cut = SliceWork { next_try: 4, ..work(&slices[1], &[]) };
    done(store.commit(slices[1].lease, cut).await.unwrap());
    assert_eq!(ranges_of(store, 4..=6).await, [(2, 4, 4), (4, 6, 0), (6, 8, 0)]);
}

async fn is_due_now(store: &dyn Store, world: &World) {
    let due = store.next_due().await.unwrap();
    assert!(due.is_some_and(|due| due <= world.now()), "{due:?}");
}

async fn is_due_at(store: &dyn Store, at: Millis) {
    assert_eq!(store.next_due().await.unwrap(), Some(at));
}

pub(crate) async fn a_queued_job_is_due_and_claimed_at_its_time(store: &dyn Store, world: &World) {
    assert_eq!(store.next_due().await.unwrap(), None);
    for ms in [500, 300] {
        queue(store, NewJob { not_before_at: START.plus_ms(ms), ..job(1) }).await;
        is_due_at(store, START.plus_ms(ms)).await;
    }
    world.pass_ms(299);
    nothing_is_due(store).await;
    world.pass_ms(1);
    claimed(store, 1).await;
    queue(store, job(1)).await;
    is_due_now(store, world).await;
}

pub(crate) async fn next_due_is_the_time_at_which_a_slice_can_be_claimed(store: &dyn Store, world: &World) {
    queue(store, job(3)).await;
    let slice = claimed(store, 1).await;
    // An index has no slice yet.
    is_due_now(store, world).await;
    let other = claimed(store, 2).await;
    is_due_at(store, START.plus_ms(LEASE_MS)).await;
    world.pass_ms(400);
    store.renew(&[slice.lease, other.lease], LEASE_MS).await.unwrap();
    is_due_at(store, START.plus_ms(400 + LEASE_MS)).await;
    done(store.give_back(slice.lease).await.unwrap());
    is_due_now(store, world).await;
    let slice = claimed(store, 3).await;
    done(store.fail_attempt(slice.lease, failure("it broke")).await.unwrap());
    is_due_at(store, START.plus_ms(400 + 1_000)).await;
    world.pass_ms(1_000);
    let slice = claimed(store, 4).await;
    committed(store, &slice, &[1]).await;
    // The rest of the slice.
    is_due_now(store, world).await;
}

pub(crate) async fn store_returns_the_time_of_its_clock(store: &dyn Store, world: &World) {
    assert_eq!(store.now().await.unwrap(), START);
    world.pass_ms(5);
    assert_eq!(store.now().await.unwrap(), START.plus_ms(5));
    store.ping().await.unwrap();
}
