//! Notices between the processes of one database. SQLite has no notices, so these cases do nothing there.

use puzzled::store::{
    Store, StoreError,
    job::JobState,
    notice::Notice::{Ended, Queued, Resumed},
};

use crate::{
    backend::World,
    growth::bound,
    support::{job, someone},
    work::{ATTEMPTS_MAX, OPEN_JOBS_MAX, claimed, committed, done, failure, queue},
};

pub(crate) async fn notices_of_other_processes_reach_the_listener(store: &dyn Store, world: &World) {
    let other = world.open().await;
    let Some(mut listener) = store.listen().await.unwrap() else { return };
    let id = queue(&*other, job(1)).await.id;
    assert_eq!(listener.next().await.unwrap(), Queued(id));
    other.cancel(id, &someone()).await.unwrap();
    assert_eq!(listener.next().await.unwrap(), Ended(id));
    other.retry(id, 0, &someone()).await.unwrap();
    assert_eq!(listener.next().await.unwrap(), Queued(id));
    let slice = claimed(&*other, 1).await;
    assert_eq!(committed(&*other, &slice, &[1]).await.state, JobState::Succeeded);
    assert_eq!(listener.next().await.unwrap(), Ended(id));
    let failing = queue(&*other, job(1)).await.id;
    assert_eq!(listener.next().await.unwrap(), Queued(failing));
    for token in 0..i64::from(ATTEMPTS_MAX) {
        let slice = claimed(&*other, token).await;
        done(other.fail_attempt(slice.lease, failure("it broke")).await.unwrap());
        world.pass_ms(1_000);
    }
    assert_eq!(listener.next().await.unwrap(), Ended(failing));
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
