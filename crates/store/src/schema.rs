//! Compares the schema of either database with the migrations of this program: which migrations are missing, and
//! whether this program may use a newer schema.

use std::fmt::Display;

use sqlx::{
    SqlSafeStr as _,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
};

use crate::{
    StoreError,
    sql::{statement::Sql, statements::migrations},
};

/// The migrations of each database, oldest first. `build.rs` writes them.
pub(crate) mod files {
    include!(concat!(env!("OUT_DIR"), "/migrations.rs"));
}

/// The migrations of these files: the name of each, such as `0001_initial.sql`, and its statements. A file that begins with
/// `-- no-transaction` runs outside of a transaction.
pub(crate) fn of_files(files: &[(&'static str, &'static str)]) -> Migrator {
    let of_file = |&(name, sql): &(&'static str, &'static str)| {
        let (version, description) = name.trim_end_matches(".sql").split_once('_').expect("a number and a name");
        let (version, description) = (version.parse().expect("a number"), description.replace('_', " "));
        let no_transaction = sql.starts_with("-- no-transaction");
        Migration::new(version, description.into(), MigrationType::Simple, sql.into_sql_str(), no_transaction)
    };
    Migrator::with_migrations(files.iter().map(of_file).collect())
}

/// The version of the schema after all these migrations; 0 without any.
#[must_use]
pub fn newest(migrator: &Migrator) -> i64 {
    migrator.iter().last().map_or(0, |migration| migration.version)
}

/// A migration that a database has: its version and its checksum.
pub(crate) type Applied = (i64, Vec<u8>);

/// The row of the table `schema`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SchemaRow {
    /// The newest migration that the database has.
    pub(crate) version: i64,
    /// The oldest version whose programs may use the database.
    pub(crate) oldest_compatible: i64,
}

/// The statement that finds the migrations of a database with these tables; `None` if they are not those of this program. The table
/// `puzzles` exists since the first build.
pub(crate) fn find(tables: &[String]) -> Option<Sql> {
    let has = |name: &str| tables.iter().any(|table| table == name);
    let is_ours = has("_sqlx_migrations") && has("puzzles");
    is_ours.then(|| if has("schema") { migrations::FIND } else { migrations::FIND_WITHOUT_ROW })
}

/// A row that these statements return.
pub(crate) type Found = (i64, Vec<u8>, Option<i64>, Option<i64>);

/// Splits the rows into the migrations and the row of `schema`.
pub(crate) fn taken_apart(found: Vec<Found>) -> (Vec<Applied>, Option<SchemaRow>) {
    let row = found.first().and_then(|(_, _, version, oldest_compatible)| {
        Some(SchemaRow { version: (*version)?, oldest_compatible: (*oldest_compatible)? })
    });
    (found.into_iter().map(|(version, checksum, ..)| (version, checksum)).collect(), row)
}

/// A schema that is newer than this program and allows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Newer {
    /// The schema's version.
    pub version: i64,
    /// The newest version that this program knows.
    pub known: i64,
}

/// The result of `migrate`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Migrated {
    /// The migrations that ran, by number and name, oldest first.
    pub ran: Vec<String>,
    /// The schema, if it is newer than this program.
    pub newer: Option<Newer>,
}

/// A database compared with the migrations of this program.
#[derive(Debug)]
pub(crate) struct Standing<'m> {
    /// The missing migrations, oldest first.
    pub(crate) lacked: Vec<&'m Migration>,
    /// The schema, if it is newer than this program.
    pub(crate) newer: Option<Newer>,
}

impl Standing<'_> {
    /// The result of `migrate` if no migration is missing.
    pub(crate) fn as_it_is(&self) -> Migrated {
        Migrated { ran: Vec::new(), newer: self.newer }
    }

    /// Checks that this program can read the database without migrating it. If the schema is newer than the program, returns
    /// its version.
    ///
    /// # Errors
    /// [`StoreError::Outdated`] if the database lacks a migration.
    pub(crate) fn to_read(&self) -> Result<Option<Newer>, StoreError> {
        match self.lacked.first() {
            Some(lacked) => Err(StoreError::Outdated(lacked.version)),
            None => Ok(self.newer),
        }
    }
}

/// Logs, each time a database is opened, that a newer program changed it.
pub(crate) fn log_newer(database: &impl Display, newer: Option<Newer>) {
    if let Some(Newer { version, known }) = newer {
        tracing::info!(%database, schema = version, known, "newer schema allows this version");
    }
}

/// The name of a migration in messages.
pub(crate) fn name_of(migration: &Migration) -> String {
    format!("{:04} {}", migration.version, migration.description)
}

/// Converts the database's error about the statement of a migration, unless the error is about a lock or the connection.
pub(crate) fn failed(error: sqlx::Error, migration: &Migration) -> StoreError {
    match StoreError::from(error) {
        StoreError::Refused(error) => StoreError::Migration(MigrateError::ExecuteMigration(error, migration.version)),
        passing => passing,
    }
}

