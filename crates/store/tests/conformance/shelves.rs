//! Shelves: the puzzles that share one, their positions without gaps, their counts, and the limit on shelves: a puzzle
//! that needs one more fails its job.

use crate::prelude::*;

pub(crate) async fn shelves_differ_by_kind_variant_symmetry_and_rating(store: &dyn Store, _: &World) {
    let specs = [
        spec(),
        Spec { variant: "2x2".to_owned(), ..spec() },
        Spec { kind: "letter".to_owned(), ..spec() },
        Spec { symmetry: Symmetry::Diagonal, ..spec() },
    ];
    assert_eq!(store.shelves().await.unwrap(), []);
    let mut expected = Vec::new();
    for (spec, numbers) in specs.into_iter().zip([[1, 2], [11, 12], [1, 2], [6, 7]]) {
        for rating in [11, 12] {
            expected.push((ShelfKey::of(&spec, Tenths(rating), "", 0), 1, 0));
        }
        queue(store, NewJob { spec, ..job(2) }).await;
        make(store, &numbers).await;
    }
    let shelves = store.shelves().await.unwrap();
    assert!(shelves.windows(2).all(|pair| pair[0].id < pair[1].id), "{shelves:?}");
    let found: Vec<_> = shelves.into_iter().map(|shelf| (shelf.key, shelf.positions, shelf.empty)).collect();
    assert_eq!(found, expected);
}

pub(crate) async fn positions_are_given_in_order_from_0(store: &dyn Store, world: &World) {
    for round in 0..3 {
        stock(store, round * 10..round * 10 + 10).await;
        all_positions_are_filled_once(store).await;
    }
    all_positions_are_filled_once(&*world.open().await).await;
    assert_eq!(counts(store).await, [(6, 0); 5]);
}

/// Checks that every position below a shelf's count has one puzzle, in stock or withdrawn.
async fn all_positions_are_filled_once(store: &dyn Store) {
    let puzzles = all_puzzles(store).await;
    for Shelf { id, key, positions, empty } in store.shelves().await.unwrap() {
        let mut taken: Vec<_> =
            puzzles.iter().filter(|puzzle| puzzle.shelf == key).filter_map(|puzzle| puzzle.position).collect();
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(i64::try_from(taken.len()).unwrap(), positions - empty, "{key:?}");
        assert!(taken.iter().all(|position| (0..positions).contains(position)), "{key:?}: {taken:?}");
        let asked: Vec<_> = (0..=positions).map(|number| Position { shelf_id: id, number }).collect();
        let found = store.puzzles_at(&asked, false).await.unwrap();
        let filled: Vec<_> = found.iter().flatten().filter_map(|puzzle| puzzle.position).collect();
        assert_eq!(filled, taken, "{key:?}");
        assert_eq!(found.last(), Some(&None));
    }
}

pub(crate) async fn a_repeat_takes_no_position(store: &dyn Store, _: &World) {
    queue(store, job(3)).await;
    let slice = claimed_whole(store, 1).await;
    committed(store, &slice, &[5, 5, 10]).await;
    assert_eq!(counts(store).await, [(2, 0)]);
    all_positions_are_filled_once(store).await;
}

/// Completes all jobs with four workers of two processes. At an equal index and try, all jobs make puzzles with the same
/// solution, so that many tries are repeats.
async fn work_at_once(world: &World) {
    let mut workers = JoinSet::new();
    for store in [world.open().await, world.open().await] {
        for worker in 0..2 {
            let store = Arc::clone(&store);
            workers.spawn(async move {
                while let Some(slice) = store.claim(Claim { size: slices_of(5), ..claim(worker) }).await.unwrap().slice
                {
                    let numbers: Vec<_> = (slice.first_index..slice.end_index)
                        .map(|index| {
                            let try_number = if index == slice.first_index { slice.first_try } else { 0 };
                            u64::from(index) + 25 * u64::from(try_number)
                        })
                        .collect();
                    let work = alike(&slice.lease.job_id.to_string(), work(&slice, &numbers));
                    done(store.commit(slice.lease, work).await.unwrap());
                }
            });
        }
    }
    workers.join_all().await;
}

