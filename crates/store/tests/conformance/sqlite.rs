//! Cases for SQLite alone: corrupt rows, files that are refused, concurrent access to a file, and its used size.

use puzzled_store::{GrowthStore as _, PositionStore as _, QueueStore as _, StockStore as _, sqlite::LOG_LEN_MAX};
use sqlx::{Connection as _, SqliteConnection};

use crate::{
    backend::{Backend as _, Sqlite},
    prelude::*,
    ratings::rated,
};

async fn open(file: &Sqlite) -> Result<SqliteStore, StoreError> {
    SqliteStore::open(file.settings(), ManualClock::at(START), Arc::new(NoFaults)).await
}

/// A file with a job that has succeeded, a running job, a puzzle of each, and a rating.
async fn file_with_a_row_in_each_table() -> Sqlite {
    let file = Sqlite::new();
    fill(&open(&file).await.unwrap()).await;
    file
}

/// Adds a job that has succeeded and a running job, each with one puzzle, and a rating.
pub(crate) async fn fill(store: &dyn Store) {
    queue(store, job(1)).await;
    make(store, &[1]).await;
    queue(store, job(3)).await;
    let slice = claimed(store, 1).await;
    committed(store, &slice, &[2]).await;
    store.add_ratings(&[rated(1, 4)], None).await.unwrap();
}

/// Checks that calls which read rows or claim a slice name this corrupt value, the only one, and no other. The row has
/// the ID 2 in `jobs` and `slices`, and 1 in other tables.
pub(crate) async fn is_corrupt(store: &dyn Store, table: &str, column: &str, change: &str) {
    let mut errors = Vec::new();
    errors.extend(store.job(JobId(2)).await.err());
    errors.extend(store.jobs(&JobFilter::default(), None, 9).await.err());
    errors.extend(store.shelves().await.err());
    errors.extend(store.puzzle(PuzzleId(1)).await.err());
    errors.extend(store.puzzles(&ShelfFilter::ANY, None, 9, true).await.err());
    errors.extend(store.puzzles_at(&[Position { shelf_id: ShelfId(1), number: 0 }], true).await.err());
    errors.extend(store.ratings(&[PuzzleId(1)]).await.err());
    errors.extend(store.claim(claim(5)).await.err());
    assert!(!errors.is_empty(), "{table}: {change}: no call reported the corrupt value");
    let id = if ["jobs", "slices"].contains(&table) { 2 } else { 1 };
    for error in errors {
        let StoreError::Corrupt { table: t, column: c, id: i } = error else { panic!("{change}: {error:?}") };
        assert_eq!((t, c, i), (table, column, id), "{change}");
        assert!(!error.is_passing());
    }
}

pub(crate) async fn corrupt_value_is_reported_with_table_column_and_id() {
    for (table, column, set) in [
        ("jobs", "state", "state = 'resting'"),
        ("jobs", "wanted", "wanted = -3"),
        ("jobs", "wanted", "wanted = 5000000000"),
        ("jobs", "symmetry", "symmetry = 'odd'"),
        ("jobs", "level", "level = 'gruesome'"),
        ("jobs", "rating_min", "rating_min = 4"),
        ("jobs", "rating_max", "rating_min = 4, rating_max = 256"),
        ("jobs", "givens_min", "givens_min = -1, givens_max = 5"),
        ("jobs", "seed", "seed = 'seven'"),
        ("jobs", "error", "error = x'ff'"),
        ("slices", "first_index", "first_index = -1"),
        ("slices", "first_try", "first_try = 5000000000"),
        ("shelves", "symmetry", "symmetry = 'odd'"),
        ("shelves", "rating", "rating = 256"),
        ("puzzles", "givens", "givens = 'many'"),
        ("puzzles", "job_index", "job_index = -1"),
        ("puzzles", "job_id", "job_id = null"),
        ("puzzles", "text", "text = x'ff'"),
        ("puzzles", "record", "record = '['"),
        ("puzzles", "record", "record = json_set(record, '$.techniques[0][1]', 256)"),
        ("puzzles", "record", "record = json_remove(record, '$.metrics')"),
        ("ratings", "outcome", "outcome = 'guessed'"),
        ("ratings", "rating", "rating = 256"),
        ("ratings", "rater_version", "rater_version = -1"),
        ("ratings", "record", "record = '['"),
    ] {
        let file = file_with_a_row_in_each_table().await;
        let store = open(&file).await.unwrap();
        let key = match table {
            "slices" => "job_id = 2",
            "ratings" => "puzzle_id = 1",
            "jobs" => "id = 2",
            _ => "id = 1",
        };
        file.tamper(&format!("update {table} set {set} where {key}")).await;
        is_corrupt(&store, table, column, set).await;
    }
}

