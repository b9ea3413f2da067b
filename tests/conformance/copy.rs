//! Copies between SQLite and PostgreSQL in all directions: equal, resumed after an interruption, or refused.

use std::sync::Arc;

use puzzled::{
    clock::ManualClock,
    store::{
        Claim, Store, StoreError,
        copy::{Copied, CopyError, Position, Terms, copy},
        delivery::{Daily, Delivered, DeliveryName, NewDelivery},
        fault_points::NoFaults,
        job::{Enqueued, Labels, NewJob},
        postgres::{PostgresStore, StoreClock},
        sqlite::SqliteStore,
        target::Asked,
    },
};
use puzzled_engine::level::Level;

use crate::{
    backend::{Backend as _, Postgres, START, Sqlite, in_time},
    processes::process,
    ratings::rated,
    refills::{queued, refill},
    support::{job, request, someone},
    targets::{declaration, of_level, set, wish as target_wish},
    work::{
        AUDIENCES, Everything, OPEN_JOBS_MAX, all_puzzles, claim, claimed, claimed_whole, committed, deliver_one, done,
        dropped_after, queue, wish, work_with_surplus,
    },
};

/// A database of either type.
enum Home {
    File(Sqlite),
    Server(Postgres),
}

impl Home {
    fn place(&self) -> Position {
        match self {
            Self::File(file) => Place::Sqlite(file.settings()),
            Self::Server(server) => Place::Postgres(Box::new(server.database.settings())),
        }
    }

    async fn tamper(&self, statement: &str) {
        match self {
            Self::File(file) => file.tamper(statement).await,
            Self::Server(server) => server.tamper(statement).await,
        }
    }

    async fn open(&self) -> Result<Arc<dyn Store>, StoreError> {
        let clock = ManualClock::at(START);
        Ok(match self {
            Self::File(file) => Arc::new(SqliteStore::open(file.settings(), clock, Arc::new(NoFaults)).await?),
            Self::Server(server) => {
                let clock = StoreClock::Injected(clock);
                Arc::new(PostgresStore::open(server.database.settings(), clock, Arc::new(NoFaults)).await?)
            }
        })
    }
}

/// Copies as the command does without `--fence-now`.
async fn move_all(from: &Home, to: &Home) -> Result<Copied, CopyError> {
    Box::pin(copy(&from.place(), &to.place(), Terms { fence_now: false, now: START })).await
}

/// The databases of three copies: from a file to a server, from there to another server, and back to a file.
fn homes() -> [Home; 4] {
    let server = || Home::Server(Postgres::new());
    [Home::File(Sqlite::new()), server(), server(), Home::File(Sqlite::new())]
}

/// Adds rows to every table: jobs in all states, leases, rests of slices, repeats, withdrawn and surplus puzzles,
/// request IDs, a target with its refill, and an audience with deliveries.
async fn fill(store: &dyn Store) {
    let named = NewJob { request: Some(request("a", "x\0y")), ..job(6) };
    queue(store, named).await;
    let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
    committed(store, &high, &[9, 8]).await;
    committed(store, &low, &[1, 9]).await;
    let cancelled = queue(store, job(3)).await;
    store.cancel(cancelled.id, &someone()).await.unwrap();
    queue(store, job(2_500)).await;
    let whole = claimed_whole(store, 3).await;
    committed(store, &whole, &[20]).await;
    let large = claimed_whole(store, 4).await;
    let numbers: Vec<_> = (100..2_300).collect();
    done(store.commit(large.lease, work_with_surplus(&large, &numbers, &[2_301])).await.unwrap());
    let target = set(store, target_wish(5_000)).await;
    store.declare_targets(&declaration("night", &[of_level(Level::Hard)]), 9, &someone()).await.unwrap().unwrap();
    queued(store.refill(refill(&target, Asked::Manual(someone()))).await.unwrap());
    store.withdraw(all_puzzles(store).await[5].id, "misprinted", &someone()).await.unwrap();
    for seed in 0..9 {
        deliver_one(store, NewDelivery { name: daily(seed), ..wish(store, AUDIENCES[0], seed).await }).await;
    }
    steer(store).await;
}

