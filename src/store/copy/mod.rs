//! Copies all tables from one database to another, of the same or the other type. The copy can be resumed, and every row
//! is verified. The source is fenced first and stays fenced, because two databases that both deliver puzzles would
//! deliver the same ones.

mod ends;
mod error;
mod postgres;
mod sqlite;
pub(super) mod tables;

use std::{
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

use super::{
    StoreError, moved::Side, postgres::PostgresSettings, process::RUNNING_MS, schema::Newer, sqlite::SqliteSettings,
};
use crate::clock::Millis;
pub use ends::Seen;
use ends::{Column, End, Rows, Value};
pub use error::CopyError;
use tables::{QUEUE, TABLES, Table};

/// Rows that are read or written at once. This limits memory, and the work repeated after an interruption.
const ROWS_MAX: i64 = 1_000;

/// A database to copy from or to.
#[derive(Debug, Clone)]
pub enum Place {
    /// An SQLite file.
    Sqlite(SqliteSettings),
    /// A PostgreSQL database.
    Postgres(Box<PostgresSettings>),
}

impl Place {
    /// Its name in messages, without a password.
    fn name(&self) -> String {
        match self {
            Self::Sqlite(settings) => format!("sqlite:{}", settings.path.display()),
            Self::Postgres(settings) => settings.url.to_string(),
        }
    }

    /// Whether it is a file that does not exist yet.
    fn is_new_file(&self) -> bool {
        matches!(self, Self::Sqlite(settings) if settings.path.symlink_metadata().is_err())
    }

    /// Whether both are the same database.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Sqlite(one), Self::Sqlite(other)) => match [one, other].map(|place| fs::canonicalize(&place.path)) {
                [Ok(one), Ok(other)] => one == other,
                _ => false,
            },
            _ => self.name() == other.name(),
        }
    }
}

/// The options of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// Whether the source is fenced even if a process works on it.
    pub fence_now: bool,
    /// The time, with which the process rows of a file are compared.
    pub now: Millis,
}

/// The result of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    /// Each table with its number of rows, in the order in which they were copied.
    pub tables: Vec<(&'static str, u64)>,
    /// A digest over ids and canonical forms, the same at both ends.
    pub forms: u64,
}

/// The remedy if a process works on the source.
const END_SOURCE: &str = "end it and repeat the command; if it was killed, repeat it after a minute; to fence the database at once, set --fence-now";

/// The remedy if a process works on the target.
const END_TARGET: &str = "end it, or name a new database as the target";

/// Copies all tables, and fences the source. After an interruption, another call resumes. After completion, another call
/// verifies the copy again.
///
/// # Errors
/// [`CopyError`]. The only change to the source is its fence. A copy that is refused before the source is fenced leaves
/// no new file.
pub async fn copy(from: &Place, to: &Place, terms: Terms) -> Result<Copied, CopyError> {
    if from.is_new_file() {
        return Err(CopyError::NoSource { from: from.name() });
    }
    if from.is_same(to) {
        return Err(CopyError::Same { to: to.name() });
    }
    let mut source = open_source(from).await?;
    let copied = match known(&*source) {
        Ok(()) => copy_from(&mut *source, to, terms).await,
        Err(error) => Err(error),
    };
    source.close().await;
    copied
}

async fn copy_from(from: &mut dyn End, place: &Place, terms: Terms) -> Result<Copied, CopyError> {
    let is_fenced = is_fenced(from, &place.name()).await?;
    if !is_fenced && !terms.fence_now {
        nobody_works_on(from, terms.now, END_SOURCE).await?;
    }
    let is_new = place.is_new_file();
    let mut to = match open_target(place).await {
        Ok(to) => to,
        Err(error) => {
            discard(place, is_new);
            return Err(error);
        }
    };
    let claimed = match known(&*to) {
        Ok(()) => claim(from, &mut *to, terms).await,
        Err(error) => Err(error),
    };
    let columns = match claimed {
        Ok(columns) => columns,
        Err(error) => {
            to.close().await;
            // It may be unknown whether the source is fenced. If it can be, the target is needed.
            discard(place, is_new && matches!(from.side().await, Ok(None)));
            return Err(error);
        }
    };
    let copied = copy_all(from, &mut *to, &columns).await;
    to.close().await;
    copied
}

