//! Commits of slices: the puzzles, the progress of the job, and the end of the lease are stored together and once. Each
//! commit also counts the making rate of its spec.

use puzzled_base::repeat_hash::RepeatHash;
use puzzled_engine::shared::{record::StoredRecord, tries::Disagreement};

use crate::prelude::*;

pub(crate) async fn a_commit_stores_the_puzzles_as_they_were_made(store: &dyn Store, world: &World) {
    let spec = Spec { variant: "2x3".to_owned(), symmetry: Symmetry::Full, ..spec() };
    let queued = queue(store, NewJob { spec, seed: u64::MAX, ..job(2) }).await;
    let slice = claimed(store, 1).await;
    world.pass_ms(70);
    let mut work = work(&slice, &[12, 14]);
    work.made[1].try_number = 9;
    done(store.commit(slice.lease, work).await.unwrap());

    let puzzles = all_puzzles(store).await;
    let expected = Puzzle {
        id: PuzzleId(puzzles[1].id.0),
        shelf: ShelfKey {
            kind: "number".to_owned(),
            variant: "2x3".to_owned(),
            base: "2x3".to_owned(),
            symmetry: Symmetry::Full,
            rating: Tenths(14),
            technique: String::new(),
            givens: 0,
        },
        position: Some(0),
        holder: None,
        text: "text 14".to_owned(),
        solution: "solution 14".to_owned(),
        canonical: "number/14".to_owned(),
        repeat_hash: RepeatHash::of("number", "2x3", "14"),
        givens: 14,
        technique: "Counting".to_owned(),
        predicted_seconds: Some(64),
        record: Some(StoredRecord {
            rater: "counting".to_owned(),
            rater_version: 3,
            explanation: "count to 14".to_owned(),
            techniques: vec![("Counting".to_owned(), Tenths(14), 2)],
            metrics: Metrics::of("sudoku", &SudokuMetrics { er: Tenths(14), ..SudokuMetrics::default() }),
        }),
        origin: Origin::Job(JobOrigin { seed: u64::MAX, job_id: queued.id, index: 1, try_number: 9 }),
        engine_version: ENGINE_VERSION,
        created_at: START.plus_ms(70),
        withdrawn: None,
    };
    assert_eq!(puzzles[1], expected);
    assert_eq!(store.puzzle(expected.id).await.unwrap(), Some(expected));
    assert_eq!(puzzles.len(), 2);
}

pub(crate) async fn commit_updates_the_job_and_returns_it(store: &dyn Store, world: &World) {
    queue(store, job(5)).await;
    let slice = claimed(store, 1).await;
    let before = job_of(store, slice.lease.job_id).await;
    let after = committed(store, &slice, &[1, 2]).await;
    let tally = Tally { tries: 2, ..Tally::default() };
    assert_eq!(after, Job { made: 2, tally, work_ms: 5, ..before });
    for store in [store, &*world.open().await] {
        assert_eq!(job_of(store, after.id).await, after);
        assert_eq!(result_of(store, after.id).await, [(0, 0, 1), (1, 0, 2)]);
    }
}

pub(crate) async fn a_job_succeeds_with_its_last_puzzle_and_not_before(store: &dyn Store, world: &World) {
    queue(store, job(5)).await;
    let [first, second, third] = [claimed(store, 1).await, claimed(store, 2).await, claimed(store, 3).await];
    world.pass_ms(10);
    for (slice, numbers, made) in [(&third, [5].as_slice(), 1), (&first, &[1, 2], 3)] {
        let job = committed(store, slice, numbers).await;
        assert_eq!((job.state, job.made, job.ended_at), (JobState::Running, made, None));
    }
    let job = committed(store, &second, &[3, 4]).await;
    assert_eq!((job.state, job.made, job.ended_at), (JobState::Succeeded, 5, Some(START.plus_ms(10))));
    assert_eq!((job.error, store.next_due().await.unwrap()), (None, None));
    nothing_is_due(store).await;
}

pub(crate) async fn a_slice_is_committed_once(store: &dyn Store, _: &World) {
    queue(store, job(6)).await;
    let slice = claimed(store, 1).await;
    committed(store, &slice, &[1, 2]).await;
    is_refused(store, &slice, &[1, 2]).await;
    is_refused(store, &slice, &[3, 4]).await;
    // A commit that leaves a rest of the slice ends the lease too.
    let slice = claimed(store, 2).await;
    committed(store, &slice, &[3]).await;
    is_refused(store, &slice, &[3, 4]).await;
}

