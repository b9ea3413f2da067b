//! The schema of a PostgreSQL database: which migrations there are, and which of them a database lacks.

use sqlx::{ConnectOptions as _, Connection as _, PgConnection, migrate::Migrator};

use super::{PostgresSettings, StoreError, locks};
use crate::store::schema;

/// All migrations, oldest first.
static MIGRATIONS: Migrator = sqlx::migrate!("migrations/postgres");

/// Runs the migrations that the database lacks, all or none, and returns their numbers and names, oldest first.
///
/// # Errors
/// [`StoreError::OtherBuild`] if another build made the database, [`StoreError::Migration`] if it holds a newer or foreign
/// schema, else as for any method of the store.
pub async fn migrate(settings: &PostgresSettings) -> Result<Vec<String>, StoreError> {
    let mut connection = settings.url.options().connect().await?;
    let mut transaction = connection.begin().await?;
    // Processes that start at once take turns. The lock ends with the transaction, as the library's own would not.
    locks::MIGRATE.take(&mut transaction).await?;
    let ran = schema::run(&MIGRATIONS, &mut *transaction, &settings.url).await?;
    transaction.commit().await?;
    connection.close().await?;
    Ok(ran)
}

/// Whether a database that is only read has the schema of this version.
///
/// # Errors
/// As for [`schema::is_current`].
pub(in crate::store) async fn is_current(
    settings: &PostgresSettings,
    connection: &mut PgConnection,
) -> Result<(), StoreError> {
    // A database that nobody has migrated has no such table.
    let is_migrated: bool =
        sqlx::query_scalar("select to_regclass('_sqlx_migrations') is not null").fetch_one(&mut *connection).await?;
    let applied: Vec<(i64, Vec<u8>)> = if is_migrated {
        sqlx::query_as("select version, checksum from _sqlx_migrations where success order by version")
            .fetch_all(connection)
            .await?
    } else {
        Vec::new()
    };
    schema::is_current(&MIGRATIONS, &applied, &settings.url)
}
