//! What came of all tries at a spec: counted with each commit, read for forecasts.

use super::{SqliteStore, Write, rows};
use crate::store::{StoreError, commit::signed, target::Rate};
use puzzled_engine::{ENGINE_VERSION, spec::Spec};

/// Counts the tries of a slice.
pub(super) async fn count(
    write: &mut Write<'_>,
    spec: &Spec,
    tries: u64,
    hits: i64,
    work_ms: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "insert into rates (spec, engine_version, tries, hits, work_ms) values (?, ?, ?, ?, ?)
         on conflict (spec, engine_version) do update
         set tries = tries + excluded.tries, hits = hits + excluded.hits, work_ms = work_ms + excluded.work_ms",
    )
    .bind(spec.words())
    .bind(ENGINE_VERSION)
    .bind(signed(tries))
    .bind(hits)
    .bind(work_ms)
    .execute(write.at("commit.count_rate").await?)
    .await?;
    Ok(())
}

impl SqliteStore {
    pub(super) async fn read_rates(&self, specs: &[String]) -> Result<Vec<Rate>, StoreError> {
        // The spec is the key; the row's id, by which a broken value is named, is 0 for all.
        let found = sqlx::query(
            "select 0 as id, spec, tries, hits, work_ms from rates
             where engine_version = ? and spec in (select value from json_each(?))",
        )
        .bind(ENGINE_VERSION)
        .bind(serde_json::json!(specs).to_string())
        .fetch_all(&self.readers)
        .await?;
        found.iter().map(rows::rate).collect()
    }
}
