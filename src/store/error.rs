//! What can go wrong in the store.

use std::{fmt::Display, ops::Range};

use sqlx::postgres::PgDatabaseError;

use super::moved::met_fence;
use crate::rules::{commit::covers, job::SliceWork};

/// SQLite's primary code where a file cannot grow.
const SQLITE_FULL: u32 = 13;

/// `PostgreSQL`'s code for the same.
const POSTGRES_FULL: &str = "53100";

/// SQLite's primary codes where a file is malformed, or no database.
const SQLITE_MALFORMED: [u32; 2] = [11, 26];

/// A failure of the store. None of them leaves a change half made.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be reached, is locked beyond patience, or is full. Trying again later may help.
    #[error("the database is unavailable: {0}")]
    Unavailable(#[source] sqlx::Error),
    /// The database refused a statement. Trying again will not help.
    #[error("the database refused: {0}")]
    Refused(#[source] sqlx::Error),
    /// The migrations could not be run.
    #[error("the migrations failed: {0}")]
    Migration(#[source] sqlx::migrate::MigrateError),
    /// Another build made the database. Until the first release none converts another's; afterwards migrations are only added.
    #[error(
        "another build of puzzled made the database {0}; to keep its puzzles, export them with that build (`puzzled export \
         --format json`; no command imports them), then start with a new database"
    )]
    OtherBuild(String),
    /// The database lacks a migration, and was opened only to be read.
    #[error("the schema lacks migration {0}, which `puzzled migrate` runs")]
    Outdated(i64),
    /// The database has a newer schema, which does not allow binaries as old as this one.
    #[error(
        "{database} has schema {version}, which needs a puzzled that knows schema {oldest_compatible} or later; this one knows \
         {known}; use the newer binary or restore a backup"
    )]
    TooNew {
        /// The database, without its password.
        database: String,
        /// Its schema.
        version: i64,
        /// The oldest schema whose binaries may use it.
        oldest_compatible: i64,
        /// The newest schema that this binary knows.
        known: i64,
    },
    /// Another session holds a lock that a migration needs. Nothing of that migration has happened.
    #[error("{database}: {what} waited {} s for {blocker}; end that session or wait for its end, then start again", waited.as_secs())]
    Blocked {
        /// The database, without its password.
        database: String,
        /// What waits.
        what: String,
        /// The session that holds the lock, as it is named to a person.
        blocker: String,
        /// How long.
        waited: std::time::Duration,
    },
    /// The file is malformed, and a log lies next to it that SQLite applies whenever it opens the file.
    #[error("{database}: {error}; {}", foreign_log(database))]
    ForeignLog {
        /// The file.
        database: String,
        /// What SQLite says.
        error: sqlx::Error,
    },
    /// A stored value breaks one of our own invariants.
    #[error("corrupt: {table}.{column} of row {id}")]
    Corrupt {
        /// Table.
        table: &'static str,
        /// Column.
        column: &'static str,
        /// Row.
        id: i64,
    },
    /// A write touched another number of rows than it must.
    #[error("{statement} touched {found} rows instead of {wanted}")]
    RowCount {
        /// Which statement.
        statement: &'static str,
        /// Rows that it must touch.
        wanted: u64,
        /// Rows that it did touch.
        found: u64,
    },
    /// The database is an end of a copy: one that was moved elsewhere, or one that is not whole yet.
    #[error("this database {what} {other}")]
    Moved {
        /// What it has to do with the other one.
        what: &'static str,
        /// The other database, without its password.
        other: String,
    },
    /// Another write changed in between what this one had read. Nothing has happened, and trying again helps.
    #[error("{statement} met another write's changes")]
    Overtaken {
        /// Which statement.
        statement: &'static str,
    },
    /// The task that makes the calls of all callers has ended. Whether this call was made is unknown.
    #[error("the task that makes these calls has ended")]
    Stopped,
    /// A failure that several callers share, because one batch served them all.
    #[error(transparent)]
    Shared(std::sync::Arc<StoreError>),
    /// A fault that a test has put here.
    #[error("a fault was injected at {0}")]
    Injected(&'static str),
}

