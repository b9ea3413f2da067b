//! Surplus puzzles: how they are stored and counted, and which wanted puzzles replace them.

use crate::prelude::*;

/// The surplus puzzles of a job in stock: index, try, and text, in the order in which they were stored.
async fn surplus_of(store: &dyn Store, id: JobId) -> Vec<(u32, u32, String)> {
    let puzzles = all_puzzles(store).await.into_iter();
    let surplus = puzzles.filter(|puzzle| puzzle.is_surplus && puzzle.job_id == id);
    surplus.map(|puzzle| (puzzle.job_index, puzzle.job_try, puzzle.text)).collect()
}

async fn committed_with_surplus(store: &dyn Store, token: i64, numbers: &[u64], surplus: &[u64]) -> Job {
    let slice = claimed(store, token).await;
    done(store.commit(slice.lease, work_with_surplus(&slice, numbers, surplus)).await.unwrap())
}

pub(crate) async fn surplus_puzzle_is_shelved_by_its_rating_and_counted_separately(store: &dyn Store, _: &World) {
    let queued = queue(store, job(2)).await;
    let slice = claimed_whole(store, 1).await;
    let job = done(store.commit(slice.lease, work_with_surplus(&slice, &[10], &[11])).await.unwrap());
    assert_eq!((job.state, job.made, job.surplus), (JobState::Running, 1, 1));
    assert_eq!((job.tally.tries, job.tally.off_target), (2, 1));
    let shelves = store.shelves().await.unwrap();
    let ratings: Vec<_> = shelves.iter().map(|shelf| (shelf.key.rating.0, shelf.positions)).collect();
    assert_eq!(ratings, [(10, 1), (11, 1)]);
    assert_eq!(surplus_of(store, queued.id).await, [(1, 0, "text 11".to_owned())]);
    let rest = claimed_whole(store, 2).await;
    assert_eq!(range_of(&rest), (1, 2, 1));
    let job = committed(store, &rest, &[12]).await;
    assert_eq!((job.state, job.made, job.surplus), (JobState::Succeeded, 2, 1));
}

pub(crate) async fn index_may_have_several_surplus_puzzles(store: &dyn Store, _: &World) {
    let queued = queue(store, job(1)).await;
    let job = committed_with_surplus(store, 1, &[], &[1, 2, 3]).await;
    assert_eq!((job.made, job.surplus), (0, 3));
    committed_with_surplus(store, 2, &[4], &[]).await;
    let texts: Vec<_> = surplus_of(store, queued.id).await;
    assert_eq!(
        texts.iter().map(|(index, attempt, _)| (*index, *attempt)).collect::<Vec<_>>(),
        [(0, 0), (0, 1), (0, 2)]
    );
}

pub(crate) async fn surplus_puzzle_that_is_like_one_in_stock_is_dropped(store: &dyn Store, _: &World) {
    // The puzzles are isomorphs, or have only the same solutions.
    for (base, faces) in [(0, None), (20, Some(["nine", "five", "six", "also six"]))] {
        queue(store, job(1)).await;
        make(store, &[base + 9]).await;
        let queued = queue(store, job(3)).await;
        let slice = claimed(store, 1).await;
        // The first is known from another job, the second from this slice, and the last two are alike.
        let mut work = work_with_surplus(&slice, &[base + 5], &[9, 5, 6, 6].map(|number| base + number));
        for (surplus, face) in work.surplus.iter_mut().zip(faces.iter().flatten()) {
            (*face).clone_into(&mut surplus.made.canonical);
        }
        let job = done(store.commit(slice.lease, work).await.unwrap());
        assert_eq!((job.made, job.surplus, job.tally.repeats, job.tally.off_target), (1, 1, 0, 4));
        assert_eq!(surplus_of(store, queued.id).await, [(1, 2, format!("text {}", base + 6))]);
        store.cancel(queued.id, &someone()).await.unwrap();
    }
}

pub(crate) async fn wanted_puzzle_replaces_surplus_of_its_own_job(store: &dyn Store, world: &World) {
    let queued = queue(store, job(4)).await;
    let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
    done(store.commit(high.lease, work_with_surplus(&high, &[8], &[9, 7])).await.unwrap());
    let surplus = all_puzzles(store).await.into_iter().find(|puzzle| puzzle.is_surplus).unwrap();
    world.pass_ms(40);
    // One is an isomorph of a surplus puzzle, and one has only the solution of another.
    let mut work = work(&low, &[9, 7]);
    "another".clone_into(&mut work.made[1].made.canonical);
    let job = done(store.commit(low.lease, work).await.unwrap());
    assert_eq!((job.made, job.surplus, job.tally.repeats), (3, 0, 0));
    assert_eq!(surplus_of(store, queued.id).await, []);
    let surplus = store.puzzle(surplus.id).await.unwrap().unwrap();
    let reason = "index 0 of the same job made it too, or one with its solution".to_owned();
    assert_eq!(surplus.withdrawn, Some(Withdrawn { at: world.now(), reason }));
    // A wanted puzzle also has precedence over a surplus puzzle in the same commit.
    let slice = claimed(store, 3).await;
    let job = done(store.commit(slice.lease, work_with_surplus(&slice, &[6], &[6, 7])).await.unwrap());
    assert_eq!((job.made, job.surplus), (4, 0));
}

pub(crate) async fn wanted_puzzle_does_not_replace_the_surplus_of_another_job(store: &dyn Store, _: &World) {
    queue(store, job(2)).await;
    committed_with_surplus(store, 1, &[8], &[9]).await;
    let first = claimed(store, 2).await;
    committed(store, &first, &[7]).await;
    let queued = queue(store, job(1)).await;
    let job = committed_with_surplus(store, 3, &[9], &[]).await;
    assert_eq!((job.id, job.made, job.tally.repeats), (queued.id, 0, 1));
}

pub(crate) async fn surplus_puzzle_never_replaces_a_wanted_one(store: &dyn Store, _: &World) {
    let queued = queue(store, job(4)).await;
    let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
    committed(store, &high, &[8, 9]).await;
    let work = SliceWork { work_ms: 1, ..work_with_surplus(&low, &[], &[8, 9]) };
    done(store.commit(low.lease, work).await.unwrap());
    let job = job_of(store, queued.id).await;
    assert_eq!((job.made, job.surplus, job.tally.repeats), (2, 0, 0));
    let rest = claimed(store, 3).await;
    assert_eq!(committed(store, &rest, &[1, 2]).await.state, JobState::Succeeded);
}
