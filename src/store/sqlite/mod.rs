//! The store on SQLite. One connection writes; the others read without waiting for it.

mod cards;
mod check;
mod claim;
mod commit;
mod copy;
mod deliveries;
mod moves;
pub mod restore;
mod row;
pub mod schema;
mod shelve;
mod stock;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use serde::Serialize;
use sqlx::{
    Connection as _, Sqlite, SqliteConnection, Transaction,
    pool::PoolConnection,
    query::Query,
    sqlite::{
        SqliteArguments, SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow,
        SqliteSynchronous,
    },
};
use tokio::sync::{Mutex, OwnedMutexGuard};

use super::{
    PoolUse, Store, StoreError,
    database::{self, Database, Lock, Sql, Value},
    error::must_touch,
    fault_points::FaultPoints,
    notice::{Listener, Notice},
    puzzle::{Place, Puzzle, SHELVES_MAX},
    rows,
    schema::log_newer,
};
use crate::{
    clock::{Clock, Millis},
    counters::{Durations, SHORT_US},
};
use puzzled_engine::ENGINE_VERSION;

/// Where the database is and how it is opened.
#[derive(Debug, Clone)]
pub struct SqliteSettings {
    /// The file. It is created if it does not exist. While it is open, SQLite keeps two more files next to it, `-wal`
    /// and `-shm`.
    pub path: PathBuf,
    /// The number of connections that read, besides the connection for draws.
    pub readers: u32,
    /// How long a write waits while another process holds the write lock.
    pub busy_timeout: Duration,
    /// The maximum number of shelves.
    pub shelves_max: u32,
    /// Engine version of the workers that use this store. They do not claim jobs that need a newer version.
    pub engine_version: u32,
}

impl SqliteSettings {
    /// Default settings for a file: four readers, and a busy timeout of ten seconds.
    #[must_use]
    pub fn of(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            readers: 4,
            busy_timeout: Duration::from_secs(10),
            shelves_max: SHELVES_MAX,
            engine_version: ENGINE_VERSION,
        }
    }

    /// The file, and the files that SQLite keeps next to it.
    pub(in crate::store) fn files(&self) -> [PathBuf; 3] {
        [self.path.clone(), self.log(), with_suffix(&self.path, "-shm")]
    }

    /// The log of the file. SQLite applies it whenever it opens the file.
    fn log(&self) -> PathBuf {
        with_suffix(&self.path, "-wal")
    }

    /// Returns the result. If the file is malformed, and has a log next to it or had one when it was opened, the error
    /// explains that.
    fn explained<T>(&self, had_log: bool, result: Result<T, StoreError>) -> Result<T, StoreError> {
        match result {
            Err(error) if error.is_malformed() && (had_log || self.log().exists()) => match error {
                StoreError::Refused(error) => {
                    Err(StoreError::ForeignLog { database: self.path.display().to_string(), error })
                }
                other => Err(other),
            },
            other => other,
        }
    }

    /// Options of a connection that writes.
    fn options(&self) -> SqliteConnectOptions {
        SqliteConnectOptions::new()
            .filename(&self.path)
            // A file that existed when these options were made is not created again after `puzzled copy` has renamed it.
            .create_if_missing(!self.path.exists())
            .journal_mode(SqliteJournalMode::Wal)
            // Commits are synced to the disk before they return, so a power failure loses no acknowledged job or
            // puzzle.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(self.busy_timeout)
            // In KiB, per connection. With SQLite's default of 2 MiB, the same pages are read from the file repeatedly.
            // This size holds the index pages of a million puzzles; a larger cache would not fit into the processor's
            // caches. The file is not mapped (`mmap_size`): SQLite removes the mapping after each commit of another
            // connection, and the page faults then take longer than reads. If the disk cannot read a page, a mapping
            // would also cause a SIGBUS instead of an error.
            .pragma("cache_size", "-12288")
    }
}

/// The name of a file next to a database.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.to_path_buf().into_os_string();
    name.push(suffix);
    PathBuf::from(name)
}

/// A pool that never closes idle connections, because a call would wait for a new connection.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        // Connections are tested when they are returned to the pool. No network can break them in between.
        .test_before_acquire(false)
        // A full disk ends a transaction inside SQLite without the driver's knowledge. The driver then cannot begin
        // another transaction on this connection.
        .before_acquire(|connection, _| Box::pin(async { Ok(!connection.is_in_transaction()) }))
}

