//! Shelves: the puzzles that share one, their positions without gaps, and their counts.

use std::{collections::BTreeSet, sync::Arc};

use puzzled::store::{
    Claim, Store,
    job::{NewJob, Slice, SliceWork},
    puzzle::{Position, Shelf, ShelfKey},
};
use puzzled_engine::{level::Tenths, spec::Spec, symmetry::Symmetry};
use tokio::task::JoinSet;

use crate::{
    backend::World,
    support::{RATINGS, job, spec},
    work::{alike, all_puzzles, claim, claimed, claimed_whole, committed, done, make, queue, slices_of, work},
};

pub(crate) async fn an_empty_stock_has_no_shelves(store: &dyn Store, _: &World) {
    assert_eq!(store.shelves().await.unwrap(), []);
}

pub(crate) async fn a_shelf_holds_one_kind_variant_symmetry_and_rating(store: &dyn Store, _: &World) {
    let specs = [
        spec(),
        Spec { variant: "2x2".to_owned(), ..spec() },
        Spec { kind: "letter".to_owned(), ..spec() },
        Spec { symmetry: Symmetry::Diagonal, ..spec() },
    ];
    let mut expected = Vec::new();
    for (spec, numbers) in specs.into_iter().zip([[1, 2], [11, 12], [1, 2], [6, 7]]) {
        for rating in [11, 12] {
            expected.push((ShelfKey::of(&spec, Tenths(rating), false), 1, 0));
        }
        queue(store, NewJob { spec, ..job(2) }).await;
        make(store, &numbers).await;
    }
    let shelves = store.shelves().await.unwrap();
    assert!(shelves.windows(2).all(|pair| pair[0].id < pair[1].id), "{shelves:?}");
    let found: Vec<_> = shelves.into_iter().map(|shelf| (shelf.key, shelf.positions, shelf.withdrawn)).collect();
    assert_eq!(found, expected);
}

pub(crate) async fn positions_are_given_in_order_from_0(store: &dyn Store, world: &World) {
    for round in 0..3 {
        queue(store, job(10)).await;
        let slice = claimed_whole(store, 1).await;
        committed(store, &slice, &numbers(round * 10..round * 10 + 10)).await;
        all_positions_are_filled_once(store).await;
    }
    all_positions_are_filled_once(&*world.open().await).await;
    let positions: Vec<_> = store.shelves().await.unwrap().iter().map(|shelf| shelf.positions).collect();
    assert_eq!(positions, [6; 5]);
}

fn numbers(range: std::ops::Range<u64>) -> Vec<u64> {
    range.collect()
}

/// Checks that every position below a shelf's count has one puzzle, in stock or withdrawn.
async fn all_positions_are_filled_once(store: &dyn Store) {
    let puzzles = all_puzzles(store).await;
    for Shelf { id, key, positions, withdrawn } in store.shelves().await.unwrap() {
        let mut taken: Vec<_> =
            puzzles.iter().filter(|puzzle| puzzle.shelf == key).map(|puzzle| puzzle.position).collect();
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(i64::try_from(taken.len()).unwrap(), positions - withdrawn, "{key:?}");
        assert!(taken.iter().all(|position| (0..positions).contains(position)), "{key:?}: {taken:?}");
        let asked: Vec<_> = (0..=positions).map(|number| Position { shelf_id: id, number }).collect();
        let found = store.puzzles_at(&asked).await.unwrap();
        let filled: Vec<_> = found.iter().flatten().map(|puzzle| puzzle.position).collect();
        assert_eq!(filled, taken, "{key:?}");
        assert_eq!(found.last(), Some(&None));
    }
}

pub(crate) async fn a_repeat_takes_no_position(store: &dyn Store, _: &World) {
    queue(store, job(3)).await;
    let slice = claimed_whole(store, 1).await;
    committed(store, &slice, &[5, 5, 10]).await;
    let shelves = store.shelves().await.unwrap();
    assert_eq!(shelves.iter().map(|shelf| (shelf.positions, shelf.withdrawn)).collect::<Vec<_>>(), [(2, 0)]);
    all_positions_are_filled_once(store).await;
}

pub(crate) async fn a_withdrawn_puzzle_is_counted_and_its_position_stays_empty(store: &dyn Store, _: &World) {
    queue(store, job(4)).await;
    let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
    committed(store, &high, &[5, 10]).await;
    committed(store, &low, &[15, 5]).await;
    let shelves = store.shelves().await.unwrap();
    assert_eq!(shelves.iter().map(|shelf| (shelf.positions, shelf.withdrawn)).collect::<Vec<_>>(), [(4, 1)]);
    let positions: Vec<_> = all_puzzles(store).await.iter().map(|puzzle| puzzle.position).collect();
    assert_eq!(positions, [1, 2, 3]);
    all_positions_are_filled_once(store).await;
}

/// Completes all jobs with four workers of two processes. At an equal index and try, all jobs make the same puzzle, so
/// that many tries are repeats. `dress` may change the puzzles.
async fn work_at_once(world: &World, dress: fn(&Slice, SliceWork) -> SliceWork) {
    let mut workers = JoinSet::new();
    for store in [world.open().await, world.open().await] {
        for worker in 0..2 {
            let store = Arc::clone(&store);
            workers.spawn(async move {
                while let Some(slice) = store.claim(Claim { size: slices_of(5), ..claim(worker) }).await.unwrap().slice
                {
                    let numbers: Vec<_> = (slice.first_index..slice.end_index)
                        .map(|index| {
                            let attempt = if index == slice.first_index { slice.first_try } else { 0 };
                            u64::from(index) + 25 * u64::from(attempt)
                        })
                        .collect();
                    let work = dress(&slice, work(&slice, &numbers));
                    done(store.commit(slice.lease, work).await.unwrap());
                }
            });
        }
    }
    workers.join_all().await;
}

pub(crate) async fn concurrent_commits_leave_no_gap_and_no_repeat(store: &dyn Store, world: &World) {
    let jobs = 4;
    for _ in 0..jobs {
        queue(store, NewJob { tries_max: 1_000, ..job(25) }).await;
    }
    work_at_once(world, |_, work| work).await;
    let canonical: BTreeSet<_> = all_puzzles(store).await.into_iter().map(|puzzle| puzzle.canonical).collect();
    assert_eq!(canonical.len(), jobs * 25);
    all_positions_are_filled_once(store).await;
    assert_eq!(store.shelves().await.unwrap().len() as u64, RATINGS);
}

pub(crate) async fn concurrent_commits_store_no_solution_twice(store: &dyn Store, world: &World) {
    // Separate shelves, so that no commit waits for the shelf of another one before it adds its puzzles.
    let symmetries = [Symmetry::None, Symmetry::Diagonal, Symmetry::Horizontal, Symmetry::Full];
    for symmetry in symmetries {
        queue(store, NewJob { spec: Spec { symmetry, ..spec() }, tries_max: 1_000, ..job(25) }).await;
    }
    work_at_once(world, |slice, work| alike(&slice.lease.job_id.to_string(), work)).await;
    let puzzles = all_puzzles(store).await;
    let solutions: BTreeSet<_> = puzzles.iter().map(|puzzle| &puzzle.solution).collect();
    assert_eq!((puzzles.len(), solutions.len()), (symmetries.len() * 25, symmetries.len() * 25));
    all_positions_are_filled_once(store).await;
}
