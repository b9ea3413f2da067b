//! Reading puzzles: by place on a shelf, by ID, and page by page with a filter. Also withdrawals: a withdrawn puzzle keeps
//! its reason, is found only by its ID, and bars its isomorphs and its solution.

use puzzled_engine::sudoku::hodoku::HodokuLevel;

use crate::prelude::*;

/// Puzzles 0 to 9 on five shelves, two each.
async fn ten_puzzles(store: &dyn Store) -> Vec<Puzzle> {
    stock(store, 0..10).await;
    all_puzzles(store).await
}

/// A shelf with four positions, of which the first is withdrawn.
async fn shelf_with_a_withdrawn_puzzle(store: &dyn Store) -> Shelf {
    queue(store, job(4)).await;
    let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
    committed(store, &high, &[5, 10]).await;
    committed(store, &low, &[15, 5]).await;
    store.shelves().await.unwrap().remove(0)
}

async fn texts_at(store: &dyn Store, positions: &[(i64, i64)]) -> Vec<Option<String>> {
    let positions: Vec<_> =
        positions.iter().map(|&(shelf, number)| Position { shelf_id: ShelfId(shelf), number }).collect();
    let found = store.puzzles_at(&positions, false).await.unwrap();
    found.into_iter().map(|puzzle| puzzle.map(|puzzle| puzzle.text)).collect()
}

pub(crate) async fn puzzles_are_returned_in_the_order_of_the_positions(store: &dyn Store, _: &World) {
    assert_eq!(texts_at(store, &[]).await, []);
    assert_eq!(texts_at(store, &[(1, 0)]).await, [None]);
    ten_puzzles(store).await;
    let shelves: Vec<_> = store.shelves().await.unwrap().into_iter().map(|shelf| shelf.id.0).collect();
    let positions = [(shelves[3], 1), (shelves[0], 0), (0, 0), (shelves[3], 0), (shelves[3], 1), (shelves[4], 1)];
    let expected = [Some(8), Some(0), None, Some(3), Some(8), Some(9)];
    assert_eq!(texts_at(store, &positions).await, expected.map(|number| number.map(|number| format!("text {number}"))));
    let none = [(shelves[0], 2), (shelves[0], -1), (shelves[0], i64::MAX), (i64::MAX, 0)];
    assert_eq!(texts_at(store, &none).await, [const { None }; 4]);
}

pub(crate) async fn a_puzzle_is_the_same_by_place_by_id_and_on_a_page(store: &dyn Store, world: &World) {
    queue(store, NewJob { seed: u64::MAX, ..job(6) }).await;
    let slice = claimed_whole(store, 1).await;
    let mut work = work(&slice, &[0, 1, 2, 3, 4, 5]);
    for (made, odd) in
        work.made.iter_mut().zip(["", "\"quoted\" and \\", "a\nb\tc", "[{\"x\":1}]", "\u{1f9e9} ß", "'; --"])
    {
        odd.clone_into(&mut made.made.text);
        odd.clone_into(&mut made.made.record.explanation);
        made.made.record.metrics = Metrics::of(
            "sudoku",
            &SudokuMetrics {
                er: Tenths(u8::MAX),
                hodoku_score: u32::MAX,
                hodoku_level: HodokuLevel::Extreme,
                branching_factor: 0.1 + 0.2,
                openings: 1e300,
                looks: -0.0,
                predicted_seconds: 5e-324,
                predicted_seconds_low: 4.0,
                ..SudokuMetrics::default()
            },
        );
    }
    let expected: Vec<_> = work.made.iter().map(|made| (made.made.text.clone(), made.made.record.clone())).collect();
    done(store.commit(slice.lease, work).await.unwrap());
    let store = world.open().await;
    let shelves = store.shelves().await.unwrap();
    for (puzzle, (text, record)) in all_puzzles(&*store).await.into_iter().zip(expected) {
        let stored = puzzle.record.as_ref().unwrap();
        assert_eq!((&puzzle.text, &stored.explanation), (&text, &record.explanation));
        assert_eq!(stored.metrics, record.metrics);
        assert!(stored.metrics.read::<SudokuMetrics>().unwrap().looks.is_sign_negative());
        let shelf_id = shelves.iter().find(|shelf| shelf.key == puzzle.shelf).unwrap().id;
        let position = Position { shelf_id, number: puzzle.position.unwrap() };
        assert_eq!(store.puzzles_at(&[position], true).await.unwrap(), [Some(puzzle.clone())]);
        assert_eq!(store.puzzle(puzzle.id).await.unwrap(), Some(puzzle));
    }
    for id in [0, -1, 7, i64::MAX] {
        assert_eq!(store.puzzle(PuzzleId(id)).await.unwrap(), None);
    }
}

