//! The errors of a copy between databases.

use super::Seen;
use crate::store::StoreError;

/// Why a copy was not made, or is not complete.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The source is a file that does not exist.
    #[error("{from} is not there; name the database to copy")]
    NoSource {
        /// The source.
        from: String,
    },
    /// Source and target are the same.
    #[error("{to} is the database to copy; name a new database as the target")]
    Same {
        /// The database.
        to: String,
    },
    /// A process works on one of the databases.
    #[error("{place} is in use: {seen}; {remedy}")]
    InUse {
        /// The database.
        place: String,
        /// The process that was seen last.
        seen: Box<Seen>,
        /// What to do.
        remedy: &'static str,
    },
    /// The target is in use, or holds a copy of another source.
    #[error("{to} is not empty: {table} has rows; name a new database")]
    NotEmpty {
        /// The target.
        to: String,
        /// A table that has rows.
        table: &'static str,
    },
    /// The source was moved to another database, or the target is the source of another copy or the target of another
    /// source.
    #[error("{place} {what} {other}, and cannot be part of another copy; name another database")]
    Taken {
        /// The database.
        place: String,
        /// Its role in the other copy.
        what: &'static str,
        /// The other end of that copy.
        other: String,
    },
    /// A table has different columns at the two ends.
    #[error("the columns of {table} differ: {from} and {to}")]
    Columns {
        /// The table.
        table: &'static str,
        /// The columns of the source.
        from: String,
        /// The columns of the target.
        to: String,
    },
    /// The copy differs from the source.
    #[error("{table} differs: {what}")]
    Differs {
        /// The table.
        table: &'static str,
        /// The place of the difference, and both values.
        what: String,
    },
    /// The schema of one database is newer than this program, which would leave out the parts that it does not know.
    #[error(
        "{place} has schema {version}, and this puzzled knows {known}: a copy would leave out what is newer; use the newer \
         binary"
    )]
    Newer {
        /// The database.
        place: String,
        /// Its schema version.
        version: i64,
        /// The newest schema version that this program knows.
        known: i64,
    },
    /// The schema of one database is newer and does not allow this program.
    #[error(transparent)]
    TooNew(StoreError),
    /// One of the databases failed. The rows copied so far stay, and a repeat resumes from there.
    #[error("{place}: {error}")]
    Store {
        /// The database.
        place: String,
        /// The store's error.
        error: StoreError,
    },
}