async fn copy_all(from: &mut dyn End, to: &mut dyn End, columns: &[Columns]) -> Result<Copied, CopyError> {
    for (table, columns) in TABLES.iter().zip(columns) {
        copy_table(from, to, table, columns).await?;
    }
    let mut copied = Copied { tables: Vec::new(), forms: 0 };
    for (table, columns) in TABLES.iter().zip(columns) {
        let verified = verify(from, to, table, columns).await?;
        copied.tables.push((table.name, verified.rows));
        copied.forms ^= verified.forms;
    }
    let finished = to.finish().await;
    at(to, finished)?;
    Ok(copied)
}

async fn open_source(place: &Place) -> Result<Box<dyn End>, CopyError> {
    let opened = match place {
        Place::Sqlite(settings) => sqlite::SqliteEnd::open_source(settings, place.name()).await,
        Place::Postgres(settings) => postgres::PostgresEnd::open_source(settings, place.name()).await,
    };
    opened.map_err(|error| not_opened(place, error))
}

async fn open_target(place: &Place) -> Result<Box<dyn End>, CopyError> {
    let opened = match place {
        Place::Sqlite(settings) => sqlite::SqliteEnd::open_target(settings, place.name()).await,
        Place::Postgres(settings) => postgres::PostgresEnd::open_target(settings, place.name()).await,
    };
    opened.map_err(|error| not_opened(place, error))
}

/// Converts an error of opening an end.
fn not_opened(place: &Place, error: StoreError) -> CopyError {
    match error {
        StoreError::TooNew { .. } => CopyError::TooNew(error),
        error => CopyError::Store { place: place.name(), error },
    }
}

/// Refuses an end that may have tables and columns that this program does not know.
fn known(end: &dyn End) -> Result<(), CopyError> {
    let Some(Newer { version, known }) = end.newer() else { return Ok(()) };
    Err(CopyError::Newer { place: end.name(), version, known })
}

/// Removes the file of a target that this copy has created and does not need.
fn discard(place: &Place, is_ours: bool) {
    if let Place::Sqlite(settings) = place
        && is_ours
    {
        for file in settings.files() {
            // A missing file needs no removal, and a file that cannot be removed is empty.
            let _ = fs::remove_file(file);
        }
    }
}

/// Whether the source was fenced before, for a copy to this target.
async fn is_fenced(from: &mut dyn End, target: &str) -> Result<bool, CopyError> {
    let side = from.side().await;
    match at(from, side)? {
        None => Ok(false),
        Some((Side::Source, other)) if other == target => Ok(true),
        Some((side, other)) => Err(CopyError::Taken { place: from.name(), what: side.what(), other }),
    }
}

/// Fails if a process works on this end.
async fn nobody_works_on(end: &mut dyn End, now: Millis, remedy: &'static str) -> Result<(), CopyError> {
    let seen = end.seen_last(RUNNING_MS, now).await;
    let Some(seen) = at(end, seen)? else { return Ok(()) };
    Err(CopyError::InUse { place: end.name(), seen: Box::new(seen), remedy })
}

/// Adds the name of the failed end to an error.
fn at<T>(end: &dyn End, result: Result<T, StoreError>) -> Result<T, CopyError> {
    result.map_err(|error| CopyError::Store { place: end.name(), error })
}

/// The columns of a table, with the types of each end.
struct Columns {
    from: Vec<Column>,
    to: Vec<Column>,
}

/// Returns the columns of each table, which must have the same names at both ends.
async fn columns(from: &mut dyn End, to: &mut dyn End) -> Result<Vec<Columns>, CopyError> {
    let mut all = Vec::new();
    for table in TABLES {
        let ours = from.columns(table).await;
        let theirs = to.columns(table).await;
        let (ours, theirs) = (at(from, ours)?, at(to, theirs)?);
        let names =
            |columns: &[Column]| columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>().join(", ");
        if names(&ours) != names(&theirs) {
            return Err(CopyError::Columns { table: table.name, from: names(&ours), to: names(&theirs) });
        }
        all.push(Columns { from: ours, to: theirs });
    }
    Ok(all)
}