pub(crate) async fn metrics_of_a_newer_version_stay_byte_for_byte(store: &dyn Store, _: &World) {
    let text = r#"{"later": {"b": 1.50, "a":[1e3, "ß", {"b":1,"a":2}]}}"#;
    let metrics: Metrics = serde_json::from_str(text).unwrap();
    queue(store, job(1)).await;
    let slice = claimed_whole(store, 1).await;
    let mut work = work(&slice, &[0]);
    work.made[0].made.record.metrics = metrics.clone();
    let record = work.made[0].made.record.clone();
    done(store.commit(slice.lease, work).await.unwrap());
    let puzzle = all_puzzles(store).await.remove(0);
    let place = Position { shelf_id: store.shelves().await.unwrap()[0].id, number: 0 };
    let by_place = store.puzzles_at(&[place], true).await.unwrap().remove(0).unwrap();
    let outcome = Outcome::of(Ok(record));
    let new = NewRating { puzzle_id: puzzle.id, rater: "later".to_owned(), rater_version: 1, outcome };
    store.add_ratings(&[new], None).await.unwrap();
    let rating = store.ratings(&[puzzle.id]).await.unwrap().remove(0);
    for read in [puzzle.record.as_ref(), by_place.record.as_ref(), rating.outcome.record()].map(Option::unwrap) {
        assert_eq!(serde_json::to_string(&read.metrics).unwrap(), text);
    }
}

pub(crate) async fn replaced_puzzle_leaves_its_place_empty_and_is_found_by_its_id(store: &dyn Store, world: &World) {
    let Shelf { id, positions, empty, .. } = shelf_with_a_withdrawn_puzzle(store).await;
    assert_eq!((positions, empty), (4, 1));
    let found = texts_at(store, &[0, 1, 2, 3].map(|number| (id.0, number))).await;
    assert_eq!(found, [None, Some(10), Some(15), Some(5)].map(|number| number.map(|number| format!("text {number}"))));
    let listed = paged(store, &ShelfFilter::ANY, 1).await;
    assert!(listed.iter().map(|puzzle| Some(&puzzle.text)).eq(found[1..].iter().map(Option::as_ref)));
    let mut replaced = Vec::new();
    for id in 1..=4 {
        replaced.extend(store.puzzle(PuzzleId(id)).await.unwrap());
    }
    replaced.retain(|puzzle| !listed.contains(puzzle));
    let [puzzle] = &replaced[..] else { panic!("{replaced:?}") };
    assert_eq!((puzzle.text.as_str(), puzzle.position, made_at(puzzle).index), ("text 5", Some(0), 2));
    assert_eq!(puzzle.withdrawn.as_ref().map(|withdrawn| withdrawn.at), Some(world.now()));
}

pub(crate) async fn many_positions_are_read_at_once(store: &dyn Store, _: &World) {
    ten_puzzles(store).await;
    let shelves = store.shelves().await.unwrap();
    let positions: Vec<_> = (0..5_000)
        .map(|n| Position { shelf_id: shelves[n % 5].id, number: i64::try_from(n / 5 % 3).unwrap() })
        .collect();
    let found = store.puzzles_at(&positions, false).await.unwrap();
    for (position, found) in positions.iter().zip(&found) {
        assert_eq!(found.as_ref().and_then(|puzzle| puzzle.position), (position.number < 2).then_some(position.number));
    }
    assert_eq!(found.len(), positions.len());
}

/// All pages of this size, joined.
pub(crate) async fn paged(store: &dyn Store, filter: &ShelfFilter, limit: u32) -> Vec<Puzzle> {
    let read = async |after| {
        let page = store.puzzles(filter, after, limit, true).await.unwrap();
        assert!(page.len() <= limit as usize);
        page
    };
    joined(|puzzle: &Puzzle| puzzle.id, read).await
}

pub(crate) async fn pages_of_any_size_join_to_all_puzzles(store: &dyn Store, _: &World) {
    assert_eq!(paged(store, &ShelfFilter::ANY, 3).await, []);
    let whole = ten_puzzles(store).await;
    assert!(whole.windows(2).all(|pair| pair[0].id < pair[1].id));
    for limit in [1, 3, 9, 10, 11, u32::MAX] {
        assert_eq!(paged(store, &ShelfFilter::ANY, limit).await, whole, "{limit} a page");
    }
    assert_eq!(store.puzzles(&ShelfFilter::ANY, None, 0, true).await.unwrap(), []);
}

fn rated(min: u8, max: u8) -> ShelfFilter {
    ShelfFilter { difficulty: Difficulty::Range { min: Tenths(min), max: Tenths(max) }, ..ShelfFilter::ANY }
}

