//! What audiences have had elsewhere: recorded puzzles are never delivered, records outlive retention, and all deliveries can be
//! listed.

use puzzled_base::repeat_hash::RepeatHash;
use puzzled_store::{
    deliveries::history::{DeliveryPlace, Had, PastDelivery, Recorded},
    jobs::slice::Likeness,
    stock::draws::{DeliveryRequest, Draw, Stock},
};

use crate::{deliveries::puzzle_of, prelude::*, prune::everything, withdrawals::of_all};

/// The hash of the solution of the puzzle with a number.
pub(crate) fn hash(number: u64) -> RepeatHash {
    RepeatHash::of(&spec().kind, &spec().variant, &made(number).solved)
}

/// A text with these canonical forms.
pub(crate) fn text(form: &str, solved: &str) -> Likeness {
    Likeness::of_forms(&spec().kind, &spec().variant, form, solved)
}

pub(crate) async fn recorded(store: &dyn Store, audience: &str, had: &[Had]) -> (u64, u64) {
    match store.record_deliveries(audience, had, &someone()).await.unwrap() {
        Recorded::Done { new, known } => (new, known),
        Recorded::NoPuzzle { index, id } => panic!("{id} at {index} is not stored"),
    }
}

/// The ID and the hash of each delivery, in order.
async fn rows(store: &dyn Store, audience: &str) -> Vec<(Option<PuzzleId>, RepeatHash)> {
    let listed = store.deliveries(audience, None, u32::MAX).await.unwrap();
    listed.iter().rev().map(|delivery| (delivery.puzzle_id, delivery.repeat_hash)).collect()
}

pub(crate) async fn recorded_puzzles_are_never_delivered(store: &dyn Store, world: &World) {
    stock(store, 0..10).await;
    let delivered = puzzle_of(deliver_one(store, wish(store, "one", 1).await).await);
    let others: Vec<_> = all_puzzles(store).await.into_iter().filter(|puzzle| puzzle.id != delivered.id).collect();
    let numbers: Vec<_> = others.iter().map(number_of).collect();
    let had = [
        Had::Stored(others[0].id),
        Had::Like(text(&numbers[1].to_string(), &numbers[1].to_string())),
        Had::Like(text("another puzzle", &numbers[2].to_string())),
        Had::Solved(hash(numbers[3])),
        Had::Solved(hash(99)),
        // Known: the puzzle that was delivered, and one of this call.
        Had::Stored(delivered.id),
        Had::Solved(hash(numbers[0])),
    ];
    assert_eq!(recorded(store, "one", &had).await, (5, 2));
    let expected: Vec<_> = [(Some(delivered.id), hash(number_of(&delivered)))]
        .into_iter()
        .chain((0..4).map(|at| (Some(others[at].id), hash(numbers[at]))))
        .chain([(None, hash(99))])
        .collect();
    assert_eq!(rows(store, "one").await, expected);
    let entries = store.audit_entries(&AuditFilter::default(), None, u32::MAX).await.unwrap();
    assert_eq!(recorded(store, "one", &had).await, (0, 7), "a repeat changes nothing");
    assert_eq!(store.audit_entries(&AuditFilter::default(), None, u32::MAX).await.unwrap(), entries);
    let details = serde_json::json!({ "recorded": 5, "known": 2 });
    assert_eq!((Some(&entries[0].details), entries[0].subjects.len()), (details.as_object(), 0));
    // A puzzle with a recorded solution that is stored later is not delivered either.
    stock(store, [99, 100]).await;
    let rest: BTreeSet<_> = drained(store, "one").await.iter().map(number_of).collect();
    assert_eq!(rest, numbers[4..].iter().copied().chain([100]).collect());
    assert_eq!(drained(store, "other").await.len(), 12, "other audiences get all");
    world.is_sound().await;
}

pub(crate) async fn record_with_an_unknown_id_changes_nothing(store: &dyn Store, _: &World) {
    stock(store, 0..2).await;
    let before = Everything::of(store).await;
    let had = [Had::Stored(PuzzleId(1)), Had::Stored(PuzzleId(7)), Had::Stored(PuzzleId(8))];
    let refused = store.record_deliveries("new", &had, &someone()).await.unwrap();
    assert_eq!(refused, Recorded::NoPuzzle { index: 1, id: PuzzleId(7) });
    assert_eq!(Everything::of(store).await, before);
}

pub(crate) async fn recorded_isomorph_of_another_variant_has_the_hash_of_the_stock(store: &dyn Store, _: &World) {
    queue(store, NewJob { spec: of("number", "1x1-wide"), ..job(1) }).await;
    make(store, &[5]).await;
    assert_eq!(recorded(store, "one", &[Had::Like(text("5", "5"))]).await, (1, 0));
    assert_eq!(had(store, "one").await, [PuzzleId(1)]);
    assert_eq!(drained(store, "one").await, []);
}

pub(crate) async fn replaced_puzzle_is_recorded_by_its_id_alone(store: &dyn Store, world: &World) {
    queue(store, job(4)).await;
    let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
    committed(store, &high, &[1, 2]).await;
    // The lower index makes the first of them too and replaces it.
    committed(store, &low, &[1, 3]).await;
    let replaced = store.puzzle(PuzzleId(1)).await.unwrap().unwrap();
    assert!(replaced.withdrawn.is_some());
    assert_eq!(recorded(store, "one", &[Had::Solved(hash(1))]).await, (1, 0));
    assert_eq!(recorded(store, "other", &[Had::Stored(PuzzleId(1))]).await, (1, 0));
    assert_eq!((had(store, "one").await, had(store, "other").await), (vec![PuzzleId(3)], vec![PuzzleId(1)]));
    for audience in AUDIENCES {
        assert!(drained(store, audience).await.iter().all(|puzzle| number_of(puzzle) != 1), "{audience}");
    }
    world.is_sound().await;
}

