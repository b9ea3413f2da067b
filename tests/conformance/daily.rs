//! The daily puzzle: all callers of a date, its criteria, and an audience get the same puzzle, also after a withdrawal.

use crate::{deliveries::puzzle_of, prelude::*};

fn day(date: &str, level: &str) -> DeliveryName {
    DeliveryName::Daily(Daily { date: date.to_owned(), criteria: request("", level).fields })
}

/// A request for the shared daily puzzle, recorded for an audience.
async fn shared(store: &dyn Store, audience: &str, date: &str, seed: u64) -> NewDelivery {
    NewDelivery { shared_with: Some(audience.to_owned()), ..wanted(store, "", day(date, "easy"), seed).await }
}

/// The dates of an audience's deliveries, in order; "" for a delivery without a date.
async fn dates(store: &dyn Store, audience: &str) -> Vec<String> {
    let mut listed = store.deliveries(audience, None, 99).await.unwrap();
    listed.reverse();
    listed.into_iter().map(|delivery| delivery.date.unwrap_or_default()).collect()
}

async fn wanted(store: &dyn Store, audience: &str, name: DeliveryName, seed: u64) -> NewDelivery {
    NewDelivery { name: Some(name), ..wish(store, audience, seed).await }
}

fn id_of(delivered: &Delivered) -> PuzzleId {
    puzzle_of(delivered.clone()).id
}

pub(crate) async fn first_caller_determines_the_daily_puzzle(store: &dyn Store, world: &World) {
    stock(store, 0..20).await;
    let today = || day("2026-11-21", "easy");
    for audience in ["", "one"] {
        let first = deliver_one(store, wanted(store, audience, today(), 1).await).await;
        assert!(matches!(first, Delivered::New(_)), "{first:?}");
        for seed in 2..6 {
            let again = deliver_one(&*world.open().await, wanted(store, audience, today(), seed).await).await;
            assert!(matches!(again, Delivered::Same(_)), "{again:?}");
            assert_eq!(id_of(&again), id_of(&first));
        }
        assert_eq!(had(store, audience).await, [id_of(&first)]);
        let listed = store.deliveries(audience, None, 9).await.unwrap().remove(0);
        assert_eq!((listed.date.as_deref(), listed.request_id), (Some("2026-11-21"), None));
    }
}

pub(crate) async fn concurrent_processes_get_the_same_daily_puzzle(store: &dyn Store, world: &World) {
    stock(store, 0..50).await;
    let mut callers = JoinSet::new();
    for process in 0..3 {
        let store = world.open().await;
        for caller in 0..4 {
            let store = Arc::clone(&store);
            callers.spawn(async move {
                let mut ids = Vec::new();
                for date in ["2026-11-21", "2026-11-22", "2026-11-23"] {
                    let wanted = wanted(&*store, "", day(date, ""), process * 100 + caller).await;
                    ids.push(id_of(&deliver_one(&*store, wanted).await));
                }
                ids
            });
        }
    }
    let answers: BTreeSet<_> = callers.join_all().await.into_iter().collect();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(had(store, "").await.len(), 3);
}

pub(crate) async fn daily_puzzles_differ_by_date_and_by_criteria(store: &dyn Store, _: &World) {
    stock(store, 0..20).await;
    let names = [
        day("2026-11-21", ""),
        day("2026-11-22", ""),
        day("2026-11-21", "shared easy"),
        day("2026-11-21", "easy\",\"kind\":\"letter"),
    ];
    for audience in ["", "one"] {
        let mut ids = BTreeSet::new();
        for name in &names {
            ids.insert(id_of(&deliver_one(store, wanted(store, audience, name.clone(), 1).await).await));
        }
        assert_eq!(ids.len(), 4);
    }
}

pub(crate) async fn request_id_is_never_taken_for_a_daily_puzzle(store: &dyn Store, _: &World) {
    stock(store, 0..20).await;
    let name = day("2026-11-21", "easy");
    let first = deliver_one(store, wanted(store, "one", name.clone(), 1).await).await;
    for id in [r#"2026-11-21 {"level":"easy"}"#, &name.column()] {
        let other = DeliveryName::Request(request(id, "easy"));
        let other = deliver_one(store, wanted(store, "one", other, 1).await).await;
        assert!(matches!(other, Delivered::New(_)), "{other:?}");
        assert_ne!(id_of(&other), id_of(&first));
    }
}

pub(crate) async fn withdrawn_daily_puzzle_is_replaced_once(store: &dyn Store, world: &World) {
    stock(store, 0..20).await;
    let ask = async |seed| wanted(store, "one", day("2026-11-21", "easy"), seed).await;
    let first = id_of(&deliver_one(store, ask(1).await).await);
    store.withdraw(first, "a misprint", &someone()).await.unwrap();
    // Concurrent requests: two for the daily puzzle, and one for any puzzle.
    let at_once = [ask(2).await, wish(store, "one", 3).await, ask(4).await];
    let at_once = store.deliver(&at_once).await.unwrap();
    assert!(matches!(&at_once[..], [Delivered::New(_), Delivered::New(_), Delivered::Same(_)]), "{at_once:?}");
    let [second, other, same] = [0, 1, 2].map(|at: usize| id_of(&at_once[at]));
    assert_eq!(same, second);
    assert_eq!(BTreeSet::from([first, second, other]).len(), 3);
    for seed in 5..9 {
        let again = deliver_one(&*world.open().await, ask(seed).await).await;
        assert!(matches!(&again, Delivered::Same(puzzle) if puzzle.id == second), "{again:?}");
    }
    // The old delivery stays as a record.
    assert_eq!(had(store, "one").await, [first, second, other]);
    assert_eq!(dates(store, "one").await, ["", "2026-11-21", ""]);
}