impl StoreError {
    /// Whether trying again later may help.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Unavailable(_)
            | Self::Overtaken { .. }
            | Self::Blocked { .. }
            | Self::Stopped
            | Self::Injected(_) => true,
            Self::Shared(error) => error.is_passing(),
            Self::Refused(_)
            | Self::Migration(_)
            | Self::OtherBuild(_)
            | Self::TooNew { .. }
            | Self::Moved { .. }
            | Self::ForeignLog { .. }
            | Self::Outdated(_)
            | Self::Corrupt { .. }
            | Self::RowCount { .. } => false,
        }
    }

    /// What the database is to which other one, if it is an end of a copy.
    #[must_use]
    pub fn moved(&self) -> Option<(&'static str, &str)> {
        match self {
            Self::Moved { what, other } => Some((what, other)),
            Self::Shared(error) => error.moved(),
            _ => None,
        }
    }

    /// Whether an SQLite file is malformed, or no database.
    #[must_use]
    pub fn is_malformed(&self) -> bool {
        let Self::Refused(sqlx::Error::Database(error)) = self else { return false };
        let code = error.code().and_then(|code| code.parse::<u32>().ok());
        error.try_downcast_ref::<PgDatabaseError>().is_none()
            && code.is_some_and(|code| SQLITE_MALFORMED.contains(&(code & 0xff)))
    }

    /// Whether the database has no room left on its disk.
    #[must_use]
    pub fn is_full(&self) -> bool {
        match self {
            Self::Unavailable(sqlx::Error::Database(error)) => {
                let code = error.code().unwrap_or_default();
                match error.try_downcast_ref::<PgDatabaseError>() {
                    Some(_) => code == POSTGRES_FULL,
                    None => code.parse::<u32>().is_ok_and(|code| code & 0xff == SQLITE_FULL),
                }
            }
            Self::Shared(error) => error.is_full(),
            _ => false,
        }
    }
}

#[cfg(test)]
impl StoreError {
    /// What SQLite says if the disk of its file is full.
    pub(crate) async fn of_a_full_disk() -> Self {
        use sqlx::Connection as _;
        let mut database = sqlx::SqliteConnection::connect("sqlite::memory:").await.unwrap();
        let grown = sqlx::raw_sql("pragma max_page_count = 1; create table t (a)").execute(&mut database).await;
        grown.unwrap_err().into()
    }
}

/// What a log next to a malformed file may be, and the remedy.
pub(super) fn foreign_log(database: &impl Display) -> String {
    format!(
        "{database}-wal may belong to another file, as it does if a backup was copied over a database; put the backup in \
         place with `puzzled restore BACKUP`"
    )
}

/// Says what is wrong if a write touched another number of rows than it must.
pub(super) fn must_touch(statement: &'static str, wanted: u64, found: u64) -> Result<(), StoreError> {
    if found == wanted { Ok(()) } else { Err(StoreError::RowCount { statement, wanted, found }) }
}

/// Says what is wrong if the puzzles of a slice leave out an index of it.
pub(super) fn must_cover(slice: &Range<u32>, work: &SliceWork) -> Result<(), StoreError> {
    let wanted = (slice.start..work.next_index).len() as u64;
    let found = work.made.len() as u64;
    covers(slice, work).then_some(()).ok_or(StoreError::RowCount { statement: "the puzzles of a slice", wanted, found })
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        use sqlx::Error as E;
        if let E::Database(database) = &error
            && let Some(moved) = met_fence(database.message())
        {
            return moved;
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
    // Classes: connection, resources, a shutdown or start or a statement that took too long, the system; then a standby
    // that only reads, a transaction that idled, a lock that was not had, a transaction that has to be repeated.
    ["08", "53", "57", "58"].iter().any(|class| code.starts_with(class))
        || matches!(code, "25006" | "25P03" | "55P03" | "40001" | "40P01")
}
