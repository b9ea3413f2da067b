//! The errors of the store, and whether a later call may succeed.

use std::{fmt::Display, ops::Range, path::PathBuf};

use sqlx::postgres::PgDatabaseError;

use crate::jobs::slice::{SliceWork, covers};

/// SQLite's primary code and `PostgreSQL`'s code for a full disk, and for a database that is read-only, as on a standby.
const FULL: (u32, &str) = (13, "53100");
const READ_ONLY: (u32, &str) = (8, "25006");

/// SQLite's primary code for a failed access to the disk.
const SQLITE_IO: u32 = 10;

/// `PostgreSQL`'s codes that usually mean a pooler: a startup parameter is refused, or a prepared statement exists already or is missing.
const OF_POOLERS: [&str; 3] = ["08P01", "42P05", "26000"];

/// SQLite's primary codes for a malformed file, and for a file that is not a database.
const SQLITE_MALFORMED: [u32; 2] = [11, 26];

/// An error of the store. No error leaves a change half made.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be reached, is locked for too long, or is full. A later call may succeed.
    #[error("the database is unavailable: {0}")]
    Unavailable(#[source] sqlx::Error),
    /// The database refused a statement. A later call fails too.
    #[error("the database refused a statement: {0}")]
    Refused(#[source] sqlx::Error),
    /// A migration failed.
    #[error("the migrations failed: {0}")]
    Migration(#[source] sqlx::migrate::MigrateError),
    /// A build before version 0.1.0 made the database. From 0.1.0 on, migrations are only added.
    #[error(
        "another build of puzzled made the database {0}; to keep its puzzles, export them with that build (`puzzled export \
         --format json`), start with a new database, and import them (`puzzled import`)"
    )]
    OtherBuild(String),
    /// The database lacks a migration, and was opened for reading only.
    #[error("schema: migration {0} is missing; run `puzzled migrate`")]
    Outdated(i64),
    /// The database has a newer schema that does not allow programs as old as this one.
    #[error(
        "{database} has schema {version}, which needs a puzzled that knows schema {oldest_compatible} or later; this one knows \
         {known}; use the newer binary or restore a backup"
    )]
    TooNew {
        /// The database, without its password.
        database: String,
        /// Its schema version.
        version: i64,
        /// The oldest schema version whose programs may use it.
        oldest_compatible: i64,
        /// The newest schema version that this program knows.
        known: i64,
    },
    /// Another session holds a lock that a migration needs. The migration has changed nothing.
    #[error(
        "{database}: {what} waited {} s for a lock; find the session that holds it in `pg_locks`, wait for its end or end it, then \
         start again",
        waited.as_secs()
    )]
    Blocked {
        /// The database, without its password.
        database: String,
        /// The statement or step that waits.
        what: String,
        /// The time waited.
        waited: std::time::Duration,
    },
    /// Another process still runs migrations. This one has changed nothing.
    #[error(
        "{database}: another process has run migrations for {} s; wait until its log says that they are done, then start again",
        waited.as_secs()
    )]
    Migrating {
        /// The database, without its password.
        database: String,
        /// The time waited.
        waited: std::time::Duration,
    },
    /// The file is malformed, and a log next to it may belong to another file. SQLite applies the log whenever it opens
    /// the file.
    #[error("{}: {}; {}", .0, .1, foreign_log(.0))]
    ForeignLog(String, sqlx::Error),
    /// The file is malformed, or not a database.
    #[error(
        "{file}: the file is damaged or not a database: {error}; put a backup in place with `puzzled restore BACKUP`"
    )]
    Damaged {
        /// The file.
        file: Box<str>,
        /// The error of SQLite.
        error: Box<str>,
    },
    /// The database belongs to another program.
    #[error("{0}: the database of another program, which was left as it is; name another one with --database")]
    Foreign(Box<str>),
    /// A connection pooler does not pass on the limits that each session sets.
    #[error(
        "a connection pooler refuses our sessions ({0}); name the PostgreSQL server itself, or a pooler in session mode that ignores \
         the startup parameter `options`"
    )]
    Pooler(Box<str>),
    /// The file cannot be opened.
    #[error("{file}: {obstacle}")]
    Closed {
        /// The file.
        file: Box<str>,
        /// Why, and what to do.
        obstacle: Box<str>,
    },
    /// The file is a folder.
    #[error("{0}: a folder, not a file; name a file")]
    Folder(String),
    /// A stored value breaks an invariant of the program.
    #[error("{table}.{column} of row {id} is corrupt; run `puzzled check`, then restore a backup")]
    Corrupt {
        /// The table of the value.
        table: &'static str,
        /// The column of the value.
        column: &'static str,
        /// The id of the row.
        id: i64,
    },
    /// A write changed more or fewer rows than required.
    #[error(
        "{statement}: {found} rows instead of {wanted}, so nothing was changed; this is a fault of puzzled, so report it"
    )]
    RowCount {
        /// The statement, in words.
        statement: &'static str,
        /// The required number of rows.
        wanted: u64,
        /// The number of rows changed.
        found: u64,
    },
    /// The puzzles of a worker do not belong to the indices of its slice, one to each.
    #[error(
        "a slice got puzzles for other indices than its own, so nothing was changed; this is a fault of puzzled, so report it"
    )]
    WrongIndices,
    /// `puzzled copy` has given a file this new name, and moved its rows to PostgreSQL or was killed before that.
    #[error(
        "`puzzled copy` renamed this database to {file}; use the database on PostgreSQL to which it was copied; if the copy \
         was interrupted, run `puzzled copy --from sqlite:{file} --to URL` with the same URL",
        file = .0.display()
    )]
    Moved(PathBuf),
    /// The database file was deleted or replaced while it was open. The process saves what it holds, and ends.
    #[error(
        "{0}: the database was deleted or replaced while it was open; all calls fail until the process ends; its log names the file with the rows"
    )]
    Replaced(Box<str>),
    /// The log of a file is missing, although another process has the file open.
    #[error(
        "{0}: {0}-wal is missing although another process has the database open, so its newest rows cannot be seen; stop that \
         process, which saves them"
    )]
    LogMissing(Box<str>),
    /// Another write changed data that this write had read. This write changed nothing, and a retry may succeed.
    #[error("{statement} conflicted with another write; repeat the call")]
    Overtaken {
        /// The statement, in words.
        statement: &'static str,
    },
    /// The task that makes the calls of all callers has ended. This call may have taken effect.
    #[error("the task that makes such calls has ended, so this one may have taken effect; restart the process")]
    Stopped,
    /// An error of a batch, which all callers of the batch share.
    #[error(transparent)]
    Shared(std::sync::Arc<StoreError>),
    /// A fault that a test injected.
    #[error("a fault was injected at {0}")]
    Injected(&'static str),
}

