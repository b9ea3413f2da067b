//! The schema of an SQLite file: which migrations there are, and which of them a file lacks.

use std::time::Duration;

use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, migrate::Migrator};

use super::{SqliteSettings, StoreError};
use crate::store::{delivery::grid_of, schema};
use puzzled_engine::registry;

/// All migrations, oldest first.
static MIGRATIONS: Migrator = sqlx::migrate!("migrations/sqlite");

/// Waits between two attempts to open a file that others open too.
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// The migration that gave puzzles the number of their solution.
const GRIDS: i64 = 3;

/// Puzzles whose numbers are filled in between two reads.
const FILLED_AT_ONCE: u32 = 1_000;

/// Runs the migrations that the file lacks, all or none, and returns their numbers and names, oldest first. Makes the file
/// if it is not there.
///
/// # Errors
/// [`StoreError::Migration`] if the file holds a newer or foreign schema, else as for any method of the store.
pub async fn migrate(settings: &SqliteSettings) -> Result<Vec<String>, StoreError> {
    let mut connection = connect(settings).await?;
    // Under the write lock, so that processes that open a new file at once take turns: the library has no lock of its own
    // for SQLite.
    let mut transaction = connection.begin_with("begin immediate").await?;
    let ran = schema::run(&MIGRATIONS, &mut *transaction).await?;
    if ran.includes(GRIDS) {
        fill_in_grids(&mut transaction).await?;
    }
    transaction.commit().await?;
    connection.close().await?;
    Ok(ran.names())
}

/// Whether a file that is only read has the schema of this version.
///
/// # Errors
/// [`StoreError::Outdated`] if it lacks a migration, [`StoreError::Migration`] if it has one that is not known.
pub(super) async fn is_current(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let applied: Vec<i64> = sqlx::query_scalar("select version from _sqlx_migrations where success order by version")
        .fetch_all(connection)
        .await?;
    schema::is_current(&MIGRATIONS, &applied)
}

/// Gives puzzles that were stored before there was such a column the number of their solution; only the engine knows it. A
/// kind that only a newer version knows has a number for each puzzle.
async fn fill_in_grids(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    loop {
        let without: Vec<(i64, String, String, String, String, String)> = sqlx::query_as(
            "select puzzles.id, shelves.kind, shelves.variant, puzzles.text, puzzles.solution, puzzles.canonical
             from puzzles join shelves on shelves.id = puzzles.shelf_id
             where puzzles.grid is null
             limit ?",
        )
        .bind(FILLED_AT_ONCE)
        .fetch_all(&mut *connection)
        .await?;
        if without.is_empty() {
            return Ok(());
        }
        for (id, kind, variant, text, solution, canonical) in without {
            let solved = registry::kind(&kind).and_then(|kind| kind.solved(&variant, &text, &solution).ok());
            let grid = grid_of(&kind, &variant, &solved.unwrap_or(canonical));
            sqlx::query("update puzzles set grid = ? where id = ?")
                .bind(&grid[..])
                .bind(id)
                .execute(&mut *connection)
                .await?;
        }
    }
}

/// Unlike everywhere else SQLite does not wait by itself where two processes turn a new file to its WAL mode at once.
pub(in crate::store) async fn connect(settings: &SqliteSettings) -> Result<SqliteConnection, StoreError> {
    let mut patience = settings.busy_timeout;
    loop {
        match settings.options().connect().await {
            Err(error) if is_busy(&error) && !patience.is_zero() => {
                patience = patience.saturating_sub(BUSY_PAUSE);
                tokio::time::sleep(BUSY_PAUSE).await;
            }
            connected => return Ok(connected?),
        }
    }
}

fn is_busy(error: &sqlx::Error) -> bool {
    // The primary code of "database is locked" stands in the low byte.
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<u32>().ok());
    code.is_some_and(|code| code & 0xff == 5)
}
