//! What can go wrong in the store.

/// SQLite's primary code where a file cannot grow.
const SQLITE_FULL: u32 = 13;

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
    /// The file lacks a migration, and was opened only to be read.
    #[error("the schema lacks migration {0}, which `puzzled migrate` runs")]
    Outdated(i64),
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
    /// A failure that several callers share, because one read served them all.
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
            Self::Unavailable(_) | Self::Injected(_) => true,
            Self::Shared(error) => error.is_passing(),
            Self::Refused(_)
            | Self::Migration(_)
            | Self::Outdated(_)
            | Self::Corrupt { .. }
            | Self::RowCount { .. } => false,
        }
    }

    /// Whether the database has no room left on its disk.
    #[must_use]
    pub fn is_full(&self) -> bool {
        match self {
            Self::Unavailable(sqlx::Error::Database(error)) => {
                error.code().and_then(|code| code.parse::<u32>().ok()).is_some_and(|code| code & 0xff == SQLITE_FULL)
            }
            Self::Shared(error) => error.is_full(),
            _ => false,
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        use sqlx::Error as E;
        let passing = match &error {
            E::Io(_) | E::PoolTimedOut | E::PoolClosed | E::WorkerCrashed | E::Tls(_) => true,
            // SQLite's primary codes: BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN.
            E::Database(database) => database
                .code()
                .and_then(|code| code.parse::<u32>().ok())
                .is_some_and(|code| matches!(code & 0xff, 5 | 6 | 7 | 8 | 9 | 10 | 13 | 14)),
            _ => false,
        };
        if passing { Self::Unavailable(error) } else { Self::Refused(error) }
    }
}
