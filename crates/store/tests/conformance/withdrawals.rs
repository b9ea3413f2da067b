//! Withdrawals of many puzzles by criteria: which puzzles they change, in which parts, and what they leave.

use puzzled_store::stock::{
    draws::Stock,
    withdrawal::{Matching, WITHDRAWN_MAX, Withdrawal, WithdrawnMany},
};
use serde_json::json;

use crate::{deliveries::puzzle_of, prelude::*, prune::everything, ratings::rated};

/// A withdrawal of all puzzles.
pub(crate) fn of_all(forget: bool) -> Withdrawal {
    Withdrawal {
        shelves: ShelfFilter::ANY,
        origin: None,
        stored_from: None,
        stored_before: None,
        reason: "a misprint".to_owned(),
        forget,
        criteria: json!({ "kind": "any" }),
    }
}

/// A withdrawal of all puzzles of a job.
pub(crate) fn of_job(job: JobId, forget: bool) -> Withdrawal {
    Withdrawal { origin: Some(OriginFilter::Job(job)), ..of_all(forget) }
}

async fn process(world: &World) -> Stock {
    Stock::new(world.open().await, Arc::new(Chance::from_seed(1)), ManualClock::at(START), bounds())
}

async fn withdrawn(world: &World, withdrawal: &Withdrawal) -> WithdrawnMany {
    process(world).await.withdraw_many(withdrawal, false, &someone()).await.unwrap()
}

async fn numbers(store: &dyn Store) -> Vec<u64> {
    all_puzzles(store).await.iter().map(number_of).collect()
}

pub(crate) async fn withdrawal_changes_the_puzzles_that_meet_all_criteria(store: &dyn Store, world: &World) {
    let sudoku = of("sudoku", "9x9");
    let mut jobs = Vec::new();
    for (spec, puzzles) in [
        (sudoku.clone(), &[(1, 12, "Naked Single", 60), (2, 12, "X-Wing", 30), (3, 32, "X-Wing", 24)][..]),
        (Spec { symmetry: Symmetry::Full, ..sudoku }, &[(4, 12, "Naked Single", 60), (5, 32, "X-Wing", 24)]),
        (of("kakuro", "8x10"), &[(6, 32, "X-Wing", 60)]),
    ] {
        jobs.push(stock_of(store, spec, puzzles).await);
        world.pass_ms(10);
    }
    let shelves = |shelves| Withdrawal { shelves, ..of_all(false) };
    let any = ShelfFilter::ANY;
    let level = |level| ShelfFilter { difficulty: Difficulty::Level(level), ..any.clone() };
    let x_wing = ShelfFilter { technique: Some("X-Wing".to_owned()), ..any.clone() };
    let givens = GivensFilter::Within { min: Some(60), max: Some(60) };
    let [second, third] = [10, 20].map(|ms| Some(START.plus_ms(ms)));
    let before = Everything::of(store).await;
    for (withdrawal, expected) in [
        (of_all(false), &[1, 2, 3, 4, 5, 6][..]),
        (of_job(jobs[0], false), &[1, 2, 3]),
        (shelves(ShelfFilter { kind: Some("kakuro".to_owned()), ..any.clone() }), &[6]),
        (shelves(level(Level::Easy)), &[1, 2, 4]),
        (shelves(ShelfFilter { givens, ..any.clone() }), &[1, 4]),
        (shelves(x_wing.clone()), &[2, 3, 5]),
        (shelves(ShelfFilter { symmetry: Some(Symmetry::Diagonal), ..any.clone() }), &[4, 5]),
        (Withdrawal { stored_from: second, ..of_all(false) }, &[4, 5, 6]),
        (Withdrawal { stored_before: second, ..of_all(false) }, &[1, 2, 3]),
        (Withdrawal { stored_from: second, stored_before: third, ..of_all(false) }, &[4, 5]),
        (Withdrawal { origin: Some(OriginFilter::Job(jobs[1])), ..shelves(x_wing) }, &[5]),
        (of_job(JobId(99), false), &[]),
    ] {
        for forget in [false, true] {
            let withdrawal = Withdrawal { forget, ..withdrawal.clone() };
            let dry = process(world).await.withdraw_many(&withdrawal, true, &someone()).await.unwrap();
            let found: Vec<_> = dry.ids.iter().map(|id| id.0.unsigned_abs()).collect();
            let forgotten = if forget { dry.changed } else { 0 };
            assert_eq!(
                (&found[..], dry.changed, dry.forgotten),
                (expected, expected.len() as u64, forgotten),
                "{withdrawal:?}"
            );
            assert_eq!((dry.left, dry.of_open_jobs), (0, 0));
        }
        assert_eq!(Everything::of(store).await, before, "a dry run changes nothing");
        if expected == [5] {
            withdrawn(world, &withdrawal).await;
            assert_eq!(numbers(store).await, [1, 2, 3, 4, 6]);
            return world.is_sound().await;
        }
    }
}

