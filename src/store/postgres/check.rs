//! Opens a PostgreSQL database for reading only, and checks its consistency.

use std::{sync::Arc, time::Duration};

use sqlx::AssertSqlSafe;

use super::{PostgresSettings, PostgresStore, StoreClock, schema};
use crate::store::{
    StoreError,
    check::{COMPARISONS, TOLD_MAX},
    fault_points::NoFaults,
};

/// Time limit for a read of the whole database.
const PATIENCE: Duration = Duration::from_hours(24);

impl PostgresStore {
    /// Opens a database for reading only; every write is refused. The database must have the schema of this version, or
    /// a newer schema that allows this version.
    ///
    /// # Errors
    /// [`StoreError::OtherBuild`] if another build made the database, [`StoreError::Outdated`] if it lacks a migration,
    /// [`StoreError::TooNew`] if its schema does not allow this version, [`StoreError::Migration`] if its schema is not
    /// one of puzzled.
    pub async fn open_to_read(settings: PostgresSettings) -> Result<Self, StoreError> {
        let pool = settings.pool();
        let settings = PostgresSettings { patience: PATIENCE, ..settings };
        let options = settings.options().options([("default_transaction_read_only", "on")]);
        let pool = pool.connect_with(options).await?;
        schema::is_readable(&settings, &mut *pool.acquire().await?).await?;
        Ok(Self::on(pool, settings, StoreClock::Server, Arc::new(NoFaults)))
    }

    pub(super) async fn find_amiss(&self) -> Result<Vec<String>, StoreError> {
        let mut findings = Vec::new();
        // All comparisons read the database at one moment. Otherwise, they would report changes made between them. The
        // server itself checks its files and references.
        let mut moment = self.connections.moment().await?;
        for comparison in COMPARISONS {
            let limited = AssertSqlSafe(format!("{comparison} limit {TOLD_MAX}"));
            findings.extend(sqlx::query_scalar::<_, String>(limited).fetch_all(&mut *moment).await?);
        }
        sqlx::raw_sql("rollback").execute(&mut *moment).await?;
        moment.release();
        Ok(findings)
    }
}
