//! Imports: which records are stored, why others are refused, and what a repeat, a dry run, and a full stock do.

use puzzled_store::{
    jobs::growth::{Bound, Full},
    stock::{
        import::{Examined, Import, Imported, Other, Outcome, ProvedPuzzle, Reason, Refused},
        puzzle::ImportOrigin,
    },
};
use serde_json::json;

use crate::{abandon::all_or_nothing, growth::bound, prelude::*, withdrawals::of_all};

fn import(import_id: &str) -> Import {
    Import { import_id: import_id.to_owned(), source: "a book".to_owned(), dry_run: false }
}

/// A record with this number, whose note is its line.
fn record(line: u32, number: u64) -> Examined {
    Examined { line, note: format!("line {line}"), found: Ok(ProvedPuzzle { spec: spec(), made: made(number) }) }
}

/// A record with the solution of this number and another form. Each `face` gives another one.
fn alike_record(line: u32, number: u64, face: &str) -> Examined {
    let Ok(mut found) = record(line, number).found else { unreachable!() };
    found.made.canonical = format!("{face} {number}");
    found.made.text = format!("text {number}{face}");
    Examined { found: Ok(found), ..record(line, number) }
}

pub(crate) fn records(numbers: impl IntoIterator<Item = u64>) -> Vec<Examined> {
    (1..).zip(numbers).map(|(line, number)| record(line, number)).collect()
}

async fn imported(store: &dyn Store, import: &Import, records: &[Examined]) -> Vec<Outcome> {
    match store.import(import, records, &caller("ImportPuzzles")).await.unwrap() {
        Imported::Done(outcomes) => outcomes,
        other => panic!("{other:?}"),
    }
}

/// The lines that are stored.
fn stored(outcomes: &[Outcome]) -> Vec<u32> {
    outcomes.iter().filter(|outcome| outcome.stored.is_ok()).map(|outcome| outcome.line).collect()
}

fn refused(line: u32, reason: Reason, other: Option<(i64, Option<u32>)>) -> Outcome {
    let other = other.map(|(id, line)| Other { id: Some(PuzzleId(id)), line });
    Outcome { line, stored: Err(Refused { reason, fault: String::new(), other }) }
}

async fn of_import(store: &dyn Store, import_id: &str) -> Vec<Puzzle> {
    let origin = OriginFilter::Import(import_id.to_owned());
    store.puzzles_of(&origin, &ShelfFilter::ANY, None, u32::MAX, true).await.unwrap()
}

pub(crate) async fn import_stores_new_puzzles_and_lists_them(store: &dyn Store, world: &World) {
    stock(store, [1]).await;
    world.pass_ms(5);
    let outcomes = imported(store, &import("a"), &records([8, 9])).await;
    let ids = [PuzzleId(2), PuzzleId(3)];
    let expected = (1..).zip(ids).map(|(line, id)| Outcome { line, stored: Ok(Some(id)) }).collect::<Vec<_>>();
    assert_eq!(outcomes, expected);
    let second = imported(store, &import("b"), &[record(7, 10)]).await;
    assert_eq!(stored(&second), [7]);
    let listed = of_import(store, "a").await;
    assert_eq!(listed.iter().map(|puzzle| puzzle.id).collect::<Vec<_>>(), ids);
    let puzzle = &listed[1];
    let origin = ImportOrigin { import_id: "a".to_owned(), line: 2, note: "line 2".to_owned() };
    assert_eq!((&puzzle.origin, number_of(puzzle)), (&Origin::Import(origin), 9));
    assert_eq!((puzzle.created_at, puzzle.engine_version), (world.now(), ENGINE_VERSION));
    assert_eq!(
        (puzzle.position, puzzle.shelf.clone()),
        (Some(0), ShelfKey::of(&spec(), made(9).record.rating, "Counting", 9))
    );
    assert_eq!(of_import(store, "unknown").await, []);
    assert_eq!(store.puzzle(ids[1]).await.unwrap().as_ref(), Some(puzzle));
    // Draws read a puzzle by its position.
    let shelf = store.shelves().await.unwrap().into_iter().find(|shelf| shelf.key == puzzle.shelf).unwrap();
    let drawn = store.puzzles_at(&[Position { shelf_id: shelf.id, number: 0 }], true).await.unwrap();
    assert_eq!(drawn, [Some(puzzle.clone())]);
    assert_eq!(all_puzzles(store).await.len(), 4);
    world.is_sound().await;
}