pub(crate) async fn concurrent_records_and_deliveries_repeat_no_solution(store: &dyn Store, world: &World) {
    stock(store, 0..40).await;
    let mut calls = JoinSet::new();
    for process in 0..4 {
        let store = world.open().await;
        calls.spawn(async move {
            for turn in 0..10 {
                recorded(&*store, "one", &[Had::Solved(hash(turn)), Had::Solved(hash(39 - turn))]).await;
                deliver_one(&*store, wish(&*store, "one", process * 100 + turn).await).await;
            }
        });
    }
    calls.join_all().await;
    drained(store, "one").await;
    let hashes: Vec<_> = rows(store, "one").await.into_iter().map(|(_, hash)| hash).collect();
    assert_eq!((hashes.len(), hashes.into_iter().collect::<BTreeSet<_>>().len()), (40, 40));
    world.is_sound().await;
}

/// What a call of this audience gets from the whole stock.
async fn got(stock: &Stock, audience: &str) -> Draw {
    let order =
        DeliveryRequest { audience, name: None, shelves: &ShelfFilter::ANY, exclusive: false, with_record: false };
    stock.deliver(order).await.unwrap()
}

pub(crate) async fn audience_with_nearly_all_puzzles_recorded_gets_each_other(store: &dyn Store, world: &World) {
    const PUZZLES: u32 = 10_000;
    // The stock draws only kinds that it knows.
    queue(store, NewJob { spec: of("kakuro", "8x10"), ..job(PUZZLES) }).await;
    let all = claimed_whole(store, 1).await;
    committed(store, &all, &(0..u64::from(PUZZLES)).collect::<Vec<_>>()).await;
    let left: BTreeSet<_> = (0..10).map(|n| n * 999 + 7).collect();
    let had: Vec<_> = (0..u64::from(PUZZLES)).filter(|number| !left.contains(number)).collect();
    let had = had.into_iter().map(|n| Had::Solved(RepeatHash::of("kakuro", "8x10", &made(n).solved)));
    let had: Vec<_> = had.collect();
    for part in had.chunks(500) {
        assert_eq!(recorded(store, "one", part).await, (part.len() as u64, 0));
    }
    let stock = Stock::new(world.open().await, Arc::new(Chance::from_seed(7)), ManualClock::at(START), bounds());
    let mut gotten = BTreeSet::new();
    for _ in 0..left.len() {
        let Draw::Puzzle(puzzle) = got(&stock, "one").await else { panic!("a puzzle is left") };
        assert!(gotten.insert(number_of(&puzzle)));
    }
    assert_eq!(gotten, left);
    assert!(matches!(got(&stock, "one").await, Draw::Exhausted(_)));
    world.is_sound().await;
}

pub(crate) async fn recorded_deliveries_are_never_pruned(store: &dyn Store, world: &World) {
    stock(store, 0..3).await;
    recorded(store, "one", &[Had::Solved(hash(0)), Had::Solved(hash(77))]).await;
    drained(store, "one").await;
    world.pass_ms(10);
    for expected in [2, 0] {
        assert_eq!(store.prune(everything(world)).await.unwrap().deliveries, expected);
    }
    assert_eq!(rows(store, "one").await, [(Some(PuzzleId(1)), hash(0)), (None, hash(77))]);
}

pub(crate) async fn recorded_puzzle_is_withdrawn_instead_of_forgotten(store: &dyn Store, world: &World) {
    stock(store, 0..3).await;
    recorded(store, "one", &[Had::Stored(PuzzleId(1)), Had::Solved(hash(7))]).await;
    let withdrew = store.withdraw_many(&of_all(true), None, 100, &someone()).await.unwrap();
    assert_eq!((withdrew.changed.len(), withdrew.forgotten), (3, 2));
    assert!(store.puzzle(PuzzleId(1)).await.unwrap().unwrap().withdrawn.is_some());
    assert_eq!(rows(store, "one").await.len(), 2);
    world.is_sound().await;
}

pub(crate) async fn forgotten_audience_has_no_records(store: &dyn Store, _: &World) {
    stock(store, 0..3).await;
    recorded(store, "one", &[Had::Stored(PuzzleId(1)), Had::Solved(hash(7))]).await;
    assert_eq!(store.forget_audience("one", &someone()).await.unwrap().deliveries, 2);
    assert_eq!((rows(store, "one").await, drained(store, "one").await.len()), (vec![], 3));
}

pub(crate) async fn all_deliveries_are_listed_by_audience_with_any_page_size(store: &dyn Store, world: &World) {
    stock(store, 0..4).await;
    for seed in 0..4 {
        deliver_one(store, wish(store, AUDIENCES[usize::from(seed % 2 == 0)], seed).await).await;
    }
    world.pass_ms(10);
    recorded(store, "one", &[Had::Solved(hash(77))]).await;
    let store = world.open_to_check().await;
    let all = store.all_deliveries(DeliveryPlace::default(), 100).await.unwrap();
    let audiences: Vec<_> = all.iter().map(|delivery| delivery.audience.as_str()).collect();
    assert_eq!(audiences, ["other", "other", "one", "one", "one"], "in the order in which they were added");
    assert_eq!((all[4].repeat_hash, all[4].at), (hash(77), world.now()));
    for size in 1..=5 {
        let read =
            async |after: Option<DeliveryPlace>| store.all_deliveries(after.unwrap_or_default(), size).await.unwrap();
        assert_eq!(joined(|delivery: &PastDelivery| delivery.place, read).await, all, "pages of {size}");
    }
}
