//! Failed attempts: their backoff, their limit, and their effect on the job. A slice that a worker gives back has not
//! failed.

use puzzled::store::{
    Store,
    job::{FailedAttempt, JobState, Slice},
};

use crate::{
    backend::World,
    support::job,
    work::{
        ATTEMPTS_MAX, LEASE_MS, claimed, committed, done, failure, is_refused, job_of, nothing_is_due, queue, range_of,
    },
};

pub(crate) async fn slice_waits_for_the_backoff_of_its_failed_attempt(store: &dyn Store, world: &World) {
    queue(store, job(2)).await;
    let slice = claimed(store, 1).await;
    let job = done(store.fail_attempt(slice.lease, failure("it broke")).await.unwrap());
    assert_eq!((job.state, job.failed_attempts, job.error.as_deref()), (JobState::Running, 1, Some("it broke")));
    assert_eq!(job_of(store, job.id).await, job);
    is_refused(store, &slice, &[1, 2]).await;
    world.pass_ms(999);
    nothing_is_due(store).await;
    // The backoff is the same after a restart.
    nothing_is_due(&*world.open().await).await;
    world.pass_ms(1);
    let again = claimed(&*world.open().await, 2).await;
    assert_eq!((range_of(&again), again.failed_attempts), (range_of(&slice), 1));
}

pub(crate) async fn other_slices_of_a_job_continue_during_the_backoff_of_one(store: &dyn Store, _: &World) {
    queue(store, job(4)).await;
    let slice = claimed(store, 1).await;
    done(store.fail_attempt(slice.lease, failure("it broke")).await.unwrap());
    assert_eq!(range_of(&claimed(store, 2).await), (2, 4, 0));
    nothing_is_due(store).await;
}

pub(crate) async fn job_fails_with_the_error_of_its_last_failed_attempt(store: &dyn Store, world: &World) {
    queue(store, job(4)).await;
    let other = claimed(store, 100).await;
    for attempt in 1..=ATTEMPTS_MAX {
        let slice = claimed(store, attempt.into()).await;
        assert_eq!(slice.failed_attempts, attempt - 1);
        let error = format!("it broke {attempt}");
        let job = done(store.fail_attempt(slice.lease, failure(&error)).await.unwrap());
        let ended = attempt == ATTEMPTS_MAX;
        assert_eq!(job.state, if ended { JobState::Failed } else { JobState::Running });
        assert_eq!((job.error, job.ended_at), (Some(error), ended.then(|| world.now())));
        world.pass_ms(1_000);
        if !ended {
            assert_eq!(store.renew(&[other.lease], LEASE_MS).await.unwrap(), []);
        }
    }
    nothing_is_due(store).await;
    is_refused(store, &other, &[1, 2]).await;
}

pub(crate) async fn failed_attempts_and_expired_leases_add_up(store: &dyn Store, world: &World) {
    queue(store, job(2)).await;
    claimed(store, 1).await;
    world.pass_ms(LEASE_MS);
    let slice = claimed(store, 2).await;
    let job = done(store.fail_attempt(slice.lease, failure("it broke")).await.unwrap());
    assert_eq!((job.state, job.failed_attempts), (JobState::Running, 2));
    world.pass_ms(1_000);
    let slice = claimed(store, 3).await;
    let job = done(store.fail_attempt(slice.lease, failure("it broke")).await.unwrap());
    assert_eq!((job.state, job.failed_attempts), (JobState::Failed, 3));
}

pub(crate) async fn failed_attempts_are_limited_by_slice_and_not_by_job(store: &dyn Store, _: &World) {
    queue(store, job(20)).await;
    for token in 1..=10 {
        let slice = claimed(store, token).await;
        let failed = FailedAttempt { backoff_ms: i64::MAX, ..failure("it broke") };
        let job = done(store.fail_attempt(slice.lease, failed).await.unwrap());
        assert_eq!((job.state, i64::from(job.failed_attempts)), (JobState::Running, token));
    }
}

pub(crate) async fn a_slice_given_back_is_offered_at_once_and_has_not_failed(store: &dyn Store, _: &World) {
    queue(store, job(2)).await;
    let slice = claimed(store, 1).await;
    done(store.give_back(slice.lease).await.unwrap());
    is_refused(store, &slice, &[1, 2]).await;
    let again = claimed(store, 2).await;
    assert_eq!(again.lease.slice_id, slice.lease.slice_id);
    // Only the claim of a job's first slice says how long the job waited.
    assert_eq!(Slice { lease: slice.lease, ..again.clone() }, Slice { waited_ms: None, ..slice });
    assert_eq!(committed(store, &again, &[1, 2]).await.failed_attempts, 0);
}

pub(crate) async fn a_slice_given_back_keeps_its_failed_attempts(store: &dyn Store, world: &World) {
    queue(store, job(2)).await;
    claimed(store, 1).await;
    world.pass_ms(LEASE_MS);
    let slice = claimed(store, 2).await;
    done(store.give_back(slice.lease).await.unwrap());
    assert_eq!(claimed(store, 3).await.failed_attempts, 1);
}
