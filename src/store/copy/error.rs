//! The errors of a copy from SQLite to PostgreSQL.

use std::{io, path::PathBuf};

use crate::{base::message::of_file, store::StoreError};

/// Why a file was not copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The file does not exist, or another file cannot be read or renamed.
    #[error("{}: {}", path.display(), of_file(source))]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A server could use the file under its other name.
    #[error("{}: the file has another name (a hard link); delete that one and repeat the command", .0.display())]
    Linked(PathBuf),
    /// Another process has the file open.
    #[error("{file} is in use; end what uses the file and repeat the command: {users}")]
    InUse {
        /// The file.
        file: String,
        /// The processes of the table `processes` that were active lately, or that the table has none.
        users: String,
    },
    /// The target has other rows than the file, or lacks some.
    #[error(
        "{to} differs from the file in row {row} of {table}; name an empty database, or serve this one if an earlier copy to \
         it has ended"
    )]
    Differs {
        /// The target.
        to: String,
        /// The first table that differs.
        table: &'static str,
        /// The number of its first row that differs, from 1, in the order of the key.
        row: u64,
    },
    /// A table has a column that the other database lacks, which is a fault of this build.
    #[error("the columns of {0} differ in SQLite and PostgreSQL, which is a fault of this build; report it")]
    Columns(&'static str),
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
    /// The connection failed during the commit. The file keeps its new name, because the target may have all rows.
    #[error(
        "{to}: {error}; it is unknown whether all rows are there; run `puzzled copy --from sqlite:{} --to URL` with the same \
         URL",
        moved.display()
    )]
    Unknown {
        /// The file under its new name.
        moved: PathBuf,
        /// The target.
        to: String,
        /// The error of the commit.
        error: StoreError,
    },
    /// One of the databases failed.
    #[error("{place}: {error}")]
    Store {
        /// The database.
        place: String,
        /// The store's error.
        error: StoreError,
    },
}
