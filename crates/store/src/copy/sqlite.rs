//! The source of a copy: an SQLite file, locked so that no other connection can read or write it. Also the name of a moved
//! file, and the refusal of databases that were moved.

use std::{
    fs, io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use futures_util::{StreamExt as _, stream::BoxStream};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, Row as _, SqliteConnection, TypeInfo as _, ValueRef as _,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteRow},
};

use crate::{
    ProcessStore as _, StoreError,
    check_store::CheckStore as _,
    copy::{CopyError, Row, Table, Value, in_place, must_be_known, postgres::Column},
    jobs::process::{Listed, RUNNING_MS},
    sql::statements::copy,
    sqlite::{SqliteSettings, SqliteStore, schema, settings::with_suffix},
};
use puzzled_base::clock::Clock;

/// The extension of a file that `puzzled copy` has moved.
const MOVED: &str = "moved";

/// The maximum number of symbolic links that lead to a file, as on Linux.
const LINKS_MAX: u32 = 40;

/// The maximum number of processes that a message lists.
const USERS_MAX: u32 = 4;

impl SqliteSettings {
    /// The database in messages.
    pub(crate) fn name(&self) -> String {
        format!("sqlite:{}", self.path.display())
    }

    /// The file behind all symbolic links, which SQLite opens or creates. It need not exist.
    pub(crate) fn file(&self) -> PathBuf {
        let mut file = self.path.clone();
        for _ in 0..LINKS_MAX {
            let Ok(target) = fs::read_link(&file) else { break };
            file = file.parent().unwrap_or(Path::new("")).join(target);
        }
        file
    }

    /// The name that `puzzled copy` gives the file, which may have it already.
    #[must_use]
    pub fn moved(&self) -> PathBuf {
        let file = self.file();
        if file.extension().is_some_and(|extension| extension == MOVED) {
            return file;
        }
        with_suffix(&file, &format!(".{MOVED}"))
    }

    /// Fails if `puzzled copy` has moved the file to PostgreSQL, or began to.
    ///
    /// # Errors
    /// [`StoreError::Moved`].
    pub fn must_not_be_moved(&self) -> Result<(), StoreError> {
        let moved = self.moved();
        let is_moved = moved == self.file() || moved.symlink_metadata().is_ok();
        if is_moved { Err(StoreError::Moved(moved)) } else { Ok(()) }
    }
}

#[derive(Debug)]
pub(super) struct Source {
    db: SqliteConnection,
    name: String,
}

impl Source {
    /// Locks a file until it is closed.
    ///
    /// # Errors
    /// [`CopyError`]. The file then has the same content and name as before.
    pub(super) async fn lock(settings: &SqliteSettings, clock: Arc<dyn Clock>) -> Result<Self, CopyError> {
        let (file, name) = (settings.file(), settings.name());
        let fault = |source| CopyError::File(file.clone(), source);
        if file != settings.moved() {
            settings.must_not_be_moved().map_err(in_place(name.clone()))?;
        }
        let metadata = fs::metadata(&file).map_err(fault)?;
        if metadata.is_dir() {
            return Err(fault(io::ErrorKind::IsADirectory.into()));
        }
        if metadata.nlink() > 1 {
            return Err(CopyError::Linked(file));
        }
        // Another copy of this file holds its lock to the end, so nothing waits for a lock.
        let settings = SqliteSettings { busy_timeout: Duration::ZERO, ..settings.clone() };
        // Before anything changes: a file of another program or version stays as it is.
        users(&settings, &clock).await?;
        match exclusive(&settings).await {
            Ok(mut db) => {
                let newer = schema::check_readable(&settings, &mut db).await.map_err(in_place(name.clone()))?;
                must_be_known(&name, newer)?;
                Ok(Self { db, name })
            }
            Err(error) if schema::is_busy(&error) => {
                Err(CopyError::InUse { file: name, users: users(&settings, &clock).await? })
            }
            Err(error) => Err(in_place(name)(settings.explained(false, error.into()))),
        }
    }

    /// Returns the rows of a table in the order of its key.
    pub(super) async fn rows(
        &mut self,
        table: &Table,
        columns: &[Column],
    ) -> Result<BoxStream<'_, Result<Row, CopyError>>, CopyError> {
        let failed = in_place(self.name.clone());
        let counted = sqlx::query_scalar(copy::COUNT_COLUMNS).bind(table.name);
        let count: i64 = counted.fetch_one(&mut self.db).await.map_err(&failed)?;
        if usize::try_from(count).ok() != Some(columns.len()) {
            return Err(CopyError::Columns(table.name));
        }
        let names: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
        let key = table.key.join(", ");
        let statement = format!("select {} from {} order by {key}", names.join(", "), table.name);
        let rows = sqlx::query(AssertSqlSafe(statement)).fetch(&mut self.db);
        Ok(rows.map(move |row| row.and_then(|row| values(&row)).map_err(&failed)).boxed())
    }

    pub(super) async fn close(self) {
        // Nothing was written, and the lock ends with the connection.
        let _ = self.db.close().await;
    }
}

/// Locks a file. Switching it out of WAL mode fails if any other connection has it open, and applies its log, so that the
/// file alone is the database.
async fn exclusive(settings: &SqliteSettings) -> Result<SqliteConnection, sqlx::Error> {
    let options = SqliteConnectOptions::new()
        .filename(&settings.path)
        .create_if_missing(false)
        .busy_timeout(settings.busy_timeout)
        .journal_mode(SqliteJournalMode::Delete);
    let mut db = options.connect().await?;
    sqlx::raw_sql("pragma locking_mode = exclusive; begin exclusive").execute(&mut db).await?;
    Ok(db)
}

/// Lists, for messages, the processes that used a file within the last minute.
async fn users(settings: &SqliteSettings, clock: &Arc<dyn Clock>) -> Result<String, CopyError> {
    let listed = async {
        let store = SqliteStore::open_to_read(settings, Arc::clone(clock)).await?;
        let listed = store.processes(None, u32::MAX).await;
        store.close_read().await;
        listed
    };
    let listed = match listed.await {
        Err(StoreError::Unavailable(error)) if schema::is_busy(&error) => Vec::new(),
        listed => listed.map_err(in_place(settings.name()))?,
    };
    let now = clock.now();
    let running = listed.iter().filter(|listed| now.ms_since(listed.seen_at) < RUNNING_MS);
    let shown = running.take(USERS_MAX as usize).map(|Listed { process, .. }| {
        let (role, host) = (process.role.name(), &process.host);
        format!("process {} (puzzled {role}, host {host}, process ID {})", process.name, process.pid)
    });
    let shown: Vec<_> = shown.collect();
    Ok(if shown.is_empty() { "a process that is not in `puzzled workers`".to_owned() } else { shown.join(", ") })
}

fn values(row: &SqliteRow) -> Result<Row, sqlx::Error> {
    (0..row.len())
        .map(|at| {
            let value = row.try_get_raw(at)?;
            if value.is_null() {
                // For a null value, SQLite reports the type of the column, by which it would be read as 0 or as an
                // empty text.
                return Ok(Value::Null);
            }
            Ok(match value.type_info().name() {
                "INTEGER" | "BOOLEAN" => Value::Integer(row.try_get(at)?),
                "BLOB" => Value::Bytes(row.try_get(at)?),
                _ => Value::Text(row.try_get(at)?),
            })
        })
        .collect()
}
