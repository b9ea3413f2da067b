//! The quotas of a principal on open jobs and open puzzles, and the principals that may change a job.

use std::num::NonZeroU32;

use puzzled_store::{
    access::principal::Quotas,
    jobs::open_quotas::{OpenQuota, OverQuota},
};

use crate::{prelude::*, targets::wish};

/// A principal with the role `maker` and these quotas; 0 means no quota.
fn maker(name: &str, open_jobs: u32, open_puzzles: u32) -> Arc<Actor> {
    let quotas = Quotas {
        open_jobs: NonZeroU32::new(open_jobs),
        open_puzzles: NonZeroU32::new(open_puzzles),
        ..Quotas::default()
    };
    Arc::new(Actor { name: name.into(), role: Some(Role::Maker), quotas, ..(*caller("Generate")).clone() })
}

fn by(actor: &Arc<Actor>, wanted: u32) -> NewJob {
    NewJob { by: Some(Arc::clone(actor)), ..job(wanted) }
}

async fn asked(store: &dyn Store, new: NewJob) -> Enqueued {
    store.enqueue(new, OPEN_JOBS_MAX).await.unwrap()
}

fn over_jobs(open: u64, max: u32) -> OverQuota {
    OverQuota { quota: OpenQuota::Jobs, open, more: 1, max }
}

pub(crate) async fn open_jobs_count_until_they_end(store: &dyn Store, _: &World) {
    let (night, day) = (maker("night", 2, 0), maker("day", 2, 0));
    queue(store, by(&day, 1)).await;
    let first = queue(store, by(&night, 1)).await;
    assert_eq!(first.principal.as_deref(), Some("night"));
    queue(store, by(&night, 1)).await;
    assert_eq!(asked(store, by(&night, 1)).await, Enqueued::Refused(Refusal::OverQuota(over_jobs(2, 2))));
    queue(store, by(&day, 1)).await;
    cancelled(store, first.id).await;
    queue(store, by(&night, 1)).await;
    assert_eq!(asked(store, by(&night, 1)).await, Enqueued::Refused(Refusal::OverQuota(over_jobs(2, 2))));
    // Requests that share a write count in their order.
    let together = [by(&day, 1), by(&maker("eve", 1, 0), 1), by(&maker("eve", 1, 0), 1)];
    let answers = store.enqueue_all(&together, OPEN_JOBS_MAX).await.unwrap();
    assert_eq!(answers[0], Enqueued::Refused(Refusal::OverQuota(over_jobs(2, 2))));
    assert!(matches!(answers[1], Enqueued::New(_)));
    assert_eq!(answers[2], Enqueued::Refused(Refusal::OverQuota(over_jobs(1, 1))));
}

pub(crate) async fn open_puzzles_are_those_that_open_jobs_lack(store: &dyn Store, _: &World) {
    let night = maker("night", 0, 10);
    let over = |open, more| {
        Enqueued::Refused(Refusal::OverQuota(OverQuota { quota: OpenQuota::Puzzles, open, more, max: 10 }))
    };
    assert_eq!(asked(store, by(&night, 11)).await, over(0, 11));
    queue(store, by(&night, 8)).await;
    assert_eq!(asked(store, by(&night, 3)).await, over(8, 3));
    let slice = claimed(store, 1).await;
    committed(store, &slice, &[1, 2]).await;
    queue(store, by(&night, 4)).await;
    assert_eq!(asked(store, by(&night, 1)).await, over(10, 1));
}

pub(crate) async fn quota_refuses_a_whole_batch(store: &dyn Store, _: &World) {
    let night = maker("night", 2, 0);
    let jobs = [by(&night, 1), by(&night, 1), by(&night, 1)];
    let refused = Batch::Refused { index: 2, why: Refusal::OverQuota(over_jobs(2, 2)) };
    assert_eq!(store.enqueue_batch(&jobs, OPEN_JOBS_MAX).await.unwrap(), refused);
    assert!(matches!(store.enqueue_batch(&jobs[..2], OPEN_JOBS_MAX).await.unwrap(), Batch::Queued(_)));
}

pub(crate) async fn quota_refuses_a_retry_and_a_refill(store: &dyn Store, _: &World) {
    let night = maker("night", 1, 0);
    let first = queue(store, by(&night, 1)).await;
    cancelled(store, first.id).await;
    let second = queue(store, by(&night, 1)).await;
    assert_eq!(store.retry(first.id, 1, &night).await.unwrap(), Retried::OverQuota(over_jobs(1, 1)));
    let target = set(store, wish(5)).await;
    let refused = store.refill(refill(&target, Asked::Manual(Arc::clone(&night)))).await.unwrap();
    assert_eq!(refused, Refilled::OverQuota(over_jobs(1, 1)));
    cancelled(store, second.id).await;
    assert!(matches!(store.retry(first.id, 1, &night).await.unwrap(), Retried::Job(job) if job.state.is_open()));
}

pub(crate) async fn repeat_is_answered_whatever_the_quota(store: &dyn Store, _: &World) {
    let night = maker("night", 1, 0);
    let named = NewJob { request: Some(request("a", "x")), ..by(&night, 1) };
    let known = queue(store, named.clone()).await;
    assert_eq!(asked(store, named).await, Enqueued::Same(known));
}

pub(crate) async fn maker_cancels_and_retries_only_its_own_jobs(store: &dyn Store, _: &World) {
    let (night, day) = (maker("night", 0, 0), maker("day", 0, 0));
    let queued = queue(store, by(&night, 1)).await;
    assert_eq!(store.cancel(queued.id, &day).await.unwrap(), Cancelled::NotOwn);
    assert_eq!(job_of(store, queued.id).await, queued);
    assert!(matches!(store.cancel(queued.id, &night).await.unwrap(), Cancelled::Job(job) if !job.state.is_open()));
    assert_eq!(store.retry(queued.id, 1, &day).await.unwrap(), Retried::NotOwn);
    let ops = Actor { role: Some(Role::Ops), ..(*day).clone() };
    assert!(matches!(store.retry(queued.id, 1, &ops).await.unwrap(), Retried::Job(job) if job.state.is_open()));
    assert!(matches!(store.cancel(queued.id, &ops).await.unwrap(), Cancelled::Job(_)));
}
