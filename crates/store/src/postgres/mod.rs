//! The store on PostgreSQL: any number of processes share it, each with a few connections.

mod claims;
mod commit_rows;
mod commits;
mod connection;
mod deliveries;
mod listener;
mod locks;
pub mod migrating;
pub mod schema;
mod settings;
mod shelves;
pub mod survey;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use sqlx::{
    PgConnection, PgPool, Postgres, Row as _, TypeInfo as _, ValueRef as _,
    postgres::{PgArguments, PgRow},
    query::Query,
    types::{Json, JsonRawValue},
};

pub use settings::{PostgresSettings, PostgresUrl};

use crate::{
    Claim, Claimed, Listener, Notice, PoolUse, Store, StoreError,
    check_store::{COMPARISONS, FINDINGS_MAX},
    fault_points::{FaultPoints, NoFaults},
    jobs::{
        claim_store::{ClaimDatabase, claim_slices},
        commit_store::{Commit, CommitDatabase, commit_slices},
        job::Job,
        slice::Guarded,
    },
    schema::log_newer,
    sql::{
        batcher::{Batcher, Batches, apart},
        database::{self, Columns, Database, Lock},
        statement::{Sql, Value},
        statements::server,
    },
};
use connection::{Borrowed, Connections};
use migrating::Waits;
use puzzled_base::{
    clock::{Clock, Millis},
    counters::Durations,
};

/// Time limit for a read of the whole database.
const CHECK_PATIENCE: Duration = Duration::from_hours(24);

/// The maximum number of claims or commits per transaction. This limits how long a transaction holds its locks.
const BATCH_MAX: usize = 32;

/// The store on a PostgreSQL database.
#[derive(Debug, Clone)]
pub struct PostgresStore {
    connections: Arc<Connections>,
    /// `None` in the clone with which the batches themselves run.
    batches: Option<Arc<JobBatches>>,
    settings: PostgresSettings,
    clock: StoreClock,
    fault_points: Arc<dyn FaultPoints>,
}

/// The claims and the commits of this process: PostgreSQL has many writers, so several batches run at once.
#[derive(Debug)]
struct JobBatches {
    claims: Batcher<Claim, Result<Claimed, StoreError>>,
    commits: Batcher<Commit, Result<Guarded<Job>, StoreError>>,
}

/// The one clock with which all processes compare times.
#[derive(Debug, Clone)]
pub enum StoreClock {
    /// The server's clock, which all processes share.
    Server,
    /// A test's clock.
    Injected(Arc<dyn Clock>),
}

impl PostgresStore {
    /// Connects, and runs the migrations that the database lacks.
    ///
    /// # Errors
    /// As for [`schema::migrate`].
    pub async fn open(
        settings: PostgresSettings,
        clock: StoreClock,
        fault_points: Arc<dyn FaultPoints>,
    ) -> Result<Self, StoreError> {
        let migrated = schema::migrate_with(&settings, &Waits::default(), &*fault_points).await?;
        log_newer(&settings.url, migrated.newer);
        let pool = settings.pool().connect_with(settings.options()).await?;
        Ok(Self::on(pool, settings, clock, fault_points))
    }

    /// Opens a database for reading only; every write is refused. The database must have the schema of this version, or
    /// a newer schema that allows this version.
    ///
    /// # Errors
    /// [`StoreError::OtherBuild`] if another build made the database, [`StoreError::Outdated`] if it lacks a migration,
    /// [`StoreError::TooNew`] if its schema does not allow this version, [`StoreError::Migration`] if its schema is not
    /// one of puzzled.
    pub async fn open_to_read(settings: PostgresSettings) -> Result<Self, StoreError> {
        let acquire_timeout = settings.patience;
        let settings = PostgresSettings { patience: CHECK_PATIENCE, ..settings };
        let pool = settings.pool().acquire_timeout(acquire_timeout);
        let options = settings.options().options([("default_transaction_read_only", "on")]);
        let pool = pool.connect_with(options).await?;
        schema::check_readable(&settings, &mut *pool.acquire().await?).await?;
        Ok(Self::on(pool, settings, StoreClock::Server, Arc::new(NoFaults)))
    }

