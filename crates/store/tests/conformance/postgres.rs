//! Cases for PostgreSQL alone: corrupt rows, refused schemas, restarts of its server, notices, locks, and its clock.

use std::time::Duration;

use puzzled_store::{JobStore as _, check_store::CheckStore as _, jobs::queue::Queue, postgres::StoreClock};
use sqlx::{Connection as _, Executor as _};
use tokio_util::sync::CancellationToken;

use crate::{
    backend::{Backend as _, Postgres},
    databases::{cluster::Cluster, postgres::settings},
    prelude::*,
    sqlite::{fill, is_corrupt},
};

async fn opened(settings: PostgresSettings) -> Result<PostgresStore, StoreError> {
    PostgresStore::open(settings, StoreClock::Injected(ManualClock::at(START)), Arc::new(NoFaults)).await
}

async fn open(on: &Postgres) -> Result<PostgresStore, StoreError> {
    opened(on.database.settings()).await
}

pub(crate) async fn corrupt_value_is_reported_with_table_column_and_id() {
    let database = Postgres::new();
    let store = open(&database).await.unwrap();
    fill(&store).await;
    database.tamper("alter table jobs drop constraint jobs_wanted_check, drop constraint jobs_check").await;
    database.tamper("alter table jobs drop constraint jobs_check1").await;
    for (table, column, set, undo, key) in [
        ("jobs", "wanted", "wanted = -3", "wanted = 3", "id = 2"),
        ("jobs", "level", "level = 'gruesome'", "level = null", "id = 2"),
        ("jobs", "rating_max", "rating_min = 4, rating_max = 256", "rating_min = null, rating_max = null", "id = 2"),
        ("slices", "first_try", "first_try = 5000000000", "first_try = 0", "job_id = 2"),
        ("shelves", "symmetry", "symmetry = 'odd'", "symmetry = 'none'", "id = 1"),
        ("puzzles", "record", "record = '[]'", "record = (select record from puzzles where id = 2)", "id = 1"),
    ] {
        let update = |set: &str| format!("update {table} set {set} where {key}");
        database.tamper(&update(set)).await;
        is_corrupt(&store, table, column, set).await;
        database.tamper(&update(undo)).await;
    }
    assert_eq!(job_of(&store, JobId(1)).await.made, 1);
}

pub(crate) async fn a_database_of_another_schema_is_refused_and_left_alone() {
    let database = Postgres::new();
    fill(&open(&database).await.unwrap()).await;
    database
        .tamper(
            "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
             values (9999, 'from the future', true, '', 1)",
        )
        .await;
    let refused = open(&database).await;
    assert!(matches!(refused, Err(StoreError::Migration(_))), "{refused:?}");
    database.tamper("delete from _sqlx_migrations where version = 9999").await;
    assert_eq!(job_of(&open(&database).await.unwrap(), JobId(1)).await.made, 1);

    database.tamper("update _sqlx_migrations set checksum = checksum || 'x' where version = 1").await;
    let settings = database.database.settings();
    for refused in [open(&database).await, PostgresStore::open_to_read(settings.clone()).await] {
        let refused = refused.unwrap_err();
        assert!(matches!(refused, StoreError::OtherBuild(_)), "{refused:?}");
        let named = format!("another build of puzzled made the database {}; ", settings.url);
        assert!(refused.to_string().starts_with(&named), "{refused}");
    }
    database
        .tamper("update _sqlx_migrations set checksum = substr(checksum, 1, length(checksum) - 1) where version = 1")
        .await;
    assert_eq!(job_of(&open(&database).await.unwrap(), JobId(1)).await.made, 1);

    database.tamper("drop table _sqlx_migrations").await;
    let refused = open(&database).await;
    assert!(matches!(refused, Err(StoreError::Foreign(_))), "{refused:?}");
}

pub(crate) async fn several_processes_may_open_a_new_database_at_once() {
    let database = Postgres::new();
    database.tamper("drop schema public cascade; create schema public").await;
    let mut opening = JoinSet::new();
    for _ in 0..4 {
        let settings = database.database.settings();
        opening.spawn(async move { opened(settings).await.map(drop) });
    }
    for opened in opening.join_all().await {
        opened.unwrap();
    }
}

