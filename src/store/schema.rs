//! Running migrations, whichever database it is: those that are missing, all or none.

use std::fmt::Display;

use sqlx::migrate::{Migrate, MigrateError, Migrator};

use super::StoreError;

/// Runs the migrations that the database lacks, within a transaction that the caller has begun under a lock. Returns their
/// numbers and names, oldest first.
///
/// # Errors
/// [`StoreError::OtherBuild`] if another build made the database, [`StoreError::Migration`] if it holds a newer or foreign
/// schema.
pub(super) async fn run(
    migrator: &Migrator,
    connection: &mut impl Migrate,
    database: &impl Display,
) -> Result<Vec<String>, StoreError> {
    let table = &migrator.table_name;
    connection.ensure_migrations_table(table).await.map_err(StoreError::Migration)?;
    let applied = connection.list_applied_migrations(table).await.map_err(StoreError::Migration)?;
    let applied: Vec<_> = applied.into_iter().map(|applied| (applied.version, applied.checksum.into_owned())).collect();
    is_of_this_line(migrator, &applied, database)?;
    migrator.run_direct(None, connection, false).await.map_err(StoreError::Migration)?;
    let ran = migrator.iter().filter(|migration| !applied.iter().any(|(version, _)| *version == migration.version));
    Ok(ran.map(|migration| format!("{:04} {}", migration.version, migration.description)).collect())
}

/// Whether a database that is only read has the schema of this version, by the numbers and checksums of the migrations that it
/// has.
///
/// # Errors
/// [`StoreError::OtherBuild`] if another build made it, [`StoreError::Outdated`] if it lacks a migration,
/// [`StoreError::Migration`] if it has one that is not known.
pub(super) fn is_current(
    migrator: &Migrator,
    applied: &[(i64, Vec<u8>)],
    database: &impl Display,
) -> Result<(), StoreError> {
    is_of_this_line(migrator, applied, database)?;
    let is_applied = |version| applied.iter().any(|(applied, _)| *applied == version);
    if let Some(lacked) = migrator.iter().find(|migration| !is_applied(migration.version)) {
        return Err(StoreError::Outdated(lacked.version));
    }
    match applied.iter().find(|(version, _)| !migrator.version_exists(*version)) {
        Some((unknown, _)) => Err(StoreError::Migration(MigrateError::VersionMissing(*unknown))),
        None => Ok(()),
    }
}

/// Until the first release the first migration changes with the schema, so its checksum tells builds apart.
fn is_of_this_line(migrator: &Migrator, applied: &[(i64, Vec<u8>)], database: &impl Display) -> Result<(), StoreError> {
    let is_other = migrator.iter().next().is_some_and(|first| {
        applied.iter().any(|(version, checksum)| *version == first.version && *checksum != *first.checksum)
    });
    if is_other { Err(StoreError::OtherBuild(database.to_string())) } else { Ok(()) }
}
