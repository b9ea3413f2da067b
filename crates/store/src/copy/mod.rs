//! Copies an SQLite file to a PostgreSQL database, so that the two never both deliver puzzles. Before the first row is
//! copied, the file is locked and renamed, and no other command uses the new name. All rows are committed at once.

mod postgres;
mod sqlite;

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use futures_util::StreamExt as _;

use crate::{StoreError, fault_points::FaultPoints, postgres::PostgresSettings, schema::Newer, sqlite::SqliteSettings};
use postgres::Target;
use puzzled_base::{clock::Clock, message::of_file};
use sqlite::Source;

/// The maximum number of rows of one insert. This limits memory.
const ROWS_MAX: usize = 1_000;

/// A table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: &'static str,
    /// The columns of its primary key, which order its rows.
    key: &'static [&'static str],
}

/// The table with exactly one row, which a new database already has. The row of the source replaces it.
const QUEUE: &str = "queue";

/// All tables, each after those that it refers to.
pub(super) const TABLES: &[Table] = &[
    Table { name: "targets", key: &["id"] },
    Table { name: "jobs", key: &["id"] },
    Table { name: "requests", key: &["request_id"] },
    Table { name: "slices", key: &["id"] },
    Table { name: "shelves", key: &["id"] },
    Table { name: "imports", key: &["import_id"] },
    Table { name: "puzzles", key: &["id"] },
    Table { name: "audiences", key: &["id"] },
    Table { name: "deliveries", key: &["id"] },
    Table { name: "cursors", key: &["audience_id", "shelf_id"] },
    Table { name: "swaps", key: &["audience_id", "shelf_id", "draw_index"] },
    Table { name: "series", key: &["id"] },
    Table { name: "series_terms", key: &["series_id", "effective_date"] },
    Table { name: "days", key: &["series_id", "date"] },
    Table { name: "rates", key: &["spec", "engine_version"] },
    Table { name: "ratings", key: &["puzzle_id", "rater", "rater_version"] },
    Table { name: "reclaimed_slices", key: &["id"] },
    Table { name: "audit", key: &["id"] },
    Table { name: QUEUE, key: &["id"] },
];

/// The table of processes. It is not copied, because its processes served the file.
pub(super) const PROCESSES: &str = "processes";

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

/// Why a file was not copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The file does not exist, or another file cannot be read or renamed.
    #[error("{}: {}", .0.display(), of_file(.1))]
    File(PathBuf, #[source] io::Error),
    /// A server could use the file under its other name.
    #[error("{}: the file has another name (a hard link); delete that one and repeat the command", .0.display())]
    Linked(PathBuf),
    /// Another process has the file open.
    #[error("{file} is in use; end what uses the file and repeat the command: {users}")]
    InUse {
        /// The file.
        file: String,
        /// The processes of the table `processes` that were active lately, or a sentence that there are none.
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
    /// The schema of one database is newer than this program. A copy would leave out the parts that the program does
    /// not know.
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
    #[error("{0}: {1}")]
    Store(String, StoreError),
}

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
    synced.map_err(|source| CopyError::File(to.to_owned(), source))
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
        error => CopyError::Store(place.clone(), error),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Not copied: each end has the row from its own migrations, and both ends must have equal versions.
    const SCHEMA: &str = "schema";

    #[test]
    fn every_table_except_processes_and_schema_is_copied() {
        let listed: BTreeSet<_> =
            TABLES.iter().map(|table| table.name).chain([PROCESSES, SCHEMA]).map(str::to_owned).collect();
        for schema in ["sqlite", "postgres"] {
            let folder = format!("{}/../../migrations/{schema}", env!("CARGO_MANIFEST_DIR"));
            let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
            files.sort_unstable();
            let migrations: Vec<_> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
            assert_eq!(listed, tables_after(&migrations), "{schema}");
        }
    }

    #[test]
    fn tables_of_later_migrations_are_noticed() {
        let migrations = [
            "create table jobs (\n  id integer\n);\ncreate table old (id integer);\nCREATE TABLE spare (id integer);",
            "-- create table comment (id integer)\ncreate table if not exists labels(job_id integer);\ndrop table old;",
            "alter table spare rename to lines;\nalter table jobs rename column id to number;\ndrop table if exists x;",
        ];
        let tables = tables_after(&migrations.map(str::to_owned));
        assert_eq!(tables.iter().map(String::as_str).collect::<Vec<_>>(), ["jobs", "labels", "lines"]);
    }

    /// The tables that exist after all migrations, in their order.
    fn tables_after(migrations: &[String]) -> BTreeSet<String> {
        let mut tables = BTreeSet::new();
        for line in migrations.iter().flat_map(|text| text.lines()) {
            let line = line.to_ascii_lowercase().replace("if not exists ", "").replace("if exists ", "");
            let words: Vec<_> = line.split([' ', '(', ';']).collect();
            match words[..] {
                ["create", "table", name, ..] => drop(tables.insert(name.to_owned())),
                ["drop", "table", name, ..] => drop(tables.remove(name)),
                ["alter", "table", name, "rename", "to", new, ..] => {
                    tables.remove(name);
                    tables.insert(new.to_owned());
                }
                _ => {}
            }
        }
        tables
    }
}
