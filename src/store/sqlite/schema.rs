//! The schema of an SQLite file: which migrations there are, and which of them a file lacks.

use std::time::Duration;

use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, migrate::Migrator};

use super::{SqliteSettings, StoreError};
use crate::store::schema;

/// All migrations, oldest first.
static MIGRATIONS: Migrator = sqlx::migrate!("migrations/sqlite");

/// Waits between two attempts to open a file that others open too.
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// Runs the migrations that the file lacks, all or none, and returns their numbers and names, oldest first. Makes the file
/// if it is not there.
///
/// # Errors
/// [`StoreError::OtherBuild`] if another build made the file, [`StoreError::Migration`] if it holds a newer or foreign schema,
/// else as for any method of the store.
pub async fn migrate(settings: &SqliteSettings) -> Result<Vec<String>, StoreError> {
    let had_log = settings.log().exists();
    settings.explained(had_log, run(settings).await)
}

async fn run(settings: &SqliteSettings) -> Result<Vec<String>, StoreError> {
    let mut connection = connect(settings).await?;
    // Under the write lock, so that processes that open a new file at once take turns: the library has no lock of its own
    // for SQLite.
    let mut transaction = connection.begin_with("begin immediate").await?;
    let ran = schema::run(&MIGRATIONS, &mut *transaction, &settings.path.display()).await?;
    transaction.commit().await?;
    connection.close().await?;
    Ok(ran)
}

/// Whether a file that is only read has the schema of this version.
///
/// # Errors
/// As for [`schema::is_current`].
pub(in crate::store) async fn is_current(
    settings: &SqliteSettings,
    connection: &mut SqliteConnection,
) -> Result<(), StoreError> {
    // A file that nobody has migrated has no such table.
    let is_migrated: bool =
        sqlx::query_scalar("select exists (select 1 from sqlite_master where name = '_sqlx_migrations')")
            .fetch_one(&mut *connection)
            .await?;
    let applied: Vec<(i64, Vec<u8>)> = if is_migrated {
        sqlx::query_as("select version, checksum from _sqlx_migrations where success order by version")
            .fetch_all(connection)
            .await?
    } else {
        Vec::new()
    };
    schema::is_current(&MIGRATIONS, &applied, &settings.path.display())
}

/// Unlike everywhere else SQLite does not wait by itself where two processes turn a new file to its WAL mode at once.
pub(in crate::store) async fn connect(settings: &SqliteSettings) -> Result<SqliteConnection, StoreError> {
    let had_log = settings.log().exists();
    let mut patience = settings.busy_timeout;
    loop {
        match settings.options().connect().await {
            Err(error) if is_busy(&error) && !patience.is_zero() => {
                patience = patience.saturating_sub(BUSY_PAUSE);
                tokio::time::sleep(BUSY_PAUSE).await;
            }
            connected => return settings.explained(had_log, connected.map_err(StoreError::from)),
        }
    }
}

pub(super) fn is_busy(error: &sqlx::Error) -> bool {
    // The primary code of "database is locked" stands in the low byte.
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<u32>().ok());
    code.is_some_and(|code| code & 0xff == 5)
}
