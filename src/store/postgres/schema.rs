//! The schema of a PostgreSQL database: which migrations there are, and which of them a database lacks.

use sqlx::{ConnectOptions as _, Connection as _, migrate::Migrator};

use super::{PostgresSettings, StoreError, locks};
use crate::store::schema;

/// All migrations, oldest first.
static MIGRATIONS: Migrator = sqlx::migrate!("migrations/postgres");

/// Runs the migrations that the database lacks, all or none, and returns their numbers and names, oldest first.
///
/// # Errors
/// [`StoreError::Migration`] if the database holds a newer or foreign schema, else as for any method of the store.
pub async fn migrate(settings: &PostgresSettings) -> Result<Vec<String>, StoreError> {
    let mut connection = settings.url.options().connect().await?;
    let mut transaction = connection.begin().await?;
    // Processes that start at once take turns. The lock ends with the transaction, as the library's own would not.
    locks::MIGRATE.take(&mut transaction).await?;
    let ran = schema::run(&MIGRATIONS, &mut *transaction).await?;
    transaction.commit().await?;
    connection.close().await?;
    Ok(ran)
}
