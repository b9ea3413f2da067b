//! The interface by which the store uses SQLite or PostgreSQL: reads, writes, locks, and the columns of rows. The other
//! files of the store use it, so that they contain each operation only once.

use std::{
    fmt::{Debug, Display},
    str::FromStr,
};

use async_trait::async_trait;
use serde::de::DeserializeOwned;

use crate::{
    Notice, StoreError,
    sql::statement::{Sql, Value},
};
use puzzled_base::clock::Millis;

/// A database that holds a store.
#[async_trait]
pub(crate) trait Database: Debug + Send + Sync {
    /// A row that a statement returns.
    type Row: Columns + Send + Sync;
    /// A write in progress.
    type Write: Write<Row = Self::Row>;

    /// Returns the rows of a statement that only reads.
    async fn read<S: Into<Sql> + Send>(&self, sql: S, values: &[Value<'_>]) -> Result<Vec<Self::Row>, StoreError>;

    /// The time to pass to a statement that only reads; `None` if the statement uses the server's clock.
    fn clock_override(&self) -> Option<i64>;

    /// Returns the findings of the database, see [`CheckStore::check`](crate::check_store::CheckStore::check).
    async fn findings(&self) -> Result<Vec<String>, StoreError>;

    /// Removes files that reading left next to the database.
    async fn clear_up(&self);

    /// Engine version of the workers that use this store.
    fn engine_version(&self) -> u32;

    /// The time by the store's clock.
    async fn now(&self) -> Result<Millis, StoreError>;

    /// Begins a write.
    async fn write(&self, point: &'static str) -> Result<Self::Write, StoreError>;

    /// Runs a write, and runs it again if it conflicts with another write.
    async fn with_retries<T, F>(&self, attempt: impl Fn() -> F + Send + Sync) -> Result<T, StoreError>
    where
        T: Send,
        F: Future<Output = Result<T, StoreError>> + Send;

    /// Returns all rows of a statement.
    async fn all<T: Send, S: Into<Sql> + Send>(
        &self,
        sql: S,
        values: &[Value<'_>],
        read: for<'r> fn(&'r Self::Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.read(sql, values).await?.iter().map(read).collect()
    }
}

/// A write in progress, which is atomic. If it is dropped without [`Write::commit`], nothing is changed. `point`
/// names a statement, so that a test can stop the write there.
#[async_trait]
pub(crate) trait Write: Send + Sized + 'static {
    /// A row that a statement returns.
    type Row: Columns + Send + Sync;

    /// The time for all steps of this write.
    fn now(&self) -> Millis;

    /// The maximum number of shelves in the database.
    fn shelves_max(&self) -> u32;

    /// Returns the rows of a statement.
    async fn rows<S: Into<Sql> + Send>(
        &mut self,
        point: &'static str,
        sql: S,
        values: &[Value<'_>],
    ) -> Result<Vec<Self::Row>, StoreError>;

    /// Runs a statement and returns the number of rows that it changed.
    async fn execute<S: Into<Sql> + Send>(
        &mut self,
        point: &'static str,
        sql: S,
        values: &[Value<'_>],
    ) -> Result<u64, StoreError>;

    /// Takes an advisory lock until the write ends. Does nothing on SQLite, which has one writer.
    async fn lock(&mut self, point: &'static str, lock: Lock<'_>) -> Result<(), StoreError>;

    /// Locks rows until the write ends. Does nothing on SQLite, which has one writer.
    async fn lock_rows(
        &mut self,
        point: &'static str,
        postgres: &'static str,
        values: &[Value<'_>],
    ) -> Result<(), StoreError>;

    /// Notifies all processes once the write is committed. Does nothing on SQLite.
    async fn notify(&mut self, point: &'static str, notices: &[Notice]) -> Result<(), StoreError>;

    /// Commits the write, which is then durable.
    async fn commit(self, before: &'static str, after: &'static str) -> Result<(), StoreError>;

    /// Rolls the write back and returns `value`.
    async fn roll_back<T: Send>(self, value: T) -> Result<T, StoreError>;

    /// Returns all rows of a statement.
    async fn all<T: Send, S: Into<Sql> + Send>(
        &mut self,
        point: &'static str,
        sql: S,
        values: &[Value<'_>],
        read: for<'r> fn(&'r Self::Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.rows(point, sql, values).await?.iter().map(read).collect()
    }

    /// Returns the row of a statement that finds at most one row.
    async fn optional<T: Send, S: Into<Sql> + Send>(
        &mut self,
        point: &'static str,
        sql: S,
        values: &[Value<'_>],
        read: for<'r> fn(&'r Self::Row) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        self.rows(point, sql, values).await?.first().map(read).transpose()
    }

    /// Returns the row of a statement that finds exactly one row.
    async fn one<T: Send, S: Into<Sql> + Send>(
        &mut self,
        point: &'static str,
        sql: S,
        values: &[Value<'_>],
        read: for<'r> fn(&'r Self::Row) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.optional(point, sql, values, read).await?.ok_or(StoreError::Refused(sqlx::Error::RowNotFound))
    }
}

/// Reads the column `id` of a row.
pub(crate) fn id(row: &impl Columns) -> Result<i64, StoreError> {
    Ok(row.integer("id")?.ok_or(sqlx::Error::RowNotFound)?)
}

/// Reads the column `number` of a row, which holds a count.
pub(crate) fn number(row: &impl Columns) -> Result<u64, StoreError> {
    let number = row.integer("number")?.ok_or(sqlx::Error::RowNotFound)?;
    Ok(u64::try_from(number).expect("a count is not negative"))
}

/// An advisory lock.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Lock<'a> {
    /// Jobs are queued one write at a time, so that two writes cannot exceed the limit on open jobs or use the same request ID.
    Enqueue,
    /// Targets and series are created, changed, and deleted one write at a time, so that two writes cannot exceed their
    /// limits or use the same spec or name.
    Targets,
    /// One claim at a time reclaims expired leases, because a claim may have to lock several jobs.
    Reclaim,
    /// One process at a time prunes old rows.
    Prune,
    /// One write at a time adds shelves, so that two writes cannot exceed the limit on shelves.
    Shelves,
    /// One write at a time delivers to each of these audiences, new or known.
    Audiences(&'a [&'a str]),
}

/// The connections of a process to its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolUse {
    /// Connections that are in use.
    pub used: u32,
    /// Connections that are open and idle.
    pub idle: u32,
}

impl PoolUse {
    /// The use of a pool that has `size` connections, `idle` of them idle.
    pub(crate) fn of(size: u32, idle: usize) -> Self {
        let idle = u32::try_from(idle).unwrap_or(size).min(size);
        Self { used: size - idle, idle }
    }
}

/// A row of either database. Reading a column as another type than it has is an error.
pub(crate) trait Columns {
    /// Reads an integer of any width.
    fn integer(&self, column: &'static str) -> Result<Option<i64>, sqlx::Error>;

    /// Reads a text.
    fn text(&self, column: &'static str) -> Result<Option<&str>, sqlx::Error>;

    /// Reads a boolean.
    fn flag(&self, column: &'static str) -> Result<Option<bool>, sqlx::Error>;

    /// Reads bytes.
    fn bytes(&self, column: &'static str) -> Result<Option<&[u8]>, sqlx::Error>;

    /// Reads a JSON value as text.
    fn json(&self, column: &'static str) -> Result<Option<&str>, sqlx::Error>;
}

/// A type that a column can be read as.
pub(crate) trait FromColumn<'r>: Sized {
    fn from_column(row: &'r impl Columns, column: &'static str) -> Result<Self, sqlx::Error>;
}

/// Reads columns as a type, and as an option of it. Without the option, a null value is an error.
macro_rules! from_column {
    ($($type:ty, $row:ident, $column:ident => $read:expr;)*) => {
        $(impl<'r> FromColumn<'r> for Option<$type> {
            fn from_column($row: &'r impl Columns, $column: &'static str) -> Result<Self, sqlx::Error> {
                $read
            }
        }

        impl<'r> FromColumn<'r> for $type {
            fn from_column(row: &'r impl Columns, column: &'static str) -> Result<Self, sqlx::Error> {
                Option::<Self>::from_column(row, column)?.ok_or(sqlx::Error::RowNotFound)
            }
        })*
    };
}

from_column! {
    i64, row, column => row.integer(column);
    &'r str, row, column => row.text(column);
    String, row, column => Ok(row.text(column)?.map(str::to_owned));
    bool, row, column => row.flag(column);
    &'r [u8], row, column => row.bytes(column);
}

/// A row of one table, with the id that errors about it report.
pub(crate) struct Reading<'r, R> {
    row: &'r R,
    table: &'static str,
    id: i64,
}

impl<'r, R: Columns> Reading<'r, R> {
    pub(crate) fn new(row: &'r R, table: &'static str) -> Result<Self, StoreError> {
        let corrupt = StoreError::Corrupt { table, column: "id", id: 0 };
        let id = row.integer("id").ok().flatten().ok_or(corrupt)?;
        Ok(Self { row, table, id })
    }

    /// The columns of a joined table, whose row id is in this column.
    pub(crate) fn joined(&self, table: &'static str, column: &'static str) -> Result<Self, StoreError> {
        Ok(Self { row: self.row, table, id: self.get(column)? })
    }

    pub(crate) fn id(&self) -> i64 {
        self.id
    }

    pub(crate) fn corrupt(&self, column: &'static str) -> StoreError {
        StoreError::Corrupt { table: self.table, column, id: self.id }
    }

    pub(crate) fn get<T: FromColumn<'r>>(&self, column: &'static str) -> Result<T, StoreError> {
        T::from_column(self.row, column).map_err(|_| self.corrupt(column))
    }

    /// Reads an integer that must be within the range of its type.
    pub(crate) fn number<T: TryFrom<i64>>(&self, column: &'static str) -> Result<T, StoreError> {
        T::try_from(self.get(column)?).map_err(|_| self.corrupt(column))
    }

    pub(crate) fn optional_number<T: TryFrom<i64>>(&self, column: &'static str) -> Result<Option<T>, StoreError> {
        let value: Option<i64> = self.get(column)?;
        value.map(|value| T::try_from(value).map_err(|_| self.corrupt(column))).transpose()
    }

    /// Reads a seed. The databases have only signed 64-bit integers; the bits stay the same.
    pub(crate) fn seed(&self) -> Result<u64, StoreError> {
        Ok(u64::from_le_bytes(self.get::<i64>("seed")?.to_le_bytes()))
    }

    pub(crate) fn instant(&self, column: &'static str) -> Result<Millis, StoreError> {
        self.get(column).map(Millis)
    }

    pub(crate) fn optional_instant(&self, column: &'static str) -> Result<Option<Millis>, StoreError> {
        Ok(self.get::<Option<i64>>(column)?.map(Millis))
    }

    /// Reads a value that is parsed from its text.
    pub(crate) fn word<T: FromStr<Err: Display>>(&self, column: &'static str) -> Result<T, StoreError> {
        self.get::<&str>(column)?.parse().map_err(|_| self.corrupt(column))
    }

    /// Reads a value that is parsed from its text.
    pub(crate) fn optional_word<T: FromStr>(&self, column: &'static str) -> Result<Option<T>, StoreError> {
        self.get::<Option<&str>>(column)?.map(|text| text.parse().map_err(|_| self.corrupt(column))).transpose()
    }

    /// Reads the name of one of `all`.
    pub(crate) fn one_of<T: Copy>(
        &self,
        column: &'static str,
        all: impl IntoIterator<Item = T>,
        name: fn(T) -> &'static str,
    ) -> Result<T, StoreError> {
        let found: &str = self.get(column)?;
        all.into_iter().find(|&known| name(known) == found).ok_or_else(|| self.corrupt(column))
    }

    /// As [`Self::one_of`], or `None` if the value is null.
    pub(crate) fn optional_one_of<T: Copy>(
        &self,
        column: &'static str,
        all: impl IntoIterator<Item = T>,
        name: fn(T) -> &'static str,
    ) -> Result<Option<T>, StoreError> {
        self.get::<Option<&str>>(column)?.map(|_| self.one_of(column, all, name)).transpose()
    }

    pub(crate) fn json<T: DeserializeOwned>(&self, column: &'static str) -> Result<T, StoreError> {
        let json = self.row.json(column).ok().flatten().ok_or_else(|| self.corrupt(column))?;
        serde_json::from_str(json).map_err(|_| self.corrupt(column))
    }
}