    fn on(pool: PgPool, settings: PostgresSettings, clock: StoreClock, fault_points: Arc<dyn FaultPoints>) -> Self {
        let connections = Arc::new(Connections::new(pool, settings.connections, settings.patience * 2));
        // Claims and commits each get a quarter of the connections. The others are for reads and queueing.
        let turns = (settings.connections / 4).max(1) as usize;
        // A slice that is claimed for a caller that went away would wait for the end of its lease.
        let batches = Batches { calls_max: BATCH_MAX, turns, outlive_callers: false };
        let mut store = Self { connections, batches: None, settings, clock, fault_points };
        let db = store.clone();
        let claims = Batcher::start(db.clone(), batches, |db: Self, claims| async move {
            apart(claims, |claims| claim_slices(&db, claims)).await
        });
        let commits = Batcher::start(db, batches, |db: Self, commits| async move {
            apart(commits, |commits| commit_slices(&db, commits)).await
        });
        store.batches = Some(Arc::new(JobBatches { claims, commits }));
        store
    }
}

#[async_trait]
impl Database for PostgresStore {
    type Row = PgRow;
    type Write = Write;

    async fn read<S: Into<Sql> + Send>(&self, sql: S, values: &[Value<'_>]) -> Result<Vec<PgRow>, StoreError> {
        let sql = sql.into();
        self.connections.all(|| query(sql, values)).await
    }

    fn clock_override(&self) -> Option<i64> {
        match &self.clock {
            StoreClock::Server => None,
            StoreClock::Injected(clock) => Some(clock.now().0),
        }
    }

    async fn findings(&self) -> Result<Vec<String>, StoreError> {
        let mut findings = Vec::new();
        // All comparisons read the database at one moment. Otherwise, they would report changes made between them. The
        // server itself checks its files and references.
        let mut moment = self.connections.moment().await?;
        for comparison in COMPARISONS {
            let found = sqlx::query_scalar::<_, String>(comparison.postgres).bind(i64::from(FINDINGS_MAX));
            findings.extend(found.fetch_all(&mut *moment).await?);
        }
        sqlx::raw_sql("rollback").execute(&mut *moment).await?;
        moment.release();
        Ok(findings)
    }

    async fn clear_up(&self) {}

    fn engine_version(&self) -> u32 {
        self.settings.engine_version
    }

    async fn now(&self) -> Result<Millis, StoreError> {
        if let Some(now) = self.clock_override() {
            return Ok(Millis(now));
        }
        let row = self.connections.one(|| sqlx::query(server::CLOCK)).await?;
        Ok(Millis(row.try_get(0)?))
    }

    async fn write(&self, point: &'static str) -> Result<Write, StoreError> {
        self.fault_points.at(point).await?;
        let (connection, server_ms) = self.connections.begin().await?;
        let now = match &self.clock {
            StoreClock::Server => Millis(server_ms),
            StoreClock::Injected(clock) => clock.now(),
        };
        let (fault_points, shelves_max) = (Arc::clone(&self.fault_points), self.settings.shelves_max);
        Ok(Write { connection, fault_points, now, shelves_max })
    }

    async fn with_retries<T, F>(&self, attempt: impl Fn() -> F + Send + Sync) -> Result<T, StoreError>
    where
        T: Send,
        F: Future<Output = Result<T, StoreError>> + Send,
    {
        self.connections.with_retries(attempt).await
    }
}

impl ClaimDatabase for PostgresStore {
    fn claims(&self) -> Option<&Batcher<Claim, Result<Claimed, StoreError>>> {
        self.batches.as_ref().map(|batches| &batches.claims)
    }
}

impl CommitDatabase for PostgresStore {
    fn commits(&self) -> Option<&Batcher<Commit, Result<Guarded<Job>, StoreError>>> {
        self.batches.as_ref().map(|batches| &batches.commits)
    }
}

/// A write in progress, at the isolation level "read committed". Each statement sees what was committed before it
/// began. If a row must not change after it was read, the statement locks it.
pub(super) struct Write {
    connection: Borrowed,
    fault_points: Arc<dyn FaultPoints>,
    now: Millis,
    shelves_max: u32,
}

impl Write {
    /// Returns the connection for the statement that follows `point`.
    async fn at(&mut self, point: &'static str) -> Result<&mut PgConnection, StoreError> {
        self.fault_points.at(point).await?;
        Ok(&mut self.connection)
    }
}

#[async_trait]
impl database::Write for Write {
    type Row = PgRow;

