//! Stock targets: setting, listing and deleting them, and taking over what the configuration file declares.

use super::{SqliteStore, rows, same::put_target};
use crate::store::{
    StoreError,
    target::{StockTarget, TargetId, TargetSet, Wish},
};

impl SqliteStore {
    pub(super) async fn upsert_target(&self, wish: Wish, targets_max: u32) -> Result<TargetSet, StoreError> {
        let mut write = self.write("set_target.begin").await?;
        let spec = wish.spec.words();
        let (targets, others): (u32, u32) = sqlx::query_as("select count(*), coalesce(sum(spec <> ?), 0) from targets")
            .bind(&spec)
            .fetch_one(write.at("set_target.count").await?)
            .await?;
        if others >= targets_max {
            return Ok(TargetSet::TooMany { targets });
        }
        let target = put_target(&mut write, &wish, false).await?;
        write.commit("set_target.commit", "set_target.committed").await?;
        Ok(TargetSet::Set(target))
    }

    pub(super) async fn read_targets(&self) -> Result<Vec<StockTarget>, StoreError> {
        let found = sqlx::query("select * from targets order by id").fetch_all(&self.readers).await?;
        found.iter().map(rows::target).collect()
    }

    pub(super) async fn remove_target(&self, id: TargetId) -> Result<Option<StockTarget>, StoreError> {
        let mut write = self.write("delete_target.begin").await?;
        let gone = sqlx::query("delete from targets where id = ? returning *")
            .bind(id.0)
            .fetch_optional(write.at("delete_target.delete").await?)
            .await?;
        write.commit("delete_target.commit", "delete_target.committed").await?;
        gone.as_ref().map(rows::target).transpose()
    }

    pub(super) async fn take_over_declared(&self, wishes: &[Wish]) -> Result<(), StoreError> {
        let mut write = self.write("declare_targets.begin").await?;
        let specs: Vec<_> = wishes.iter().map(|wish| wish.spec.words()).collect();
        sqlx::query("delete from targets where declared = 1 and spec not in (select value from json_each(?))")
            .bind(serde_json::json!(specs).to_string())
            .execute(write.at("declare_targets.delete").await?)
            .await?;
        for wish in wishes {
            put_target(&mut write, wish, true).await?;
        }
        write.commit("declare_targets.commit", "declare_targets.committed").await
    }
}
