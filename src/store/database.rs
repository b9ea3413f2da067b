//! The interface through which the store uses SQLite or PostgreSQL: reads, writes, statements in both dialects, their
//! values, and locks. With it, the other files of this folder contain each operation of the store only once.

use std::fmt::Debug;

use async_trait::async_trait;

use super::{
    StoreError,
    claims::Leaser,
    columns::Columns,
    commits::Shelver,
    delivery_batch::DeliveryWrite,
    notice::Notice,
    puzzle::{Place, Puzzle},
};
use crate::clock::Millis;

/// A database that holds a store.
#[async_trait]
pub(super) trait Database: Debug + Send + Sync {
    /// A row that a statement returns.
    type Row: Columns + Send + Sync;
    /// A write in progress.
    type Write: Write<Row = Self::Row> + DeliveryWrite + Shelver + Leaser;

    /// Returns the rows of a statement that only reads.
    async fn read<S: Into<Sql> + Send>(&self, sql: S, values: &[Value<'_>]) -> Result<Vec<Self::Row>, StoreError>;

    /// The time to pass to a statement that only reads; `None` if the statement uses the server's clock.
    fn told_now(&self) -> Option<i64>;

    /// See [`StockStore::puzzles_at`](super::StockStore::puzzles_at). Each database has a fast method for it.
    async fn read_places(&self, places: &[Place]) -> Result<Vec<Option<Puzzle>>, StoreError>;

    /// Returns the findings of the database, see [`CheckStore::check`](super::check::CheckStore::check).
    async fn findings(&self) -> Result<Vec<String>, StoreError>;

    /// Removes files that reading left next to the database.
    async fn clear_up(&self);

    /// Begins a write.
    async fn write(&self, point: &'static str) -> Result<Self::Write, StoreError>;

    /// Runs a write, and runs it again if it conflicts with another write.
    async fn repeated<T, F>(&self, attempt: impl Fn() -> F + Send + Sync) -> Result<T, StoreError>
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

/// A write in progress. It is atomic: if it is dropped without [`Write::commit`], nothing changes. `point` names a
/// statement, so that a test can stop the write before it.
#[async_trait]
pub(super) trait Write: Send + Sized + 'static {
    /// A row that a statement returns.
    type Row: Columns + Send + Sync;

    /// The time for all steps of this write.
    fn now(&self) -> Millis;

    /// The maximum number of shelves in the database.
    fn shelves_max(&self) -> u32;

    /// Engine version of the workers that use this store.
    fn engine_version(&self) -> u32;

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
    async fn undone<T: Send>(self, value: T) -> Result<T, StoreError>;

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
pub(super) fn id(row: &impl Columns) -> Result<i64, StoreError> {
    Ok(row.integer("id")?.ok_or(sqlx::Error::RowNotFound)?)
}

/// Reads the column `number` of a row, which holds a count.
pub(super) fn number(row: &impl Columns) -> Result<u64, StoreError> {
    let number = row.integer("number")?.ok_or(sqlx::Error::RowNotFound)?;
    Ok(u64::try_from(number).expect("a count is not negative"))
}

/// A statement in the dialect of each database.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sql {
    /// For SQLite, which takes a list as JSON.
    pub(super) sqlite: &'static str,
    /// For `PostgreSQL`, which takes a list as an array.
    pub(super) postgres: &'static str,
}

impl From<&'static str> for Sql {
    /// Uses one statement for both databases.
    fn from(sql: &'static str) -> Self {
        Self { sqlite: sql, postgres: sql }
    }
}

/// A parameter of a statement.
#[derive(Debug)]
pub(super) enum Value<'a> {
    /// An integer, or a time in milliseconds since 1970.
    Integer(Option<i64>),
    /// A text.
    Text(Option<&'a str>),
    /// A boolean.
    Flag(bool),
    /// A list of integers.
    Integers(Vec<i64>),
    /// A list of texts, or null.
    Texts(Option<Vec<&'a str>>),
}

/// Builds the parameters of a statement, in the order of their numbers.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        &[$($crate::store::database::Value::from($value)),*]
    };
}
pub(super) use values;

/// Converts a type to a [`Value`].
macro_rules! from {
    ($($type:ty, $value:ident => $into:expr;)*) => {
        $(impl<'a> From<$type> for Value<'a> {
            fn from($value: $type) -> Self {
                $into
            }
        })*
    };
}

from! {
    i64, value => Value::Integer(Some(value));
    u32, value => Value::Integer(Some(value.into()));
    i32, value => Value::Integer(Some(value.into()));
    Millis, value => Value::Integer(Some(value.0));
    Option<i64>, value => Value::Integer(value);
    Option<u32>, value => Value::Integer(value.map(i64::from));
    Option<i16>, value => Value::Integer(value.map(i64::from));
    bool, value => Value::Flag(value);
    &'a str, value => Value::Text(Some(value));
    &'a String, value => Value::Text(Some(value));
    Option<&'a str>, value => Value::Text(value);
    Option<&'a String>, value => Value::Text(value.map(String::as_str));
    Vec<i64>, value => Value::Integers(value);
    Vec<&'a str>, value => Value::Texts(Some(value));
    Option<Vec<&'a str>>, value => Value::Texts(value);
}

/// An advisory lock.
#[derive(Debug, Clone, Copy)]
pub(super) enum Lock<'a> {
    /// Jobs are queued one write at a time, so that two writes cannot exceed the limit on open jobs or use one request ID.
    Enqueue,
    /// Targets are created, changed, and deleted one write at a time, so that two writes cannot exceed the limit on
    /// targets or use one spec.
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
    /// Of a pool with so many connections, of which so many are idle.
    pub(crate) fn of(size: u32, idle: usize) -> Self {
        let idle = u32::try_from(idle).unwrap_or(size).min(size);
        Self { used: size - idle, idle }
    }
}
