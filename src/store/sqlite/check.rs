//! Runs all consistency checks of an SQLite database: SQLite's own checks of the file and of references, and the
//! comparisons that both databases share.

use sqlx::{AssertSqlSafe, Row as _};

use super::{SqliteStore, StoreError};
use crate::store::{
    check::{COMPARISONS, TOLD_MAX},
    error::foreign_log,
};

impl SqliteStore {
    pub(super) async fn find_amiss(&self) -> Result<Vec<String>, StoreError> {
        // All comparisons read the database at one moment. Otherwise, they would report changes made between them.
        let mut moment = self.readers.begin().await?;
        let mut findings: Vec<String> =
            sqlx::query_scalar("pragma integrity_check(100)").fetch_all(&mut *moment).await?;
        findings.retain(|line| line != "ok");
        if let Some(first) = findings.first_mut()
            && (self.had_log || self.settings.log().exists())
        {
            *first = format!("{first}; {}", foreign_log(&self.settings.path.display()));
        }
        for row in sqlx::query("pragma foreign_key_check").fetch_all(&mut *moment).await? {
            let (table, id): (String, Option<i64>) = (row.try_get(0)?, row.try_get(1)?);
            let referred: String = row.try_get(2)?;
            let id = id.map(|id| format!(" {id}")).unwrap_or_default();
            findings.push(format!("{table}{id}: refers to a missing row of {referred}"));
        }
        for comparison in COMPARISONS {
            let limited = AssertSqlSafe(format!("{comparison} limit {TOLD_MAX}"));
            findings.extend(sqlx::query_scalar::<_, String>(limited).fetch_all(&mut *moment).await?);
        }
        Ok(findings)
    }
}
