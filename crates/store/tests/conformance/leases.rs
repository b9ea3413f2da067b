//! Leases: they hold while workers renew them, expire by the store's clock, and protect a slice by their token. Also failed
//! attempts: their backoff, their limit, and their effect on the job; a slice that a worker gives back has not failed.

use crate::prelude::*;

async fn one_slice(store: &dyn Store) -> Slice {
    queue(store, job(2)).await;
    claimed(store, 1).await
}

pub(crate) async fn expired_lease_is_reclaimed_and_counts_as_a_failed_attempt(store: &dyn Store, world: &World) {
    let slice = one_slice(store).await;
    nothing_is_due(store).await;
    world.pass_ms(LEASE_MS - 1);
    nothing_is_due(store).await;
    world.pass_ms(1);
    let again = claimed(store, 2).await;
    let lease = Lease { token: 2, ..slice.lease };
    assert_eq!(again, Slice { lease, failed_attempts: 1, waited_ms: None, ..slice });
    let job = job_of(store, lease.job_id).await;
    let error = "the lease expired before the slice was committed; failed attempt 1";
    assert_eq!((job.state, job.failed_attempts, job.error.as_deref()), (JobState::Running, 1, Some(error)));
    // A job that recovers from a fault has no error at its end.
    let job = committed(store, &again, &[1, 2]).await;
    assert_eq!((job.state, job.failed_attempts, job.error), (JobState::Succeeded, 1, None));
}

pub(crate) async fn slice_whose_leases_expire_repeatedly_fails_its_job(store: &dyn Store, world: &World) {
    let slice = one_slice(store).await;
    for token in 2..=i64::from(ATTEMPTS_MAX) {
        world.pass_ms(LEASE_MS);
        claimed(store, token).await;
    }
    world.pass_ms(LEASE_MS);
    nothing_is_due(store).await;
    let job = job_of(store, slice.lease.job_id).await;
    assert_eq!((job.state, job.failed_attempts, job.ended_at), (JobState::Failed, ATTEMPTS_MAX, Some(world.now())));
    let error = job.error.unwrap();
    assert!(error.contains("the lease expired") && error.contains("failed attempt 3"), "{error}");
}

pub(crate) async fn leases_that_expire_at_once_all_count(store: &dyn Store, world: &World) {
    let queued = queue(store, job(6)).await;
    claimed_by(store, 1..=3).await;
    world.pass_ms(LEASE_MS);
    let slice = claimed(store, 4).await;
    assert_eq!((range_of(&slice), slice.failed_attempts), ((0, 2, 0), 1));
    let job = job_of(store, queued.id).await;
    assert_eq!((job.state, job.failed_attempts), (JobState::Running, 3));
}

pub(crate) async fn renewed_lease_holds_for_its_full_length_again(store: &dyn Store, world: &World) {
    assert_eq!(store.renew(&[], LEASE_MS).await.unwrap(), []);
    let slice = one_slice(store).await;
    for _ in 0..5 {
        world.pass_ms(LEASE_MS - 1);
        assert_eq!(store.renew(&[slice.lease], LEASE_MS).await.unwrap(), []);
    }
    world.pass_ms(LEASE_MS - 1);
    nothing_is_due(store).await;
    // An expired lease can be renewed until its slice is reclaimed.
    world.pass_ms(LEASE_MS * 5);
    assert_eq!(store.renew(&[slice.lease], LEASE_MS).await.unwrap(), []);
    nothing_is_due(store).await;
    assert_eq!(committed(store, &slice, &[1, 2]).await.failed_attempts, 0);
}

pub(crate) async fn renewal_names_the_lost_leases_and_keeps_the_others(store: &dyn Store, world: &World) {
    queue(store, job(10)).await;
    let mut slices = claimed_by(store, 1..=5).await;
    let cancelled = queue(store, job(2)).await;
    slices.push(claimed(store, 6).await);
    committed(store, &slices[0], &[1, 2]).await;
    done(store.give_back(slices[2].lease).await.unwrap());
    store.cancel(cancelled.id, &someone()).await.unwrap();
    let foreign = Lease { token: 99, ..slices[4].lease };
    let unknown = Lease { slice_id: i64::MAX, ..slices[4].lease };
    let of_another_job = Lease { job_id: cancelled.id, ..slices[4].lease };
    world.pass_ms(LEASE_MS - 1);

    let leases: Vec<_> = slices.iter().map(|slice| slice.lease).chain([foreign, unknown, of_another_job]).collect();
    let lost = store.renew(&leases, LEASE_MS).await.unwrap();

    assert_eq!(lost, [leases[0], leases[2], leases[5], foreign, unknown, of_another_job]);
    world.pass_ms(LEASE_MS - 1);
    assert_eq!(range_of(&claimed(store, 7).await), range_of(&slices[2]));
    nothing_is_due(store).await;
    for (slice, numbers) in [(&slices[1], [3, 4]), (&slices[3], [5, 6]), (&slices[4], [7, 8])] {
        committed(store, slice, &numbers).await;
    }
}