pub(crate) async fn check_may_take_longer_than_a_call() {
    let database = Postgres::new();
    fill(&open(&database).await.unwrap()).await;
    let patience = Duration::from_secs(1);
    let settings = PostgresSettings { patience, ..database.database.settings() };
    let store = PostgresStore::open_to_read(settings).await.unwrap();
    let (mut holder, mut other) = (database.connection().await, database.connection().await);
    holder.execute("begin; lock table puzzles in access exclusive mode").await.unwrap();
    let check = tokio::spawn(async move { store.check().await });
    // Wait until a statement of the check waits for the lock, and then longer than a call may take.
    let waits = "select exists (select from pg_stat_activity
                                where wait_event_type = 'Lock' and datname = current_database())";
    while !check.is_finished() && !sqlx::query_scalar::<_, bool>(waits).fetch_one(&mut other).await.unwrap() {}
    other.execute("select pg_sleep(1.2)").await.unwrap();
    holder.execute("rollback").await.unwrap();
    assert_eq!(check.await.unwrap().unwrap(), [""; 0]);
}

pub(crate) async fn store_resumes_after_a_restart_of_its_server() {
    let cluster = Cluster::start(false);
    let store = Arc::new(opened(settings(&cluster.url("postgres"))).await.unwrap());
    fill(&*store).await;
    // Concurrent reads open several connections, which the restart breaks.
    let mut reads = JoinSet::new();
    for _ in 0..20 {
        let store = Arc::clone(&store);
        reads.spawn(async move { store.job(JobId(1)).await.unwrap().unwrap().made });
    }
    reads.join_all().await;
    let slice = claimed(&*store, 3).await;
    cluster.restart();
    assert_eq!(job_of(&*store, JobId(1)).await.made, 1);
    committed(&*store, &slice, &[3]).await;
    cluster.restart();
    queue(&*store, job(1)).await;
}

pub(crate) async fn idle_process_is_notified_of_a_queued_job_and_of_its_end() {
    let database = Postgres::new();
    let new_queue = async |seed| {
        let store = Arc::new(open(&database).await.unwrap());
        Arc::new(Queue::new(store, Arc::new(Chance::from_seed(seed)), bounds()))
    };
    let (idle, other) = (new_queue(1).await, new_queue(2).await);
    let stop = CancellationToken::new();
    let hearing = tokio::spawn({
        let (idle, stop) = (Arc::clone(&idle), stop.clone());
        async move { idle.listen(&stop).await }
    });
    // The idle process wakes once when it starts to listen.
    idle.work_queued().await;
    assert!(idle.hears());
    let Enqueued::New(job) = other.enqueue(job(1)).await.unwrap() else { panic!("not new") };
    idle.work_queued().await;
    let mut events = idle.events();
    other.cancel(job.id, &someone()).await.unwrap();
    while events.recv().await.unwrap() != puzzled_store::jobs::queue::feed::Event::Finished(job.id) {}
    stop.cancel();
    hearing.await.unwrap();
    assert!(!idle.hears());
}

pub(crate) async fn lock_that_is_never_released_is_a_transient_error() {
    let database = Postgres::new();
    let store = open(&database).await.unwrap();
    let queued = queue(&store, job(1)).await;
    let settings = PostgresSettings { patience: Duration::from_secs(2), ..database.database.settings() };
    let impatient = opened(settings).await.unwrap();
    let mut stranger = database.connection().await;
    stranger.execute("begin; update jobs set error = 'mine'").await.unwrap();
    let refused = impatient.cancel(queued.id, &someone()).await;
    assert!(refused.as_ref().is_err_and(StoreError::is_passing), "{refused:?}");
    stranger.close().await.unwrap();
    assert!(!cancelled(&store, queued.id).await.state.is_open());
}

pub(crate) async fn store_uses_the_clock_of_its_server() {
    let database = Postgres::new();
    let store =
        PostgresStore::open(database.database.settings(), StoreClock::Server, Arc::new(NoFaults)).await.unwrap();
    let before = store.now().await.unwrap();
    let job = queue(&store, job(1)).await;
    let after = store.now().await.unwrap();
    assert!(before <= job.created_at && job.created_at <= after && START < before, "{before:?} {job:?} {after:?}");
}
