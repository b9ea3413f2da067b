//! The schema of an imaginary later binary that this binary cannot use, and the error with which this binary refuses it.

use puzzled_store::{schema::newest, sqlite};

/// The version of this binary's schema.
pub(crate) fn known() -> i64 {
    newest(&sqlite::schema::MIGRATIONS)
}

/// A migration that declares that older binaries cannot use the database.
pub(crate) const INCOMPATIBLE: &str = "
    alter table jobs add column note text;
    update schema set oldest_compatible = (select max(version) from _sqlx_migrations) + 1;
";

/// The error if the schema is [`INCOMPATIBLE`], after the name of the database.
pub(crate) fn refused() -> String {
    let (known, next) = (known(), known() + 1);
    format!(
        " has schema {next}, which needs a puzzled that knows schema {next} or later; this one knows {known}; use the newer binary or \
         restore a backup"
    )
}
