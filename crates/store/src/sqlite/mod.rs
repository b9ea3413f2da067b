//! The store on SQLite. One connection writes; the others read without waiting for it.

mod claims;
mod commits;
mod copy;
mod deliveries;
mod open_files;
mod opening;
pub mod restore;
pub mod schema;
pub(super) mod settings;
mod shelves;

use std::sync::Arc;

use async_trait::async_trait;
use serde::Serialize;
use sqlx::{
    Connection as _, Row as _, Sqlite, SqliteConnection, Transaction,
    query::Query,
    sqlite::{SqliteArguments, SqlitePool, SqlitePoolOptions, SqliteRow},
};
use tokio::sync::{Mutex, OwnedMutexGuard};

use open_files::OpenFiles;
use shelves::Draws;

pub use settings::{LOG_LEN_MAX, SqliteSettings};

use crate::{
    Listener, Notice, PoolUse, Rescue, Store, StoreError,
    check_store::{COMPARISONS, FINDINGS_MAX},
    error::foreign_log,
    fault_points::FaultPoints,
    jobs::{claim_store::ClaimDatabase, commit_store::CommitDatabase},
    schema::log_newer,
    sql::{
        database::{self, Columns, Database, Lock},
        statement::{Sql, Value},
        statements::file,
    },
};
use puzzled_base::{
    clock::{Clock, Millis},
    counters::{Counter, Durations, SHORT_US},
};

/// A pool that opens all its connections at once and never closes idle ones, because a call would wait for a new connection. A connection
/// that opened later could open another file of the same name.
fn pool(connections: u32, files: &Arc<OpenFiles>) -> SqlitePoolOptions {
    let files = Arc::clone(files);
    SqlitePoolOptions::new()
        .min_connections(connections)
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        // Connections are tested when they are returned to the pool. No network can break them in between.
        .test_before_acquire(false)
        // A full disk ends a transaction inside SQLite without the driver's knowledge. The driver then cannot begin
        // another transaction on this connection.
        .before_acquire(|connection, _| Box::pin(async { Ok(!connection.is_in_transaction()) }))
        .after_connect(move |_, _| {
            let is_other = files.are_replaced();
            Box::pin(async move { if is_other { Err(sqlx::Error::PoolClosed) } else { Ok(()) } })
        })
}

/// The store on an SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    /// SQLite has one writer. Waiting for it here is fair; waiting inside SQLite is not.
    writer: Arc<Mutex<SqlitePool>>,
    readers: SqlitePool,
    draws: Mutex<Draws>,
    /// The number of reads for draws that had to read row by row.
    draw_fallbacks: Counter,
    clock: Arc<dyn Clock>,
    fault_points: Arc<dyn FaultPoints>,
    settings: SqliteSettings,
    files: Arc<OpenFiles>,
    /// Whether the file had a log when it was opened.
    had_log: bool,
    /// How long reads and writes have waited for a connection.
    waits: Durations,
}

impl SqliteStore {
    /// Opens the file, and runs the migrations that it lacks.
    ///
    /// # Errors
    /// As for [`schema::migrate`], and [`StoreError::Moved`] if `puzzled copy` has moved the file.
    pub async fn open(
        settings: SqliteSettings,
        clock: Arc<dyn Clock>,
        fault_points: Arc<dyn FaultPoints>,
    ) -> Result<Self, StoreError> {
        let had_log = settings.log().exists();
        let files = Arc::new(OpenFiles::of(&settings));
        let opened = Self::open_pools(&settings, &files).await;
        // `puzzled copy` may have renamed the file while it was opened. From now on it refuses the file, because the pools
        // have it open.
        settings.must_not_be_moved()?;
        let (writer, readers) = opened.map_err(|error| settings.explained(had_log, error))?;
        let (writer, draws, waits) = (Arc::new(Mutex::new(writer)), Mutex::default(), Durations::new(SHORT_US));
        let draw_fallbacks = Counter::default();
        Ok(Self { writer, readers, draws, draw_fallbacks, clock, fault_points, settings, files, had_log, waits })
    }

    /// Explains an error of a read. If another file was copied over this one while it was open, the log next to it is
    /// that of this one.
    fn explained(&self, error: sqlx::Error) -> StoreError {
        self.settings.explained(self.had_log || self.settings.log().exists(), error.into())
    }