pub(crate) async fn puzzles_match_every_field_of_a_filter(store: &dyn Store, _: &World) {
    let specs = [
        spec(),
        Spec { variant: "2x2".to_owned(), ..spec() },
        Spec { kind: "letter".to_owned(), ..spec() },
        Spec { symmetry: Symmetry::Diagonal, ..spec() },
    ];
    for (spec, numbers) in specs.into_iter().zip([[0, 1, 2], [10, 11, 12], [0, 1, 2], [5, 6, 7]]) {
        queue(store, NewJob { spec, ..job(3) }).await;
        make(store, &numbers).await;
    }
    let any = ShelfFilter::ANY;
    let number = || Some("number".to_owned());
    let variant = |name| VariantFilter::named(None, name);
    for (filter, count) in [
        (any.clone(), 12),
        (ShelfFilter { kind: number(), ..any.clone() }, 9),
        (ShelfFilter { kind: Some("Number".to_owned()), ..any.clone() }, 0),
        (ShelfFilter { variant: variant("2x2"), ..any.clone() }, 3),
        (ShelfFilter { symmetry: Some(Symmetry::Diagonal), ..any.clone() }, 3),
        (ShelfFilter { symmetry: Some(Symmetry::Full), ..any.clone() }, 0),
        (ShelfFilter { kind: number(), variant: variant("1x1"), ..any.clone() }, 6),
        (ShelfFilter { kind: number(), ..rated(11, 255) }, 6),
        (ShelfFilter { kind: number(), ..rated(0, 10) }, 3),
        (rated(11, 11), 4),
        (rated(13, 255), 0),
        (rated(12, 11), 0),
    ] {
        let found = paged(store, &filter, 2).await;
        assert_eq!(found.len(), count, "{filter:?}");
        assert!(found.iter().all(|puzzle| filter.fits(&puzzle.shelf)), "{filter:?}");
    }
}

/// All pages of this size of a job's puzzles, joined.
async fn paged_of_job(store: &dyn Store, job: i64, filter: &ShelfFilter, limit: u32) -> Vec<Puzzle> {
    let read = async |after| {
        let page = store.puzzles_of(&OriginFilter::Job(JobId(job)), filter, after, limit, true).await.unwrap();
        assert!(page.len() <= limit as usize);
        page
    };
    joined(|puzzle: &Puzzle| puzzle.id, read).await
}

pub(crate) async fn pages_of_a_job_have_only_its_puzzles(store: &dyn Store, _: &World) {
    for numbers in [[0, 10, 1], [5, 20, 6], [30, 31, 32]] {
        queue(store, job(3)).await;
        make(store, &numbers).await;
    }
    let whole = all_puzzles(store).await;
    store.withdraw(PuzzleId(5), "a test", &someone()).await.unwrap().unwrap();
    for id in 1..=3 {
        let made: Vec<_> =
            whole.iter().filter(|puzzle| made_at(puzzle).job_id == JobId(id) && puzzle.id.0 != 5).cloned().collect();
        assert_eq!(made.len(), if id == 2 { 2 } else { 3 });
        for limit in [1, 2, 3, u32::MAX] {
            assert_eq!(paged_of_job(store, id, &ShelfFilter::ANY, limit).await, made, "job {id}, {limit} a page");
        }
        // The other fields of the filter apply too.
        let easiest = rated(0, 10);
        let fitting: Vec<_> = made.into_iter().filter(|puzzle| easiest.fits(&puzzle.shelf)).collect();
        assert_eq!(paged_of_job(store, id, &easiest, 1).await, fitting, "job {id}");
        let none = ShelfFilter { symmetry: Some(Symmetry::Full), ..ShelfFilter::ANY };
        assert_eq!(paged_of_job(store, id, &none, 1).await, []);
    }
    assert_eq!(paged_of_job(store, 4, &ShelfFilter::ANY, 9).await, []);
}

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
    assert_eq!(counts(store).await, [(3, 1)]);
}

pub(crate) async fn a_puzzle_is_withdrawn_once(store: &dyn Store, world: &World) {
    assert_eq!(store.withdraw(PuzzleId(1), "a misprint", &someone()).await.unwrap(), None);
    stock(store, [1]).await;
    let first = store.withdraw(PuzzleId(1), "a misprint", &someone()).await.unwrap();
    world.pass_ms(5);
    assert_eq!(store.withdraw(PuzzleId(1), "another reason", &someone()).await.unwrap(), first);
    assert_eq!(store.shelves().await.unwrap()[0].empty, 1);
}

pub(crate) async fn isomorph_and_solution_of_a_withdrawn_puzzle_stay_repeats(store: &dyn Store, _: &World) {
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
    let slice = claimed_whole(store, 4).await;
    let job = done(store.commit(slice.lease, alike("another", work(&slice, &[1]))).await.unwrap());
    assert_eq!((job.made, job.tally.repeats), (0, 2));
    assert_eq!(all_puzzles(store).await.iter().map(|puzzle| puzzle.id).collect::<Vec<_>>(), [PuzzleId(2)]);
}