/// Adds the data of operators, expired leases, and newer raters: labels, a reclaimed slice, ratings, and a pause.
async fn steer(store: &dyn Store) {
    let labels = Labels::from([("team".to_owned(), "\"web\" é".to_owned()), ("a".to_owned(), String::new())]);
    let by = (*someone()).clone().within(Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".into()));
    queue(store, NewJob { labels, by: Some(Arc::new(by)), ..job(2) }).await;
    store.claim(Claim { lease_ms: 0, ..claim(5) }).await.unwrap().slice.expect("work is due");
    assert_eq!(store.claim(claim(6)).await.unwrap().reclaimed_slices.len(), 1);
    store.add_ratings(&[rated(1, 4), rated(2, 4), rated(3, 4)], None).await.unwrap();
    store.set_pause(Some("it moves"), &someone()).await.unwrap();
}

/// The name of a daily puzzle for each odd number.
fn daily(number: u64) -> Option<DeliveryName> {
    let day = || Daily { date: format!("2026-11-{number:02}"), criteria: request("", "easy").fields };
    (number % 2 == 1).then(|| DeliveryName::Daily(day()))
}

pub(crate) async fn copy_is_equal_and_resumes_where_the_source_stopped() {
    let homes = homes();
    in_time(async {
        let first = homes[0].open().await.unwrap();
        fill(&*first).await;
        let wanted = Everything::of(&*first).await;
        for pair in homes.windows(2) {
            let [from, to] = pair else { unreachable!("windows of two") };
            let source = from.open().await.unwrap();
            let copied = Box::pin(move_all(from, to)).await.unwrap();
            assert!(copied.tables.iter().all(|(_, rows)| *rows > 0), "{copied:?}");
            assert_eq!(Box::pin(move_all(from, to)).await.unwrap(), copied, "a second run verifies the copy");
            let target = to.open().await.unwrap();
            assert_eq!(Everything::of(&*target).await, wanted);
            // A process that still has the source open cannot change it.
            let refused = source.enqueue(job(1), OPEN_JOBS_MAX).await;
            let name = match to {
                Home::File(file) => format!("sqlite:{}", file.settings().path.display()),
                Home::Server(server) => server.database.settings().url.to_string(),
            };
            let is_moved = |error: &StoreError| error.moved() == Some(("was moved to", name.as_str()));
            assert!(matches!(&refused, Err(error) if is_moved(error)), "{refused:?}");
            // The old store has noticed the move, and reads nothing outdated.
            assert!(matches!(source.must_be_here(), Err(error) if is_moved(&error)));
            assert!(matches!(source.shelves().await, Err(error) if is_moved(&error)));
            let moved = from.open().await;
            assert!(matches!(&moved, Err(StoreError::Moved { .. })), "{moved:?}");
        }
        let last = homes[3].open().await.unwrap();
        let again = NewJob { request: Some(request("a", "x\0y")), ..job(6) };
        assert!(matches!(last.enqueue(again, OPEN_JOBS_MAX).await.unwrap(), Enqueued::Same(_)));
        // The audience keeps its deliveries and gets the rest.
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

pub(crate) async fn interrupted_copy_resumes() {
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
                match dropped_after(waits, Box::pin(move_all(from, to))).await {
                    Some(copied) => {
                        copied.unwrap();
                        break;
                    }
                    // No process works on a partial copy: if the database opens, the copy has not started or has just
                    // ended.
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

/// Adds a process that was last seen `ago_ms` ago.
async fn seen(store: &dyn Store, home: &Home, name: &str, ago_ms: i64) {
    store.keep_process(&process(name)).await.unwrap();
    // A copy compares the rows of a server with the clock of the server, and those of a file with its own clock.
    let now = match home {
        Home::File(_) => START.0.to_string(),
        Home::Server(_) => "(extract(epoch from clock_timestamp()) * 1000)::bigint".to_owned(),
    };
    home.tamper(&format!("update processes set seen_at = {now} - {ago_ms} where name = '{name}'")).await;
}

pub(crate) async fn database_in_use_is_moved_only_with_fence_now() {
    let homes = homes();
    in_time(async {
        for pair in homes.windows(2) {
            let [from, to] = pair else { unreachable!("windows of two") };
            let source = from.open().await.unwrap();
            seen(&*source, from, "aaaa0001", 61_000).await;
            seen(&*source, from, "aaaa0002", 30_000).await;
            let refused = move_all(from, to).await;
            let Err(CopyError::InUse { seen, .. }) = refused else { panic!("{refused:?}") };
            let told = (seen.name.as_str(), seen.role.as_str(), seen.host.as_str(), seen.pid);
            assert_eq!(told, ("aaaa0002", "serve", "a host", 7));
            assert!((30_000..60_000).contains(&seen.ago_ms), "{seen}");
            assert!(source.must_be_here().is_ok() && source.ping().await.is_ok());
            let terms = Terms { fence_now: true, now: START };
            Box::pin(copy(&from.place(), &to.place(), terms)).await.unwrap();
            // A ping alone tells the serving process of the move, and its row is not copied.
            let moved = source.ping().await.unwrap_err();
            assert!(moved.moved().is_some() && !moved.is_passing(), "{moved:?}");
            let kept = source.keep_process(&process("aaaa0002")).await;
            assert!(matches!(&kept, Err(error) if error.moved().is_some()), "{kept:?}");
            assert_eq!(to.open().await.unwrap().processes(None, 9).await.unwrap(), []);
        }
    })
    .await;
}

pub(crate) async fn copy_refuses_a_target_with_rows_and_a_source_that_has_moved() {
    let [from, to, other, used] = homes();
    in_time(async {
        fill(&*from.open().await.unwrap()).await;
        queue(&*used.open().await.unwrap(), job(1)).await;
        let refused = move_all(&from, &used).await;
        assert!(matches!(refused, Err(CopyError::NotEmpty { table: "jobs", .. })), "{refused:?}");
        // Both databases are unchanged.
        queue(&*from.open().await.unwrap(), job(1)).await;
        move_all(&from, &to).await.unwrap();
        let refused = move_all(&from, &other).await;
        assert!(matches!(refused, Err(CopyError::Taken { .. })), "{refused:?}");
    })
    .await;
}