pub(crate) async fn token_of_another_lease_allows_nothing(store: &dyn Store, _: &World) {
    let slice = one_slice(store).await;
    for lease in [
        Lease { token: 2, ..slice.lease },
        Lease { token: -1, ..slice.lease },
        Lease { slice_id: slice.lease.slice_id + 1, ..slice.lease },
    ] {
        is_refused(store, &Slice { lease, ..slice.clone() }, &[1, 2]).await;
    }
    committed(store, &slice, &[1, 2]).await;
}

pub(crate) async fn commit_after_the_slice_was_reclaimed_is_refused(store: &dyn Store, world: &World) {
    let late = one_slice(store).await;
    world.pass_ms(LEASE_MS);
    let taken = claimed(store, 2).await;
    is_refused(store, &late, &[1, 2]).await;
    committed(store, &taken, &[3, 4]).await;
    is_refused(store, &late, &[1, 2]).await;
    assert_eq!(result_of(store, late.lease.job_id).await, [(0, 0, 3), (1, 0, 4)]);
}

pub(crate) async fn commit_after_expiry_is_kept_if_the_slice_was_not_reclaimed(store: &dyn Store, world: &World) {
    let late = one_slice(store).await;
    world.pass_ms(LEASE_MS * 100);
    let job = committed(store, &late, &[1, 2]).await;
    assert_eq!((job.state, job.failed_attempts), (JobState::Succeeded, 0));
}

pub(crate) async fn expired_lease_is_lost_even_if_no_worker_reclaims_it(store: &dyn Store, world: &World) {
    // The claim that ends the lease gets a slice of another job, which has a higher priority.
    let late = one_slice(store).await;
    queue(store, NewJob { priority: 1, ..job(2) }).await;
    world.pass_ms(LEASE_MS);
    assert_ne!(claimed(store, 2).await.lease.job_id, late.lease.job_id);
    is_refused(store, &late, &[1, 2]).await;
}

pub(crate) async fn clock_set_back_prolongs_leases_and_loses_none(store: &dyn Store, world: &World) {
    let slice = one_slice(store).await;
    world.jump_ms(-3_600_000);
    world.pass_ms(LEASE_MS * 2);
    nothing_is_due(store).await;
    assert_eq!(store.renew(&[slice.lease], LEASE_MS).await.unwrap(), []);
    world.pass_ms(LEASE_MS);
    let taken = claimed(store, 2).await;
    is_refused(store, &slice, &[1, 2]).await;
    committed(store, &taken, &[1, 2]).await;
}

pub(crate) async fn clock_set_forward_expires_leases_and_only_the_new_holder_commits(store: &dyn Store, world: &World) {
    let early = one_slice(store).await;
    world.jump_ms(3_600_000);
    let taken = claimed(store, 2).await;
    world.jump_ms(-3_600_000);
    is_refused(store, &early, &[1, 2]).await;
    let job = committed(store, &taken, &[3, 4]).await;
    assert_eq!((job.state, job.made), (JobState::Succeeded, 2));
}

/// Regression: a slice that was offered at once got the current time as its start, so a clock that was set back delayed it.
pub(crate) async fn offered_slices_stay_on_offer_when_the_clock_goes_back(store: &dyn Store, world: &World) {
    // A slice that is given back.
    let slice = one_slice(store).await;
    done(store.give_back(slice.lease).await.unwrap());
    world.jump_ms(-60_000);
    // The rest of a slice.
    let slice = claimed(store, 2).await;
    done(store.commit(slice.lease, SliceWork { next_try: 3, ..work(&slice, &[]) }).await.unwrap());
    world.jump_ms(-60_000);
    let slice = claimed(store, 3).await;
    assert_eq!(range_of(&slice), (0, 2, 3));
    // A repeat.
    committed(store, &slice, &[5, 5]).await;
    world.jump_ms(-60_000);
    let slice = claimed(store, 4).await;
    assert_eq!(range_of(&slice), (1, 2, 1));
    // A retried job.
    store.cancel(slice.lease.job_id, &someone()).await.unwrap();
    store.retry(slice.lease.job_id, 0, &someone()).await.unwrap();
    world.jump_ms(-60_000);
    let slice = claimed(store, 5).await;
    // A slice that is reclaimed while its job waits for its turn.
    world.pass_ms(LEASE_MS);
    queue(store, NewJob { priority: 1, ..job(1) }).await;
    assert_ne!(claimed(store, 6).await.lease.job_id, slice.lease.job_id);
    world.jump_ms(-60_000);
    assert_eq!(claimed(store, 7).await.lease.job_id, slice.lease.job_id);
}

pub(crate) async fn leases_outlive_the_process_that_took_them(store: &dyn Store, world: &World) {
    let slice = one_slice(store).await;
    let reopened = world.open().await;
    nothing_is_due(&*reopened).await;
    let ended = committed(&*reopened, &slice, &[1, 2]).await;
    assert_eq!(ended.state, JobState::Succeeded);
    queue(&*reopened, job(1)).await;
    let left = claimed_whole(&*reopened, 2).await;
    world.pass_ms(LEASE_MS);
    assert_eq!(claimed(&*world.open().await, 3).await.lease.slice_id, left.lease.slice_id);
}

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