pub(crate) async fn rest_of_a_slice_resumes_where_the_work_stopped(store: &dyn Store, _: &World) {
    queue(store, job(4)).await;
    let slice = claimed_whole(store, 1).await;
    done(store.commit(slice.lease, SliceWork { next_try: 7, ..work(&slice, &[1]) }).await.unwrap());
    let slice = claimed_whole(store, 2).await;
    assert_eq!(range_of(&slice), (1, 4, 7));
    done(store.commit(slice.lease, SliceWork { next_try: 9, ..work(&slice, &[]) }).await.unwrap());
    let slice = claimed_whole(store, 3).await;
    assert_eq!(range_of(&slice), (1, 4, 9));
    committed(store, &slice, &[2, 3]).await;
    let slice = claimed_whole(store, 4).await;
    assert_eq!(range_of(&slice), (3, 4, 0));
    let job = committed(store, &slice, &[4]).await;
    assert_eq!(job.state, JobState::Succeeded);
    assert_eq!(result_of(store, job.id).await, [(0, 0, 1), (1, 9, 2), (2, 0, 3), (3, 0, 4)]);
}

pub(crate) async fn only_progress_resets_the_failed_attempts_of_a_slice(store: &dyn Store, world: &World) {
    queue(store, job(2)).await;
    claimed(store, 1).await;
    world.pass_ms(LEASE_MS);
    let slice = claimed(store, 2).await;
    assert_eq!(slice.failed_attempts, 1);
    done(store.give_back(slice.lease).await.unwrap());
    let slice = claimed(store, 3).await;
    assert_eq!(slice.failed_attempts, 1);
    committed(store, &slice, &[1]).await;
    assert_eq!(claimed(store, 4).await.failed_attempts, 0);
}

pub(crate) async fn tallies_add_up_and_the_nearest_miss_is_kept(store: &dyn Store, _: &World) {
    queue(store, job(9)).await;
    let [text, own, core] = ["8", "no solution", "the only solution"].map(str::to_owned);
    let disagreement = Disagreement { kind: "toy", text, own, core };
    let misses = [
        (MissReason::OffTarget, 5, "far"),
        (MissReason::Unrated, 3, "near"),
        (MissReason::Givens, 3, "as near, later"),
        (MissReason::Unproven, 4, "between"),
        (MissReason::OffTarget, u32::MAX, "farthest"),
        (MissReason::SolversDisagree(Box::new(disagreement)), 4, "between too"),
    ];
    for (number, (reason, distance, nearest)) in (1..).zip(misses) {
        let slice = claimed(store, 1).await;
        let mut work = work(&slice, &[number]);
        work.tally.miss(Miss { reason, distance, nearest: nearest.to_owned() });
        done(store.commit(slice.lease, work).await.unwrap());
    }
    let job = job_of(store, claimed(store, 1).await.lease.job_id).await;
    let nearest = Some((3, "near".to_owned()));
    let (unrated, off_target, givens, unproven, solvers_disagreed) = (1, 2, 1, 1, 1);
    let expected = Tally { tries: 12, repeats: 0, unrated, off_target, givens, unproven, solvers_disagreed, nearest };
    assert_eq!((job.tally, job.work_ms), (expected, 30));
}

pub(crate) async fn index_out_of_tries_fails_its_job_with_the_tally(store: &dyn Store, world: &World) {
    let queued = queue(store, job(4)).await;
    let slice = claimed(store, 1).await;
    let mut work = work(&slice, &[1]);
    for _ in 0..10 {
        let nearest = "rated 3.4 with 24 givens".to_owned();
        work.tally.miss(Miss { reason: MissReason::OffTarget, distance: 2, nearest });
    }
    work.next_try = queued.tries_max;
    world.pass_ms(20);
    let job = done(store.commit(slice.lease, work).await.unwrap());
    assert_eq!((job.state, job.made, job.ended_at), (JobState::Failed, 1, Some(START.plus_ms(20))));
    assert_eq!(
        job.error.as_deref(),
        Some(
            "no puzzle for index 1 within 10 tries; the job made 1 of 4 puzzles in 11 tries: 0 repeats, 0 unrated, \
             10 off target, 0 with other numbers of givens, 0 unproven, 0 on which the solvers disagreed; \
             nearest: rated 3.4 with 24 givens"
        )
    );
    nothing_is_due(store).await;
}

