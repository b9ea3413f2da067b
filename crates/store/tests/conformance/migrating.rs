//! Migrations on PostgreSQL: beside sessions that hold locks, in several processes at once, and after an interruption.

use std::time::Duration;

use async_trait::async_trait;
use puzzled_store::{
    postgres::{migrating::Waits, schema::migrate_to},
    schema::Migrated,
};
use sqlx::{Connection as _, Executor as _, PgConnection, migrate::Migrator};
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    task::JoinHandle,
};

use crate::{
    backend::Postgres,
    databases::{incompatible_schema::known, next_schema::on_postgres},
    prelude::*,
};

/// The advisory lock that a process holds while it migrates.
const LOCK: i64 = 0x7075_7a7a_6c65_0001;

/// Adds a column, which needs exclusive use of the table.
const COLUMN: &str = "alter table jobs add column note text";

/// Builds an index outside a transaction, next to writes.
const INDEX: &str = "-- no-transaction\ncreate index concurrently if not exists jobs_of_seed on jobs (seed);\n";

/// Reports each point and stops there until the test lets it continue.
#[derive(Debug)]
struct Steps {
    reached: UnboundedSender<(&'static str, UnboundedSender<()>)>,
}

#[async_trait]
impl FaultPoints for Steps {
    async fn at(&self, point: &'static str) -> Result<(), StoreError> {
        let (resume, mut let_go) = unbounded_channel();
        self.reached.send((point, resume)).unwrap();
        let_go.recv().await;
        Ok(())
    }
}

/// A running migration that stops at each point.
struct Stepped {
    steps: UnboundedReceiver<(&'static str, UnboundedSender<()>)>,
    migrating: JoinHandle<Result<Migrated, StoreError>>,
    /// The migration stays at its point until this is dropped.
    here: Option<UnboundedSender<()>>,
}

impl Stepped {
    fn begin(to: Migrator, settings: PostgresSettings, waits: Waits) -> Self {
        let (reached, steps) = unbounded_channel();
        let migrating = tokio::spawn(async move { migrate_to(&to, &settings, &waits, &Steps { reached }).await });
        Self { steps, migrating, here: None }
    }

    /// Continues to the next point, and waits there.
    async fn next(&mut self) -> Option<&'static str> {
        drop(self.here.take());
        let (point, here) = self.steps.recv().await?;
        self.here = Some(here);
        Some(point)
    }

