//! What came of all tries at a spec: counted with each commit, read for forecasts.

use std::collections::BTreeMap;

use super::{PostgresStore, Write, rows};
use crate::store::{StoreError, target::Rate};
use puzzled_engine::ENGINE_VERSION;

/// What counts for a spec.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) tries: i64,
    pub(super) hits: i64,
    pub(super) work_ms: i64,
}

/// Counts the tries of slices, by spec: two commits that count for the same specs wait for each other in one direction.
pub(super) async fn count(write: &mut Write<'_>, counts: BTreeMap<String, Counts>) -> Result<(), StoreError> {
    let column = |value: fn(&Counts) -> i64| counts.values().map(value).collect::<Vec<_>>();
    sqlx::query(
        "insert into rates (spec, engine_version, tries, hits, work_ms)
         select spec, $1, tries, hits, work_ms
         from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[])
              with ordinality as counted (spec, tries, hits, work_ms, rank)
         order by rank
         on conflict (spec, engine_version) do update
         set tries = rates.tries + excluded.tries, hits = rates.hits + excluded.hits,
             work_ms = rates.work_ms + excluded.work_ms",
    )
    .bind(i64::from(ENGINE_VERSION))
    .bind(counts.keys().map(String::as_str).collect::<Vec<_>>())
    .bind(column(|counts| counts.tries))
    .bind(column(|counts| counts.hits))
    .bind(column(|counts| counts.work_ms))
    .execute(write.at("commit.count_rates").await?)
    .await?;
    Ok(())
}

impl PostgresStore {
    pub(super) async fn read_rates(&self, specs: &[String]) -> Result<Vec<Rate>, StoreError> {
        // The spec is the key; the row's id, by which a broken value is named, is 0 for all.
        let found = self
            .connections
            .all(|| {
                sqlx::query(
                    "select 0::bigint as id, spec, tries, hits, work_ms from rates
                     where engine_version = $1 and spec = any($2)",
                )
                .bind(i64::from(ENGINE_VERSION))
                .bind(specs)
            })
            .await?;
        found.iter().map(rows::rate).collect()
    }
}
