//! Stock targets: setting, listing and deleting them, and taking over what the configuration file declares.

use super::{PostgresStore, locks, rows, same::put_target};
use crate::store::{
    StoreError,
    target::{StockTarget, TargetId, TargetSet, Wish},
};

impl PostgresStore {
    pub(super) async fn upsert_target(&self, wish: &Wish, targets_max: u32) -> Result<TargetSet, StoreError> {
        let mut write = self.write("set_target.begin").await?;
        locks::TARGETS.take(write.at("set_target.lock").await?).await?;
        let (targets, others): (i64, i64) =
            sqlx::query_as("select count(*), count(*) filter (where spec <> $1) from targets")
                .bind(wish.spec.words())
                .fetch_one(write.at("set_target.count").await?)
                .await?;
        if others >= i64::from(targets_max) {
            let targets = u32::try_from(targets).unwrap_or(u32::MAX);
            return write.undone(TargetSet::TooMany { targets }).await;
        }
        let target = put_target(&mut write, wish, false).await?;
        write.commit("set_target.commit", "set_target.committed").await?;
        Ok(TargetSet::Set(target))
    }

    pub(super) async fn read_targets(&self) -> Result<Vec<StockTarget>, StoreError> {
        let found = self.connections.all(|| sqlx::query("select * from targets order by id")).await?;
        found.iter().map(rows::target).collect()
    }

    pub(super) async fn remove_target(&self, id: TargetId) -> Result<Option<StockTarget>, StoreError> {
        let mut write = self.write("delete_target.begin").await?;
        locks::TARGETS.take(write.at("delete_target.lock").await?).await?;
        let gone = sqlx::query("delete from targets where id = $1 returning *")
            .bind(id.0)
            .fetch_optional(write.at("delete_target.delete").await?)
            .await?;
        write.commit("delete_target.commit", "delete_target.committed").await?;
        gone.as_ref().map(rows::target).transpose()
    }

    pub(super) async fn take_over_declared(&self, wishes: &[Wish]) -> Result<(), StoreError> {
        let mut write = self.write("declare_targets.begin").await?;
        // Servers that start at once declare the same targets.
        locks::TARGETS.take(write.at("declare_targets.lock").await?).await?;
        let specs: Vec<_> = wishes.iter().map(|wish| wish.spec.words()).collect();
        sqlx::query("delete from targets where declared and spec <> all($1)")
            .bind(specs)
            .execute(write.at("declare_targets.delete").await?)
            .await?;
        for wish in wishes {
            put_target(&mut write, wish, true).await?;
        }
        write.commit("declare_targets.commit", "declare_targets.committed").await
    }
}
