//! Moving everything from one database to another, and back.

use std::{
    future::poll_fn,
    pin::pin,
    sync::Arc,
    task::Poll::{Pending, Ready},
};

use puzzled::{
    clock::ManualClock,
    store::{
        Claim, Store, StoreError,
        copy::{CopyError, Place, copy},
        delivery::{Daily, Delivered, DeliveryName, NewDelivery},
        job::{Enqueued, Labels, NewJob},
        postgres::{PostgresStore, StoreClock},
        probe::Pass,
        sqlite::SqliteStore,
        target::Asked,
    },
};

use crate::{
    backend::{Postgres, START, Sqlite, in_time},
    ratings::rated,
    refills::{queued, refill},
    support::{job, request},
    targets::{set, wish as target_wish},
    work::{
        AUDIENCES, Everything, OPEN_JOBS_MAX, all_puzzles, claim, claimed, claimed_whole, committed, deliver_one, done,
        queue, wish, work_with_extras,
    },
};

/// A database of either make.
enum Home {
    File(Sqlite),
    Server(Postgres),
}

impl Home {
    fn place(&self) -> Place {
        match self {
            Self::File(file) => Place::Sqlite(file.settings()),
            Self::Server(server) => Place::Postgres(Box::new(server.database.settings())),
        }
    }

    async fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
        let clock = ManualClock::at(START);
        Ok(match self {
            Self::File(file) => Arc::new(SqliteStore::open(file.settings(), clock, Arc::new(Pass)).await?),
            Self::Server(server) => {
                let clock = StoreClock::Injected(clock);
                Arc::new(PostgresStore::open(server.database.settings(), clock, Arc::new(Pass)).await?)
            }
        })
    }
}

/// From a file to a server, from there to another server, and back to a file.
fn homes() -> [Home; 4] {
    let server = || Home::Server(Postgres::new());
    [Home::File(Sqlite::new()), server(), server(), Home::File(Sqlite::new())]
}

/// A bit of everything: jobs in all states, leases, rests, repeats, withdrawn and extra puzzles, names of requests, a target
/// with its refill, and an audience that has had some.
async fn fill(store: &dyn Store) {
    let named = NewJob { request: Some(request("a", "x\0y")), ..job(6) };
    queue(store, named).await;
    let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
    committed(store, &high, &[9, 8]).await;
    committed(store, &low, &[1, 9]).await;
    let cancelled = queue(store, job(3)).await;
    store.cancel(cancelled.id).await.unwrap();
    queue(store, job(2_500)).await;
    let whole = claimed_whole(store, 3).await;
    committed(store, &whole, &[20]).await;
    let large = claimed_whole(store, 4).await;
    let numbers: Vec<_> = (100..2_300).collect();
    done(store.commit(large.lease, work_with_extras(&large, &numbers, &[2_301])).await.unwrap());
    let target = set(store, target_wish(5_000)).await;
    queued(store.refill(refill(&target, Asked::ByHand)).await.unwrap());
    store.withdraw(all_puzzles(store).await[5].id, "misprinted").await.unwrap();
    for seed in 0..9 {
        deliver_one(store, NewDelivery { name: daily(seed), ..wish(store, AUDIENCES[0], seed).await }).await;
    }
    steer(store).await;
}

/// What ops and newer raters leave: labels, a lease that was taken back, ratings, a pause.
async fn steer(store: &dyn Store) {
    let labels = Labels::from([("team".to_owned(), "\"web\" é".to_owned()), ("a".to_owned(), String::new())]);
    queue(store, NewJob { labels, ..job(2) }).await;
    store.claim(Claim { lease_ms: 0, ..claim(5) }).await.unwrap().slice.expect("work is due");
    assert_eq!(store.claim(claim(6)).await.unwrap().rescues.len(), 1);
    store.add_ratings(&[rated(1, 4), rated(2, 4), rated(3, 4)]).await.unwrap();
    store.set_pause(Some("it moves")).await.unwrap();
}

/// Every other one has a name.
fn daily(number: u64) -> Option<DeliveryName> {
    let day = || Daily { date: format!("2026-11-{number:02}"), criteria: request("", "easy").fields };
    (number % 2 == 1).then(|| DeliveryName::Daily(day()))
}

