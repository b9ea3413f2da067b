//! The schema of an SQLite file: which migrations there are, and which of them a file lacks.

use std::time::Duration;

use sqlx::{
    ConnectOptions as _, Connection as _, SqliteConnection,
    migrate::{Migrate as _, MigrateError, Migration, Migrator},
};

use super::{SqliteSettings, StoreError, must_touch};
use crate::store::schema::{
    self, Applied, FIND, FIND_WITHOUT_ROW, Found, Migrated, Newer, SchemaRow, Standing, taken_apart,
};

/// All migrations, oldest first.
static MIGRATIONS: Migrator = sqlx::migrate!("migrations/sqlite");

/// Waits between two attempts to open a file that others open too.
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// Runs the migrations that the file lacks, all or none. Makes the file if it is not there.
///
/// # Errors
/// [`StoreError::OtherBuild`] if another build made the file, [`StoreError::TooNew`] if its schema is newer and does not allow
/// this binary, [`StoreError::Migration`] if it holds a foreign schema, else as for any method of the store.
pub async fn migrate(settings: &SqliteSettings) -> Result<Migrated, StoreError> {
    migrate_to(&MIGRATIONS, settings).await
}

/// The same to the schema of these migrations.
///
/// # Errors
/// As for [`migrate`].
pub async fn migrate_to(migrations: &Migrator, settings: &SqliteSettings) -> Result<Migrated, StoreError> {
    let had_log = settings.log().exists();
    settings.explained(had_log, run(migrations, settings).await)
}

async fn run(migrations: &Migrator, settings: &SqliteSettings) -> Result<Migrated, StoreError> {
    let mut db = connect(settings).await?;
    let migrated = run_lacked(migrations, settings, &mut db).await;
    // Whatever happened: else the files that SQLite keeps next to a database could outlive a process that refuses it.
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
    // Most starts end here, and wait for no writer.
    if stands.lacked.is_empty() {
        return Ok(stands.as_it_is());
    }
    // Under the write lock, so that processes that open a new file at once take turns.
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

/// Runs a migration and notes it. The first one makes the table in which the version stands.
async fn run_one(write: &mut SqliteConnection, table: &str, migration: &Migration) -> Result<(), StoreError> {
    let ran = sqlx::raw_sql(migration.sql.clone()).execute(&mut *write).await;
    ran.map_err(|error| match StoreError::from(error) {
        StoreError::Refused(error) => StoreError::Migration(MigrateError::ExecuteMigration(error, migration.version)),
        passing => passing,
    })?;
    write.ensure_migrations_table(table).await.map_err(StoreError::Migration)?;
    write.skip(table, migration).await.map_err(StoreError::Migration)?;
    let noted = sqlx::query("update schema set version = ?").bind(migration.version).execute(write).await?;
    must_touch("the version of the schema", 1, noted.rows_affected())
}

/// Whether a file that is only read can be by this version. Returns its schema if it is newer.
///
/// # Errors
/// [`StoreError::Outdated`] if it lacks a migration, else as for [`schema::standing`].
pub(in crate::store) async fn is_readable(
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
    let (applied, row) = read(db).await?;
    schema::standing(migrations, &applied, row, &settings.path.display())
}

/// The migrations that the file has, and the row of its schema. A new one has neither.
async fn read(db: &mut SqliteConnection) -> Result<(Vec<Applied>, Option<SchemaRow>), StoreError> {
    let tables: Vec<String> = sqlx::query_scalar(
        "select name from sqlite_master where type = 'table' and name in ('_sqlx_migrations', 'schema')",
    )
    .fetch_all(&mut *db)
    .await?;
    let has = |table: &str| tables.iter().any(|name| name == table);
    if !has("_sqlx_migrations") {
        return Ok((Vec::new(), None));
    }
    let find = if has("schema") { FIND } else { FIND_WITHOUT_ROW };
    let found: Vec<Found> = sqlx::query_as(find).fetch_all(db).await?;
    Ok(taken_apart(found))
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
