//! Counting the leases that were taken back.

use super::{Write, must_touch};
use crate::store::{StoreError, job::JobId, queue::HOUR_MS};

/// Counts a lease that was taken back, on its job and on the queue.
pub(super) async fn count_rescue(write: &mut Write, id: JobId) -> Result<(), StoreError> {
    let now = write.now;
    let counted = sqlx::query("update jobs set rescues = rescues + 1 where id = ?")
        .bind(id.0)
        .execute(write.at("rescue.count_on_job").await?)
        .await?;
    must_touch("counting a rescue on its job", 1, counted.rows_affected())?;
    let counted =
        sqlx::query("update queue set rescues = rescues + 1").execute(write.at("rescue.count").await?).await?;
    must_touch("counting a rescue", 1, counted.rows_affected())?;
    sqlx::query("insert into rescues (rescued_at) values (?)")
        .bind(now.0)
        .execute(write.at("rescue.note").await?)
        .await?;
    // What nobody counts any more; a clock that was set back keeps some for longer.
    sqlx::query("delete from rescues where rescued_at <= ?")
        .bind(now.plus_ms(-HOUR_MS).0)
        .execute(write.at("rescue.forget").await?)
        .await?;
    Ok(())
}
