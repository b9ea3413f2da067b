//! Cancels and retries of jobs: their effect on open, failed, and ended jobs.

use crate::prelude::*;

pub(crate) async fn cancel_ends_a_queued_job(store: &dyn Store, world: &World) {
    let queued = queue(store, job(3)).await;
    world.pass_ms(10);
    let job = cancelled(store, queued.id).await;
    assert_eq!(job, Job { state: JobState::Cancelled, ended_at: Some(START.plus_ms(10)), ..queued });
    assert_eq!(job_of(&*world.open().await, job.id).await, job);
    nothing_is_due(store).await;
    assert_eq!(store.next_due().await.unwrap(), None);
}

pub(crate) async fn cancel_keeps_committed_puzzles_and_refuses_later_commits(store: &dyn Store, world: &World) {
    let queued = queue(store, job(6)).await;
    let [first, second] = [claimed(store, 1).await, claimed(store, 2).await];
    committed(store, &first, &[1, 2]).await;
    let job = cancelled(store, queued.id).await;
    assert_eq!((job.state, job.made), (JobState::Cancelled, 2));
    is_refused(store, &second, &[3, 4]).await;
    nothing_is_due(store).await;
    world.pass_ms(LEASE_MS * 2);
    nothing_is_due(store).await;
    assert_eq!(store.next_due().await.unwrap(), None);
    is_refused(store, &second, &[3, 4]).await;
    assert_eq!(result_of(store, queued.id).await, [(0, 0, 1), (1, 0, 2)]);
    assert_eq!(job_of(store, queued.id).await, job);
}

pub(crate) async fn cancel_leaves_an_ended_job_as_it_is(store: &dyn Store, world: &World) {
    let queued = queue(store, job(1)).await;
    make(store, &[1]).await;
    let failed = failed_job(store).await;
    let stopped = queue(store, job(1)).await;
    let stopped = cancelled(store, stopped.id).await;
    world.pass_ms(10);
    for before in [job_of(store, queued.id).await, failed, stopped] {
        assert_eq!(cancelled(store, before.id).await, before);
        assert_eq!(job_of(store, before.id).await, before);
    }
}

/// A failed job of three indices, which is out of tries at the second index.
async fn failed_job(store: &dyn Store) -> Job {
    queue(store, NewJob { tries_max: 4, ..job(3) }).await;
    let slice = claimed_whole(store, 1).await;
    let number = 100 + slice.lease.slice_id.unsigned_abs();
    let job = done(store.commit(slice.lease, SliceWork { next_try: 4, ..work(&slice, &[number]) }).await.unwrap());
    assert_eq!(job.state, JobState::Failed);
    job
}

pub(crate) async fn unknown_job_is_not_found_cancelled_or_retried(store: &dyn Store, _: &World) {
    for id in [0, 1, -1, i64::MAX, i64::MIN] {
        assert_eq!(store.job(JobId(id)).await.unwrap(), None);
        assert_eq!(store.cancel(JobId(id), &someone()).await.unwrap(), Cancelled::NoJob);
        assert_eq!(store.retry(JobId(id), 1, &someone()).await.unwrap(), Retried::NoJob);
    }
}

pub(crate) async fn retried_job_resumes_where_its_cancel_ended_it(store: &dyn Store, world: &World) {
    let queued = queue(store, job(7)).await;
    let [first, second] = [claimed(store, 1).await, claimed(store, 2).await];
    done(store.commit(first.lease, SliceWork { next_try: 5, ..work(&first, &[1]) }).await.unwrap());
    let before = cancelled(store, queued.id).await;
    world.pass_ms(10);
    let job = queue_again(store, queued.id, 3).await;
    assert_eq!(job, Job { state: JobState::Queued, ended_at: None, tries_max: before.tries_max + 3, ..before });
    assert_eq!(job_of(store, job.id).await, job);
    // A worker that still works on the job has lost its lease.
    is_refused(store, &second, &[3, 4]).await;
    let slices = claimed_by(store, 3..=6).await;
    let ranges: Vec<_> = slices.iter().map(range_of).collect();
    assert_eq!(ranges, [(1, 2, 5), (2, 4, 0), (4, 6, 0), (6, 7, 0)]);
    assert_eq!(slices[0].tries_max, 13);
    for (slice, numbers) in slices.iter().zip([[2].as_slice(), &[3, 4], &[5, 6], &[7]]) {
        committed(store, slice, numbers).await;
    }
    let job = job_of(store, queued.id).await;
    assert_eq!((job.state, job.made), (JobState::Succeeded, 7));
    assert_eq!(job.started_at, before.started_at);
}

pub(crate) async fn retry_gives_a_job_out_of_tries_more_tries(store: &dyn Store, _: &World) {
    let failed = failed_job(store).await;
    let job = queue_again(store, failed.id, 2).await;
    assert_eq!((job.state, job.tries_max, job.error, job.ended_at), (JobState::Queued, 6, None, None));
    let slice = claimed_whole(store, 2).await;
    assert_eq!((range_of(&slice), slice.tries_max), ((1, 3, 4), 6));
    let job = done(store.commit(slice.lease, SliceWork { next_try: 6, ..work(&slice, &[]) }).await.unwrap());
    assert_eq!(job.state, JobState::Failed);
    // Regression: a sum beyond `u32` was stored and could not be read as a number of tries.
    queue_again(store, failed.id, u32::MAX).await;
    let slice = claimed_whole(store, 3).await;
    assert_eq!((range_of(&slice), slice.tries_max), ((1, 3, 6), u32::MAX));
    assert_eq!(committed(store, &slice, &[2, 3]).await.state, JobState::Succeeded);
}

pub(crate) async fn retry_resets_the_failed_attempts_and_the_backoff_of_a_job(store: &dyn Store, world: &World) {
    let queued = queue(store, job(2)).await;
    for token in 1..=i64::from(ATTEMPTS_MAX) {
        world.pass_ms(1_000);
        let slice = claimed(store, token).await;
        done(store.fail_attempt(slice.lease, failure("it broke")).await.unwrap());
    }
    assert_eq!(job_of(store, queued.id).await.state, JobState::Failed);
    let job = queue_again(store, queued.id, 0).await;
    assert_eq!((job.state, job.failed_attempts, job.error), (JobState::Queued, 0, None));
    let slice = claimed(store, 9).await;
    assert_eq!((range_of(&slice), slice.failed_attempts), ((0, 2, 0), 0));
    done(store.fail_attempt(slice.lease, failure("it broke")).await.unwrap());
    cancelled(store, queued.id).await;
    queue_again(store, queued.id, 0).await;
    claimed(store, 10).await;
}

pub(crate) async fn retry_leaves_an_open_or_succeeded_job_as_it_is(store: &dyn Store, _: &World) {
    queue(store, job(1)).await;
    make(store, &[1]).await;
    queue(store, job(3)).await;
    let slice = claimed(store, 1).await;
    queue(store, NewJob { priority: -1, ..job(1) }).await;
    let before = Everything::of(store).await;
    for id in 1..=3 {
        let job = job_of(store, JobId(id)).await;
        assert_eq!(queue_again(store, job.id, 5).await, job);
    }
    assert_eq!(Everything::of(store).await, before);
    committed(store, &slice, &[2, 3]).await;
}
