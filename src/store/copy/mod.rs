//! Copies an SQLite file to a PostgreSQL database, so that the two never both deliver puzzles: before the first row goes
//! over, the file is locked and gets another name, which no other command uses. All rows are committed at once.

mod error;
mod postgres;
mod sqlite;
pub(super) mod tables;

use std::{
    fs::{self, File},
    io,
    path::Path,
    sync::Arc,
};

use futures_util::StreamExt as _;

use super::{StoreError, fault_points::FaultPoints, postgres::PostgresSettings, schema::Newer, sqlite::SqliteSettings};
use crate::system::clock::Clock;
pub use error::CopyError;
use postgres::Target;
use sqlite::Source;
use tables::{TABLES, Table};

/// The maximum number of rows of one insert. This limits memory.
const ROWS_MAX: usize = 1_000;

/// A value, the same in both databases.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    Null,
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// The values of a row in the order of the columns.
type Row = Vec<Value>;

/// The tables with their numbers of rows, in the order in which they were copied.
pub type Copied = Vec<(&'static str, u64)>;

/// Copies all tables of a file, and renames the file to `NAME.moved`. If the file has that name already, an earlier copy
/// was killed: an empty target then gets the rows, an equal one needs nothing, and any other is refused.
///
/// # Errors
/// [`CopyError`]. Except after [`CopyError::Unknown`], the target is unchanged, and the file has the name that it had
/// before.
pub async fn copy(
    from: &SqliteSettings,
    to: &PostgresSettings,
    clock: Arc<dyn Clock>,
    fault_points: &dyn FaultPoints,
) -> Result<Copied, CopyError> {
    let mut source = Source::lock(from, clock).await?;
    let copied = copy_locked(from, &mut source, to, fault_points).await;
    source.close().await;
    copied
}

async fn copy_locked(
    from: &SqliteSettings,
    source: &mut Source,
    to: &PostgresSettings,
    fault_points: &dyn FaultPoints,
) -> Result<Copied, CopyError> {
    let (file, moved) = (from.file(), from.moved());
    let at = async |point| fault_points.at(point).await.map_err(in_place(from.name()));
    let mut target = Target::begin(to).await?;
    let filled = async {
        at("copy.rename").await?;
        if file != moved {
            rename(&file, &moved)?;
        }
        at("copy.renamed").await?;
        let copied = fill(source, &mut target).await?;
        at("copy.commit").await?;
        Ok(copied)
    };
    match filled.await {
        Ok(copied) => {
            let committed = target.commit().await;
            committed.map_err(|error| CopyError::Unknown { moved, to: to.url.to_string(), error })?;
            at("copy.committed").await?;
            Ok(copied)
        }
        Err(error) => {
            // The server rolls the transaction back.
            target.close().await;
            if file != moved && moved.symlink_metadata().is_ok() {
                rename(&moved, &file)?;
            }
            Err(error)
        }
    }
}

/// Inserts all rows if the target has none, and compares every row.
async fn fill(source: &mut Source, target: &mut Target) -> Result<Copied, CopyError> {
    if target.is_empty().await? {
        for table in TABLES {
            insert(source, target, table).await?;
        }
        target.set_sequences().await?;
    }
    let mut copied = Copied::new();
    for table in TABLES {
        copied.push((table.name, compare(source, target, table).await?));
    }
    Ok(copied)
}

async fn insert(source: &mut Source, target: &mut Target, table: &Table) -> Result<(), CopyError> {
    let columns = target.columns(table).await?;
    let mut chunks = source.rows(table, &columns).await?.chunks(ROWS_MAX);
    while let Some(chunk) = chunks.next().await {
        target.insert(table, &columns, chunk.into_iter().collect::<Result<_, _>>()?).await?;
    }
    Ok(())
}

/// Compares the rows of a table, and returns their number.
async fn compare(source: &mut Source, target: &mut Target, table: &Table) -> Result<u64, CopyError> {
    let columns = target.columns(table).await?;
    let to = target.name();
    let (mut ours, mut theirs) = (source.rows(table, &columns).await?, target.rows(table, &columns));
    for row in 1.. {
        match (ours.next().await.transpose()?, theirs.next().await.transpose()?) {
            (None, None) => return Ok(row - 1),
            (ours, theirs) if ours == theirs => {}
            _ => return Err(CopyError::Differs { to, table: table.name, row }),
        }
    }
    unreachable!("a table has fewer than 2^64 rows")
}

/// Renames a file durably, but not over another file.
fn rename(from: &Path, to: &Path) -> Result<(), CopyError> {
    let renamed = match to.symlink_metadata() {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
    };
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let synced = renamed.and_then(|()| File::open(folder)?.sync_all());
    synced.map_err(|source| CopyError::File { path: to.to_owned(), source })
}

/// Refuses a database that may have tables and columns that this program does not know.
fn must_be_known(place: &str, newer: Option<Newer>) -> Result<(), CopyError> {
    let Some(Newer { version, known }) = newer else { return Ok(()) };
    Err(CopyError::Newer { place: place.to_owned(), version, known })
}

/// Adds the name of the failed database to an error.
fn in_place<E: Into<StoreError>>(place: String) -> impl Fn(E) -> CopyError {
    move |error| match error.into() {
        error @ StoreError::TooNew { .. } => CopyError::TooNew(error),
        error => CopyError::Store { place: place.clone(), error },
    }
}