/// Cause of the last two lines: with an end before the first index, the range was empty and needed no puzzles. The
/// slice then moved back to indices of other slices.
pub(crate) async fn work_that_does_not_cover_its_indices_is_refused(store: &dyn Store, _: &World) {
    let queued = queue(store, job(12)).await;
    claimed(store, 1).await;
    let slice = claimed_of(store, 4, 2).await;
    assert_eq!(range_of(&slice), (2, 6, 0));
    let before = Everything::of(store).await;
    for (indices, next_index, what) in [
        ([2, 3].as_slice(), 5, "one puzzle is missing at the end"),
        (&[3, 4], 5, "one puzzle is missing at the start"),
        (&[2, 4], 5, "one puzzle is missing in the middle"),
        (&[], 6, "all puzzles are missing"),
        (&[2, 2], 4, "one index twice"),
        (&[3, 2], 4, "indices not in rising order"),
        (&[2, 3, 4], 4, "one puzzle too many"),
        (&[2, 3, 4, 5, 6], 7, "beyond the end"),
        (&[1, 2], 3, "before the first index"),
        (&[], 1, "an end before the first index"),
        (&[], 0, "an end before the first index"),
    ] {
        let made = indices.iter().map(|&index| MadeAt { index, try_number: 0, made: made(u64::from(index)) }).collect();
        let refused = store.commit(slice.lease, SliceWork { made, next_index, ..work(&slice, &[]) }).await;
        assert!(matches!(refused, Err(StoreError::WrongIndices)), "{what}: {refused:?}");
        assert_eq!(Everything::of(store).await, before, "{what}");
    }
    assert_eq!(committed(store, &slice, &[2, 3, 4, 5]).await.id, queued.id);
}

pub(crate) async fn of_concurrent_commits_with_one_token_one_succeeds(store: &dyn Store, world: &World) {
    let queued = queue(store, job(2)).await;
    let slice = Arc::new(claimed(store, 1).await);
    let mut commits = JoinSet::new();
    for store in [world.open().await, world.open().await] {
        for _ in 0..4 {
            let (store, slice) = (Arc::clone(&store), Arc::clone(&slice));
            commits.spawn(async move { store.commit(slice.lease, work(&slice, &[1, 2])).await.unwrap() });
        }
    }
    let ends = commits.join_all().await;
    assert_eq!(ends.iter().filter(|end| matches!(end, Guarded::Done(_))).count(), 1, "{ends:?}");
    let job = job_of(store, queued.id).await;
    assert_eq!((job.made, job.tally.tries, job.work_ms), (2, 2, 5));
}

async fn rate(store: &dyn Store, spec: &Spec) -> Option<MakingRate> {
    let mut rates = store.rates(&[spec.words()]).await.unwrap();
    assert!(rates.len() <= 1);
    rates.pop()
}

pub(crate) async fn tries_hits_and_time_of_all_jobs_of_a_spec_add_up(store: &dyn Store, world: &World) {
    let other = Spec { variant: "2x2".to_owned(), ..spec() };
    assert_eq!((rate(store, &other).await, store.rates(&[]).await.unwrap()), (None, vec![]));
    for (number, spec) in (0..).zip([spec(), other.clone(), spec()]) {
        queue(store, NewJob { spec, ..job(3) }).await;
        let slice = claimed_whole(store, 1).await;
        let work = SliceWork { work_ms: 70, ..with_misses(1, work(&slice, &[10 * number, 10 * number + 1])) };
        done(store.commit(slice.lease, work).await.unwrap());
        let rest = claimed_whole(store, 2).await;
        committed(store, &rest, &[10 * number + 2]).await;
    }
    for store in [store, &*world.open().await] {
        let expected = |spec: &Spec, jobs: u64| MakingRate {
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

pub(crate) async fn repeats_and_replaced_puzzles_are_no_hits(store: &dyn Store, _: &World) {
    queue(store, job(4)).await;
    let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
    done(store.commit(high.lease, with_misses(1, work(&high, &[8]))).await.unwrap());
    committed(store, &low, &[8, 8]).await;
    let rate = rate(store, &spec()).await.unwrap();
    assert_eq!((rate.tries, rate.hits), (4, 1));
}
