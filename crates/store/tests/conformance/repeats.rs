//! Repeats: the stock holds a canonical form and a solution once, and the index that keeps it does not depend on
//! timing.

use crate::prelude::*;

pub(crate) async fn a_repeat_is_counted_and_its_index_offered_from_the_next_try(store: &dyn Store, _: &World) {
    let other = queue(store, job(1)).await;
    make(store, &[50]).await;
    queue(store, job(3)).await;
    let slice = claimed_whole(store, 1).await;
    let mut work = work(&slice, &[1, 50, 3]);
    work.made[1].try_number = 4;
    let job = done(store.commit(slice.lease, work).await.unwrap());
    assert_eq!((job.state, job.made, job.tally.repeats, job.tally.tries), (JobState::Running, 2, 1, 3));
    assert_eq!(result_of(store, job.id).await, [(0, 0, 1), (2, 0, 3)]);
    assert_eq!(result_of(store, other.id).await, [(0, 0, 50)]);

    let again = claimed_whole(store, 2).await;
    assert_eq!((range_of(&again), again.failed_attempts), ((1, 2, 5), 0));
    nothing_is_due(store).await;
    let job = committed(store, &again, &[2]).await;
    assert_eq!((job.state, job.made, job.tally.repeats), (JobState::Succeeded, 3, 1));
    assert_eq!(result_of(store, job.id).await, [(0, 0, 1), (1, 5, 2), (2, 0, 3)]);
}

pub(crate) async fn lower_index_keeps_one_of_several_alike_in_one_slice(store: &dyn Store, _: &World) {
    queue(store, job(4)).await;
    let slice = claimed_whole(store, 1).await;
    // Index 2 has the same solution, and index 3 an isomorph.
    let mut work = work(&slice, &[1, 9, 9, 9]);
    "another".clone_into(&mut work.made[2].made.canonical);
    let job = done(store.commit(slice.lease, work).await.unwrap());
    assert_eq!((job.made, job.tally.repeats), (2, 2));
    assert_eq!(result_of(store, job.id).await, [(0, 0, 1), (1, 0, 9)]);
    assert_eq!(ranges_of(store, 2..=3).await, [(2, 3, 1), (3, 4, 1)]);
}

pub(crate) async fn rest_and_repeat_of_one_slice_are_both_offered(store: &dyn Store, _: &World) {
    queue(store, job(4)).await;
    let slice = claimed_whole(store, 1).await;
    let job = done(store.commit(slice.lease, SliceWork { next_try: 6, ..work(&slice, &[9, 9]) }).await.unwrap());
    assert_eq!((job.made, job.tally.repeats), (1, 1));
    assert_eq!(ranges_of(store, 2..=3).await, [(1, 2, 1), (2, 4, 6)]);
}

pub(crate) async fn lower_index_replaces_the_puzzle_of_a_higher_one_of_its_job(store: &dyn Store, world: &World) {
    queue(store, job(6)).await;
    let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
    let mut above = work(&high, &[9, 8]);
    above.made[0].try_number = 3;
    done(store.commit(high.lease, above).await.unwrap());
    let old = all_puzzles(store).await.remove(0);
    world.pass_ms(40);
    let job = committed(store, &low, &[1, 9]).await;

    assert_eq!((job.made, job.tally.repeats, job.tally.tries), (3, 1, 4));
    assert_eq!(result_of(store, job.id).await, [(0, 0, 1), (1, 0, 9), (3, 0, 8)]);
    assert_eq!(range_of(&claimed(store, 3).await), (2, 3, 4));
    let old = store.puzzle(old.id).await.unwrap().unwrap();
    let reason = "index 1 of the same job made it too, or one with its solution".to_owned();
    assert_eq!((made_at(&old).index, old.withdrawn), (2, Some(Withdrawn { at: world.now(), reason })));
}

pub(crate) async fn no_index_replaces_a_puzzle_of_another_job(store: &dyn Store, _: &World) {
    let [first, second] = [queue(store, job(2)).await, queue(store, job(2)).await];
    let of_first = claimed(store, 1).await;
    let of_second = claimed(store, 2).await;
    committed(store, &of_first, &[7, 9]).await;
    let job = committed(store, &of_second, &[9, 8]).await;
    assert_eq!((job.id, job.tally.repeats), (second.id, 1));
    assert_eq!(result_of(store, first.id).await, [(0, 0, 7), (1, 0, 9)]);
    assert_eq!(result_of(store, second.id).await, [(1, 0, 8)]);
}