/// The store on an SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    /// SQLite has one writer. Waiting for it here is fair; waiting inside SQLite is not.
    writer: Arc<Mutex<SqlitePool>>,
    readers: SqlitePool,
    /// The connection for draws, from the first draw on. It stays out of the pool, because taking it from the pool and
    /// returning it takes as long as the read.
    draws: Mutex<Option<PoolConnection<Sqlite>>>,
    clock: Arc<dyn Clock>,
    fault_points: Arc<dyn FaultPoints>,
    settings: SqliteSettings,
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
        let opened = Self::open_pools(&settings).await;
        // `puzzled copy` may have renamed the file while it was opened. From now on it refuses the file, because the pools
        // have it open.
        settings.must_not_be_moved()?;
        let (writer, readers) = settings.explained(had_log, opened)?;
        let (writer, draws, waits) = (Arc::new(Mutex::new(writer)), Mutex::default(), Durations::new(SHORT_US));
        Ok(Self { writer, readers, draws, clock, fault_points, settings, had_log, waits })
    }

    /// Opens the pool of the writer and the pool of the readers.
    async fn open_pools(settings: &SqliteSettings) -> Result<(SqlitePool, SqlitePool), StoreError> {
        let migrated = schema::migrate(settings).await?;
        log_newer(&settings.path.display(), migrated.newer);
        let options = settings.options();
        let writer = pool(1).connect_with(options.clone()).await?;
        // Locks the file against `puzzled copy` until the connection is closed.
        sqlx::query("select version from schema").execute(&mut *writer.acquire().await?).await?;
        // One connection more for the draws, so that the others keep the configured number.
        let readers = pool(settings.readers + 1).connect_with(options.read_only(true)).await?;
        Ok((writer, readers))
    }
}

#[async_trait]
impl Database for SqliteStore {
    type Row = SqliteRow;
    type Write = Write;

    async fn read<S: Into<Sql> + Send>(&self, sql: S, values: &[Value<'_>]) -> Result<Vec<SqliteRow>, StoreError> {
        let query = query(sql.into(), values)?;
        let asked = self.clock.elapsed();
        let mut reader = self.readers.acquire().await?;
        self.waits.add(self.clock.elapsed().saturating_sub(asked));
        let read = query.fetch_all(&mut *reader).await;
        self.settings.explained(self.had_log, read.map_err(StoreError::from))
    }

    fn told_now(&self) -> Option<i64> {
        Some(self.clock.now().0)
    }

    async fn read_places(&self, places: &[Place]) -> Result<Vec<Option<Puzzle>>, StoreError> {
        self.read_puzzles_at(places).await
    }

    async fn findings(&self) -> Result<Vec<String>, StoreError> {
        self.find_amiss().await
    }

    async fn clear_up(&self) {
        copy::tidy(&self.settings, self.had_log).await;
    }

    /// Takes the write lock at once, because a transaction that begins with a read may not be allowed to write later.
    async fn write(&self, point: &'static str) -> Result<Write, StoreError> {
        let asked = self.clock.elapsed();
        let turn = Arc::clone(&self.writer).lock_owned().await;
        self.waits.add(self.clock.elapsed().saturating_sub(asked));
        self.fault_points.at(point).await?;
        let transaction = turn.begin_with("begin immediate").await?;
        let (fault_points, now) = (Arc::clone(&self.fault_points), self.clock.now());
        let SqliteSettings { shelves_max, engine_version, .. } = self.settings;
        Ok(Write { transaction, fault_points, now, shelves_max, engine_version, _turn: turn })
    }

    /// Runs `attempt` once: with one writer, there are no conflicts.
    async fn repeated<T, F>(&self, attempt: impl Fn() -> F + Send + Sync) -> Result<T, StoreError>
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
    engine_version: u32,
    /// The lock on the writer. Declared last, so that the transaction ends before the next write begins.
    _turn: OwnedMutexGuard<SqlitePool>,
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

    fn engine_version(&self) -> u32 {
        self.engine_version
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

    async fn undone<T: Send>(self, value: T) -> Result<T, StoreError> {
        Ok(value)
    }
}

/// A statement with its values.
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

#[async_trait]
impl Store for SqliteStore {
    /// Empties the `-wal` file next to the database.
    async fn close(&self) {
        // Readers close first: the last connection to close cleans up, and must be allowed to write.
        self.draws.lock().await.take();
        self.readers.close().await;
        self.writer.lock().await.close().await;
    }

    async fn listen(&self) -> Result<Option<Box<dyn Listener>>, StoreError> {
        // SQLite sends no notices.
        Ok(None)
    }

    async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("select version from schema").execute(&self.readers).await?;
        Ok(())
    }

    /// Counts the writer as used while a write holds it.
    fn connections(&self) -> PoolUse {
        let PoolUse { used, idle } = PoolUse::of(self.readers.size(), self.readers.num_idle());
        let is_writing = u32::from(self.writer.try_lock().is_err());
        PoolUse { used: used + is_writing, idle: idle + 1 - is_writing }
    }

    fn connection_waits(&self) -> &Durations {
        &self.waits
    }

    fn wal_bytes(&self) -> Option<u64> {
        std::fs::metadata(self.settings.log()).ok().map(|file| file.len())
    }

    async fn now(&self) -> Result<Millis, StoreError> {
        Ok(self.clock.now())
    }
}
