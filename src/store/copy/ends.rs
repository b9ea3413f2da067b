//! What a copy needs of each of its ends.

use std::fmt::Debug;

use async_trait::async_trait;

use super::tables::Table;
use crate::store::{StoreError, moved::Side};

/// A column with its type's name in the database.
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

/// One end of a copy.
#[async_trait]
pub(super) trait End: Debug + Send {
    /// What a person calls it; without a password.
    fn name(&self) -> String;

    /// The table's columns, by name.
    async fn columns(&mut self, table: &'static Table) -> Result<Vec<Column>, StoreError>;

    async fn count(&mut self, table: &'static Table) -> Result<u64, StoreError>;

    /// What it is to which other database, if it is part of a copy.
    async fn side(&mut self) -> Result<Option<(Side, String)>, StoreError>;

    /// Notes that. A source is fenced from then on: no process can change any of its rows. A target is then empty, without
    /// the one row that a new database has.
    async fn take_side(&mut self, side: Side, other: &str) -> Result<(), StoreError>;

    /// The key of the last row, if there is one.
    async fn last_key(&mut self, table: &'static Table, columns: &[Column]) -> Result<Option<Vec<Value>>, StoreError>;

    /// The first rows behind a key, or of all.
    async fn rows_after(
        &mut self,
        table: &'static Table,
        columns: &[Column],
        after: Option<&[Value]>,
        limit: i64,
    ) -> Result<Rows, StoreError>;

    /// Adds rows, all or none.
    async fn insert(&mut self, table: &'static Table, columns: &[Column], rows: Rows) -> Result<(), StoreError>;

    /// Lets processes open the copy: all of it has come.
    async fn finish(&mut self) -> Result<(), StoreError>;
}