pub(crate) async fn each_refused_record_has_its_reason_and_the_other_puzzle(store: &dyn Store, world: &World) {
    stock(store, [1, 2, 3]).await;
    store.withdraw(PuzzleId(3), "misprinted", &someone()).await.unwrap().unwrap();
    let Ok(mut isomorph) = record(3, 1).found else { unreachable!() };
    "another text".clone_into(&mut isomorph.made.text);
    let fault = Refused { reason: Reason::Several, fault: "two".to_owned(), other: None };
    let batch = [
        record(1, 10),
        record(2, 1),
        Examined { found: Ok(isomorph), ..record(3, 1) },
        alike_record(4, 2, "x"),
        record(5, 3),
        alike_record(6, 3, "x"),
        record(7, 10),
        alike_record(8, 10, "x"),
        Examined { found: Err(fault.clone()), ..record(9, 0) },
    ];
    let expected = [
        Outcome { line: 1, stored: Ok(Some(PuzzleId(4))) },
        refused(2, Reason::Known, Some((1, None))),
        refused(3, Reason::Isomorph, Some((1, None))),
        refused(4, Reason::SameSolution, Some((2, None))),
        refused(5, Reason::Barred, Some((3, None))),
        refused(6, Reason::Barred, Some((3, None))),
        refused(7, Reason::Known, Some((4, Some(1)))),
        refused(8, Reason::SameSolution, Some((4, Some(1)))),
        Outcome { line: 9, stored: Err(fault) },
    ];
    assert_eq!(imported(store, &import("a"), &batch).await, expected);
    // Line 1 has a puzzle already.
    let taken = refused(1, Reason::LineTaken, Some((4, Some(1))));
    assert_eq!(imported(store, &import("a"), &[record(1, 11)]).await, [taken]);
    assert_eq!(stored(&imported(store, &import("b"), &[record(1, 11)]).await), [1]);
    world.is_sound().await;
}

pub(crate) async fn repeated_import_stores_nothing_and_finds_its_own_puzzles(store: &dyn Store, _: &World) {
    let all = records(1..=5);
    imported(store, &import("a"), &all[..2]).await;
    let outcomes = imported(store, &import("a"), &all).await;
    assert_eq!(stored(&outcomes), [3, 4, 5]);
    for (outcome, id) in outcomes.iter().zip([1, 2]) {
        assert_eq!(*outcome, refused(outcome.line, Reason::Known, Some((id, Some(outcome.line)))));
    }
    let before = all_puzzles(store).await;
    let again = imported(store, &import("a"), &all).await;
    assert_eq!((stored(&again), all_puzzles(store).await), (Vec::new(), before));
}

pub(crate) async fn dry_run_says_what_the_import_does_and_changes_nothing(store: &dyn Store, _: &World) {
    stock(store, [1]).await;
    let before = Everything::of(store).await;
    let dry = Import { dry_run: true, ..import("a") };
    let outcomes = imported(store, &dry, &[record(1, 1), record(2, 9), record(3, 9)]).await;
    let other = Some(Other { id: None, line: Some(2) });
    let repeat = Refused { reason: Reason::Known, fault: String::new(), other };
    let expected = [
        refused(1, Reason::Known, Some((1, None))),
        Outcome { line: 2, stored: Ok(None) },
        Outcome { line: 3, stored: Err(repeat) },
    ];
    assert_eq!(outcomes, expected);
    assert_eq!(Everything::of(store).await, before);
    // The dry run left no source.
    let other = Import { source: "another book".to_owned(), ..import("a") };
    assert_eq!(stored(&imported(store, &other, &[record(2, 9)]).await), [2]);
}

pub(crate) async fn import_stops_where_the_stock_is_full(store: &dyn Store, world: &World) {
    // The stock is full from 19 puzzles on.
    bound(store, Some(20)).await;
    stock(store, 1..=15).await;
    let all = records([1, 100, 101, 2, 102, 103, 3, 104]);
    let outcomes = imported(store, &import("a"), &all).await;
    assert_eq!((stored(&outcomes), outcomes.len()), (vec![2, 3, 5, 6], 6), "{outcomes:?}");
    let full = Full { bound: Bound::Puzzles, used: 19, max: 20, at: world.now() };
    let refused = store.import(&import("a"), &all[6..], &someone()).await.unwrap();
    assert_eq!(refused, Imported::StockFull(full));
    bound(store, None).await;
    assert_eq!(stored(&imported(store, &import("a"), &all).await), [8]);
}

pub(crate) async fn import_beyond_the_limit_of_shelves_is_refused_by_record(store: &dyn Store, world: &World) {
    stock(store, [1]).await;
    let limited = world.open_with_shelves(2).await;
    let outcomes = imported(&*limited, &import("a"), &records([2, 3, 4])).await;
    assert_eq!(stored(&outcomes), [1]);
    for outcome in &outcomes[1..] {
        let fault = "the limit of 2 shelves is reached".to_owned();
        let no_shelf = Refused { reason: Reason::NoShelf, fault, other: None };
        assert_eq!(outcome.stored, Err(no_shelf));
    }
    world.is_sound().await;
}