/// Cause: the error of the fast read for draws was thrown away, so that each draw was slow and nobody knew why.
pub(crate) async fn failed_fast_reads_of_draws_are_counted() {
    let file = file_with_a_row_in_each_table().await;
    let store = open(&file).await.unwrap();
    let first = [Position { shelf_id: ShelfId(1), number: 0 }];
    assert!(store.puzzles_at(&first, true).await.unwrap()[0].is_some());
    assert_eq!(store.draw_fallbacks(), 0);
    file.tamper("update puzzles set givens = 'many' where id = 1").await;
    assert!(store.puzzles_at(&first, true).await.is_err());
    assert!(store.puzzles_at(&first, true).await.is_err());
    assert_eq!(store.draw_fallbacks(), 2);
    file.tamper("update puzzles set givens = 5 where id = 1").await;
    assert!(store.puzzles_at(&first, true).await.unwrap()[0].is_some());
    assert_eq!(store.draw_fallbacks(), 2);
}

pub(crate) async fn rows_next_to_a_corrupt_row_stay_readable() {
    let file = file_with_a_row_in_each_table().await;
    let store = open(&file).await.unwrap();
    file.tamper("update jobs set state = 'resting' where id = 2").await;
    assert_eq!(job_of(&store, JobId(1)).await.made, 1);
    assert!(store.puzzle(PuzzleId(2)).await.unwrap().is_some());
}

pub(crate) async fn a_file_of_a_newer_schema_is_refused_and_left_alone() {
    let file = file_with_a_row_in_each_table().await;
    file.tamper(
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
         values (9999, 'from the future', true, x'00', 1)",
    )
    .await;
    let refused = open(&file).await;
    assert!(matches!(refused, Err(StoreError::Migration(_))), "{refused:?}");
    file.tamper("delete from _sqlx_migrations where version = 9999").await;
    assert_eq!(job_of(&open(&file).await.unwrap(), JobId(1)).await.made, 1);
}

pub(crate) async fn file_of_another_build_is_refused_with_its_path() {
    let file = Sqlite::new();
    open(&file).await.unwrap();
    // The tables of the last build that kept its schema in several files.
    file.tamper(
        "update _sqlx_migrations set description = 'jobs and stock', checksum = x'00' where version = 1;
         insert into _sqlx_migrations (version, description, success, checksum, execution_time)
         values (3, 'handout', true, x'00', 1), (8, 'solutions', true, x'00', 1)",
    )
    .await;
    let refused = open(&file).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!(
            "another build of puzzled made the database {}; to keep its puzzles, export them with that build (`puzzled \
             export --format json`), start with a new database, and import them (`puzzled import`)",
            file.settings().path.display()
        )
    );
    assert!(matches!(refused, StoreError::OtherBuild(_)) && !refused.is_passing());
    let refused = SqliteStore::open_to_read(&file.settings(), ManualClock::at(START)).await;
    assert!(matches!(refused, Err(StoreError::OtherBuild(_))), "{refused:?}");
}

