//! Shelves by technique, number of givens, and variant, and the filters that match them.

use crate::{prelude::*, targets::wish};

fn with(technique: Option<&str>, clues: Option<u16>) -> Spec {
    Spec { technique: technique.map(str::to_owned), clues, ..spec() }
}

fn of(kind: &str, variant: &str) -> Spec {
    Spec { kind: kind.to_owned(), variant: variant.to_owned(), ..spec() }
}

/// Makes one puzzle for each of these specs, with different numbers and the same rating.
async fn one_of_each(store: &dyn Store, specs: &[Spec], rating: u8) {
    for (spec, number) in specs.iter().zip(u64::from(rating) * 100..) {
        queue(store, NewJob { spec: spec.clone(), ..job(1) }).await;
        let slice = claimed_whole(store, 1).await;
        let mut work = work(&slice, &[number]);
        work.made[0].made.record.rating = Tenths(rating);
        done(store.commit(slice.lease, work).await.unwrap());
    }
}

async fn fitting(store: &dyn Store, filter: &ShelfFilter) -> Vec<Puzzle> {
    store.puzzles(filter, None, 100).await.unwrap()
}

pub(crate) async fn shelf_holds_one_technique_and_number_of_givens(store: &dyn Store, world: &World) {
    let specs = [
        with(None, None),
        with(Some("X-Wing"), None),
        with(None, Some(24)),
        with(Some("X-Wing"), Some(24)),
        with(Some("X-Wing"), Some(25)),
    ];
    one_of_each(store, &specs, 32).await;
    let keys: Vec<_> = store.shelves().await.unwrap().into_iter().map(|shelf| shelf.key).collect();
    assert_eq!(keys, specs.each_ref().map(|spec| ShelfKey::of(spec, Tenths(32), false)));
    let store = world.open().await;
    for (puzzle, key) in all_puzzles(&*store).await.into_iter().zip(keys) {
        assert_eq!((&puzzle.shelf, &puzzle.shelf.technique, puzzle.shelf.clues), (&key, &key.technique, key.clues));
        let shelf_id = store.shelves().await.unwrap().iter().find(|shelf| shelf.key == key).unwrap().id;
        let position = Position { shelf_id, number: 0 };
        assert_eq!(store.puzzles_at(&[position]).await.unwrap(), [Some(puzzle.clone())]);
        assert_eq!(store.puzzle(puzzle.id).await.unwrap(), Some(puzzle));
    }
}

pub(crate) async fn surplus_puzzle_stands_on_the_shelf_without_technique_and_givens(store: &dyn Store, _: &World) {
    let spec = with(Some("X-Wing"), Some(24));
    queue(store, NewJob { spec: spec.clone(), ..job(2) }).await;
    let slice = claimed_whole(store, 1).await;
    done(store.commit(slice.lease, work_with_surplus(&slice, &[10], &[15])).await.unwrap());
    let keys: Vec<_> = all_puzzles(store).await.into_iter().map(|puzzle| (puzzle.is_surplus, puzzle.shelf)).collect();
    let (wanted, plain) = (ShelfKey::of(&spec, Tenths(10), false), ShelfKey::of(&with(None, None), Tenths(10), false));
    assert_eq!(keys, [(false, wanted), (true, plain)]);
}

pub(crate) async fn base_matches_all_its_variants_and_a_variant_only_itself(store: &dyn Store, _: &World) {
    let names = ["20x20", "20x20-runs9-white70", "20x21", "4x4:####,#..#,#...,##.."];
    one_of_each(store, &names.map(|name| of("kakuro", name)), 32).await;
    let bases: Vec<_> = store.shelves().await.unwrap().into_iter().map(|shelf| shelf.key.base).collect();
    assert_eq!(bases, ["20x20", "20x20", "20x21", "4x4"]);
    for (asked, expected) in
        [("20x20", &names[..2]), ("20x20-runs9-white70", &names[1..2]), ("4x4", &names[3..]), ("20x20-runs9", &[])]
    {
        let found = fitting(store, &ShelfFilter::of(&of("kakuro", asked))).await;
        assert_eq!(found.iter().map(|puzzle| puzzle.shelf.variant.as_str()).collect::<Vec<_>>(), expected, "{asked}");
    }
}

