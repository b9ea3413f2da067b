//! The store on SQLite: one connection writes, others read without ever waiting for it.

mod audit;
mod cards;
mod claim;
mod commit;
mod copy;
mod deliveries;
mod moves;
pub mod restore;
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
    Connection as _, Row as _, Sqlite, SqliteConnection, Transaction,
    pool::PoolConnection,
    query::Query,
    sqlite::{
        SqliteArguments, SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow,
        SqliteSynchronous,
    },
};
use tokio::sync::{Mutex, OwnedMutexGuard};

use super::{
    Store, StoreError,
    columns::Columns,
    database::{self, Database, Lock, Sql, Value},
    error::must_touch,
    moved::{self, Fence},
    notice::{Listener, Notice},
    probe::Probe,
    puzzle::{Place, Puzzle, SHELVES_MAX},
    rows,
    schema::log_newer,
};
use crate::clock::{Clock, Millis};
use puzzled_engine::ENGINE_VERSION;

/// Where the database is and how it is opened.
#[derive(Debug, Clone)]
pub struct SqliteSettings {
    /// The file; it is made if it is not there. Two more stand beside it while it is open, `-wal` and `-shm`.
    pub path: PathBuf,
    /// Connections that read, beside the one that is kept for draws.
    pub readers: u32,
    /// How long a write waits while another process holds the write lock.
    pub busy_timeout: Duration,
    /// Most shelves.
    pub shelves_max: u32,
    /// Version of the engine of the workers that claim by it: jobs that need a newer one are left to others.
    pub engine_version: u32,
}

impl SqliteSettings {
    /// The usual settings for a file: four readers, ten seconds of patience.
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

    /// The file, and those that SQLite keeps next to it.
    pub(in crate::store) fn files(&self) -> [PathBuf; 3] {
        [self.path.clone(), self.log(), with_suffix(&self.path, "-shm")]
    }

    /// The log of the file, which SQLite applies whenever it opens the file.
    fn log(&self) -> PathBuf {
        with_suffix(&self.path, "-wal")
    }

    /// Passes a result on. If the file is malformed and a log lies next to it, or did when it was opened, the error says so.
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

    /// How a connection that writes is opened.
    fn options(&self) -> SqliteConnectOptions {
        SqliteConnectOptions::new()
            .filename(&self.path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A commit is on the disk when it returns: no acknowledged job or puzzle is lost with the power.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(self.busy_timeout)
            // In KiB, for each connection: SQLite's own 2 MiB are read from the file again and again, and with more than what
            // leads to a million puzzles, pages come from the file into memory that no cache of the processor holds any more.
            // The file is not mapped (`mmap_size`): SQLite takes the mapping down after each commit of another connection, and
            // its pages' faults then cost more than reads do; a page that the disk does not give would be a SIGBUS instead of
            // an error.
            .pragma("cache_size", "-12288")
    }
}

/// The name of a file that SQLite keeps next to a database.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.to_path_buf().into_os_string();
    name.push(suffix);
    PathBuf::from(name)
}

/// Connections that are never closed for idleness: opening one again would cost a call its time.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        // Each is tested when it comes back; there is no network in between on which it could be lost.
        .test_before_acquire(false)
        // A full disk ends a transaction inside SQLite, behind the driver's back, which then begins none on this connection
        // any more.
        .before_acquire(|connection, _| Box::pin(async { Ok(!connection.is_in_transaction()) }))
}

/// The store on an SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    /// SQLite has one writer; waiting for it here is fair, waiting inside SQLite is not.
    writer: Arc<Mutex<SqlitePool>>,
    readers: SqlitePool,
    /// The reader of draws, once there was one. It is kept: to take it from the pool and give it back costs as much as the read.
    draws: Mutex<Option<PoolConnection<Sqlite>>>,
    clock: Arc<dyn Clock>,
    probe: Arc<dyn Probe>,
    settings: SqliteSettings,
    fence: Fence,
    /// Whether the file had a log when it was opened.
    had_log: bool,
}

