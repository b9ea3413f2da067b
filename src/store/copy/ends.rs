//! The interface that both ends of a copy, source and target, implement on SQLite and PostgreSQL, and the types of the
//! columns and values that they exchange.

use std::fmt::{self, Debug};

use async_trait::async_trait;

use super::tables::Table;
use crate::{
    clock::Millis,
    store::{StoreError, moved::Side, schema::Newer},
};

/// A column with the name of its type in the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: String,
}

/// A value, the same in both databases.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Null,
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// Rows by key, each with its values in the order of the columns.
pub(super) type Rows = Vec<Vec<Value>>;

/// A process that was active recently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Its name.
    pub name: String,
    /// Its role, the name of its command.
    pub role: String,
    /// Its host.
    pub host: String,
    /// Its process ID on that host.
    pub pid: i64,
    /// Time since its last renewal, in milliseconds; below 0 if a clock was set back.
    pub ago_ms: i64,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, role, host, pid, ago_ms } = self;
        let seconds = (ago_ms / 1_000).max(0);
        write!(f, "process {name} (puzzled {role}, host {host}, process ID {pid}) was seen {seconds} s ago")
    }
}

/// One end of a copy.
#[async_trait]
pub(super) trait End: Debug + Send {
    /// Its name in messages, without a password.
    fn name(&self) -> String;

    /// Its schema, if it is newer than this program.
    fn newer(&self) -> Option<Newer>;

    /// Returns the table's columns, by name.
    async fn columns(&mut self, table: &'static Table) -> Result<Vec<Column>, StoreError>;

    async fn count(&mut self, table: &'static Table) -> Result<u64, StoreError>;

    /// Returns the process that was seen last, if that was less than `within_ms` milliseconds ago. A file has no clock,
    /// and uses `now`.
    async fn seen_last(&mut self, within_ms: i64, now: Millis) -> Result<Option<Seen>, StoreError>;

    /// Returns its role in a copy and the other database, if it is part of one.
    async fn side(&mut self) -> Result<Option<(Side, String)>, StoreError>;

    /// Records its role. A source is fenced from then on: no process can change any of its rows. A target is empty
    /// afterwards: the one row that a new database has is removed.
    async fn take_side(&mut self, side: Side, other: &str) -> Result<(), StoreError>;

    /// Returns the key of the last row, if there is one.
    async fn last_key(&mut self, table: &'static Table, columns: &[Column]) -> Result<Option<Vec<Value>>, StoreError>;

    /// Returns the first rows after a key, or of the whole table.
    async fn rows_after(
        &mut self,
        table: &'static Table,
        columns: &[Column],
        after: Option<&[Value]>,
        limit: i64,
    ) -> Result<Rows, StoreError>;

    /// Inserts rows, all or none.
    async fn insert(&mut self, table: &'static Table, columns: &[Column], rows: Rows) -> Result<(), StoreError>;

    /// Marks the copy as complete, so that processes can open it.
    async fn finish(&mut self) -> Result<(), StoreError>;

    /// Closes the connection.
    async fn close(self: Box<Self>);
}
