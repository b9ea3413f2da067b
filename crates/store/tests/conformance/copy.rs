//! Copies from SQLite to PostgreSQL: equal, begun again, refused, or failed at any of its steps.

use puzzled_store::{
    copy::{Copied, CopyError, copy},
    deliveries::history::Had,
    sqlite::SqliteSettings,
    stock::import::{Examined, Import, ProvedPuzzle},
};

use crate::{
    backend::{Backend as _, Postgres, Sqlite, Trap, open},
    days::new_day,
    histories::{hash, recorded},
    prelude::*,
    processes::process,
    ratings::rated,
    series::{TODAY, created, wish_of},
    targets::{declaration, of_level, wish as target_wish},
};

async fn copied(file: &SqliteSettings, to: &Postgres, fault_points: &dyn FaultPoints) -> Result<Copied, CopyError> {
    let settings = to.database.settings();
    Box::pin(copy(file, &settings, ManualClock::at(START), fault_points)).await
}

/// A closed file with rows in every table, and everything in it.
async fn filled() -> (Sqlite, Everything) {
    let file = Sqlite::new();
    let store = open(&file).await.unwrap();
    fill(&*store).await;
    let everything = Everything::of(&*store).await;
    store.close().await;
    (file, everything)
}

/// The file under the name that a copy gives it.
fn moved(file: &Sqlite) -> SqliteSettings {
    SqliteSettings::of(file.settings().moved())
}

/// Adds rows to every table: jobs in all states, leases, rests of slices, repeats, withdrawn puzzles,
/// request IDs, a target with its refill, an audience with deliveries, one with recorded ones, and a series with a day.
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
    done(store.commit(large.lease, with_misses(1, work(&large, &numbers))).await.unwrap());
    let target = set(store, target_wish(5_000)).await;
    store.declare_targets(&declaration("night", &[of_level(Level::Hard)]), 9, &someone()).await.unwrap().unwrap();
    queued(store.refill(refill(&target, Asked::Manual(someone()))).await.unwrap());
    store.withdraw(all_puzzles(store).await[5].id, "misprinted", &someone()).await.unwrap();
    let series = created(store, &wish_of("daily")).await;
    store.draw_day(&new_day(store, &series, TODAY, 1).await).await.unwrap();
    for seed in 0..9 {
        deliver_one(store, wish(store, AUDIENCES[0], seed).await).await;
    }
    let import = Import { import_id: "a book".to_owned(), source: "by Ada".to_owned(), dry_run: false };
    let found = Ok(ProvedPuzzle { spec: spec(), made: made(50) });
    let record = Examined { line: 7, note: "the \"best\"".to_owned(), found };
    store.import(&import, &[record], &someone()).await.unwrap();
    recorded(store, AUDIENCES[1], &[Had::Solved(hash(9_999)), Had::Stored(PuzzleId(1))]).await;
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

pub(crate) async fn copy_is_equal_and_a_repeat_needs_nothing() {
    let ((file, expected), server) = (filled().await, Postgres::new());
    let first = copied(&file.settings(), &server, &NoFaults).await.unwrap();
    assert!(first.iter().all(|(_, rows)| *rows > 0), "{first:?}");
    assert_eq!(copied(&moved(&file), &server, &NoFaults).await.unwrap(), first);
    let store = open(&server).await.unwrap();
    assert_eq!(Everything::of(&*store).await, expected);
    let again = NewJob { request: Some(request("a", "x\0y")), ..job(6) };
    assert!(matches!(store.enqueue(again, OPEN_JOBS_MAX).await.unwrap(), Enqueued::Same(_)));
    // The audience keeps its deliveries and gets the rest.
    let all = all_puzzles(&*store).await.len();
    let asked = vec![wish(&*store, AUDIENCES[0], 1).await; all];
    let delivered = store.deliver(&asked).await.unwrap();
    assert_eq!(delivered.iter().filter(|one| matches!(one, Delivered::New(_))).count(), all - 9);
    let newest = queue(&*store, job(1)).await;
    assert!(expected.jobs().iter().all(|job| job.id < newest.id));
    // The target was used since.
    let refused = copied(&moved(&file), &server, &NoFaults).await;
    assert!(matches!(refused, Err(CopyError::Differs { table: "jobs", .. })), "{refused:?}");
    // The file was renamed by an earlier copy, whose target may be used.
    assert!(moved(&file).path.exists() && matches!(open(&file).await, Err(StoreError::Moved { .. })));
}

/// A failed copy gives the file its name back, except after the commit.
pub(crate) async fn copy_that_fails_leaves_one_usable_database() {
    let ((file, expected), server) = (filled().await, Postgres::new());
    let trap = Trap::default();
    for (nth, point) in (1..).zip(["copy.rename", "copy.renamed", "copy.commit"]) {
        trap.fail_at(nth);
        let failed = copied(&file.settings(), &server, &trap).await;
        let Err(CopyError::Store(_, StoreError::Injected(at))) = failed else { panic!("{failed:?}") };
        assert_eq!(at, point);
        assert!(open(&server).await.unwrap().shelves().await.unwrap().is_empty(), "{point}");
        let store = open(&file).await.unwrap();
        assert_eq!(Everything::of(&*store).await, expected, "{point}");
        store.close().await;
    }
    trap.fail_at(4);
    copied(&file.settings(), &server, &trap).await.unwrap_err();
    assert!(matches!(open(&file).await, Err(StoreError::Moved { .. })));
    assert_eq!(Everything::of(&*open(&server).await.unwrap()).await, expected);
}

pub(crate) async fn copy_names_the_processes_that_use_the_file() {
    let (file, server) = (Sqlite::new(), Postgres::new());
    let store = open(&file).await.unwrap();
    for (name, ago_ms) in [("aaaa0001", 61_000), ("aaaa0002", 30_000)] {
        store.keep_process(&process(name)).await.unwrap();
        let seen_at = START.0 - ago_ms;
        file.tamper(&format!("update processes set seen_at = {seen_at} where name = '{name}'")).await;
    }
    let refused = copied(&file.settings(), &server, &NoFaults).await;
    let Err(CopyError::InUse { users, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(users, "process aaaa0002 (puzzled serve, host a host, process ID 7)");
    queue(&*store, job(1)).await;
    store.close().await;
    copied(&file.settings(), &server, &NoFaults).await.unwrap();
    assert_eq!(open(&server).await.unwrap().processes(None, 9).await.unwrap(), []);
}

pub(crate) async fn copy_refuses_a_target_with_other_rows() {
    let ((file, expected), used) = (filled().await, Postgres::new());
    queue(&*open(&used).await.unwrap(), job(1)).await;
    let refused = copied(&file.settings(), &used, &NoFaults).await;
    assert!(matches!(refused, Err(CopyError::Differs { table: "targets", row: 1, .. })), "{refused:?}");
    assert_eq!(Everything::of(&*open(&file).await.unwrap()).await, expected);
    assert_eq!(Everything::of(&*open(&used).await.unwrap()).await.jobs().len(), 1);
}