    /// Opens the pool of the writer and the pool of the readers.
    async fn open_pools(
        settings: &SqliteSettings,
        files: &Arc<OpenFiles>,
    ) -> Result<(SqlitePool, SqlitePool), StoreError> {
        let migrated = schema::migrate(settings).await?;
        log_newer(&settings.path.display(), migrated.newer);
        let options = settings.options();
        let writer = pool(1, files).connect_with(options.clone()).await?;
        // Locks the file against `puzzled copy` until the connection is closed.
        sqlx::query(file::SCHEMA_VERSION).execute(&mut *writer.acquire().await?).await?;
        files.remember();
        // One more connection, for the draws, so that the other reads have the configured number.
        let readers = pool(settings.readers + 1, files).connect_with(options.read_only(true)).await?;
        Ok((writer, readers))
    }
}

#[async_trait]
impl Database for SqliteStore {
    type Row = SqliteRow;
    type Write = Write;

    async fn read<S: Into<Sql> + Send>(&self, sql: S, values: &[Value<'_>]) -> Result<Vec<SqliteRow>, StoreError> {
        self.files.must_be_open()?;
        let query = query(sql.into(), values)?;
        let asked = self.clock.elapsed();
        let mut reader = self.readers.acquire().await?;
        self.waits.add(self.clock.elapsed().saturating_sub(asked));
        let read = query.fetch_all(&mut *reader).await;
        read.map_err(|error| self.explained(error))
    }

    async fn now(&self) -> Result<Millis, StoreError> {
        Ok(self.clock.now())
    }

    fn clock_override(&self) -> Option<i64> {
        Some(self.clock.now().0)
    }

    async fn findings(&self) -> Result<Vec<String>, StoreError> {
        // All comparisons read one moment of the database. Otherwise they would report changes made between them.
        let mut moment = self.readers.begin().await?;
        let mut findings: Vec<String> =
            sqlx::query_scalar("pragma integrity_check(100)").fetch_all(&mut *moment).await?;
        findings.retain(|line| line != "ok");
        if let Some(first) = findings.first_mut()
            && (self.had_log || self.settings.log().exists())
        {
            *first = format!("{first}; {}", foreign_log(&self.settings.path.display()));
        }
        for row in sqlx::query("pragma foreign_key_check").fetch_all(&mut *moment).await? {
            let (table, id): (String, Option<i64>) = (row.try_get(0)?, row.try_get(1)?);
            let referred: String = row.try_get(2)?;
            let id = id.map(|id| format!(" {id}")).unwrap_or_default();
            findings.push(format!("{table}{id}: refers to a missing row of {referred}"));
        }
        for comparison in COMPARISONS {
            let found = sqlx::query_scalar::<_, String>(comparison.sqlite).bind(i64::from(FINDINGS_MAX));
            findings.extend(found.fetch_all(&mut *moment).await?);
        }
        Ok(findings)
    }

    async fn clear_up(&self) {
        copy::tidy(&self.settings, self.had_log).await;
    }

    fn engine_version(&self) -> u32 {
        self.settings.engine_version
    }

    /// The write lock is taken at once: a transaction that began with a read might not be allowed to write later.
    async fn write(&self, point: &'static str) -> Result<Write, StoreError> {
        let asked = self.clock.elapsed();
        let writer = Arc::clone(&self.writer).lock_owned().await;
        self.waits.add(self.clock.elapsed().saturating_sub(asked));
        self.files.must_be_open()?;
        self.fault_points.at(point).await?;
        let transaction = writer.begin_with("begin immediate").await?;
        let (fault_points, now) = (Arc::clone(&self.fault_points), self.clock.now());
        let shelves_max = self.settings.shelves_max;
        Ok(Write { transaction, fault_points, now, shelves_max, _writer: writer })
    }

    /// Runs `attempt` once: with one writer, there are no conflicts.
    async fn with_retries<T, F>(&self, attempt: impl Fn() -> F + Send + Sync) -> Result<T, StoreError>
    where
        T: Send,
        F: Future<Output = Result<T, StoreError>> + Send,
    {
        attempt().await
    }
}

/// A write in progress.
pub(super) struct Write {
    transaction: Transaction<'static, Sqlite>,
    fault_points: Arc<dyn FaultPoints>,
    now: Millis,
    shelves_max: u32,
    /// Declared last, so that the transaction ends before the next write gets the writer.
    _writer: OwnedMutexGuard<SqlitePool>,
}

impl Write {
    /// Returns the connection for the statement that follows `point`.
    async fn at(&mut self, point: &'static str) -> Result<&mut SqliteConnection, StoreError> {
        self.fault_points.at(point).await?;
        Ok(&mut self.transaction)
    }
}

#[async_trait]
impl database::Write for Write {
    type Row = SqliteRow;

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
    ) -> Result<Vec<SqliteRow>, StoreError> {
        Ok(query(sql.into(), values)?.fetch_all(self.at(point).await?).await?)
    }

