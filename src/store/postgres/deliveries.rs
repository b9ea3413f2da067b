//! What was handed out to an audience: listed, and forgotten.

use sqlx::Row as _;

use super::{PostgresStore, locks, same::delete_audience};
use crate::store::{
    StoreError,
    delivery::{Delivery, DeliveryId},
    same::DELIVERIES,
};

impl PostgresStore {
    pub(super) async fn read_deliveries(
        &self,
        audience: &str,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        let found = self
            .connections
            .all(|| {
                sqlx::query(DELIVERIES).bind(audience).bind(before.map_or(i64::MAX, |id| id.0)).bind(i64::from(limit))
            })
            .await?;
        let delivery = |row: &sqlx::postgres::PgRow| {
            Ok(Delivery::of(row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?))
        };
        found.iter().map(delivery).collect()
    }

    pub(super) async fn forget(&self, audience: &str) -> Result<u64, StoreError> {
        let mut write = self.write("forget.begin").await?;
        locks::take_audiences(write.at("forget.lock").await?, &[audience]).await?;
        let known: Option<i64> = sqlx::query_scalar("select id from audiences where name = $1")
            .bind(audience)
            .fetch_optional(write.at("forget.find").await?)
            .await?;
        let Some(id) = known else { return write.undone(0).await };
        let forgotten = delete_audience(&mut write, id).await?;
        write.commit("forget.commit", "forget.committed").await?;
        Ok(forgotten)
    }
}
