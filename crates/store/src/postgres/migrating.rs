//! Runs migrations while other sessions, such as a dump, hold locks. If a migration does not get its lock soon, it is
//! rolled back so that calls do not queue behind it, and is retried later. After a while, it ends with an error. The build of an index
//! blocks no call, so it waits without a limit.

use std::time::Duration;

use sqlx::{
    AssertSqlSafe, Connection as _, PgConnection,
    migrate::{Migrate as _, MigrateError, Migration},
};
use tokio::time::sleep;

use crate::{
    StoreError,
    error::must_touch,
    fault_points::FaultPoints,
    postgres::{PostgresSettings, locks},
    schema::{failed, name_of},
    sql::statements::{migrations, server},
};

/// How long migrations wait for other sessions.
#[derive(Debug, Clone)]
pub struct Waits {
    /// How long a migration waits for one lock before it is rolled back. Meanwhile, calls that need the same table
    /// queue behind it. Default: 1 s.
    pub lock_timeout: Duration,
    /// The time between two attempts at such a migration, during which those calls proceed. Default: 10 s.
    pub retry_pause: Duration,
    /// The time between two checks whether another process still runs migrations. Default: 250 ms.
    pub poll_pause: Duration,
    /// The time after which a process gives up waiting for a lock or for another process. Default: 10 min.
    pub limit: Duration,
}

impl Default for Waits {
    fn default() -> Self {
        Self {
            lock_timeout: Duration::from_secs(1),
            retry_pause: Duration::from_secs(10),
            poll_pause: Duration::from_millis(250),
            limit: Duration::from_mins(10),
        }
    }
}

/// A session that runs migrations. No other process runs migrations on this database until the session ends.
pub(super) struct Migrating<'a> {
    settings: &'a PostgresSettings,
    db: &'a mut PgConnection,
    waits: &'a Waits,
    fault_points: &'a dyn FaultPoints,
}

impl<'a> Migrating<'a> {
    /// Waits until no other process runs migrations. Polls instead of waiting inside a statement, because an index that
    /// is built concurrently would wait for that statement.
    pub(super) async fn begin(
        settings: &'a PostgresSettings,
        db: &'a mut PgConnection,
        waits: &'a Waits,
        fault_points: &'a dyn FaultPoints,
    ) -> Result<Self, StoreError> {
        let mut waited = Duration::ZERO;
        loop {
            fault_points.at("migrate.poll").await?;
            if locks::MIGRATE.try_hold(db).await? {
                break;
            }
            if waited >= waits.limit {
                return Err(StoreError::Migrating { database: settings.url.to_string(), waited });
            }
            if waited.is_zero() {
                tracing::info!("waiting for the migrations of another process");
            }
            sleep(waits.poll_pause).await;
            waited += waits.poll_pause;
        }
        Ok(Self { settings, db, waits, fault_points })
    }

    /// The session that migrates.
    pub(super) fn db(&mut self) -> &mut PgConnection {
        self.db
    }

    /// Runs a migration as soon as no other session blocks it.
    pub(super) async fn run(&mut self, table: &str, migration: &Migration) -> Result<(), StoreError> {
        let name = name_of(migration);
        let mut waited = Duration::ZERO;
        loop {
            self.fault_points.at("migrate.try").await?;
            let tried = if migration.no_tx {
                build_index(self.db, table, migration, self.waits).await
            } else {
                run(self.db, table, migration).await
            };
            match tried {
                Ok(()) => return self.fault_points.at("migrate.ran").await,
                Err(error) if is_blocked(&error) => {}
                Err(error) => return Err(error),
            }
            self.fault_points.at("migrate.blocked").await?;
            waited += self.waits.lock_timeout;
            if waited >= self.waits.limit {
                let (database, what) = (self.settings.url.to_string(), format!("migration {name}"));
                return Err(StoreError::Blocked { database, what, waited });
            }
            let retry_in = self.waits.retry_pause;
            tracing::warn!(migration = name, ?retry_in, "migration rolled back: a session holds a lock");
            sleep(retry_in).await;
            waited += retry_in;
        }
    }
}

/// Runs a migration and records it, in one transaction.
async fn run(db: &mut PgConnection, table: &str, migration: &Migration) -> Result<(), StoreError> {
    let mut write = db.begin().await?;
    let ran = async {
        let ran = sqlx::raw_sql(migration.sql.clone()).execute(&mut *write).await;
        ran.map_err(|error| failed(error, migration))?;
        note(&mut write, table, migration).await
    }
    .await;
    match ran {
        Ok(()) => write.commit().await?,
        // Rolls back at once, not at the next use of the connection, so that the locks are free meanwhile.
        Err(_) => write.rollback().await?,
    }
    ran
}