/// What each index of a job makes, try after try.
const TRIES: [[u64; 5]; 4] = [[3, 1, 2, 4, 5], [3, 3, 2, 9, 5], [2, 3, 4, 9, 5], [3, 2, 4, 9, 5]];

/// Completes the job. Each round claims all free slices, commits the slice at the next of these ranks, and gives the
/// others back.
async fn worked_in_order(store: &dyn Store, id: JobId, ranks: &[usize]) -> Vec<(u32, u32, u64)> {
    let mut ranks = ranks.iter().cycle();
    let mut token = 0;
    while job_of(store, id).await.state != JobState::Succeeded {
        let mut slices = Vec::new();
        while let Some(slice) = store.claim(Claim { size: slices_of(1), ..claim(token) }).await.unwrap().slice {
            slices.push(slice);
            token += 1;
        }
        let slice = slices.remove(ranks.next().unwrap() % slices.len());
        let number = TRIES[slice.first_index as usize][slice.first_try as usize];
        committed(store, &slice, &[number]).await;
        for slice in slices {
            done(store.give_back(slice.lease).await.unwrap());
        }
    }
    result_of(store, id).await
}

pub(crate) async fn puzzles_of_a_job_do_not_depend_on_the_order_of_commits(store: &dyn Store, _: &World) {
    let expected = [(0, 0, 3), (1, 2, 2), (2, 2, 4), (3, 3, 9)];
    let mut orders = 0;
    for first in 0..4 {
        for second in 0..3 {
            for third in 0..4 {
                orders += 1;
                let spec = Spec { kind: format!("order {orders}"), ..spec() };
                let queued = queue(store, NewJob { spec, ..job(4) }).await;
                let result = worked_in_order(store, queued.id, &[first, second, third, 0, 3]).await;
                assert_eq!(result, expected, "{first}, {second}, {third}");
                // The job counts each try of each index once, in any order.
                let job: Job = job_of(store, queued.id).await;
                assert_eq!((job.tally.tries, job.tally.repeats), (11, 7));
            }
        }
    }
}

pub(crate) async fn one_commit_may_replace_several_puzzles(store: &dyn Store, _: &World) {
    let queued = queue(store, job(4)).await;
    let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
    committed(store, &high, &[8, 9]).await;
    let job = committed(store, &low, &[9, 8]).await;
    assert_eq!((job.made, job.tally.repeats), (2, 2));
    assert_eq!(result_of(store, queued.id).await, [(0, 0, 9), (1, 0, 8)]);
}

pub(crate) async fn index_whose_last_try_is_a_repeat_fails_its_job(store: &dyn Store, _: &World) {
    queue(store, job(1)).await;
    make(store, &[50]).await;
    queue(store, NewJob { tries_max: 2, ..job(2) }).await;
    let slice = claimed(store, 1).await;
    assert_eq!(committed(store, &slice, &[1, 50]).await.state, JobState::Running);
    let slice = claimed(store, 2).await;
    assert_eq!(range_of(&slice), (1, 2, 1));
    let job = committed(store, &slice, &[50]).await;
    assert_eq!((job.state, job.made, job.tally.repeats), (JobState::Failed, 1, 2));
    let error = job.error.unwrap();
    assert!(error.starts_with("no puzzle for index 1 within 2 tries; the job made 1 of 2"), "{error}");
}

pub(crate) async fn index_that_is_replaced_at_its_last_try_fails_its_job(store: &dyn Store, _: &World) {
    queue(store, NewJob { tries_max: 1, ..job(4) }).await;
    let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
    committed(store, &high, &[8, 9]).await;
    let job = committed(store, &low, &[1, 8]).await;
    assert_eq!((job.state, job.made), (JobState::Failed, 3));
    let error = job.error.unwrap();
    assert!(error.starts_with("no puzzle for index 2 within 1 tries; the job made 3 of 4"), "{error}");
}

pub(crate) async fn isomorph_of_another_variant_symmetry_or_rating_is_a_repeat(store: &dyn Store, _: &World) {
    queue(store, job(1)).await;
    make(store, &[9]).await;
    let other = Spec { variant: "2x2".to_owned(), symmetry: Symmetry::Full, ..spec() };
    queue(store, NewJob { spec: other, ..job(1) }).await;
    let slice = claimed(store, 1).await;
    let mut work = work(&slice, &[8]);
    work.made[0].made.canonical = made(9).canonical;
    let job = done(store.commit(slice.lease, work).await.unwrap());
    assert_eq!((job.made, job.tally.repeats), (0, 1));
}