    /// Continues to the end.
    async fn end(mut self) -> Result<Migrated, StoreError> {
        while self.next().await.is_some() {}
        self.migrating.await.unwrap()
    }
}

/// Short waits: a migration gives up a lock after 50 ms, and tries again at once up to a hundred times.
fn quick() -> Waits {
    let lock_timeout = Duration::from_millis(50);
    Waits { lock_timeout, retry_pause: Duration::ZERO, poll_pause: Duration::ZERO, limit: lock_timeout * 100 }
}

/// Another session, such as `pg_dump`.
async fn stranger(on: &Postgres) -> PgConnection {
    let mut stranger = on.connection().await;
    stranger.execute("set application_name = 'nightly dump'").await.unwrap();
    stranger
}

/// The versions of a database with this binary's migrations and the first `further` ones.
fn versions_after(further: i64) -> Vec<i64> {
    (1..=known() + further).collect()
}

/// The names of the first `further` migrations.
pub(crate) fn names_of(further: i64) -> Vec<String> {
    (known() + 1..=known() + further).map(|version| format!("{version:04} step {version}")).collect()
}

async fn versions(db: &mut PgConnection) -> Vec<i64> {
    sqlx::query_scalar("select version from _sqlx_migrations order by version").fetch_all(db).await.unwrap()
}

pub(crate) async fn blocked_migration_blocks_no_other_session_and_is_tried_again() {
    let database = Postgres::new();
    let mut dump = stranger(&database).await;
    let mut other = database.connection().await;
    dump.execute("begin; lock table jobs in access share mode").await.unwrap();
    let mut migration = Stepped::begin(on_postgres(&[COLUMN]), database.database.settings(), quick());
    assert_eq!(migration.next().await, Some("migrate.poll"));
    for _ in 0..3 {
        assert_eq!(migration.next().await, Some("migrate.try"));
        assert_eq!(migration.next().await, Some("migrate.blocked"));
        // A blocked migration has withdrawn its request for the lock, because other sessions would wait behind it.
        other.execute("begin; set local lock_timeout = '1ms'; lock table jobs in row exclusive mode").await.unwrap();
        other.execute("rollback").await.unwrap();
        assert_eq!(versions(&mut other).await, versions_after(0));
    }
    dump.execute("rollback").await.unwrap();
    assert_eq!(migration.end().await.unwrap().ran, names_of(1));
    assert_eq!(versions(&mut other).await, versions_after(1));
    let version: i64 = sqlx::query_scalar("select version from schema").fetch_one(&mut other).await.unwrap();
    assert_eq!(version, known() + 1);
}

pub(crate) async fn migration_that_is_blocked_for_too_long_fails() {
    let database = Postgres::new();
    let settings = database.database.settings();
    let mut dump = stranger(&database).await;
    let to = on_postgres(&[COLUMN]);
    dump.execute("begin; lock table jobs in access share mode").await.unwrap();
    let lock_timeout = Duration::from_secs(1);
    let waits = Waits { lock_timeout, limit: lock_timeout, ..quick() };
    let error = migrate_to(&to, &settings, &waits, &NoFaults).await.unwrap_err().to_string();
    let begins = format!("{}: migration {} waited 1 s for a lock; find the session that", settings.url, names_of(1)[0]);
    assert!(error.starts_with(&begins), "{error}");
    dump.execute("rollback").await.unwrap();

    sqlx::query("select pg_advisory_lock($1)").bind(LOCK).execute(&mut dump).await.unwrap();
    let poll_pause = Duration::from_millis(1);
    let waits = Waits { poll_pause, limit: poll_pause * 3, ..quick() };
    let mut migration = Stepped::begin(on_postgres(&[COLUMN]), settings.clone(), waits);
    // The migration asks for the lock again and again, and the server answers each time at once.
    for _ in 0..4 {
        assert_eq!(migration.next().await, Some("migrate.poll"));
    }
    let error = migration.end().await.unwrap_err();
    assert!(matches!(error, StoreError::Migrating { .. }), "{error}");
    let begins = format!("{}: another process has run migrations for 0 s; ", settings.url);
    assert!(error.to_string().starts_with(&begins), "{error}");
    dump.close().await.unwrap();
    assert_eq!(migrate_to(&to, &settings, &quick(), &NoFaults).await.unwrap().ran, names_of(1));
}

pub(crate) async fn processes_that_start_at_once_run_each_migration_once() {
    let database = Postgres::new();
    let to = Arc::new(on_postgres(&[COLUMN, INDEX, "create table notes (note text)"]));
    let mut starting = JoinSet::new();
    for _ in 0..4 {
        let (to, settings) = (Arc::clone(&to), database.database.settings());
        let waits = Waits { poll_pause: Duration::from_millis(1), limit: Duration::from_mins(1), ..quick() };
        starting.spawn(async move { migrate_to(&to, &settings, &waits, &NoFaults).await.unwrap().ran });
    }
    let mut ran = starting.join_all().await;
    ran.sort();
    let all = names_of(3);
    assert_eq!(ran, [vec![], vec![], vec![], all]);
}

pub(crate) async fn next_process_runs_the_migrations_that_a_killed_one_left() {
    let database = Postgres::new();
    let settings = database.database.settings();
    let steps = [COLUMN, "create table notes (note text)", INDEX];
    let mut migration = Stepped::begin(on_postgres(&steps), settings.clone(), quick());
    for point in ["migrate.poll", "migrate.try", "migrate.ran"] {
        assert_eq!(migration.next().await, Some(point));
    }
    migration.migrating.abort();
    assert!((&mut migration.migrating).await.unwrap_err().is_cancelled());
    let mut db = database.connection().await;
    assert_eq!(versions(&mut db).await, versions_after(1));
    // The session of the killed process may end a moment later.
    let waits = Waits { poll_pause: Duration::from_millis(1), limit: Duration::from_mins(1), ..quick() };
    let rest = migrate_to(&on_postgres(&steps), &settings, &waits, &NoFaults).await.unwrap();
    assert_eq!(rest.ran, names_of(3)[1..]);
    assert_eq!(versions(&mut db).await, versions_after(3));
}

async fn is_valid(db: &mut PgConnection) -> Option<bool> {
    let find = "select indisvalid from pg_index where indexrelid = to_regclass('jobs_of_seed')";
    sqlx::query_scalar(find).fetch_optional(db).await.unwrap()
}

pub(crate) async fn index_migration_waits_for_locks_without_blocking_others() {
    let database = Postgres::new();
    let mut old = stranger(&database).await;
    let mut other = database.connection().await;
    old.execute("begin; lock table jobs in row exclusive mode").await.unwrap();
    let mut migration = Stepped::begin(on_postgres(&[INDEX]), database.database.settings(), quick());
    assert_eq!(migration.next().await, Some("migrate.poll"));
    assert_eq!(migration.next().await, Some("migrate.try"));
    drop(migration.here.take());
    // Wait until the build waits for the lock, and then longer than other migrations would wait. Other sessions
    // must be able to change the table meanwhile.
    let waits = "select exists (select from pg_stat_activity
                                where query like '%create index%jobs_of_seed%' and wait_event_type = 'Lock'
                                  and pid <> pg_backend_pid() and datname = current_database())";
    while !sqlx::query_scalar::<_, bool>(waits).fetch_one(&mut other).await.unwrap() {}
    other.execute("select pg_sleep(0.2)").await.unwrap();
    other.execute("set lock_timeout = '1ms'; update jobs set error = error").await.unwrap();
    assert!(migration.steps.try_recv().is_err(), "the migration gave up");
    assert_eq!(is_valid(&mut other).await, Some(false));
    old.execute("rollback").await.unwrap();
    assert_eq!(migration.end().await.unwrap().ran, names_of(1));
    assert_eq!((is_valid(&mut other).await, versions(&mut other).await), (Some(true), versions_after(1)));
}

