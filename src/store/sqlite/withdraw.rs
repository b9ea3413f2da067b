//! Taking a puzzle out of circulation, by hand or because a lower index of its job made one that is alike.

use super::{SqliteStore, Write, must_touch, same::puzzle_of};
use crate::store::{
    StoreError,
    puzzle::{Puzzle, PuzzleId},
};

/// Why it goes, and whether it is barred: whether what is alike to it is kept out from now on.
pub(super) struct Withdrawal<'a> {
    pub(super) reason: &'a str,
    pub(super) barred: bool,
}

impl SqliteStore {
    pub(super) async fn withdraw_puzzle(&self, id: PuzzleId, reason: &str) -> Result<Option<Puzzle>, StoreError> {
        let mut write = self.write("withdraw.begin").await?;
        let Some(puzzle) = puzzle_of(&mut write, "withdraw.read", id).await? else { return Ok(None) };
        if puzzle.withdrawn.is_some() {
            return Ok(Some(puzzle));
        }
        withdraw(&mut write, ["withdraw.update", "withdraw.count"], id, Withdrawal { reason, barred: true }).await?;
        let puzzle = puzzle_of(&mut write, "withdraw.read_again", id).await?;
        write.commit("withdraw.commit", "withdraw.committed").await?;
        Ok(puzzle)
    }
}

/// Leaves a tombstone where a puzzle in circulation stands.
pub(super) async fn withdraw(
    write: &mut Write<'_>,
    [update, count]: [&'static str; 2],
    id: PuzzleId,
    withdrawal: Withdrawal<'_>,
) -> Result<(), StoreError> {
    let now = write.now;
    let shelf_id: i64 = sqlx::query_scalar(
        "update puzzles set withdrawn_at = ?, withdrawn_reason = ?, barred = ?
         where id = ? and withdrawn_at is null
         returning shelf_id",
    )
    .bind(now.0)
    .bind(withdrawal.reason)
    .bind(withdrawal.barred)
    .bind(id.0)
    .fetch_one(write.at(update).await?)
    .await?;
    let counted = sqlx::query("update shelves set withdrawn = withdrawn + 1 where id = ?")
        .bind(shelf_id)
        .execute(write.at(count).await?)
        .await?;
    must_touch("counting a withdrawn puzzle", 1, counted.rows_affected())
}