impl StoreError {
    /// Whether a later call may succeed.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Unavailable(_)
            | Self::Closed { .. }
            | Self::Overtaken { .. }
            | Self::Blocked { .. }
            | Self::Migrating { .. }
            | Self::Stopped
            | Self::Injected(_) => true,
            Self::Shared(error) => error.is_passing(),
            Self::Refused(_)
            | Self::Migration(_)
            | Self::OtherBuild(_)
            | Self::TooNew { .. }
            | Self::Moved { .. }
            | Self::ForeignLog { .. }
            | Self::Damaged { .. }
            | Self::Folder(_)
            | Self::Foreign(_)
            | Self::Pooler(_)
            | Self::Replaced(_)
            | Self::LogMissing(_)
            | Self::Outdated(_)
            | Self::Corrupt { .. }
            | Self::RowCount { .. }
            | Self::WrongIndices => false,
        }
    }

    /// Whether an SQLite file is malformed, or not a database.
    #[must_use]
    pub(crate) fn is_malformed(&self) -> bool {
        let Self::Refused(sqlx::Error::Database(error)) = self else { return false };
        let code = error.code().and_then(|code| code.parse::<u32>().ok());
        error.try_downcast_ref::<PgDatabaseError>().is_none()
            && code.is_some_and(|code| SQLITE_MALFORMED.contains(&(code & 0xff)))
    }

    /// Whether the database file was deleted or replaced while it was open.
    #[must_use]
    pub fn is_replaced(&self) -> bool {
        match self {
            Self::Replaced(_) => true,
            Self::Shared(error) => error.is_replaced(),
            _ => false,
        }
    }

    /// Whether the disk of the database is full.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.has_code(FULL)
    }

    /// Whether the database is read-only.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.has_code(READ_ONLY)
    }

    /// If this error of a write means that every write fails, returns why. Reads may still work.
    #[must_use]
    pub fn forbids_writes(&self) -> Option<String> {
        if self.is_full() {
            Some("the disk of the database is full".to_owned())
        } else if self.is_read_only() {
            Some("the database is read-only".to_owned())
        } else if self.is_replaced() || self.has_code((SQLITE_IO, "")) {
            Some(self.to_string())
        } else {
            None
        }
    }

    /// Whether the database refused with this primary code of SQLite, or this code of `PostgreSQL`.
    fn has_code(&self, (sqlite, postgres): (u32, &str)) -> bool {
        match self {
            Self::Unavailable(sqlx::Error::Database(error)) => {
                let code = error.code().unwrap_or_default();
                match error.try_downcast_ref::<PgDatabaseError>() {
                    Some(_) => code == postgres,
                    None => code.parse::<u32>().is_ok_and(|code| code & 0xff == sqlite),
                }
            }
            Self::Shared(error) => error.has_code((sqlite, postgres)),
            _ => false,
        }
    }
}