pub(crate) async fn invalid_index_of_an_interrupted_run_is_rebuilt() {
    let database = Postgres::new();
    let settings = database.database.settings();
    let mut db = database.connection().await;
    // The index as an interrupted run leaves it. Its column differs, so that the test can tell it from the new
    // index.
    db.execute("create index jobs_of_seed on jobs (turn)").await.unwrap();
    db.execute("update pg_index set indisvalid = false where indexrelid = 'jobs_of_seed'::regclass").await.unwrap();
    let ran = migrate_to(&on_postgres(&[INDEX]), &settings, &quick(), &NoFaults).await.unwrap().ran;
    assert_eq!((ran.len(), is_valid(&mut db).await), (1, Some(true)));
    let built: String =
        sqlx::query_scalar("select pg_get_indexdef('jobs_of_seed'::regclass)").fetch_one(&mut db).await.unwrap();
    assert!(built.ends_with("(seed)"), "{built}");

    // If a run was interrupted after it built the index and before it recorded the migration, the next run finds a
    // valid index.
    let known = known();
    let undone = format!("delete from _sqlx_migrations where version > {known}; update schema set version = {known}");
    sqlx::raw_sql(sqlx::AssertSqlSafe(undone)).execute(&mut db).await.unwrap();
    let ran = migrate_to(&on_postgres(&[INDEX]), &settings, &quick(), &NoFaults).await.unwrap().ran;
    assert_eq!((ran.len(), is_valid(&mut db).await, versions(&mut db).await), (1, Some(true), versions_after(1)));

    let two = "-- no-transaction\ncreate index concurrently if not exists a on jobs (seed); drop table notes";
    let refused =
        migrate_to(&on_postgres(&[INDEX, two]), &settings, &quick(), &NoFaults).await.unwrap_err().to_string();
    assert!(refused.contains("holds one `create index concurrently if not exists NAME`"), "{refused}");
    assert_eq!(versions(&mut db).await, versions_after(1));
}