pub(crate) async fn a_copy_is_the_same_and_goes_on_where_the_source_stopped() {
    let homes = homes();
    in_time(async {
        let first = homes[0].open().await.unwrap();
        fill(&*first).await;
        let wanted = Everything::of(&*first).await;
        for pair in homes.windows(2) {
            let [from, to] = pair else { unreachable!("windows of two") };
            let source = from.open().await.unwrap();
            let copied = Box::pin(copy(&from.place(), &to.place())).await.unwrap();
            assert!(copied.tables.iter().all(|(_, rows)| *rows > 0), "{copied:?}");
            assert_eq!(Box::pin(copy(&from.place(), &to.place())).await.unwrap(), copied, "verified once more");
            let target = to.open().await.unwrap();
            assert_eq!(Everything::of(&*target).await, wanted);
            // Who still has the source open cannot change it.
            let refused = source.enqueue(job(1), OPEN_JOBS_MAX).await;
            assert!(matches!(&refused, Err(error) if error.to_string().contains("fenced")), "{refused:?}");
            let moved = from.open().await;
            assert!(matches!(&moved, Err(StoreError::Moved { .. })), "{moved:?}");
        }
        let last = homes[3].open().await.unwrap();
        let again = NewJob { request: Some(request("a", "x\0y")), ..job(6) };
        assert!(matches!(last.enqueue(again, OPEN_JOBS_MAX).await.unwrap(), Enqueued::Same(_)));
        // The audience has what it had, and gets the rest.
        let all = all_puzzles(&*last).await.len();
        let asked = vec![wish(&*last, AUDIENCES[0], 1).await; all];
        let delivered = last.deliver(&asked).await.unwrap();
        assert_eq!(delivered.iter().filter(|one| matches!(one, Delivered::New(_))).count(), all - 9);
        let newest = queue(&*last, job(1)).await;
        assert!(wanted_ids(&wanted).all(|id| id < newest.id.0));
    })
    .await;
}

fn wanted_ids(everything: &Everything) -> impl Iterator<Item = i64> {
    everything.jobs().iter().map(|job| job.id.0)
}

pub(crate) async fn an_interrupted_copy_goes_on() {
    let homes = homes();
    in_time(async {
        let first = homes[0].open().await.unwrap();
        fill(&*first).await;
        let wanted = Everything::of(&*first).await;
        for pair in homes.windows(2) {
            let [from, to] = pair else { unreachable!("windows of two") };
            let mut waits = 10;
            loop {
                waits += 40;
                match dropped_after(waits, Box::pin(copy(&from.place(), &to.place()))).await {
                    Some(copied) => {
                        copied.unwrap();
                        break;
                    }
                    // What is not whole is not worked on: the copy has not begun, or has just ended.
                    None => {
                        if let Ok(store) = to.open().await {
                            let found = Everything::of(&*store).await;
                            assert!(found == wanted || found.jobs().is_empty(), "{waits}");
                        }
                    }
                }
            }
            assert_eq!(Everything::of(&*to.open().await.unwrap()).await, wanted);
        }
    })
    .await;
}

/// Drops a call when it has waited so many times, wherever it is then.
async fn dropped_after<T>(waits: u32, call: impl Future<Output = T>) -> Option<T> {
    let mut call = pin!(call);
    let mut left = waits;
    poll_fn(|context| match call.as_mut().poll(context) {
        Ready(answer) => Ready(Some(answer)),
        Pending if left == 0 => Ready(None),
        Pending => {
            left -= 1;
            Pending
        }
    })
    .await
}

pub(crate) async fn nothing_is_copied_onto_something_and_nothing_is_moved_twice() {
    let [from, to, other, used] = homes();
    in_time(async {
        fill(&*from.open().await.unwrap()).await;
        queue(&*used.open().await.unwrap(), job(1)).await;
        let refused = copy(&from.place(), &used.place()).await;
        assert!(matches!(refused, Err(CopyError::NotEmpty { table: "jobs", .. })), "{refused:?}");
        // Nothing has happened to either.
        queue(&*from.open().await.unwrap(), job(1)).await;
        copy(&from.place(), &to.place()).await.unwrap();
        let refused = copy(&from.place(), &other.place()).await;
        assert!(matches!(refused, Err(CopyError::Taken { .. })), "{refused:?}");
    })
    .await;
}
