//! Taking a puzzle out of circulation by hand.

use super::{PostgresStore, must_touch, same::puzzle_of};
use crate::store::{
    StoreError,
    puzzle::{Puzzle, PuzzleId},
};

impl PostgresStore {
    pub(super) async fn withdraw_puzzle(&self, id: PuzzleId, reason: &str) -> Result<Option<Puzzle>, StoreError> {
        let mut write = self.write("withdraw.begin").await?;
        // The shelf first, as everywhere. A puzzle never changes it.
        let shelf_id: Option<i64> = sqlx::query_scalar(
            "select id from shelves where id = (select shelf_id from puzzles where id = $1) for no key update",
        )
        .bind(id.0)
        .fetch_optional(write.at("withdraw.lock_shelf").await?)
        .await?;
        let Some(shelf_id) = shelf_id else { return write.undone(None).await };
        let now = write.now;
        let withdrawn = sqlx::query(
            "update puzzles set withdrawn_at = $1, withdrawn_reason = $2, barred = true
             where id = $3 and withdrawn_at is null",
        )
        .bind(now.0)
        .bind(reason)
        .bind(id.0)
        .execute(write.at("withdraw.update").await?)
        .await?;
        let puzzle = puzzle_of(&mut write, "withdraw.read", id).await?;
        if withdrawn.rows_affected() == 0 {
            return write.undone(puzzle).await;
        }
        let counted = sqlx::query("update shelves set withdrawn = withdrawn + 1 where id = $1")
            .bind(shelf_id)
            .execute(write.at("withdraw.count").await?)
            .await?;
        must_touch("counting a withdrawn puzzle", 1, counted.rows_affected())?;
        write.commit("withdraw.commit", "withdraw.committed").await?;
        Ok(puzzle)
    }
}