pub(crate) async fn many_puzzles_are_withdrawn_in_parts_and_a_repeat_resumes(store: &dyn Store, world: &World) {
    let left = 700;
    stock(store, 0..u64::from(WITHDRAWN_MAX) + left).await;
    queue(store, job(1)).await;
    make(store, &[99_999]).await;
    let withdrawal = of_job(JobId(1), false);
    let first = withdrawn(world, &withdrawal).await;
    assert_eq!((first.changed, first.forgotten, first.left), (WITHDRAWN_MAX.into(), 0, left));
    assert!(first.ids.into_iter().eq((1..=100).map(PuzzleId)));
    let second = withdrawn(world, &withdrawal).await;
    assert_eq!((second.changed, second.left, second.ids.len()), (left, 0, 100));
    let entries = store.audit_entries(&AuditFilter::default(), None, u32::MAX).await.unwrap();
    assert_eq!(withdrawn(world, &withdrawal).await, WithdrawnMany::default());
    assert_eq!(store.audit_entries(&AuditFilter::default(), None, u32::MAX).await.unwrap(), entries);
    let entries: Vec<_> = entries.iter().filter(|entry| entry.details.contains_key("reason")).collect();
    assert_eq!(
        entries.iter().rev().map(|entry| entry.subjects.len()).collect::<Vec<_>>(),
        [&[500; 21][..], &[200]].concat()
    );
    let details =
        json!({ "criteria": { "kind": "any" }, "reason": "a misprint", "forget": false, "count": 200, "forgotten": 0 });
    assert_eq!(Some(&entries[0].details), details.as_object());
    let tombstone = Withdrawn { at: world.now(), reason: "a misprint".to_owned() };
    assert_eq!(store.puzzle(PuzzleId(7)).await.unwrap().unwrap().withdrawn, Some(tombstone));
    assert_eq!(numbers(store).await, [99_999]);
    world.is_sound().await;
}

