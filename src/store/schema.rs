//! Running migrations, whichever database it is: those that are missing, all or none.

use std::collections::HashSet;

use sqlx::migrate::{Migrate, Migrator};

use super::StoreError;

/// Runs the migrations that the database lacks, within a transaction that the caller has begun under a lock, and returns
/// their numbers and names, oldest first.
///
/// # Errors
/// [`StoreError::Migration`] if the database holds a newer or foreign schema.
pub(super) async fn run(migrator: &Migrator, connection: &mut impl Migrate) -> Result<Vec<String>, StoreError> {
    let before = applied(migrator, connection).await?;
    migrator.run_direct(None, connection, false).await.map_err(StoreError::Migration)?;
    let ran = migrator.iter().filter(|migration| !before.contains(&migration.version));
    Ok(ran.map(|migration| format!("{:04} {}", migration.version, migration.description)).collect())
}

async fn applied(migrator: &Migrator, connection: &mut impl Migrate) -> Result<HashSet<i64>, StoreError> {
    let table = &migrator.table_name;
    connection.ensure_migrations_table(table).await.map_err(StoreError::Migration)?;
    let applied = connection.list_applied_migrations(table).await.map_err(StoreError::Migration)?;
    Ok(applied.into_iter().map(|migration| migration.version).collect())
}
