//! The schema of a PostgreSQL database: runs the migrations that a database lacks.

use std::sync::LazyLock;

use sqlx::{Connection as _, PgConnection, migrate::Migrator};

use crate::{
    StoreError,
    fault_points::{FaultPoints, NoFaults},
    postgres::{
        PostgresSettings,
        migrating::{Migrating, Waits},
    },
    schema::{self, Applied, Found, Migrated, Newer, SchemaRow, Standing, taken_apart},
    sql::statements::server,
};

/// All migrations, oldest first.
pub static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| schema::of_files(schema::files::POSTGRES));

/// Runs the migrations that the database lacks, each in its own transaction. If the process is killed in between, the
/// finished migrations stay, and the next process runs the others.
///
/// # Errors
/// [`StoreError::Foreign`] if the database belongs to another program, [`StoreError::OtherBuild`] if another build made
/// it, [`StoreError::TooNew`] if its schema is newer and does not allow this program, [`StoreError::Migration`] if a
/// migration fails or contradicts those of this program, [`StoreError::Blocked`] if another session holds a lock for too
/// long, otherwise as for any method of the store.
pub async fn migrate(settings: &PostgresSettings) -> Result<Migrated, StoreError> {
    migrate_with(settings, &Waits::default(), &NoFaults).await
}

/// Like [`migrate`], with these waits, and with a fault point at each step.
pub(super) async fn migrate_with(
    settings: &PostgresSettings,
    waits: &Waits,
    fault_points: &dyn FaultPoints,
) -> Result<Migrated, StoreError> {
    migrate_to(&MIGRATIONS, settings, waits, fault_points).await
}

/// Like [`migrate`], with these migrations.
///
/// # Errors
/// As for [`migrate`].
pub async fn migrate_to(
    migrations: &Migrator,
    settings: &PostgresSettings,
    waits: &Waits,
    fault_points: &dyn FaultPoints,
) -> Result<Migrated, StoreError> {
    let mut db = settings.connect_to_migrate(waits.lock_timeout).await?;
    let migrated = Box::pin(run_lacked(migrations, settings, &mut db, waits, fault_points)).await;
    // The lock ends with the session, after success and failure.
    let closed = db.close().await;
    let migrated = migrated?;
    closed?;
    Ok(migrated)
}

async fn run_lacked(
    migrations: &Migrator,
    settings: &PostgresSettings,
    db: &mut PgConnection,
    waits: &Waits,
    fault_points: &dyn FaultPoints,
) -> Result<Migrated, StoreError> {
    let stands = standing(migrations, settings, db).await?;
    // Almost every start returns here, without waiting for a lock.
    if stands.lacked.is_empty() {
        return Ok(stands.as_it_is());
    }
    let mut migrating = Migrating::begin(settings, db, waits, fault_points).await?;
    // Another process may have run some migrations before this process got the lock.
    let stands = standing(migrations, settings, migrating.db()).await?;
    let mut ran = Vec::new();
    for migration in &stands.lacked {
        migrating.run(&migrations.table_name, migration).await?;
        ran.push(schema::name_of(migration));
    }
    Ok(Migrated { ran, ..stands.as_it_is() })
}

/// Checks that this program can read the database without migrating it. If the schema is newer than the program, returns
/// its version.
///
/// # Errors
/// [`StoreError::Outdated`] if the database lacks a migration, otherwise as for [`schema::standing`].
pub(crate) async fn check_readable(
    settings: &PostgresSettings,
    connection: &mut PgConnection,
) -> Result<Option<Newer>, StoreError> {
    standing(&MIGRATIONS, settings, connection).await?.to_read()
}

async fn standing<'m>(
    migrations: &'m Migrator,
    settings: &PostgresSettings,
    db: &mut PgConnection,
) -> Result<Standing<'m>, StoreError> {
    let Some((applied, row)) = read(db).await? else {
        return Err(StoreError::Foreign(settings.url.to_string().into()));
    };
    schema::standing(migrations, &applied, row, &settings.url)
}

/// Returns the migrations that the database has, and the row of its schema. A new database has neither. `None` if the database belongs to
/// another program.
async fn read(db: &mut PgConnection) -> Result<Option<(Vec<Applied>, Option<SchemaRow>)>, StoreError> {
    let tables: Vec<String> = sqlx::query_scalar(server::TABLES).fetch_all(&mut *db).await?;
    let Some(find) = schema::find(&tables) else { return Ok(tables.is_empty().then(Default::default)) };
    let found: Vec<Found> = sqlx::query_as(find.postgres).fetch_all(db).await?;
    Ok(Some(taken_apart(found)))
}
