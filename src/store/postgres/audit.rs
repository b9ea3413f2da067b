//! A database that is only read, by whoever looks after it: opened so that every write is refused, and looked through.

use std::{sync::Arc, time::Duration};

use sqlx::AssertSqlSafe;

use super::{PostgresSettings, PostgresStore, StoreClock, StoreError, schema};
use crate::store::{
    audit::{COMPARISONS, TOLD_MAX},
    probe::Pass,
};

/// How long one read of all that there is may take.
const PATIENCE: Duration = Duration::from_hours(24);

impl PostgresStore {
    /// Opens a database that has the schema of this version, or a newer one that allows it, to be read: every write is refused.
    ///
    /// # Errors
    /// [`StoreError::OtherBuild`] if another build made it, [`StoreError::Outdated`] if it lacks a migration,
    /// [`StoreError::TooNew`] if its schema does not allow this version, [`StoreError::Migration`] if it is a foreign one.
    pub async fn open_to_read(settings: PostgresSettings) -> Result<Self, StoreError> {
        let pool = settings.pool();
        let settings = PostgresSettings { patience: PATIENCE, ..settings };
        let options = settings.options().options([("default_transaction_read_only", "on")]);
        let pool = pool.connect_with(options).await?;
        schema::is_readable(&settings, &mut *pool.acquire().await?).await?;
        Ok(Self::on(pool, settings, StoreClock::Server, Arc::new(Pass)))
    }

    pub(super) async fn find_amiss(&self) -> Result<Vec<String>, StoreError> {
        let mut findings = Vec::new();
        // One moment of the database: comparisons of two would find what changed between them. The server sees to its own
        // files and references itself.
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