pub(crate) async fn forgetting_deletes_only_puzzles_that_no_delivery_names(store: &dyn Store, world: &World) {
    stock(store, 0..20).await;
    store.add_ratings(&(1..=20).map(|id| rated(id, 4)).collect::<Vec<_>>(), None).await.unwrap();
    let outdated = wish(store, "one", 9).await;
    let mut delivered = BTreeSet::new();
    for seed in 0..3 {
        let one = puzzle_of(deliver_one(store, wish(store, "one", seed).await).await);
        let other = puzzle_of(deliver_one(store, wish(store, "other", seed).await).await);
        delivered.extend([one.id, other.id]);
    }
    let forgotten = 20 - delivered.len() as u64;
    let dry = process(world).await.withdraw_many(&of_all(true), true, &someone()).await.unwrap();
    let done = withdrawn(world, &of_all(true)).await;
    assert_eq!((done.changed, done.forgotten, done.left), (20, forgotten, 0));
    assert_eq!(done, dry);
    for id in (1..=20).map(PuzzleId) {
        let puzzle = store.puzzle(id).await.unwrap();
        assert_eq!(puzzle.is_some_and(|puzzle| puzzle.withdrawn.is_some()), delivered.contains(&id), "{id}");
        assert_eq!(store.ratings(&[id]).await.unwrap().len(), usize::from(delivered.contains(&id)), "{id}");
    }
    assert_eq!((counts(store).await, job_of(store, JobId(1)).await.made), (vec![(4, 4); 5], 20));
    world.is_sound().await;
    // A delivery with outdated counts draws again, and finds nothing.
    assert_eq!(deliver_one(store, outdated).await, Delivered::Exhausted);
    // A forgotten solution can be stored again, and a withdrawn one cannot.
    let again = queue(store, job(20)).await;
    let slice = claimed_whole(store, 1).await;
    let job = committed(store, &slice, &(0..20).collect::<Vec<_>>()).await;
    assert_eq!((u64::from(job.made), job.tally.repeats), (forgotten, delivered.len() as u64));
    let puzzle = puzzle_of(deliver_one(store, wish(store, "one", 9).await).await);
    assert_eq!(made_at(&puzzle).job_id, again.id);
    world.is_sound().await;
}

pub(crate) async fn forgetting_leaves_puzzles_of_open_jobs_alone(store: &dyn Store, world: &World) {
    let closed = stock_of(store, spec(), &[(1, 10, "Counting", 1), (2, 10, "Counting", 1)]).await;
    let open = queue(store, job(4)).await;
    committed(store, &claimed(store, 1).await, &[3, 4]).await;
    let done = withdrawn(world, &of_all(true)).await;
    assert_eq!((done.changed, done.forgotten, done.left, done.of_open_jobs), (2, 2, 0, 2));
    assert_eq!(store.withdraw_many(&of_job(open.id, true), None, 9, &someone()).await.unwrap().changed, []);
    let matching = store.count_withdrawable(&of_job(open.id, true)).await.unwrap();
    assert_eq!(matching, Matching { left: 0, forgettable: 0, of_open_jobs: 2 });
    assert_eq!(numbers(store).await, [3, 4]);
    // Without forgetting, they are withdrawn.
    assert_eq!(withdrawn(world, &of_job(open.id, false)).await.changed, 2);
    // A finished job without puzzles is deleted by pruning, and one with withdrawn puzzles stays.
    cancelled(store, open.id).await;
    for _ in 0..2 {
        world.pass_ms(1);
        store.prune(everything(world)).await.unwrap();
    }
    assert_eq!((store.job(closed).await.unwrap(), job_of(store, open.id).await.made), (None, 2));
    world.is_sound().await;
}

/// A delivery holds its puzzle while its row is added, so that no delivery names a deleted puzzle.
pub(crate) async fn concurrent_deliveries_and_withdrawals_agree(store: &dyn Store, world: &World) {
    for round in 0..4 {
        stock(store, round * 600..round * 600 + 600).await;
    }
    let mut callers = JoinSet::new();
    for audience in ["one", "other", "one", "other"] {
        let store = world.open().await;
        callers.spawn(async move {
            for seed in 0..30 {
                let wanted = vec![wish(&*store, audience, seed).await; 5];
                store.deliver(&wanted).await.unwrap();
            }
        });
    }
    for job in 1..=4 {
        let store = world.open().await;
        callers.spawn(async move {
            let mut after = None;
            while let Some(last) =
                store.withdraw_many(&of_job(JobId(job), job > 1), after, 25, &someone()).await.unwrap().last
            {
                after = Some(last);
            }
        });
    }
    callers.join_all().await;
    // Each delivery still finds its puzzle, and the puzzles that deliveries held are found by a repeat.
    for id in [had(store, "one").await, had(store, "other").await].concat() {
        assert!(store.puzzle(id).await.unwrap().is_some(), "{id} was delivered and is gone");
    }
    withdrawn(world, &of_all(true)).await;
    assert_eq!(numbers(store).await, [0; 0]);
    world.is_sound().await;
}