/// Explains a log next to a malformed file, and says what to do.
pub(crate) fn foreign_log(database: &impl Display) -> String {
    format!(
        "{database}-wal may belong to another file, as it does if a backup was copied over a database; put the backup in \
         place with `puzzled restore BACKUP`"
    )
}

/// Fails if a write changed more or fewer rows than required.
pub(crate) fn must_touch(statement: &'static str, wanted: u64, found: u64) -> Result<(), StoreError> {
    if found == wanted { Ok(()) } else { Err(StoreError::RowCount { statement, wanted, found }) }
}

/// Fails unless there is one puzzle for each index of the slice before the next index of `work`.
pub(crate) fn must_cover(slice: &Range<u32>, work: &SliceWork) -> Result<(), StoreError> {
    covers(slice, work).then_some(()).ok_or(StoreError::WrongIndices)
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        use sqlx::Error as E;
        if let E::Database(refused) = &error
            && refused.code().is_some_and(|code| OF_POOLERS.contains(&&*code))
        {
            return Self::Pooler(refused.message().into());
        }
        let passing = match &error {
            E::Io(_) | E::PoolTimedOut | E::PoolClosed | E::WorkerCrashed | E::Tls(_) => true,
            E::Database(database) => {
                let code = database.code().unwrap_or_default();
                match database.try_downcast_ref::<PgDatabaseError>() {
                    Some(_) => passes_on_postgres(&code),
                    None => passes_on_sqlite(&code),
                }
            }
            _ => false,
        };
        if passing { Self::Unavailable(error) } else { Self::Refused(error) }
    }
}

fn passes_on_sqlite(code: &str) -> bool {
    // Primary codes: BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN.
    code.parse::<u32>().is_ok_and(|code| matches!(code & 0xff, 5 | 6 | 7 | 8 | 9 | 10 | 13 | 14))
}

fn passes_on_postgres(code: &str) -> bool {
    // Classes: connection, resources, operator intervention (shutdown, start, statement timeout), and system. Codes:
    // read-only standby, idle transaction timeout, lock not available, transaction to be repeated.
    ["08", "53", "57", "58"].iter().any(|class| code.starts_with(class))
        || matches!(code, "25006" | "25P03" | "55P03" | "40001" | "40P01")
}
