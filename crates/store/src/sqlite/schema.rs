//! The schema of an SQLite file: runs the migrations that a file lacks.

use std::{sync::LazyLock, time::Duration};

use sqlx::{
    ConnectOptions as _, Connection as _, SqliteConnection,
    migrate::{Migrate as _, Migration, Migrator},
    sqlite::SqliteConnectOptions,
};

use crate::{
    StoreError,
    error::must_touch,
    schema::{self, Applied, Found, Migrated, Newer, SchemaRow, Standing, taken_apart},
    sql::statements::migrations,
    sqlite::{SqliteSettings, opening},
};

/// All migrations, oldest first.
pub static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| schema::of_files(schema::files::SQLITE));

/// The pause between attempts to open a file that other processes are opening too.
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// Runs the migrations that the file lacks, all or none of them. Creates the file if it does not exist.
///
/// # Errors
/// [`StoreError::Moved`] if `puzzled copy` has moved the file, [`StoreError::Foreign`] if it belongs to another program,
/// [`StoreError::OtherBuild`] if another build made it, [`StoreError::TooNew`] if its schema is newer and does not allow
/// this program, [`StoreError::Migration`] if a migration fails or contradicts those of this program, otherwise as for any
/// method of the store.
pub async fn migrate(settings: &SqliteSettings) -> Result<Migrated, StoreError> {
    migrate_to(&MIGRATIONS, settings).await
}

/// Like [`migrate`], with these migrations.
///
/// # Errors
/// As for [`migrate`].
pub async fn migrate_to(migrations: &Migrator, settings: &SqliteSettings) -> Result<Migrated, StoreError> {
    let had_log = settings.log().exists();
    run(migrations, settings).await.map_err(|error| settings.explained(had_log, error))
}

async fn run(migrations: &Migrator, settings: &SqliteSettings) -> Result<Migrated, StoreError> {
    let mut db = connect(settings).await?;
    let migrated = match run_lacked(migrations, settings, &mut db).await {
        Ok(migrated) => opening::mark(&mut db).await.map(|()| migrated),
        Err(error) => Err(error),
    };
    // Close after success and failure. Otherwise, if this process refuses the database, the files that SQLite keeps
    // next to it could outlive the process.
    let closed = db.close().await;
    let migrated = migrated?;
    closed?;
    Ok(migrated)
}

async fn run_lacked(
    migrations: &Migrator,
    settings: &SqliteSettings,
    db: &mut SqliteConnection,
) -> Result<Migrated, StoreError> {
    let stands = standing(migrations, settings, db).await?;
    // Almost every start returns here, without waiting for a writer.
    if stands.lacked.is_empty() {
        return Ok(stands.as_it_is());
    }
    // The write lock makes processes that open a new file at the same time migrate one after the other.
    let mut write = db.begin_with("begin immediate").await?;
    let stands = standing(migrations, settings, &mut write).await?;
    let mut ran = Vec::new();
    for migration in &stands.lacked {
        run_one(&mut write, &migrations.table_name, migration).await?;
        ran.push(schema::name_of(migration));
    }
    write.commit().await?;
    Ok(Migrated { ran, ..stands.as_it_is() })
}

/// Runs a migration and records it. The first migration creates the table that holds the version.
async fn run_one(write: &mut SqliteConnection, table: &str, migration: &Migration) -> Result<(), StoreError> {
    let ran = sqlx::raw_sql(migration.sql.clone()).execute(&mut *write).await;
    ran.map_err(|error| schema::failed(error, migration))?;
    write.ensure_migrations_table(table).await.map_err(StoreError::Migration)?;
    write.skip(table, migration).await.map_err(StoreError::Migration)?;
    let noted = sqlx::query(migrations::SET_VERSION.sqlite).bind(migration.version).execute(write).await?;
    must_touch("the version of the schema", 1, noted.rows_affected())
}

/// Checks that this program can read the file without migrating it. If the schema is newer than the program, returns its
/// version.
///
/// # Errors
/// [`StoreError::Outdated`] if the file lacks a migration, otherwise as for [`schema::standing`].
pub(crate) async fn check_readable(
    settings: &SqliteSettings,
    connection: &mut SqliteConnection,
) -> Result<Option<Newer>, StoreError> {
    standing(&MIGRATIONS, settings, connection).await?.to_read()
}

async fn standing<'m>(
    migrations: &'m Migrator,
    settings: &SqliteSettings,
    db: &mut SqliteConnection,
) -> Result<Standing<'m>, StoreError> {
    let (applied, row) = read(settings, db).await?;
    schema::standing(migrations, &applied, row, &settings.path.display())
}

/// Returns the migrations that the file has, and the row of its schema. A new file has neither.
async fn read(
    settings: &SqliteSettings,
    db: &mut SqliteConnection,
) -> Result<(Vec<Applied>, Option<SchemaRow>), StoreError> {
    let tables = opening::tables(settings, db).await?;
    let Some(find) = schema::find(&tables) else { return Ok((Vec::new(), None)) };
    let found: Vec<Found> = sqlx::query_as(find.sqlite).fetch_all(db).await?;
    Ok(taken_apart(found))
}

/// Connects, with retries. If two processes switch a new file to WAL mode at once, SQLite does not wait as it does
/// elsewhere.
async fn connect(settings: &SqliteSettings) -> Result<SqliteConnection, StoreError> {
    let had_log = settings.log().exists();
    let mut patience = settings.busy_timeout;
    loop {
        let options = settings.options();
        settings.must_not_be_moved()?;
        let connected = match read_first(settings).await {
            Ok(()) => options.connect().await.map_err(StoreError::from),
            Err(error) => Err(error),
        };
        match connected {
            Err(StoreError::Unavailable(error)) if is_busy(&error) && !patience.is_zero() => {
                patience = patience.saturating_sub(BUSY_PAUSE);
                tokio::time::sleep(BUSY_PAUSE).await;
            }
            connected => return connected.map_err(|error| settings.explained(had_log, error)),
        }
    }
}

/// Reads a file that has no log, and closes it. A connection that fails while it is opened is closed only later, and could leave
/// a log next to a malformed file, or change the file of another program.
///
/// # Errors
/// [`StoreError::Foreign`] if another program made the file, otherwise as for any method of the store.
pub(super) async fn read_first(settings: &SqliteSettings) -> Result<(), StoreError> {
    if !settings.path.exists() || settings.log().exists() {
        return Ok(());
    }
    let options = SqliteConnectOptions::new().filename(&settings.path).create_if_missing(false);
    let options = options.busy_timeout(settings.busy_timeout).immutable(settings.is_immutable());
    let mut db = options.connect().await?;
    let tables = opening::tables(settings, &mut db).await;
    db.close().await?;
    tables.map(drop)
}

pub(crate) fn is_busy(error: &sqlx::Error) -> bool {
    // The low byte is the primary code of "database is locked".
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<u32>().ok());
    code.is_some_and(|code| code & 0xff == 5)
}