impl SqliteStore {
    /// Opens the file and runs the migrations that it lacks.
    ///
    /// # Errors
    /// As for [`schema::migrate`], and [`StoreError::Moved`] if the file is an end of a copy.
    pub async fn open(
        settings: SqliteSettings,
        clock: Arc<dyn Clock>,
        probe: Arc<dyn Probe>,
    ) -> Result<Self, StoreError> {
        let had_log = settings.log().exists();
        let opened = Self::open_pools(&settings).await;
        let (writer, readers) = settings.explained(had_log, opened)?;
        let (writer, draws, fence) = (Arc::new(Mutex::new(writer)), Mutex::default(), Fence::default());
        Ok(Self { writer, readers, draws, clock, probe, settings, fence, had_log })
    }

    /// The pools of the one writer and of the readers.
    async fn open_pools(settings: &SqliteSettings) -> Result<(SqlitePool, SqlitePool), StoreError> {
        let migrated = schema::migrate(settings).await?;
        log_newer(&settings.path.display(), migrated.newer);
        let options = settings.options();
        let writer = pool(1).connect_with(options.clone()).await?;
        moved::refuse(moved::side_of_sqlite(&mut *writer.acquire().await?).await?)?;
        // One more, which the draws keep: they leave as many to the others as were asked for.
        let readers = pool(settings.readers + 1).connect_with(options.read_only(true)).await?;
        Ok((writer, readers))
    }
}

#[async_trait]
impl Database for SqliteStore {
    type Row = SqliteRow;
    type Write = Write;

    async fn read<S: Into<Sql> + Send>(&self, sql: S, values: &[Value<'_>]) -> Result<Vec<SqliteRow>, StoreError> {
        self.fence.check()?;
        let read = query(sql.into(), values)?.fetch_all(&self.readers).await;
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

    /// The lock is taken at once: a transaction that began by reading could not be let write later.
    async fn write(&self, point: &'static str) -> Result<Write, StoreError> {
        let turn = Arc::clone(&self.writer).lock_owned().await;
        // Asked with the turn in hand: the writes that waited for one which met the fence do not meet it again.
        self.fence.check()?;
        self.probe.at(point).await?;
        let transaction = turn.begin_with("begin immediate").await?;
        let (probe, now) = (Arc::clone(&self.probe), self.clock.now());
        let SqliteSettings { shelves_max, engine_version, .. } = self.settings;
        Ok(Write { transaction, probe, now, shelves_max, engine_version, _turn: turn })
    }

    /// Nobody is in the way of the one writer.
    async fn repeated<T, F>(&self, attempt: impl Fn() -> F + Send + Sync) -> Result<T, StoreError>
    where
        T: Send,
        F: Future<Output = Result<T, StoreError>> + Send,
    {
        self.fence.noticing(attempt().await)
    }
}

/// A write under way.
pub(super) struct Write {
    transaction: Transaction<'static, Sqlite>,
    probe: Arc<dyn Probe>,
    now: Millis,
    shelves_max: u32,
    engine_version: u32,
    /// Declared last, so that the transaction has ended before the next writer gets its turn.
    _turn: OwnedMutexGuard<SqlitePool>,
}

impl Write {
    /// The connection, for the statement that stands behind `point`.
    async fn at(&mut self, point: &'static str) -> Result<&mut SqliteConnection, StoreError> {
        self.probe.at(point).await?;
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
        self.probe.at(before).await?;
        self.transaction.commit().await?;
        self.probe.at(after).await
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

/// Many values as one parameter: SQLite has no arrays, and one statement stays prepared. Arrays of arrays are best unfolded
/// by `jsonb_each`: `json_each` has each inner one read again for every value that is taken from it.
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

    fn json(&self, column: &'static str) -> Result<Option<&str>, sqlx::Error> {
        // SQLite has no type for it.
        self.text(column)
    }
}

#[async_trait]
impl Store for SqliteStore {
    /// Nothing of the file is left in the `-wal` beside it then.
    async fn close(&self) {
        // The readers first: the last connection to go cleans up, and has to be one that may write.
        self.draws.lock().await.take();
        self.readers.close().await;
        self.writer.lock().await.close().await;
    }

    async fn listen(&self) -> Result<Option<Box<dyn Listener>>, StoreError> {
        // A file tells nobody that it has changed.
        Ok(None)
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.fence.check()?;
        let mut reader = self.readers.acquire().await?;
        self.fence.noticing(moved::refuse(moved::side_of_sqlite(&mut reader).await?))
    }

    fn must_be_here(&self) -> Result<(), StoreError> {
        self.fence.check()
    }

    async fn now(&self) -> Result<Millis, StoreError> {
        Ok(self.clock.now())
    }
}
