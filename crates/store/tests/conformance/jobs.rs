//! The list of jobs: its order, its pages, and its filters.

use puzzled_store::jobs::job::JobState::{self, Cancelled, Failed, Queued, Running, Succeeded};

use crate::{prelude::*, targets::wish};

/// All pages of this size, joined.
async fn paged(store: &dyn Store, filter: &JobFilter, limit: u32) -> Vec<Job> {
    let read = async |before| {
        let page = store.jobs(filter, before, limit).await.unwrap();
        assert!(page.len() <= limit as usize);
        page
    };
    joined(|job: &Job| job.id, read).await
}

fn states(states: &[JobState]) -> JobFilter {
    JobFilter { states: states.to_vec(), ..JobFilter::default() }
}

pub(crate) async fn jobs_are_listed_newest_first_with_any_page_size(store: &dyn Store, _: &World) {
    assert_eq!(paged(store, &JobFilter::default(), 3).await, []);
    let mut whole = Vec::new();
    for wanted in 1..=7 {
        whole.insert(0, queue(store, job(wanted)).await);
    }
    for limit in [1, 3, 7, 8, u32::MAX] {
        assert_eq!(paged(store, &JobFilter::default(), limit).await, whole, "{limit} a page");
    }
    assert_eq!(store.jobs(&JobFilter::default(), Some(whole[6].id), 9).await.unwrap(), []);
    assert_eq!(store.jobs(&JobFilter::default(), None, 0).await.unwrap(), []);
}

pub(crate) async fn jobs_are_listed_by_state_and_kind(store: &dyn Store, _: &World) {
    let letter = || Spec { kind: "letter".to_owned(), ..spec() };
    let succeeded = queue(store, job(1)).await.id;
    make(store, &[1]).await;
    let running = queue(store, NewJob { spec: letter(), ..job(1) }).await.id;
    claimed(store, 1).await;
    let cancelled = queue(store, job(1)).await.id;
    store.cancel(cancelled, &someone()).await.unwrap();
    let queued = queue(store, NewJob { spec: letter(), ..job(1) }).await.id;

    let of_kind = |kind: &str, filter: JobFilter| JobFilter { kind: Some(kind.to_owned()), ..filter };
    let cases: [(JobFilter, &[JobId]); 10] = [
        (states(&[]), &[queued, cancelled, running, succeeded]),
        (states(&[Queued]), &[queued]),
        (states(&[Running]), &[running]),
        (states(&[Succeeded, Cancelled]), &[cancelled, succeeded]),
        (states(&[Failed]), &[]),
        (states(&JobState::ALL), &[queued, cancelled, running, succeeded]),
        (of_kind("letter", states(&[])), &[queued, running]),
        (of_kind("letter", states(&[Running, Succeeded])), &[running]),
        (of_kind("number", states(&[Queued, Running])), &[]),
        (of_kind("", states(&[])), &[]),
    ];
    for (filter, expected) in cases {
        let found: Vec<_> = paged(store, &filter, 1).await.into_iter().map(|job| job.id).collect();
        assert_eq!(found, expected, "{filter:?}");
    }
}

pub(crate) async fn jobs_are_listed_by_their_labels_and_their_target(store: &dyn Store, _: &World) {
    let labels = |pairs: &[(&str, &str)]| -> Labels {
        pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    for pairs in [vec![], vec![("team", "web")], vec![("team", "web"), ("night", "1")], vec![("team", "app")]] {
        queue(store, NewJob { labels: labels(&pairs), ..job(1) }).await;
    }
    let target = set(store, wish(5)).await;
    queued(store.refill(refill(&target, Asked::Manual(someone()))).await.unwrap());
    for (pairs, expected) in [
        (vec![], vec![5, 4, 3, 2, 1]),
        (vec![("team", "web")], vec![3, 2]),
        (vec![("team", "web"), ("night", "1")], vec![3]),
        (vec![("team", "1")], vec![]),
        (vec![("web", "team")], vec![]),
        (vec![("te%m", "w%")], vec![]),
    ] {
        let filter = JobFilter { labels: labels(&pairs), ..JobFilter::default() };
        let listed: Vec<_> = paged(store, &filter, 2).await.iter().map(|job| job.id.0).collect();
        assert_eq!(listed, expected, "{pairs:?}");
    }
    for (target_id, expected) in [(target.id, vec![5]), (TargetId(99), vec![])] {
        let filter = JobFilter { target_id: Some(target_id), ..JobFilter::default() };
        let listed: Vec<_> = paged(store, &filter, 2).await.iter().map(|job| job.id.0).collect();
        assert_eq!(listed, expected, "{target_id}");
    }
}