pub(crate) async fn level_filter_uses_the_rating_ranges_of_each_variant(store: &dyn Store, _: &World) {
    let specs = [of("sudoku", "9x9"), of("kakuro", "8x10"), of("kakuro", "8x10-runs9")];
    for rating in [14, 20, 40] {
        one_of_each(store, &specs, rating).await;
    }
    let sudoku = ("sudoku", "9x9");
    let kakuro = ["8x10", "8x10-runs9"].map(|variant| ("kakuro", variant));
    for (level, expected) in [
        (Level::Easy, vec![sudoku, kakuro[0], kakuro[1], kakuro[0], kakuro[1]]),
        (Level::Medium, vec![sudoku]),
        (Level::Hard, vec![sudoku, kakuro[0], kakuro[1]]),
        (Level::Evil, vec![]),
    ] {
        let filter = ShelfFilter { difficulty: Difficulty::Level(level), ..ShelfFilter::ANY };
        let found = fitting(store, &filter).await;
        let found = found.iter().map(|puzzle| (puzzle.shelf.kind.as_str(), puzzle.shelf.variant.as_str()));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{level:?}");
    }
}

pub(crate) async fn page_includes_puzzles_shelved_on_a_new_shelf_meanwhile(store: &dyn Store, _: &World) {
    let x_wing = ShelfFilter { technique: Some("X-Wing".to_owned()), ..ShelfFilter::ANY };
    one_of_each(store, &[with(Some("X-Wing"), None), with(None, None)], 32).await;
    let first = fitting(store, &x_wing).await;
    assert_eq!(first.len(), 1);
    one_of_each(store, &[with(None, Some(24)), with(Some("X-Wing"), Some(24))], 33).await;
    let rest = store.puzzles(&x_wing, Some(first[0].id), 100).await.unwrap();
    let made_with: Vec<_> = rest.into_iter().map(|puzzle| (puzzle.shelf.technique, puzzle.shelf.clues)).collect();
    assert_eq!(made_with, [(Some("X-Wing".to_owned()), Some(24))]);
}

pub(crate) async fn refill_counts_exactly_the_shelves_of_a_draw(store: &dyn Store, _: &World) {
    let wanted = with(Some("X-Wing"), Some(24));
    queue(store, NewJob { spec: wanted.clone(), ..job(9) }).await;
    let slice = claimed_whole(store, 1).await;
    done(store.commit(slice.lease, work_with_surplus(&slice, &[0, 1, 2], &[3, 4])).await.unwrap());
    store.cancel(slice.lease.job_id, &someone()).await.unwrap();
    queue(store, NewJob { spec: with(Some("X-Wing"), None), ..job(1) }).await;
    make(store, &[5]).await;
    let kakuro = [of("kakuro", "8x10"), of("kakuro", "8x10-runs9")];
    one_of_each(store, &kakuro, 32).await;
    for (spec, have) in [
        (with(None, None), 6),
        (with(Some("X-Wing"), None), 4),
        (wanted.clone(), 3),
        (with(None, Some(24)), 3),
        (with(None, Some(25)), 0),
        (Spec { difficulty: Difficulty::Range { min: Tenths(11), max: Tenths(13) }, ..with(None, None) }, 3),
        (kakuro[0].clone(), 2),
        (kakuro[1].clone(), 1),
        (Spec { difficulty: Difficulty::Level(Level::Medium), ..kakuro[0].clone() }, 2),
        (Spec { difficulty: Difficulty::Level(Level::Hard), ..kakuro[0].clone() }, 0),
    ] {
        let filter = ShelfFilter::of(&spec);
        let drawn_from = fitting(store, &filter).await;
        assert_eq!(drawn_from.len(), have, "{spec:?}");
        let target = set(store, Wish { spec: spec.clone(), ..wish(20) }).await;
        assert_eq!(target.wish.spec, spec);
        let refill = Refill { shelves: filter, ..refill(&target, Asked::Manual(someone())) };
        let job = queued(store.refill(refill).await.unwrap());
        assert_eq!(
            (job.wanted as usize, &job.spec),
            (20 - have, &spec),
            "the refill counts the puzzles that a draw finds"
        );
        store.cancel(job.id, &someone()).await.unwrap();
    }
}