/// Builds the index of a migration without a transaction, and records the migration. If an interrupted run left an
/// invalid index, drops that index first.
async fn build_index(
    db: &mut PgConnection,
    table: &str,
    migration: &Migration,
    waits: &Waits,
) -> Result<(), StoreError> {
    let sql = migration.sql.as_str();
    let index = index_of(sql).map_err(|fault| {
        let fault = sqlx::Error::InvalidArgument(fault);
        StoreError::Migration(MigrateError::ExecuteMigration(fault, migration.version))
    })?;
    let is_invalid: bool = sqlx::query_scalar(server::IS_INDEX_INVALID).bind(&index).fetch_one(&mut *db).await?;
    if is_invalid {
        let drop = format!("drop index concurrently {index}");
        sqlx::raw_sql(AssertSqlSafe(drop)).execute(&mut *db).await?;
    }
    // The build waits for older transactions, however long they take, and blocks neither reads nor writes.
    tracing::info!(index, "index build begun");
    set_lock_timeout(db, Duration::ZERO).await?;
    let built = sqlx::raw_sql(migration.sql.clone()).execute(&mut *db).await;
    set_lock_timeout(db, waits.lock_timeout).await?;
    built.map_err(|error| failed(error, migration))?;
    let mut write = db.begin().await?;
    note(&mut write, table, migration).await?;
    Ok(write.commit().await?)
}

/// The allowed beginnings of the one statement of a migration without a transaction.
const INDEX_BEGINNINGS: [&str; 2] =
    ["create index concurrently if not exists ", "create unique index concurrently if not exists "];

/// Returns the index that a migration marked `-- no-transaction` builds.
///
/// # Errors
/// A sentence if the migration is not exactly one `create index concurrently if not exists`. With two statements, an
/// interrupted migration could not be resumed safely.
fn index_of(sql: &str) -> Result<String, String> {
    let code = sql.lines().map(|line| line.split("--").next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
    let code = code.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let statement = code.strip_suffix(';').unwrap_or(&code);
    let name = INDEX_BEGINNINGS.iter().find_map(|beginning| statement.strip_prefix(beginning)?.split(' ').next());
    match name {
        Some(name) if !statement.contains(';') && is_plain(name) => Ok(name.to_owned()),
        _ => Err(format!(
            "a migration without a transaction holds one `create index concurrently if not exists NAME`, not: {code}"
        )),
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Records that the database has a migration. The first migration creates the tables for these records.
async fn note(write: &mut PgConnection, table: &str, migration: &Migration) -> Result<(), StoreError> {
    write.ensure_migrations_table(table).await.map_err(StoreError::Migration)?;
    write.skip(table, migration).await.map_err(StoreError::Migration)?;
    let noted = sqlx::query(migrations::SET_VERSION.postgres).bind(migration.version).execute(write).await?;
    must_touch("the version of the schema", 1, noted.rows_affected())
}

async fn set_lock_timeout(db: &mut PgConnection, timeout: Duration) -> Result<(), StoreError> {
    let set = format!("set lock_timeout = '{}ms'", timeout.as_millis());
    sqlx::raw_sql(AssertSqlSafe(set)).execute(db).await?;
    Ok(())
}

/// Whether another session blocked the migration: a lock timeout, or a deadlock that ended this transaction.
fn is_blocked(error: &StoreError) -> bool {
    let StoreError::Unavailable(error) = error else { return false };
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    matches!(code.as_deref(), Some("55P03" | "40P01"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_concurrent_index_is_allowed() {
        let on = "jobs_of_night on jobs (night) where night is not null";
        for (sql, index) in [
            (format!("-- no-transaction\ncreate index concurrently if not exists {on};\n"), "jobs_of_night"),
            (
                format!("-- no-transaction\n-- Why.\nCREATE UNIQUE INDEX CONCURRENTLY\n  IF NOT EXISTS {on} -- so"),
                "jobs_of_night",
            ),
        ] {
            assert_eq!(index_of(&sql).as_deref(), Ok(index), "{sql}");
        }
        for sql in [
            String::new(),
            format!("create index {on}"),
            format!("create index concurrently {on}"),
            format!("create index if not exists {on}"),
            format!("create index concurrently if not exists {on}; update schema set oldest_compatible = 2"),
            "create index concurrently if not exists \"a;b\" on jobs (id)".to_owned(),
        ] {
            assert!(index_of(&sql).is_err(), "{sql}");
        }
    }
}
