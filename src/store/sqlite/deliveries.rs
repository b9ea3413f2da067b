//! What was handed out to an audience: listed, and forgotten.

use super::{SqliteStore, same::delete_audience};
use crate::store::{
    StoreError,
    delivery::{Delivery, DeliveryId},
    same::DELIVERIES,
};

impl SqliteStore {
    pub(super) async fn read_deliveries(
        &self,
        audience: &str,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        let found: Vec<(i64, i64, Option<String>, i64)> = sqlx::query_as(DELIVERIES)
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
        let known: Option<i64> = sqlx::query_scalar("select id from audiences where name = $1")
            .bind(audience)
            .fetch_optional(write.at("forget.find").await?)
            .await?;
        let Some(id) = known else { return Ok(0) };
        let forgotten = delete_audience(&mut write, id).await?;
        write.commit("forget.commit", "forget.committed").await?;
        Ok(forgotten)
    }
}
