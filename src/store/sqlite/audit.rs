//! The comparisons on SQLite, with those that it makes by itself.

use async_trait::async_trait;
use sqlx::{AssertSqlSafe, Row as _};

use super::{SqliteStore, StoreError, rows};
use crate::store::{
    audit::{Audit, COMPARISONS, PuzzleRow, RatingRow, TOLD_MAX},
    puzzle::PuzzleId,
    same::select_puzzles,
};

#[async_trait]
impl Audit for SqliteStore {
    async fn audit(&self) -> Result<Vec<String>, StoreError> {
        // One moment of the database: comparisons of two would find what changed between them.
        let mut moment = self.readers.begin().await?;
        let mut findings: Vec<String> =
            sqlx::query_scalar("pragma integrity_check(100)").fetch_all(&mut *moment).await?;
        findings.retain(|line| line != "ok");
        for row in sqlx::query("pragma foreign_key_check").fetch_all(&mut *moment).await? {
            let (table, id): (String, Option<i64>) = (row.try_get(0)?, row.try_get(1)?);
            let referred: String = row.try_get(2)?;
            let id = id.map(|id| format!(" {id}")).unwrap_or_default();
            findings.push(format!("{table}{id}: refers to a row of {referred} that is not there"));
        }
        for comparison in COMPARISONS {
            let limited = AssertSqlSafe(format!("{comparison} limit {TOLD_MAX}"));
            findings.extend(sqlx::query_scalar::<_, String>(limited).fetch_all(&mut *moment).await?);
        }
        Ok(findings)
    }

    async fn all_puzzles(&self, after: PuzzleId, limit: u32) -> Result<Vec<PuzzleRow>, StoreError> {
        let found = sqlx::query(select_puzzles!("where puzzles.id > ? order by puzzles.id limit ?"))
            .bind(after.0)
            .bind(limit)
            .fetch_all(&self.readers)
            .await?;
        found.iter().map(|row| Ok((PuzzleId(row.try_get("id")?), rows::puzzle(row)))).collect()
    }

    async fn all_ratings(&self, after: PuzzleId, last: PuzzleId) -> Result<Vec<RatingRow>, StoreError> {
        let found = sqlx::query(
            "select puzzle_id as id, * from ratings where puzzle_id > ? and puzzle_id <= ?
             order by puzzle_id, rater, rater_version",
        )
        .bind(after.0)
        .bind(last.0)
        .fetch_all(&self.readers)
        .await?;
        found.iter().map(|row| Ok((PuzzleId(row.try_get("id")?), rows::rating(row)))).collect()
    }
}