pub(crate) async fn import_keeps_its_source(store: &dyn Store, _: &World) {
    imported(store, &import("a"), &records([1])).await;
    let before = Everything::of(store).await;
    let other = Import { source: "another book".to_owned(), ..import("a") };
    let refused = store.import(&other, &[record(2, 2)], &someone()).await.unwrap();
    assert_eq!(refused, Imported::OtherSource("a book".to_owned()));
    assert_eq!(Everything::of(store).await, before);
    // An import without a stored puzzle has no source yet.
    assert_eq!(stored(&imported(store, &import("b"), &records([1])).await), [0; 0]);
    let other = Import { source: "another book".to_owned(), ..import("b") };
    assert_eq!(stored(&imported(store, &other, &records([2])).await), [1]);
}

pub(crate) async fn import_is_withdrawn_and_forgotten_by_its_name(store: &dyn Store, world: &World) {
    stock(store, [1]).await;
    imported(store, &import("a"), &records([2, 3])).await;
    imported(store, &import("b"), &records([4, 5])).await;
    let of = |import_id: &str, forget| {
        let origin = Some(OriginFilter::Import(import_id.to_owned()));
        puzzled_store::stock::withdrawal::Withdrawal { origin, ..of_all(forget) }
    };
    for (import_id, forget, ids) in [("a", false, [2, 3]), ("b", true, [4, 5])] {
        let withdrawal = of(import_id, forget);
        let counted = store.count_withdrawable(&withdrawal).await.unwrap();
        assert_eq!((counted.left, counted.forgettable), (2, if forget { 2 } else { 0 }));
        let done = store.withdraw_many(&withdrawal, None, 500, &someone()).await.unwrap();
        assert_eq!((done.changed, done.forgotten), (ids.map(PuzzleId).to_vec(), if forget { 2 } else { 0 }));
    }
    assert_eq!(all_puzzles(store).await.len(), 1);
    // Withdrawn puzzles are barred. Forgotten ones may be imported again, on the same lines.
    let again = imported(store, &import("a"), &records([2, 3])).await;
    assert!(again.iter().all(|outcome| outcome.stored.as_ref().is_err_and(|why| why.reason == Reason::Barred)));
    assert_eq!(stored(&imported(store, &import("b"), &records([4, 5])).await), [1, 2]);
    // The line of a withdrawn puzzle is free for its correction.
    assert_eq!(stored(&imported(store, &import("a"), &[record(1, 6)]).await), [1]);
    world.is_sound().await;
}

pub(crate) async fn jobs_make_no_puzzle_that_an_import_brought(store: &dyn Store, world: &World) {
    imported(store, &import("a"), &records([5])).await;
    queue(store, job(2)).await;
    let slice = claimed(store, 1).await;
    let job = committed(store, &slice, &[5, 6]).await;
    assert_eq!((job.made, job.tally.repeats), (1, 1));
    let stocked: Vec<_> = all_puzzles(store).await.iter().map(number_of).collect();
    assert_eq!(stocked, [5, 6]);
    world.is_sound().await;
}

pub(crate) async fn import_is_all_or_nothing(store: &dyn Store, world: &World) {
    stock(store, [1]).await;
    let batch = [record(1, 1), record(2, 2), alike_record(3, 2, "x"), record(4, 4)];
    let by = caller("ImportPuzzles");
    all_or_nothing(store, world, async || store.import(&import("a"), &batch, &by).await).await;
    // The reply was lost, so the caller repeats the call.
    assert_eq!(stored(&imported(store, &import("a"), &batch).await), [0; 0]);
    assert_eq!(all_puzzles(store).await.len(), 3);
}

pub(crate) async fn concurrent_imports_of_the_same_records_store_each_once(store: &dyn Store, world: &World) {
    let all = records(1..=40);
    let mut calls = JoinSet::new();
    for _ in 0..4 {
        let (store, all) = (world.open().await, all.clone());
        calls.spawn(async move { stored(&imported(&*store, &import("a"), &all).await).len() });
    }
    assert_eq!(calls.join_all().await.into_iter().sum::<usize>(), 40);
    assert_eq!(all_puzzles(store).await.len(), 40);
    world.is_sound().await;
}

pub(crate) async fn each_call_of_an_import_has_one_audit_entry(store: &dyn Store, _: &World) {
    imported(store, &import("a"), &[record(1, 1), record(2, 1), record(3, 3)]).await;
    imported(store, &Import { dry_run: true, ..import("a") }, &[record(4, 4)]).await;
    let entries = store.audit_entries(&AuditFilter::default(), None, u32::MAX).await.unwrap();
    let [entry] = &entries[..] else { panic!("{entries:?}") };
    assert_eq!(
        (entry.method.as_str(), &entry.subjects[..]),
        ("ImportPuzzles", &["puzzle-1".to_owned(), "puzzle-2".to_owned()][..])
    );
    let details = json!({
        "import_id": "a", "source": "a book", "records": 3, "stored": 2, "refused": { "KNOWN": 1 },
    });
    assert_eq!(json!(entry.details), details);
    let of_puzzle = AuditFilter { subject: Some("puzzle-2".to_owned()), ..AuditFilter::default() };
    assert_eq!(store.audit_entries(&of_puzzle, None, 9).await.unwrap(), entries);
}
