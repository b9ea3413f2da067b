//! Running migrations, whichever database it is: those that are missing, all or none.

use std::collections::HashSet;

use sqlx::migrate::{Migrate, MigrateError, Migrator};

use super::StoreError;

/// The migrations that were run.
pub(super) struct Ran(Vec<(i64, String)>);

impl Ran {
    /// Whether this one was among them.
    pub(super) fn includes(&self, version: i64) -> bool {
        self.0.iter().any(|(ran, _)| *ran == version)
    }

    /// Their numbers and names, oldest first.
    pub(super) fn names(self) -> Vec<String> {
        self.0.into_iter().map(|(version, name)| format!("{version:04} {name}")).collect()
    }
}

/// Runs the migrations that the database lacks, within a transaction that the caller has begun under a lock.
///
/// # Errors
/// [`StoreError::Migration`] if the database holds a newer or foreign schema.
pub(super) async fn run(migrator: &Migrator, connection: &mut impl Migrate) -> Result<Ran, StoreError> {
    let before = applied(migrator, connection).await?;
    migrator.run_direct(None, connection, false).await.map_err(StoreError::Migration)?;
    let ran = migrator.iter().filter(|migration| !before.contains(&migration.version));
    Ok(Ran(ran.map(|migration| (migration.version, migration.description.to_string())).collect()))
}

async fn applied(migrator: &Migrator, connection: &mut impl Migrate) -> Result<HashSet<i64>, StoreError> {
    let table = &migrator.table_name;
    connection.ensure_migrations_table(table).await.map_err(StoreError::Migration)?;
    let applied = connection.list_applied_migrations(table).await.map_err(StoreError::Migration)?;
    Ok(applied.into_iter().map(|migration| migration.version).collect())
}

/// Whether a database that is only read has the schema of this version, by the migrations that it has.
///
/// # Errors
/// [`StoreError::Outdated`] if it lacks a migration, [`StoreError::Migration`] if it has one that is not known.
pub(super) fn is_current(migrator: &Migrator, applied: &[i64]) -> Result<(), StoreError> {
    if let Some(lacked) = migrator.iter().find(|migration| !applied.contains(&migration.version)) {
        return Err(StoreError::Outdated(lacked.version));
    }
    match applied.iter().find(|version| !migrator.version_exists(**version)) {
        Some(unknown) => Err(StoreError::Migration(MigrateError::VersionMissing(*unknown))),
        None => Ok(()),
    }
}