pub(crate) async fn concurrent_commits_store_no_solution_twice(store: &dyn Store, world: &World) {
    // Separate shelves, so that no commit waits for the shelf of another one before it adds its puzzles.
    let symmetries = [Symmetry::None, Symmetry::Diagonal, Symmetry::Horizontal, Symmetry::Full];
    for symmetry in symmetries {
        queue(store, NewJob { spec: Spec { symmetry, ..spec() }, tries_max: 1_000, ..job(25) }).await;
    }
    work_at_once(world).await;
    let puzzles = all_puzzles(store).await;
    let solutions: BTreeSet<_> = puzzles.iter().map(|puzzle| &puzzle.solution).collect();
    assert_eq!((puzzles.len(), solutions.len()), (symmetries.len() * 25, symmetries.len() * 25));
    all_positions_are_filled_once(store).await;
}

pub(crate) async fn puzzle_that_needs_a_shelf_beyond_the_limit_fails_its_job(_: &dyn Store, world: &World) {
    let store = world.open_with_shelves(2).await;
    let queued = queue(&*store, job(4)).await;
    let slice = claimed_whole(&*store, 1).await;
    let mut work = work(&slice, &[10, 11, 12, 15]);
    work.made[2].try_number = 3;
    let failed = done(store.commit(slice.lease, work).await.unwrap());
    assert_eq!((failed.state, failed.made, failed.tally.repeats), (JobState::Failed, 3, 0));
    let error = "index 2 needs a new shelf (number 1x1, symmetry none, rated 1.2), but the stock has 2 shelves, the \
                 maximum; narrow the ratings or the givens to those of shelves that the stock has";
    assert_eq!(failed.error.as_deref(), Some(error));
    assert_eq!(result_of(&*store, queued.id).await, [(0, 0, 10), (1, 0, 11), (3, 0, 15)]);
    assert_eq!(counts(&*store).await, [(2, 0), (1, 0)]);
    // The rest of the slice starts at the same try of the same index.
    let wider = world.open().await;
    wider.retry(queued.id, 1, &someone()).await.unwrap();
    let rest = claimed_whole(&*wider, 2).await;
    assert_eq!(range_of(&rest), (2, 3, 3));
    assert_eq!(committed(&*wider, &rest, &[12]).await.state, JobState::Succeeded);
    nothing_is_due(&*wider).await;
}

pub(crate) async fn puzzle_without_a_shelf_replaces_nothing(_: &dyn Store, world: &World) {
    let store = world.open_with_shelves(1).await;
    let queued = queue(&*store, job(4)).await;
    let low = claimed_of(&*store, 1, 1).await;
    let high = claimed_whole(&*store, 2).await;
    committed(&*store, &high, &[10, 15]).await;
    // The lower index makes a puzzle with the solution of a higher one and another rating.
    let mut work = work(&low, &[10]);
    work.made[0].made.record.rating.0 = 12;
    let failed = done(store.commit(low.lease, work).await.unwrap());
    assert_eq!((failed.state, failed.made), (JobState::Failed, 2));
    assert_eq!(result_of(&*store, queued.id).await, [(1, 0, 10), (2, 0, 15)]);
    assert_eq!(counts(&*store).await, [(2, 0)]);
}

pub(crate) async fn concurrent_commits_never_exceed_the_limit_of_shelves(_: &dyn Store, world: &World) {
    let mut committers = JoinSet::new();
    let store = world.open_with_shelves(3).await;
    for (symmetry, token) in Symmetry::ALL.into_iter().zip(1..) {
        queue(&*store, NewJob { spec: Spec { symmetry, ..spec() }, ..job(1) }).await;
        let slice = claimed_whole(&*store, token).await;
        let other = world.open_with_shelves(3).await;
        let number = u64::try_from(token).unwrap() * 5;
        committers.spawn(async move { done(other.commit(slice.lease, work(&slice, &[number])).await.unwrap()).state });
    }
    let states = committers.join_all().await;
    let succeeded = states.iter().filter(|&&state| state == JobState::Succeeded).count();
    assert_eq!((succeeded, states.len()), (3, Symmetry::ALL.len()), "{states:?}");
    assert_eq!(counts(&*store).await, [(1, 0); 3]);
}
