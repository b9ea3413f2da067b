//! Why a copy was not made.

use super::Seen;
use crate::store::StoreError;

/// Why a copy was not made, or is not whole.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The source is a file that is not there.
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
    /// The source was moved elsewhere, or the target is a source or the copy of another one.
    #[error("{place} {what} {other}, and can be no part of another copy")]
    Taken {
        /// The database.
        place: String,
        /// What it is.
        what: &'static str,
        /// The other end of that copy.
        other: String,
    },
    /// A table has other columns at one end.
    #[error("the columns of {table} differ: {from} and {to}")]
    Columns {
        /// The table.
        table: &'static str,
        /// Those of the source.
        from: String,
        /// Those of the target.
        to: String,
    },
    /// The copy is not the same as the source.
    #[error("{table} differs: {what}")]
    Differs {
        /// The table.
        table: &'static str,
        /// Where and how.
        what: String,
    },
    /// The schema of one of them is newer than this binary: it would leave out what it does not know.
    #[error(
        "{place} has schema {version}, and this puzzled knows {known}: a copy would leave out what is newer; use the newer \
         binary"
    )]
    Newer {
        /// Which one.
        place: String,
        /// Its schema.
        version: i64,
        /// The newest schema that this binary knows.
        known: i64,
    },
    /// The schema of one of them is newer, and does not allow this binary.
    #[error(transparent)]
    TooNew(StoreError),
    /// One of the databases failed. What was copied so far stays, and a repeat resumes from there.
    #[error("{place}: {error}")]
    Store {
        /// Which one.
        place: String,
        /// How.
        error: StoreError,
    },
}
