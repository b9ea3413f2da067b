//! Reads the columns of a row of SQLite.

use sqlx::{Row as _, sqlite::SqliteRow};

use crate::store::columns::Columns;

impl Columns for SqliteRow {
    fn integer(&self, column: &'static str) -> Result<Option<i64>, sqlx::Error> {
        self.try_get(column)
    }

    fn text(&self, column: &'static str) -> Result<Option<&str>, sqlx::Error> {
        self.try_get(column)
    }

    fn flag(&self, column: &'static str) -> Result<Option<bool>, sqlx::Error> {
        self.try_get(column)
    }

    fn json(&self, column: &'static str) -> Result<Option<&str>, sqlx::Error> {
        // SQLite has no JSON type.
        self.text(column)
    }
}