pub(crate) async fn replacement_of_a_withdrawn_daily_puzzle_waits_for_stock(store: &dyn Store, _: &World) {
    stock(store, 0..1).await;
    let ask = async || wanted(store, "", day("2026-11-21", "easy"), 1).await;
    let first = id_of(&deliver_one(store, ask().await).await);
    store.withdraw(first, "a misprint", &someone()).await.unwrap();
    assert_eq!(deliver_one(store, ask().await).await, Delivered::Exhausted);
    assert_eq!(dates(store, "").await, ["2026-11-21"]);
    stock(store, [50]).await;
    let second = deliver_one(store, ask().await).await;
    assert!(matches!(&second, Delivered::New(puzzle) if puzzle.id != first), "{second:?}");
    assert_eq!(dates(store, "").await, ["", "2026-11-21"]);
}

pub(crate) async fn shared_daily_puzzle_is_recorded_once_for_each_audience(store: &dyn Store, world: &World) {
    stock(store, 0..20).await;
    // Concurrent requests: the audience `one` asks twice for the shared puzzle and `other` once. `other` also asks for
    // any puzzle, which must be another one.
    let [one, other] = [shared(store, "one", "2026-11-21", 1).await, shared(store, "other", "2026-11-21", 2).await];
    let at_once = [one.clone(), wish(store, "other", 3).await, other, one.clone()];
    let at_once = store.deliver(&at_once).await.unwrap();
    let ids: Vec<_> = at_once.iter().map(id_of).collect();
    assert_eq!((ids[0], ids[0]), (ids[2], ids[3]));
    assert_ne!(ids[0], ids[1]);
    for seed in 4..8 {
        let again = NewDelivery { seed, ..one.clone() };
        let again = deliver_one(&*world.open().await, again).await;
        assert!(matches!(&again, Delivered::Same(puzzle) if puzzle.id == ids[0]), "{again:?}");
    }
    assert_eq!((had(store, "one").await, dates(store, "one").await), (vec![ids[0]], vec!["2026-11-21".to_owned()]));
    assert_eq!(had(store, "other").await.into_iter().collect::<BTreeSet<_>>(), [ids[0], ids[1]].into());
    assert_eq!(had(store, "").await, [ids[0]]);
    // The audience's own daily puzzle and all its later puzzles differ from the shared puzzle.
    let own = id_of(&deliver_one(store, wanted(store, "one", day("2026-11-21", "easy"), 9).await).await);
    assert_ne!(own, ids[0]);
    assert!(drained(store, "one").await.iter().all(|puzzle| puzzle.id != ids[0]));
    assert_eq!(had(store, "one").await.len(), 20);
}

pub(crate) async fn shared_daily_puzzle_with_a_delivered_solution_is_not_recorded(store: &dyn Store, world: &World) {
    stock(store, 0..8).await;
    // Two puzzles of each solution. No commit stores such puzzles.
    let first = "(select repeat_hash from puzzles as first where first.job_index = puzzles.job_index % 4)";
    world.tamper(&format!("drop index puzzles_repeat_hash; update puzzles set repeat_hash = {first}")).await;
    assert_eq!(drained(store, "one").await.len(), 4);
    for seed in 0..4 {
        let date = format!("2026-11-0{}", seed + 1);
        let daily = deliver_one(store, shared(store, "one", &date, seed).await).await;
        assert!(matches!(daily, Delivered::New(_)), "{daily:?}");
    }
    assert_eq!((had(store, "one").await.len(), had(store, "").await.len()), (4, 4));
}

pub(crate) async fn replacement_of_a_shared_daily_puzzle_is_recorded_too(store: &dyn Store, _: &World) {
    stock(store, 0..20).await;
    let first = id_of(&deliver_one(store, shared(store, "one", "2026-11-21", 1).await).await);
    store.withdraw(first, "a misprint", &someone()).await.unwrap();
    let second = id_of(&deliver_one(store, shared(store, "one", "2026-11-21", 2).await).await);
    assert_ne!(second, first);
    for audience in ["", "one"] {
        assert_eq!(had(store, audience).await, [first, second], "{audience:?}");
        assert_eq!(dates(store, audience).await, ["", "2026-11-21"], "{audience:?}");
    }
}

pub(crate) async fn unknown_day_gets_no_puzzle_if_only_known_days_are_wanted(store: &dyn Store, _: &World) {
    stock(store, 0..20).await;
    let ask = async |seed| wanted(store, "one", day("2026-11-21", "easy"), seed).await;
    let late = async |seed| NewDelivery { only_known: true, ..ask(seed).await };
    let unknown = [late(1).await, late(2).await];
    assert_eq!(store.deliver(&unknown).await.unwrap(), [Delivered::Unknown, Delivered::Unknown]);
    assert_eq!(had(store, "one").await, []);
    let first = id_of(&deliver_one(store, ask(3).await).await);
    assert_eq!(id_of(&deliver_one(store, late(4).await).await), first);
    store.withdraw(first, "a misprint", &someone()).await.unwrap();
    assert_ne!(id_of(&deliver_one(store, late(5).await).await), first);
}