pub(crate) async fn file_that_is_no_puzzled_database_is_refused() {
    let text = Sqlite::new();
    std::fs::write(
        text.settings().path,
        "not a database, but long enough to have a header of one hundred bytes".repeat(9),
    )
    .unwrap();
    let refused = open(&text).await;
    assert!(matches!(&refused, Err(error) if !error.is_passing()), "{refused:?}");

    let foreign = Sqlite::new();
    let path = foreign.settings().path;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).create_if_missing(true);
    let mut db = SqliteConnection::connect_with(&options).await.unwrap();
    sqlx::raw_sql("create table jobs (title text)").execute(&mut db).await.unwrap();
    db.close().await.unwrap();
    let refused = open(&foreign).await;
    assert!(matches!(refused, Err(StoreError::Foreign(_))), "{refused:?}");
}

pub(crate) async fn several_processes_may_open_a_new_file_at_once() {
    let file = Arc::new(Sqlite::new());
    let mut opening = JoinSet::new();
    for _ in 0..4 {
        let file = Arc::clone(&file);
        opening.spawn(async move { open(&file).await.map(drop) });
    }
    for opened in opening.join_all().await {
        opened.unwrap();
    }
}

pub(crate) async fn readers_do_not_wait_for_a_write_under_way() {
    let world = World::new(Box::new(Sqlite::new()));
    let store = world.open().await;
    let queued = queue(&*store, job(2)).await;
    let writer = Arc::clone(&store);
    // begin, read, update: the write lock is held, the change is made but not committed.
    world.trap.hold_at(4);
    let write = tokio::spawn(async move { writer.cancel(queued.id, &someone()).await });
    world.trap.held().await;
    assert_eq!(job_of(&*store, queued.id).await, queued);
    assert_eq!(store.jobs(&JobFilter::default(), None, 9).await.unwrap(), [queued]);
    assert_eq!(store.shelves().await.unwrap(), []);
    assert!(store.next_due().await.unwrap().is_some());
    write.abort();
}

/// Deleted rows make room for new ones, although the file does not shrink.
pub(crate) async fn free_pages_do_not_count_as_used() {
    let (file, clock) = (Sqlite::new(), ManualClock::at(START));
    let store =
        SqliteStore::open(file.settings(), Arc::<ManualClock>::clone(&clock), Arc::new(NoFaults)).await.unwrap();
    let ballast = "create table ballast as
                   with recursive rows (row) as (select 1 union all select row + 1 from rows where row < 20000)
                   select * from rows";
    let mut used = Vec::new();
    for statement in [ballast, "drop table ballast"] {
        file.tamper(statement).await;
        clock.advance_ms(60_000);
        store.keep_growth(None).await.unwrap();
        used.push(store.queue_state().await.unwrap().growth.bytes.used);
    }
    assert!(used[1] + 100_000 < used[0], "{used:?}");
}

/// Cause: after one long read, for example by a copy, the log kept its size for good.
pub(crate) async fn log_shrinks_again_after_a_long_reader() {
    let file = file_with_a_row_in_each_table().await;
    let store = open(&file).await.unwrap();
    let path = file.settings().path;
    let mut reader = SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
    sqlx::raw_sql("begin; select count(*) from jobs").execute(&mut reader).await.unwrap();
    let mut filler = SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
    let rows = format!("create table filler as select zeroblob({}) as bytes", LOG_LEN_MAX + (1 << 20));
    sqlx::raw_sql(sqlx::AssertSqlSafe(rows)).execute(&mut filler).await.unwrap();
    assert!(store.wal_bytes().unwrap() > LOG_LEN_MAX);
    sqlx::raw_sql("rollback").execute(&mut reader).await.unwrap();
    // The first commit applies the log to the file, and the second one begins it anew.
    queue(&store, job(1)).await;
    queue(&store, job(1)).await;
    assert!(store.wal_bytes().unwrap() <= LOG_LEN_MAX);
}
