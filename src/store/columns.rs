//! Reads typed columns from a row of SQLite or PostgreSQL, and names the table, column, and row of a
//! broken value.

use std::{fmt::Display, str::FromStr};

use serde::de::DeserializeOwned;

use super::StoreError;
use crate::clock::Millis;

/// A row of either database. Each method fails if the column has another type.
pub(super) trait Columns {
    /// Reads an integer of any width.
    fn integer(&self, column: &'static str) -> Result<Option<i64>, sqlx::Error>;

    /// Reads a text.
    fn text(&self, column: &'static str) -> Result<Option<&str>, sqlx::Error>;

    /// Reads a boolean.
    fn flag(&self, column: &'static str) -> Result<Option<bool>, sqlx::Error>;

    /// Reads a JSON value as text.
    fn json(&self, column: &'static str) -> Result<Option<&str>, sqlx::Error>;
}

/// A type that a column can be read as.
pub(super) trait FromColumn<'r>: Sized {
    fn from_column(row: &'r impl Columns, column: &'static str) -> Result<Self, sqlx::Error>;
}

impl<'r> FromColumn<'r> for Option<i64> {
    fn from_column(row: &'r impl Columns, column: &'static str) -> Result<Self, sqlx::Error> {
        row.integer(column)
    }
}

impl<'r> FromColumn<'r> for Option<&'r str> {
    fn from_column(row: &'r impl Columns, column: &'static str) -> Result<Self, sqlx::Error> {
        row.text(column)
    }
}

impl<'r> FromColumn<'r> for Option<String> {
    fn from_column(row: &'r impl Columns, column: &'static str) -> Result<Self, sqlx::Error> {
        Ok(row.text(column)?.map(str::to_owned))
    }
}

impl<'r> FromColumn<'r> for Option<bool> {
    fn from_column(row: &'r impl Columns, column: &'static str) -> Result<Self, sqlx::Error> {
        row.flag(column)
    }
}

/// Implements [`FromColumn`] for types whose columns must not be null.
macro_rules! not_null {
    ($($type:ty),*) => {
        $(impl<'r> FromColumn<'r> for $type {
            fn from_column(row: &'r impl Columns, column: &'static str) -> Result<Self, sqlx::Error> {
                Option::<Self>::from_column(row, column)?.ok_or(sqlx::Error::RowNotFound)
            }
        })*
    };
}

not_null!(i64, &'r str, String, bool);

/// A row of one table, with the id that errors about the row report.
pub(super) struct Reading<'r, R> {
    row: &'r R,
    table: &'static str,
    id: i64,
}

impl<'r, R: Columns> Reading<'r, R> {
    pub(super) fn new(row: &'r R, table: &'static str) -> Result<Self, StoreError> {
        let corrupt = StoreError::Corrupt { table, column: "id", id: 0 };
        let id = row.integer("id").ok().flatten().ok_or(corrupt)?;
        Ok(Self { row, table, id })
    }

    /// Returns the columns of a joined table whose row id is in `column`.
    pub(super) fn joined(&self, table: &'static str, column: &'static str) -> Result<Self, StoreError> {
        Ok(Self { row: self.row, table, id: self.get(column)? })
    }

    pub(super) fn id(&self) -> i64 {
        self.id
    }

    pub(super) fn corrupt(&self, column: &'static str) -> StoreError {
        StoreError::Corrupt { table: self.table, column, id: self.id }
    }

    pub(super) fn get<T: FromColumn<'r>>(&self, column: &'static str) -> Result<T, StoreError> {
        T::from_column(self.row, column).map_err(|_| self.corrupt(column))
    }

    /// Reads an integer that must be within the range of its type.
    pub(super) fn number<T: TryFrom<i64>>(&self, column: &'static str) -> Result<T, StoreError> {
        T::try_from(self.get(column)?).map_err(|_| self.corrupt(column))
    }

    pub(super) fn optional_number<T: TryFrom<i64>>(&self, column: &'static str) -> Result<Option<T>, StoreError> {
        let value: Option<i64> = self.get(column)?;
        value.map(|value| T::try_from(value).map_err(|_| self.corrupt(column))).transpose()
    }

    pub(super) fn instant(&self, column: &'static str) -> Result<Millis, StoreError> {
        self.get(column).map(Millis)
    }

    pub(super) fn optional_instant(&self, column: &'static str) -> Result<Option<Millis>, StoreError> {
        Ok(self.get::<Option<i64>>(column)?.map(Millis))
    }

    /// Reads a word that must be one of a fixed set.
    pub(super) fn word<T: FromStr<Err: Display>>(&self, column: &'static str) -> Result<T, StoreError> {
        self.get::<&str>(column)?.parse().map_err(|_| self.corrupt(column))
    }

    pub(super) fn json<T: DeserializeOwned>(&self, column: &'static str) -> Result<T, StoreError> {
        let json = self.row.json(column).ok().flatten().ok_or_else(|| self.corrupt(column))?;
        serde_json::from_str(json).map_err(|_| self.corrupt(column))
    }
}
