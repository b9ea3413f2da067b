//! Making rates: the results of all tries at a spec, counted with each commit.

use puzzled::store::{
    Store,
    job::{Guarded, NewJob, SliceWork},
    target::Rate,
};
use puzzled_engine::spec::Spec;

use crate::{
    backend::World,
    support::{job, someone, spec},
    work::{claimed, claimed_whole, committed, done, make, queue, work, work_with_surplus},
};

async fn rate(store: &dyn Store, spec: &Spec) -> Option<Rate> {
    let mut rates = store.rates(&[spec.words()]).await.unwrap();
    assert!(rates.len() <= 1);
    rates.pop()
}

pub(crate) async fn a_spec_that_was_never_tried_has_no_rate(store: &dyn Store, _: &World) {
    queue(store, job(1)).await;
    make(store, &[1]).await;
    let other = Spec { variant: "2x2".to_owned(), ..spec() };
    assert_eq!(rate(store, &other).await, None);
    assert_eq!(store.rates(&[]).await.unwrap(), []);
}

pub(crate) async fn tries_hits_and_time_of_all_jobs_of_a_spec_add_up(store: &dyn Store, world: &World) {
    let other = Spec { variant: "2x2".to_owned(), ..spec() };
    for (number, spec) in (0..).zip([spec(), other.clone(), spec()]) {
        queue(store, NewJob { spec, ..job(3) }).await;
        let slice = claimed_whole(store, 1).await;
        let work = SliceWork { work_ms: 70, ..work_with_surplus(&slice, &[10 * number, 10 * number + 1], &[99]) };
        done(store.commit(slice.lease, work).await.unwrap());
        let rest = claimed_whole(store, 2).await;
        committed(store, &rest, &[10 * number + 2]).await;
    }
    for store in [store, &*world.open().await] {
        let expected = |spec: &Spec, jobs: u64| Rate {
            spec: spec.words(),
            tries: 4 * jobs,
            hits: 3 * jobs,
            work_ms: 75 * i64::try_from(jobs).unwrap(),
        };
        assert_eq!(rate(store, &spec()).await, Some(expected(&spec(), 2)));
        assert_eq!(rate(store, &other).await, Some(expected(&other, 1)));
        assert_eq!(store.rates(&[spec().words(), other.words()]).await.unwrap().len(), 2);
    }
}

pub(crate) async fn repeats_surplus_and_replaced_puzzles_are_no_hits(store: &dyn Store, _: &World) {
    queue(store, job(4)).await;
    let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
    done(store.commit(high.lease, work_with_surplus(&high, &[8], &[7])).await.unwrap());
    committed(store, &low, &[8, 8]).await;
    let rate = rate(store, &spec()).await.unwrap();
    assert_eq!((rate.tries, rate.hits), (4, 1));
}

pub(crate) async fn refused_commit_counts_nothing(store: &dyn Store, _: &World) {
    let queued = queue(store, job(2)).await;
    let slice = claimed(store, 1).await;
    store.cancel(queued.id, &someone()).await.unwrap();
    assert_eq!(store.commit(slice.lease, work(&slice, &[1, 2])).await.unwrap(), Guarded::LeaseLost);
    assert_eq!(rate(store, &spec()).await, None);
}