    fn now(&self) -> Millis {
        self.now
    }

    fn shelves_max(&self) -> u32 {
        self.shelves_max
    }

    async fn rows<S: Into<Sql> + Send>(
        &mut self,
        point: &'static str,
        sql: S,
        values: &[Value<'_>],
    ) -> Result<Vec<PgRow>, StoreError> {
        Ok(query(sql.into(), values).fetch_all(self.at(point).await?).await?)
    }

    async fn execute<S: Into<Sql> + Send>(
        &mut self,
        point: &'static str,
        sql: S,
        values: &[Value<'_>],
    ) -> Result<u64, StoreError> {
        Ok(query(sql.into(), values).execute(self.at(point).await?).await?.rows_affected())
    }

    async fn lock(&mut self, point: &'static str, lock: Lock<'_>) -> Result<(), StoreError> {
        locks::take(self.at(point).await?, lock).await
    }

    async fn lock_rows(
        &mut self,
        point: &'static str,
        postgres: &'static str,
        values: &[Value<'_>],
    ) -> Result<(), StoreError> {
        self.execute(point, postgres, values).await.map(|_| ())
    }

    async fn notify(&mut self, point: &'static str, notices: &[Notice]) -> Result<(), StoreError> {
        listener::notify(self.at(point).await?, notices).await
    }

    async fn commit(mut self, before: &'static str, after: &'static str) -> Result<(), StoreError> {
        self.fault_points.at(before).await?;
        sqlx::raw_sql("commit").execute(&mut *self.connection).await?;
        self.connection.release();
        self.fault_points.at(after).await
    }

    /// Rolls back here, because a drop of the write would roll back in a background task.
    async fn roll_back<T: Send>(mut self, value: T) -> Result<T, StoreError> {
        sqlx::raw_sql("rollback").execute(&mut *self.connection).await?;
        self.connection.release();
        Ok(value)
    }
}

fn query(sql: Sql, values: &[Value<'_>]) -> Query<'static, Postgres, PgArguments> {
    values.iter().fold(sqlx::query(sql.postgres), |query, value| match value {
        Value::Integer(value) => query.bind(*value),
        Value::Text(value) => query.bind(*value),
        Value::Flag(value) => query.bind(*value),
        Value::Integers(list) => query.bind(list.as_slice()),
        Value::Texts(list) => query.bind(list.as_deref()),
    })
}

impl Columns for PgRow {
    fn integer(&self, column: &'static str) -> Result<Option<i64>, sqlx::Error> {
        let value = self.try_get_raw(column)?;
        match value.type_info().name() {
            // With `try_get_unchecked`, the driver does not compare the types, and widens integers.
            "INT2" | "INT4" | "INT8" => self.try_get_unchecked(column),
            _ => self.try_get(column),
        }
    }

    fn text(&self, column: &'static str) -> Result<Option<&str>, sqlx::Error> {
        self.try_get(column)
    }

    fn flag(&self, column: &'static str) -> Result<Option<bool>, sqlx::Error> {
        self.try_get(column)
    }

    fn bytes(&self, column: &'static str) -> Result<Option<&[u8]>, sqlx::Error> {
        self.try_get(column)
    }

    fn json(&self, column: &'static str) -> Result<Option<&str>, sqlx::Error> {
        let value: Option<Json<&JsonRawValue>> = self.try_get(column)?;
        Ok(value.map(|Json(raw)| raw.get()))
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn close(&self) {
        self.connections.close().await;
    }

    async fn listen(&self) -> Result<Option<Box<dyn Listener>>, StoreError> {
        Ok(Some(Box::new(listener::PostgresListener::open(&self.settings).await?)))
    }

    async fn ping(&self) -> Result<(), StoreError> {
        // Reads no table, because a migration locks each table that it changes.
        self.connections.all(|| sqlx::query(server::PING)).await.map(|_| ())
    }

    fn connections(&self) -> PoolUse {
        self.connections.in_use()
    }

    fn connection_waits(&self) -> &Durations {
        self.connections.waits()
    }

    /// `None`: only superusers and roles that monitor the server may list the files of the WAL.
    fn wal_bytes(&self) -> Option<u64> {
        None
    }

    async fn now(&self) -> Result<Millis, StoreError> {
        Database::now(self).await
    }
}
