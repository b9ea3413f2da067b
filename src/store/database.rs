//! What each database does in its own way: how it reads, how a write of it begins and ends, and how it takes values. The order
//! of steps, and the statements that both databases understand, stand once, in the files beside this one.

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
    /// A write under way.
    type Write: Write<Row = Self::Row> + DeliveryWrite + Shelver + Leaser;

    /// The rows of a statement that only reads.
    async fn read<S: Into<Sql> + Send>(&self, sql: S, values: &[Value<'_>]) -> Result<Vec<Self::Row>, StoreError>;

    /// The time for a statement that reads; `None` if the database uses its own clock.
    fn told_now(&self) -> Option<i64>;

    /// See [`StockStore::puzzles_at`](super::stock::StockStore::puzzles_at): each database has a quick way of its own.
    async fn read_places(&self, places: &[Place]) -> Result<Vec<Option<Puzzle>>, StoreError>;

    /// What the database finds amiss, see [`Audit::audit`](super::audit::Audit::audit).
    async fn findings(&self) -> Result<Vec<String>, StoreError>;

    /// Removes what reading has left next to the database.
    async fn clear_up(&self);

    /// Begins a write.
    async fn write(&self, point: &'static str) -> Result<Self::Write, StoreError>;

    /// Runs a write, and retries it on a conflict with others.
    async fn repeated<T, F>(&self, attempt: impl Fn() -> F + Send + Sync) -> Result<T, StoreError>
    where
        T: Send,
        F: Future<Output = Result<T, StoreError>> + Send;

    /// All that a statement finds.
    async fn all<T: Send, S: Into<Sql> + Send>(
        &self,
        sql: S,
        values: &[Value<'_>],
        read: for<'r> fn(&'r Self::Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.read(sql, values).await?.iter().map(read).collect()
    }
}

/// A write under way: all of it happens, or nothing. Dropped without [`Write::commit`], nothing of it happens. `point` names a
/// statement, so that a probe can stop it there.
#[async_trait]
pub(super) trait Write: Send + Sized + 'static {
    /// A row that a statement returns.
    type Row: Columns + Send + Sync;

    /// The time of all that this write does.
    fn now(&self) -> Millis;

    /// Most shelves that the database may have.
    fn shelves_max(&self) -> u32;

    /// Version of the engine of the workers that claim by this store.
    fn engine_version(&self) -> u32;

    /// The rows of a statement.
    async fn rows<S: Into<Sql> + Send>(
        &mut self,
        point: &'static str,
        sql: S,
        values: &[Value<'_>],
    ) -> Result<Vec<Self::Row>, StoreError>;

    /// The number of rows that a statement changes.
    async fn execute<S: Into<Sql> + Send>(
        &mut self,
        point: &'static str,
        sql: S,
        values: &[Value<'_>],
    ) -> Result<u64, StoreError>;

    /// Takes an advisory lock and holds it to the end of the write. With only one writer, this does nothing.
    async fn lock(&mut self, point: &'static str, lock: Lock<'_>) -> Result<(), StoreError>;

    /// Locks rows to the end of the write, where there are more writers than one.
    async fn lock_rows(
        &mut self,
        point: &'static str,
        postgres: &'static str,
        values: &[Value<'_>],
    ) -> Result<(), StoreError>;

    /// Notifies all processes once the write is committed, where the database can.
    async fn notify(&mut self, point: &'static str, notices: &[Notice]) -> Result<(), StoreError>;

    /// Makes it durable.
    async fn commit(self, before: &'static str, after: &'static str) -> Result<(), StoreError>;

    /// Ends it with nothing done, and answers with `value`.
    async fn undone<T: Send>(self, value: T) -> Result<T, StoreError>;

    /// All that a statement finds.
    async fn all<T: Send, S: Into<Sql> + Send>(
        &mut self,
        point: &'static str,
        sql: S,
        values: &[Value<'_>],
        read: for<'r> fn(&'r Self::Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.rows(point, sql, values).await?.iter().map(read).collect()
    }

    /// What a statement finds that finds one row at most.
    async fn optional<T: Send, S: Into<Sql> + Send>(
        &mut self,
        point: &'static str,
        sql: S,
        values: &[Value<'_>],
        read: for<'r> fn(&'r Self::Row) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        self.rows(point, sql, values).await?.first().map(read).transpose()
    }

    /// What a statement finds that finds one row.
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

/// The column `id` of a row.
pub(super) fn id(row: &impl Columns) -> Result<i64, StoreError> {
    Ok(row.integer("id")?.ok_or(sqlx::Error::RowNotFound)?)
}

/// The column `number` of a row: a count.
pub(super) fn number(row: &impl Columns) -> Result<u64, StoreError> {
    let number = row.integer("number")?.ok_or(sqlx::Error::RowNotFound)?;
    Ok(u64::try_from(number).expect("a count is not negative"))
}

/// A statement in the words of each database.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sql {
    /// For SQLite, which takes a list as json.
    pub(super) sqlite: &'static str,
    /// For `PostgreSQL`, which takes a list as an array.
    pub(super) postgres: &'static str,
}

impl From<&'static str> for Sql {
    /// A statement that both understand.
    fn from(sql: &'static str) -> Self {
        Self { sqlite: sql, postgres: sql }
    }
}

/// A value of a statement.
#[derive(Debug)]
pub(super) enum Value<'a> {
    /// An integer or a time.
    Integer(Option<i64>),
    /// A text.
    Text(Option<&'a str>),
    /// True or false.
    Flag(bool),
    /// Many integers.
    Integers(Vec<i64>),
    /// Many texts, or no list.
    Texts(Option<Vec<&'a str>>),
}

/// The values of a statement, in the order of their numbers.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        &[$($crate::store::database::Value::from($value)),*]
    };
}
pub(super) use values;

/// How a type becomes a [`Value`].
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
    /// Jobs are queued one after the other, so that two writes cannot both take the last free place or the same request ID.
    Enqueue,
    /// Targets are created, changed and deleted one after the other, so that no two share the last place or a spec.
    Targets,
    /// Leases that ran out are reclaimed by one claim at a time: each may have to lock several jobs.
    Reclaim,
    /// One process at a time prunes old rows.
    Prune,
    /// Shelves are added by one write at a time, so that no two add the last one.
    Shelves,
    /// What is delivered to these audiences, known or not, is delivered one after the other.
    Audiences(&'a [&'a str]),
}