    async fn execute<S: Into<Sql> + Send>(
        &mut self,
        point: &'static str,
        sql: S,
        values: &[Value<'_>],
    ) -> Result<u64, StoreError> {
        Ok(query(sql.into(), values)?.execute(self.at(point).await?).await?.rows_affected())
    }

    async fn lock(&mut self, _point: &'static str, _lock: Lock<'_>) -> Result<(), StoreError> {
        Ok(())
    }

    async fn lock_rows(
        &mut self,
        _point: &'static str,
        _postgres: &'static str,
        _values: &[Value<'_>],
    ) -> Result<(), StoreError> {
        Ok(())
    }

    async fn notify(&mut self, _point: &'static str, _notices: &[Notice]) -> Result<(), StoreError> {
        Ok(())
    }

    async fn commit(self, before: &'static str, after: &'static str) -> Result<(), StoreError> {
        self.fault_points.at(before).await?;
        self.transaction.commit().await?;
        self.fault_points.at(after).await
    }

    async fn roll_back<T: Send>(self, value: T) -> Result<T, StoreError> {
        Ok(value)
    }
}

fn query(sql: Sql, values: &[Value<'_>]) -> Result<Query<'static, Sqlite, SqliteArguments>, sqlx::Error> {
    let mut query = sqlx::query(sql.sqlite);
    for value in values {
        query = match value {
            Value::Integer(value) => query.bind(*value),
            Value::Text(value) => query.bind(*value),
            Value::Flag(value) => query.bind(*value),
            Value::Integers(list) => query.bind(json(list)?),
            Value::Texts(list) => query.bind(list.as_ref().map(json).transpose()?),
        };
    }
    Ok(query)
}

/// Encodes a list as one JSON parameter, because SQLite has no arrays. So one prepared statement serves any length.
/// Unfold arrays of arrays with `jsonb_each`: `json_each` parses an inner array again for every value taken from it.
fn json(values: &impl Serialize) -> Result<String, sqlx::Error> {
    serde_json::to_string(values).map_err(|error| sqlx::Error::Encode(error.into()))
}

impl Columns for SqliteRow {
    fn integer(&self, column: &'static str) -> Result<Option<i64>, sqlx::Error> {
        self.try_get(column)
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
        // SQLite has no JSON type.
        self.text(column)
    }
}

impl ClaimDatabase for SqliteStore {}

impl CommitDatabase for SqliteStore {}

#[async_trait]
impl Store for SqliteStore {
    /// Empties the `-wal` file next to the database.
    async fn close(&self) {
        if self.files.must_be_open().is_err() {
            return;
        }
        // Readers close first: the last connection to close cleans up, and must be allowed to write.
        self.draws.lock().await.connection.take();
        self.readers.close().await;
        self.writer.lock().await.close().await;
    }

    async fn listen(&self) -> Result<Option<Box<dyn Listener>>, StoreError> {
        // SQLite sends no notices.
        Ok(None)
    }

    async fn rescue_if_replaced(&self) -> Option<Rescue> {
        self.rescued().await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.files.must_be_open()?;
        sqlx::query(file::SCHEMA_VERSION).execute(&self.readers).await?;
        Ok(())
    }

    /// The writer counts as used while a write has it.
    fn connections(&self) -> PoolUse {
        let PoolUse { used, idle } = PoolUse::of(self.readers.size(), self.readers.num_idle());
        let is_writing = u32::from(self.writer.try_lock().is_err());
        PoolUse { used: used + is_writing, idle: idle + 1 - is_writing }
    }

    fn connection_waits(&self) -> &Durations {
        &self.waits
    }

    fn draw_fallbacks(&self) -> u64 {
        self.draw_fallbacks.get()
    }

    fn wal_bytes(&self) -> Option<u64> {
        std::fs::metadata(self.settings.log()).ok().map(|file| file.len())
    }

    async fn now(&self) -> Result<Millis, StoreError> {
        Database::now(self).await
    }
}
