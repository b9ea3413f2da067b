//! The puzzle of a day: a delivery under a name that all callers share.

use std::{collections::BTreeSet, sync::Arc};

use puzzled::store::{
    Store,
    delivery::{Daily, Delivered, DeliveryName, NewDelivery},
    puzzle::PuzzleId,
};
use tokio::task::JoinSet;

use crate::{
    backend::World,
    support::{job, request},
    work::{claimed_whole, committed, deliver_one, had, queue, wish},
};

async fn stock(store: &dyn Store, count: u32) {
    queue(store, job(count)).await;
    let slice = claimed_whole(store, 1).await;
    committed(store, &slice, &(0..u64::from(count)).collect::<Vec<_>>()).await;
}

fn day(date: &str, kind: &str, level: &str) -> DeliveryName {
    DeliveryName::Daily(Daily { date: date.to_owned(), kind: kind.to_owned(), level: level.to_owned() })
}

async fn wanted(store: &dyn Store, audience: &str, name: DeliveryName, seed: u64) -> NewDelivery {
    NewDelivery { name: Some(name), ..wish(store, audience, seed).await }
}

fn id_of(delivered: &Delivered) -> PuzzleId {
    match delivered {
        Delivered::New(puzzle) | Delivered::Same(puzzle) => puzzle.id,
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn the_first_who_asks_chooses_the_puzzle_of_a_day(store: &dyn Store, world: &World) {
    stock(store, 20).await;
    let today = || day("2026-11-21", "number", "easy");
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

pub(crate) async fn processes_that_race_for_a_day_get_one_puzzle(store: &dyn Store, world: &World) {
    stock(store, 50).await;
    let mut callers = JoinSet::new();
    for process in 0..3 {
        let store = world.open().await;
        for caller in 0..4 {
            let store = Arc::clone(&store);
            callers.spawn(async move {
                let mut ids = Vec::new();
                for date in ["2026-11-21", "2026-11-22", "2026-11-23"] {
                    let wanted = wanted(&*store, "", day(date, "number", ""), process * 100 + caller).await;
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

pub(crate) async fn another_day_kind_level_or_audience_has_a_puzzle_of_its_own(store: &dyn Store, _: &World) {
    stock(store, 20).await;
    let names = [
        day("2026-11-21", "number", ""),
        day("2026-11-22", "number", ""),
        day("2026-11-21", "letter", ""),
        day("2026-11-21", "number", "easy"),
    ];
    for audience in ["", "one"] {
        let mut ids = BTreeSet::new();
        for name in &names {
            ids.insert(id_of(&deliver_one(store, wanted(store, audience, name.clone(), 1).await).await));
        }
        assert_eq!(ids.len(), 4);
    }
}

pub(crate) async fn a_name_of_a_request_is_no_name_of_a_day(store: &dyn Store, _: &World) {
    stock(store, 20).await;
    let name = day("2026-11-21", "number", "easy");
    let first = deliver_one(store, wanted(store, "one", name.clone(), 1).await).await;
    for id in ["2026-11-21 number easy", &name.column()] {
        let other = DeliveryName::Request(request(id, ""));
        let other = deliver_one(store, wanted(store, "one", other, 1).await).await;
        assert!(matches!(other, Delivered::New(_)), "{other:?}");
        assert_ne!(id_of(&other), id_of(&first));
    }
}
