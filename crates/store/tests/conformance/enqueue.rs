//! Queueing: a queued job is durable on return, a request ID queues one job, the limit of open jobs holds, and a
//! shortfall that `enqueue_if_short` reports has at most one open job.

use crate::prelude::*;

fn named(id: &str, body: &str) -> NewJob {
    NewJob { request: Some(request(id, body)), ..job(3) }
}

pub(crate) async fn a_job_is_found_as_it_was_queued(store: &dyn Store, world: &World) {
    let targets = [
        Difficulty::Any,
        Difficulty::Level(Level::Expert),
        Difficulty::Range { min: Tenths(0), max: Tenths(255) },
        Difficulty::Range { min: Tenths(26), max: Tenths(26) },
    ];
    for (difficulty, (seed, priority, givens, technique)) in targets.into_iter().zip([
        (0, 0, None, None),
        (u64::MAX, i32::MIN, Some(Givens::new(0, 0)), Some("Turbot Fish, 'é'")),
        (1 << 63, i32::MAX, Some(Givens::new(22, u16::MAX)), None),
        (7, 1, None, Some("X-Wing")),
    ]) {
        let technique = technique.map(str::to_owned);
        let spec = Spec { difficulty, givens, technique, symmetry: Symmetry::AntiDiagonal, ..spec() };
        let request = Some(request(&format!("request {seed}"), ""));
        let labels =
            [("team", "web"), ("note", "it's \"quoted\"")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let new = NewJob {
            spec,
            labels: labels.into(),
            seed,
            priority,
            request,
            wanted: u32::MAX,
            tries_max: 9,
            needed_version: 3,
            not_before_at: Millis(5),
            work_ms_max: (seed == 7).then_some(10_000),
            ..job(1)
        };
        let queued = queue(store, new.clone()).await;
        let expected = Job {
            id: queued.id,
            state: JobState::Queued,
            spec: new.spec,
            wanted: u32::MAX,
            made: 0,
            next_index: 0,
            seed,
            priority,
            tries_max: 9,
            tally: Tally::default(),
            work_ms: 0,
            failed_attempts: 0,
            reclaimed_slices: 0,
            error: None,
            request_id: new.request.map(|request| request.request_id),
            principal: Some("anonymous".to_owned()),
            holder: None,
            traceparent: None,
            labels: new.labels,
            work_ms_max: new.work_ms_max,
            error_reason: None,
            needed_version: 3,
            not_before_at: Millis(5),
            target_id: None,
            not_after_at: None,
            created_at: START,
            started_at: None,
            ended_at: None,
            pruned_at: None,
        };
        assert_eq!(queued, expected);
        for store in [store, &*world.open().await] {
            assert_eq!(job_of(store, queued.id).await, expected);
        }
    }
}

pub(crate) async fn repeated_request_gets_its_job_in_its_current_state(store: &dyn Store, _: &World) {
    let queued = queue(store, named("a", "x")).await;
    let slice = claimed_whole(store, 1).await;
    let ended = committed(store, &slice, &[1, 2, 3]).await;
    assert_eq!(ended.id, queued.id);
    assert_eq!(store.enqueue(named("a", "x"), OPEN_JOBS_MAX).await.unwrap(), Enqueued::Same(ended));
}

pub(crate) async fn repeated_request_gets_its_job_despite_a_full_backlog(store: &dyn Store, _: &World) {
    let queued = queue(store, named("a", "x")).await;
    assert_eq!(store.enqueue(named("a", "x"), 1).await.unwrap(), Enqueued::Same(queued));
    assert_eq!(store.enqueue(named("b", "x"), 1).await.unwrap(), Enqueued::Refused(Refusal::BacklogFull { open: 1 }));
}

pub(crate) async fn changed_request_with_a_known_request_id_gets_the_job_id(store: &dyn Store, _: &World) {
    let queued = queue(store, named("a", "x")).await;
    for body in ["", "X", "x ", "xx"] {
        let told = store.enqueue(named("a", body), OPEN_JOBS_MAX).await.unwrap();
        assert_eq!(told, Enqueued::Refused(Refusal::OtherRequest { job: queued.id, differs: other_level(body, "x") }));
    }
    for name in ["A", "a ", ""] {
        assert_ne!(queue(store, named(name, "x")).await.id, queued.id, "{name:?}");
    }
}

pub(crate) async fn refused_request_leaves_its_request_id_free(store: &dyn Store, _: &World) {
    assert_eq!(store.enqueue(named("a", "x"), 0).await.unwrap(), Enqueued::Refused(Refusal::BacklogFull { open: 0 }));
    assert!(matches!(store.enqueue(named("a", "y"), 1).await.unwrap(), Enqueued::New(_)));
}

pub(crate) async fn concurrent_duplicates_of_a_request_make_one_job(_: &dyn Store, world: &World) {
    let mut calls = JoinSet::new();
    for store in [world.open().await, world.open().await] {
        for _ in 0..8 {
            let store = Arc::clone(&store);
            calls.spawn(async move { store.enqueue(named("a", "x"), OPEN_JOBS_MAX).await.unwrap() });
        }
    }
    let ends = calls.join_all().await;
    let new: Vec<_> = ends.iter().filter(|end| matches!(end, Enqueued::New(_))).collect();
    let [Enqueued::New(job)] = new[..] else { panic!("{new:?}") };
    let same = ends.iter().filter(|&end| *end == Enqueued::Same(job.clone())).count();
    assert_eq!(same, 15, "{ends:?}");
}

pub(crate) async fn a_job_that_ends_makes_room_in_the_backlog(store: &dyn Store, _: &World) {
    let first = queue(store, job(1)).await;
    let second = queue(store, job(1)).await;
    let full = Enqueued::Refused(Refusal::BacklogFull { open: 2 });
    assert_eq!(store.enqueue(job(1), 2).await.unwrap(), full);
    let slice = claimed_whole(store, 1).await;
    assert_eq!((slice.lease.job_id, store.enqueue(job(1), 2).await.unwrap()), (first.id, full));
    committed(store, &slice, &[1]).await;
    assert!(matches!(store.enqueue(job(1), 2).await.unwrap(), Enqueued::New(_)));
    store.cancel(second.id, &someone()).await.unwrap();
    assert!(matches!(store.enqueue(job(1), 2).await.unwrap(), Enqueued::New(_)));
    assert_eq!(store.enqueue(job(1), 2).await.unwrap(), Enqueued::Refused(Refusal::BacklogFull { open: 2 }));
}

pub(crate) async fn concurrent_callers_never_exceed_the_limit_of_open_jobs(_: &dyn Store, world: &World) {
    let mut calls = JoinSet::new();
    for store in [world.open().await, world.open().await] {
        for _ in 0..8 {
            let store = Arc::clone(&store);
            calls.spawn(async move { store.enqueue(job(1), 5).await.unwrap() });
        }
    }
    let ends = calls.join_all().await;
    let queued = ends.iter().filter(|end| matches!(end, Enqueued::New(_))).count();
    let refused = ends.iter().filter(|&end| *end == Enqueued::Refused(Refusal::BacklogFull { open: 5 })).count();
    assert_eq!((queued, refused), (5, 11));
}

pub(crate) async fn jobs_of_a_batch_equal_jobs_queued_alone(store: &dyn Store, _: &World) {
    let known = queue(store, named("a", "x")).await;
    let together =
        [named("b", "x"), named("a", "x"), job(1), named("a", "y"), named("b", "x"), named("b", "y"), job(2)];
    let answers = store.enqueue_all(&together, 3).await.unwrap();
    let ids = |answer: &Enqueued| match answer {
        Enqueued::New(job) => format!("new {}", job.id.0),
        Enqueued::Same(job) => format!("same {}", job.id.0),
        Enqueued::Refused(Refusal::OtherRequest { job, .. }) => format!("other {}", job.0),
        Enqueued::Refused(Refusal::BacklogFull { open }) => format!("full {open}"),
        Enqueued::Refused(other) => panic!("{other:?}"),
    };
    let told: Vec<_> = answers.iter().map(ids).collect();
    let first = known.id.0 + 1;
    let expected = [
        format!("new {first}"),
        "same 1".to_owned(),
        format!("new {}", first + 1),
        "other 1".to_owned(),
        format!("same {first}"),
        format!("other {first}"),
        "full 3".to_owned(),
    ];
    assert_eq!(told, expected);
    for answer in &answers {
        if let Enqueued::New(job) | Enqueued::Same(job) = answer {
            assert_eq!(job_of(store, job.id).await, *job);
        }
    }
    // The jobs take turns in the order in which they were queued.
    let turns: Vec<_> = claimed_by(store, 1..=3).await.iter().map(|slice| slice.lease.job_id.0).collect();
    assert_eq!(turns, [1, first, first + 1]);
    assert_eq!(store.enqueue_all(&[], 3).await.unwrap(), []);
}

async fn batch(store: &dyn Store, jobs: &[NewJob]) -> Vec<Job> {
    match store.enqueue_batch(jobs, OPEN_JOBS_MAX).await.unwrap() {
        Batch::Queued(jobs) => jobs,
        Batch::Refused { index, why } => panic!("refused at {index}: {why:?}"),
    }
}

pub(crate) async fn a_batch_is_queued_in_its_order(store: &dyn Store, _: &World) {
    assert_eq!(store.enqueue_batch(&[], 0).await.unwrap(), Batch::Queued(vec![]));
    let queued = batch(store, &[job(3), named("a", "x"), job(2)]).await;
    let told: Vec<_> = queued.iter().map(|job| (job.id.0, job.wanted, job.request_id.as_deref())).collect();
    assert_eq!(told, [(1, 3, None), (2, 3, Some("a")), (3, 2, None)]);
    for job in queued {
        assert_eq!(job_of(store, job.id).await, job);
        assert_eq!(claimed_whole(store, job.id.0).await.lease.job_id, job.id);
    }
}

pub(crate) async fn refused_batch_queues_none_of_its_jobs(store: &dyn Store, _: &World) {
    let known = queue(store, named("a", "x")).await.id;
    let before = Everything::of(store).await;
    let cases = [
        (
            vec![job(1), named("a", "y"), named("a", "z")],
            9,
            1,
            Refusal::OtherRequest { job: known, differs: other_level("y", "x") },
        ),
        (
            vec![named("c", "x"), job(1), named("c", "y")],
            9,
            2,
            Refusal::SameName { first: 0, differs: other_level("y", "x") },
        ),
        (vec![named("c", "x"), named("a", "x"), job(1)], 2, 2, Refusal::BacklogFull { open: 2 }),
    ];
    for (jobs, open_jobs_max, index, why) in cases {
        let refused = store.enqueue_batch(&jobs, open_jobs_max).await.unwrap();
        assert_eq!(refused, Batch::Refused { index, why });
        assert_eq!(Everything::of(store).await, before);
    }
    // The request IDs of the refused batches are free.
    queue(store, named("c", "z")).await;
}

pub(crate) async fn repeated_batch_gets_the_same_jobs(store: &dyn Store, _: &World) {
    let first = batch(store, &[named("a", "x"), named("b", "x"), named("a", "x")]).await;
    assert_eq!((first.len(), &first[0]), (3, &first[2]));
    // A repeat returns the current state of the jobs, even at the limit of open jobs.
    store.cancel(first[0].id, &someone()).await.unwrap();
    let again = store.enqueue_batch(&[named("b", "x"), named("a", "x")], 1).await.unwrap();
    assert_eq!(again, Batch::Queued(vec![first[1].clone(), job_of(store, first[0].id).await]));
    let more = batch(store, &[named("b", "x"), named("d", "x")]).await;
    assert_eq!(more[0], first[1]);
    assert!(more[1].id > first[1].id);
}

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
