//! At most one open job for each shortfall that `enqueue_if_short` reports. After the job has ended, the shortfall can
//! get another one.

use puzzled::store::{
    Store,
    job::{Enqueued, JobState, NewJob},
};

use crate::{
    backend::World,
    support::{job, someone},
    work::{OPEN_JOBS_MAX, claimed_whole, committed, queue, queue_again},
};

fn missing(what: &str) -> NewJob {
    NewJob { shortfall: Some(what.to_owned()), ..job(2) }
}

pub(crate) async fn shortfall_has_at_most_one_open_job(store: &dyn Store, world: &World) {
    let open = queue(store, missing("easy ones")).await;
    assert_eq!(store.enqueue(missing("easy ones"), OPEN_JOBS_MAX).await.unwrap(), Enqueued::Same(open.clone()));
    let other_process = world.open().await;
    // The open job is found even at the limit of open jobs.
    assert_eq!(other_process.enqueue(missing("easy ones"), 1).await.unwrap(), Enqueued::Same(open.clone()));
    claimed_whole(store, 1).await;
    let Enqueued::Same(running) = store.enqueue(missing("easy ones"), OPEN_JOBS_MAX).await.unwrap() else { panic!() };
    assert_eq!((running.id, running.state), (open.id, JobState::Running));
    assert_ne!(queue(store, missing("hard ones")).await.id, open.id);
    queue(store, job(1)).await;
    queue(store, job(1)).await;
}

pub(crate) async fn jobs_queued_together_make_one_job_for_each_shortfall(store: &dyn Store, _: &World) {
    let together = [missing("easy ones"), missing("hard ones"), missing("easy ones")];
    let answers = store.enqueue_all(&together, OPEN_JOBS_MAX).await.unwrap();
    let [Enqueued::New(easy), Enqueued::New(hard), Enqueued::Same(same)] = &answers[..] else { panic!("{answers:?}") };
    assert_eq!((easy, hard.id > easy.id), (same, true));
}

pub(crate) async fn shortfall_gets_another_job_after_the_first_has_ended(store: &dyn Store, _: &World) {
    let first = queue(store, missing("easy ones")).await;
    let slice = claimed_whole(store, 1).await;
    assert_eq!(committed(store, &slice, &[1, 2]).await.state, JobState::Succeeded);
    let second = queue(store, missing("easy ones")).await;
    assert_ne!(second.id, first.id);
    store.cancel(second.id, &someone()).await.unwrap();
    assert_ne!(queue(store, missing("easy ones")).await.id, second.id);
}

pub(crate) async fn retried_job_belongs_to_no_shortfall(store: &dyn Store, _: &World) {
    let first = queue(store, missing("easy ones")).await;
    store.cancel(first.id, &someone()).await.unwrap();
    let second = queue(store, missing("easy ones")).await;
    let retried = queue_again(store, first.id, 1).await;
    assert_eq!(retried.state, JobState::Queued);
    let Enqueued::Same(open) = store.enqueue(missing("easy ones"), OPEN_JOBS_MAX).await.unwrap() else { panic!() };
    assert_eq!(open.id, second.id);
}
