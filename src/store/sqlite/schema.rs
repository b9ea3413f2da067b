//! The schema of an SQLite file: which migrations there are, and which of them a file lacks.

use std::collections::HashSet;

use sqlx::{
    SqliteConnection,
    migrate::{Migrate as _, Migrator},
};

use super::{SqliteSettings, StoreError};

/// All migrations, oldest first.
pub(super) static MIGRATIONS: Migrator = sqlx::migrate!("migrations/sqlite");

/// Runs the migrations that the file lacks and returns their numbers and names, oldest first. Makes the file if it is not
/// there.
///
/// # Errors
/// [`StoreError::Migration`] if the file holds a newer or foreign schema, else as for any method of the store.
pub async fn migrate(settings: &SqliteSettings) -> Result<Vec<String>, StoreError> {
    use sqlx::ConnectOptions as _;
    let mut connection = settings.options().connect().await?;
    let before = applied(&mut connection).await?;
    MIGRATIONS.run(&mut connection).await.map_err(StoreError::Migration)?;
    let ran = MIGRATIONS.iter().filter(|migration| !before.contains(&migration.version));
    Ok(ran.map(|migration| format!("{:04} {}", migration.version, migration.description)).collect())
}

async fn applied(connection: &mut SqliteConnection) -> Result<HashSet<i64>, StoreError> {
    let table = &MIGRATIONS.table_name;
    connection.ensure_migrations_table(table).await.map_err(StoreError::Migration)?;
    let applied = connection.list_applied_migrations(table).await.map_err(StoreError::Migration)?;
    Ok(applied.into_iter().map(|migration| migration.version).collect())
}