/// Compares a database with the migrations of this program.
///
/// # Errors
/// [`StoreError::OtherBuild`] if another build made the database, [`StoreError::TooNew`] if its schema is newer and
/// does not allow this program, [`StoreError::Migration`] if its migrations contradict those of this program.
pub(crate) fn standing<'m>(
    migrator: &'m Migrator,
    applied: &[Applied],
    row: Option<SchemaRow>,
    database: &impl Display,
) -> Result<Standing<'m>, StoreError> {
    is_of_this_line(migrator, applied, database)?;
    let has = |version| applied.iter().any(|(applied, _)| *applied == version);
    let lacked: Vec<_> = migrator.iter().filter(|migration| !has(migration.version)).collect();
    let known = newest(migrator);
    let Some(newest) = applied.iter().map(|(version, _)| *version).filter(|v| !migrator.version_exists(*v)).max()
    else {
        return Ok(Standing { lacked, newer: None });
    };
    // Every newer schema contains all migrations that this program knows, and has a row in `schema`.
    let SchemaRow { version, oldest_compatible } = match row {
        Some(row) if row.version == newest && newest > known => row,
        _ => return Err(StoreError::Migration(MigrateError::VersionMissing(newest))),
    };
    if oldest_compatible > known {
        return Err(StoreError::TooNew { database: database.to_string(), version, oldest_compatible, known });
    }
    if !lacked.is_empty() {
        return Err(StoreError::Migration(MigrateError::VersionMissing(newest)));
    }
    Ok(Standing { lacked, newer: Some(Newer { version, known }) })
}

/// Checks the migrations that this program knows. Before version 0.1.0, the first migration changed with the schema,
/// so another checksum identifies a build before 0.1.0. If a later migration differs, it was changed after it ran.
fn is_of_this_line(migrator: &Migrator, applied: &[Applied], database: &impl Display) -> Result<(), StoreError> {
    for (at, migration) in migrator.iter().enumerate() {
        let differs =
            applied.iter().any(|(version, checksum)| *version == migration.version && *checksum != *migration.checksum);
        match (differs, at) {
            (false, _) => {}
            (true, 0) => return Err(StoreError::OtherBuild(database.to_string())),
            (true, _) => return Err(StoreError::Migration(MigrateError::VersionMismatch(migration.version))),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn migrator() -> Migrator {
        of_files(&[("0001_step.sql", "a"), ("0002_step.sql", "b")])
    }

    /// The result for a database with these migrations, whose known checksums are right.
    fn said(versions: &[i64], row: Option<(i64, i64)>) -> Result<(Vec<i64>, Option<i64>), String> {
        let migrator = migrator();
        let checksum = |version: &i64| {
            let known = migrator.iter().find(|migration| migration.version == *version);
            known.map(|migration| migration.checksum.to_vec()).unwrap_or_default()
        };
        let applied: Vec<_> = versions.iter().map(|version| (*version, checksum(version))).collect();
        let row = row.map(|(version, oldest_compatible)| SchemaRow { version, oldest_compatible });
        let stands = standing(&migrator, &applied, row, &"stock.db").map_err(|error| error.to_string())?;
        let lacked = stands.lacked.iter().map(|migration| migration.version).collect();
        Ok((lacked, stands.newer.map(|newer| newer.version)))
    }

    #[test]
    fn newer_schema_is_used_only_if_it_allows_this_version() {
        assert_eq!(said(&[], None), Ok((vec![1, 2], None)));
        assert_eq!(said(&[1], Some((1, 1))), Ok((vec![2], None)));
        assert_eq!(said(&[1, 2], Some((2, 1))), Ok((vec![], None)));
        assert_eq!(said(&[1, 2, 3], Some((3, 1))), Ok((vec![], Some(3))));
        assert_eq!(said(&[1, 2, 3, 5], Some((5, 2))), Ok((vec![], Some(5))));
        let refused = "stock.db has schema 5, which needs a puzzled that knows schema 3 or later; this one knows 2; use the \
                       newer binary or restore a backup";
        assert_eq!(said(&[1, 2, 3, 5], Some((5, 3))), Err(refused.to_owned()));
        // Even if its migrations replace those of this program.
        assert_eq!(said(&[1, 3, 5], Some((5, 3))), Err(refused.to_owned()));
    }

    #[test]
    fn foreign_migration_is_refused() {
        for (versions, row) in [
            (vec![1, 2, 9], None),
            (vec![1, 2, 9], Some((2, 1))),
            (vec![1, 9], Some((9, 1))),
            (vec![-1, 1, 2], Some((2, 1))),
        ] {
            let refused = said(&versions, row).unwrap_err();
            assert!(refused.contains("was previously applied but is missing"), "{versions:?}: {refused}");
        }
    }

    #[test]
    fn changed_migration_is_refused() {
        let migrator = migrator();
        let applied = |changed: i64| -> Vec<_> {
            let checksum = |migration: &Migration| match migration.version {
                version if version == changed => Vec::new(),
                _ => migration.checksum.to_vec(),
            };
            let with = |migration: &Migration| (migration.version, checksum(migration));
            migrator.iter().map(with).collect()
        };
        let refused = standing(&migrator, &applied(1), None, &"stock.db").unwrap_err();
        assert!(matches!(refused, StoreError::OtherBuild(_)), "{refused}");
        let refused = standing(&migrator, &applied(2), None, &"stock.db").unwrap_err();
        assert!(matches!(refused, StoreError::Migration(MigrateError::VersionMismatch(2))), "{refused}");
    }
}