pub(crate) async fn lower_index_keeps_a_shared_solution_in_any_order_of_commits(store: &dyn Store, _: &World) {
    for is_low_first in [true, false] {
        let spec = Spec { kind: format!("low first: {is_low_first}"), ..spec() };
        let queued = queue(store, NewJob { spec, ..job(4) }).await;
        let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
        let mut commits = [(low.lease, work(&low, &[1, 9])), (high.lease, alike("another", work(&high, &[9, 8])))];
        if !is_low_first {
            commits.reverse();
        }
        for (lease, work) in commits {
            done(store.commit(lease, work).await.unwrap());
        }
        let job = job_of(store, queued.id).await;
        assert_eq!((job.made, job.tally.repeats), (3, 1));
        assert_eq!(result_of(store, job.id).await, [(0, 0, 1), (1, 0, 9), (3, 0, 8)]);
        let again = claimed(store, 3).await;
        assert_eq!(range_of(&again), (2, 3, 1));
        assert_eq!(committed(store, &again, &[7]).await.state, JobState::Succeeded);
    }
}

pub(crate) async fn solution_of_a_replaced_puzzle_is_free(store: &dyn Store, world: &World) {
    queue(store, job(1)).await;
    make(store, &[9]).await;
    world.tamper("update puzzles set withdrawn_at = 1, withdrawn_reason = 'it gave way'").await;
    world.tamper("update shelves set empty = 1").await;
    queue(store, job(1)).await;
    let slice = claimed(store, 1).await;
    let job = done(store.commit(slice.lease, alike("another", work(&slice, &[9]))).await.unwrap());
    assert_eq!((job.state, job.tally.repeats), (JobState::Succeeded, 0));
}

pub(crate) async fn puzzle_that_matches_several_in_stock_is_one_repeat(store: &dyn Store, _: &World) {
    queue(store, job(3)).await;
    make(store, &[1, 2, 3]).await;
    queue(store, job(3)).await;
    let slice = claimed_whole(store, 1).await;
    // The puzzles match by their solution, by both, and by the canonical form of one puzzle and the solution of
    // another.
    let mut work = work(&slice, &[1, 1, 2]);
    "another".clone_into(&mut work.made[0].made.canonical);
    work.made[2].made.canonical = made(3).canonical;
    let job = done(store.commit(slice.lease, work).await.unwrap());
    assert_eq!((job.made, job.tally.repeats), (0, 3));
}

pub(crate) async fn lower_index_replaces_all_matching_puzzles_of_its_job(store: &dyn Store, _: &World) {
    let queued = queue(store, job(6)).await;
    let low = claimed(store, 1).await;
    let high = claimed_whole(store, 2).await;
    committed(store, &high, &[8, 7, 6, 5]).await;
    // The new puzzle has the canonical form of one puzzle and the solution of another.
    let mut work = work(&low, &[1, 8]);
    work.made[1].made.canonical = made(6).canonical;
    let job = done(store.commit(low.lease, work).await.unwrap());
    assert_eq!((job.made, job.tally.repeats), (4, 2));
    assert_eq!(result_of(store, queued.id).await, [(0, 0, 1), (1, 0, 8), (3, 0, 7), (5, 0, 5)]);
    assert_eq!(store.shelves().await.unwrap().iter().map(|shelf| shelf.empty).sum::<i64>(), 2);
    for index in [2, 4] {
        assert_eq!(range_of(&claimed(store, i64::from(index)).await), (index, index + 1, 1));
    }
}

pub(crate) async fn index_replaces_nothing_if_another_job_has_its_solution(store: &dyn Store, _: &World) {
    queue(store, job(1)).await;
    make(store, &[9]).await;
    let queued = queue(store, job(4)).await;
    let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
    committed(store, &high, &[8, 7]).await;
    let mut work = work(&low, &[1, 9]);
    work.made[1].made.canonical = made(8).canonical;
    let job = done(store.commit(low.lease, work).await.unwrap());
    assert_eq!((job.made, job.tally.repeats), (3, 1));
    assert_eq!(result_of(store, queued.id).await, [(0, 0, 1), (2, 0, 8), (3, 0, 7)]);
}