/// Records the roles of both ends, and fences the source. Returns the columns of each table.
async fn claim(from: &mut dyn End, to: &mut dyn End, terms: Terms) -> Result<Vec<Columns>, CopyError> {
    let columns = columns(from, to).await?;
    let (source, target) = (from.name(), to.name());
    let is_fenced = is_fenced(from, &target).await?;
    let of_target = to.side().await;
    match at(to, of_target)? {
        Some((Side::Target, other)) if other == source => {}
        Some((side, other)) => return Err(CopyError::Taken { place: target, what: side.what(), other }),
        // A completed copy is verified again. Any other target must be empty.
        None if is_fenced => {}
        None => {
            for table in TABLES.iter().filter(|table| table.name != QUEUE) {
                let rows = to.count(table).await;
                if at(to, rows)? > 0 {
                    return Err(CopyError::NotEmpty { to: target, table: table.name });
                }
            }
            nobody_works_on(to, terms.now, END_TARGET).await?;
            let taken = to.take_side(Side::Target, &source).await;
            at(to, taken)?;
        }
    }
    if !is_fenced {
        let taken = from.take_side(Side::Source, &target).await;
        at(from, taken)?;
    }
    Ok(columns)
}

/// Copies the rows after the last one that the target has. Rows come in the order of their keys, and the source no longer
/// changes, so the target has all rows before that one.
async fn copy_table(
    from: &mut dyn End,
    to: &mut dyn End,
    table: &'static Table,
    columns: &Columns,
) -> Result<(), CopyError> {
    let last = to.last_key(table, &columns.to).await;
    let mut after = at(to, last)?;
    loop {
        let rows = from.rows_after(table, &columns.from, after.as_deref(), ROWS_MAX).await;
        let rows = at(from, rows)?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = Some(table.key_of(&columns.from, last));
        let inserted = to.insert(table, &columns.to, rows).await;
        at(to, inserted)?;
    }
}

#[derive(Debug, Default)]
struct Verified {
    rows: u64,
    forms: u64,
}

/// Compares every row of the copy with the source's.
async fn verify(
    from: &mut dyn End,
    to: &mut dyn End,
    table: &'static Table,
    columns: &Columns,
) -> Result<Verified, CopyError> {
    let differs = |what: String| CopyError::Differs { table: table.name, what };
    let counts = (from.count(table).await, to.count(table).await);
    let (wanted, found) = (at(from, counts.0)?, at(to, counts.1)?);
    if wanted != found {
        return Err(differs(format!("{wanted} rows were to be copied, {found} are there")));
    }
    let mut verified = Verified { rows: wanted, forms: 0 };
    let form = columns.from.iter().position(|column| column.name == "canonical");
    let mut after = None;
    loop {
        let pages = (
            from.rows_after(table, &columns.from, after.as_deref(), ROWS_MAX).await,
            to.rows_after(table, &columns.to, after.as_deref(), ROWS_MAX).await,
        );
        let (ours, theirs): (Rows, Rows) = (at(from, pages.0)?, at(to, pages.1)?);
        if let Some((ours, _)) = ours.iter().zip(&theirs).find(|(ours, theirs)| ours != theirs) {
            return Err(differs(format!("the row with key {:?} is another one", table.key_of(&columns.from, ours))));
        }
        let Some(last) = ours.last() else { return Ok(verified) };
        after = Some(table.key_of(&columns.from, last));
        if let Some(form) = form {
            for row in &theirs {
                let mut digest = DefaultHasher::new();
                (table.key_of(&columns.to, row), &row[form]).hash(&mut digest);
                verified.forms = verified.forms.wrapping_add(digest.finish());
            }
        }
    }
}

impl Table {
    fn key_of(&self, columns: &[Column], row: &[Value]) -> Vec<Value> {
        let value = |key: &&str| columns.iter().zip(row).find(|(column, _)| column.name == **key);
        self.key.iter().filter_map(value).map(|(_, value)| value.clone()).collect()
    }
}
