//! What was handed out to an audience: listed, and forgotten.

use super::SqliteStore;
use crate::store::{
    StoreError,
    delivery::{Delivery, DeliveryId},
};

impl SqliteStore {
    pub(super) async fn read_deliveries(
        &self,
        audience: &str,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        let found: Vec<(i64, i64, Option<String>, i64)> = sqlx::query_as(
            "select deliveries.id, deliveries.puzzle_id, deliveries.name, deliveries.created_at
             from audiences join deliveries on deliveries.audience_id = audiences.id
             where audiences.name = ? and deliveries.id < ?
             order by deliveries.id desc
             limit ?",
        )
        .bind(audience)
        .bind(before.map_or(i64::MAX, |id| id.0))
        .bind(limit)
        .fetch_all(&self.readers)
        .await?;
        let deliveries = found.into_iter();
        Ok(deliveries.map(|(id, puzzle_id, name, at)| Delivery::of(id, puzzle_id, name.as_deref(), at)).collect())
    }

    pub(super) async fn forget(&self, audience: &str) -> Result<u64, StoreError> {
        let mut write = self.write("forget.begin").await?;
        let known: Option<i64> = sqlx::query_scalar("select id from audiences where name = ?")
            .bind(audience)
            .fetch_optional(write.at("forget.find").await?)
            .await?;
        let Some(id) = known else { return Ok(0) };
        sqlx::query("delete from swaps where audience_id = ?")
            .bind(id)
            .execute(write.at("forget.swaps").await?)
            .await?;
        sqlx::query("delete from cursors where audience_id = ?")
            .bind(id)
            .execute(write.at("forget.cursors").await?)
            .await?;
        let forgotten = sqlx::query("delete from deliveries where audience_id = ?")
            .bind(id)
            .execute(write.at("forget.deliveries").await?)
            .await?;
        sqlx::query("delete from audiences where id = ?").bind(id).execute(write.at("forget.audience").await?).await?;
        write.commit("forget.commit", "forget.committed").await?;
        Ok(forgotten.rows_affected())
    }
}
