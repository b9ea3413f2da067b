//! Withdrawals: a withdrawn puzzle keeps its reason, is found only by its ID, and bars its isomorphs and its solution.

use puzzled::store::{
    Store,
    puzzle::{PuzzleId, Withdrawn},
};

use crate::{
    backend::World,
    support::{job, someone},
    work::{alike, all_puzzles, claimed_whole, committed, done, job_of, make, queue, work},
};

pub(crate) async fn withdrawn_puzzle_has_its_reason_and_is_found_only_by_its_id(store: &dyn Store, world: &World) {
    queue(store, job(3)).await;
    make(store, &[1, 6, 11]).await;
    let before = all_puzzles(store).await.remove(1);
    world.pass_ms(5);
    let withdrawn = store.withdraw(before.id, "a misprint", &someone()).await.unwrap().unwrap();
    let tombstone = Withdrawn { at: world.now(), reason: "a misprint".to_owned() };
    assert_eq!(withdrawn.withdrawn, Some(tombstone));
    assert_eq!(store.puzzle(before.id).await.unwrap().as_ref(), Some(&withdrawn));
    assert_eq!((withdrawn.text, withdrawn.position), (before.text, before.position));
    assert!(all_puzzles(store).await.iter().all(|puzzle| puzzle.id != before.id));
    let shelves = store.shelves().await.unwrap();
    assert_eq!(shelves.iter().map(|shelf| (shelf.positions, shelf.withdrawn)).collect::<Vec<_>>(), [(3, 1)]);
}

pub(crate) async fn a_puzzle_is_withdrawn_once(store: &dyn Store, world: &World) {
    queue(store, job(1)).await;
    make(store, &[1]).await;
    let first = store.withdraw(PuzzleId(1), "a misprint", &someone()).await.unwrap();
    world.pass_ms(5);
    assert_eq!(store.withdraw(PuzzleId(1), "another reason", &someone()).await.unwrap(), first);
    assert_eq!(store.shelves().await.unwrap()[0].withdrawn, 1);
}

pub(crate) async fn isomorph_of_a_withdrawn_puzzle_stays_a_repeat(store: &dyn Store, _: &World) {
    let queued = queue(store, job(2)).await;
    make(store, &[1]).await;
    store.withdraw(PuzzleId(1), "a misprint", &someone()).await.unwrap();
    let slice = claimed_whole(store, 1).await;
    // A lower index of the same job does not store it again either.
    committed(store, &slice, &[1]).await;
    assert_eq!(job_of(store, queued.id).await.tally.repeats, 1);
    let slice = claimed_whole(store, 2).await;
    committed(store, &slice, &[2]).await;
    queue(store, job(1)).await;
    let slice = claimed_whole(store, 3).await;
    assert_eq!(committed(store, &slice, &[1]).await.tally.repeats, 1);
    assert_eq!(all_puzzles(store).await.iter().map(|puzzle| puzzle.id).collect::<Vec<_>>(), [PuzzleId(2)]);
}

pub(crate) async fn solution_of_a_withdrawn_puzzle_stays_a_repeat(store: &dyn Store, _: &World) {
    queue(store, job(1)).await;
    make(store, &[1]).await;
    store.withdraw(PuzzleId(1), "a misprint", &someone()).await.unwrap();
    queue(store, job(1)).await;
    let slice = claimed_whole(store, 1).await;
    let job = done(store.commit(slice.lease, alike("another", work(&slice, &[1]))).await.unwrap());
    assert_eq!((job.made, job.tally.repeats), (0, 1));
    assert_eq!(all_puzzles(store).await, []);
}

pub(crate) async fn an_unknown_puzzle_is_not_withdrawn(store: &dyn Store, _: &World) {
    assert_eq!(store.withdraw(PuzzleId(1), "a misprint", &someone()).await.unwrap(), None);
}
