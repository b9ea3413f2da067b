//! Counting the leases that were taken back.

use super::{Write, must_touch};
use crate::store::{
    StoreError,
    queue::{HOUR_MS, Rescue},
};

/// Counts leases that were taken back, on their jobs, which are locked, and on the queue.
pub(super) async fn count_rescues(write: &mut Write, rescues: &[Rescue]) -> Result<(), StoreError> {
    if rescues.is_empty() {
        return Ok(());
    }
    let now = write.now;
    sqlx::query(
        "update jobs set rescues = rescues + counted.more
         from (select job_id, count(*) as more from unnest($1::bigint[]) as job_id group by job_id) as counted
         where jobs.id = counted.job_id",
    )
    .bind(rescues.iter().map(|rescue| rescue.job_id.0).collect::<Vec<_>>())
    .execute(write.at("rescue.count_on_jobs").await?)
    .await?;
    let more = i64::try_from(rescues.len()).expect("a length fits");
    let counted = sqlx::query("update queue set rescues = rescues + $1")
        .bind(more)
        .execute(write.at("rescue.count").await?)
        .await?;
    must_touch("counting rescues", 1, counted.rows_affected())?;
    sqlx::query("insert into rescues (rescued_at) select $1 from generate_series(1, $2)")
        .bind(now.0)
        .bind(more)
        .execute(write.at("rescue.note").await?)
        .await?;
    // What nobody counts any more; a clock that was set back keeps some for longer.
    sqlx::query("delete from rescues where rescued_at <= $1")
        .bind(now.plus_ms(-HOUR_MS).0)
        .execute(write.at("rescue.forget").await?)
        .await?;
    Ok(())
}
