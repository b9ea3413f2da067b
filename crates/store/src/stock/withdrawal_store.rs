//! Withdraws or deletes many puzzles by criteria: finds them, and changes up to
//! [`WITHDRAWN_AT_ONCE`](crate::stock::withdrawal::WITHDRAWN_AT_ONCE) of them in each transaction.

use std::collections::BTreeSet;

use async_trait::async_trait;

use crate::{
    StockStore, StoreError,
    access::{
        actor::Actor,
        audit_entry::{NewEntry, of_withdrawal},
        audit_store,
    },
    error::must_touch,
    sql::{
        database::{Columns, Database, Write, id, number},
        statement::{Value, values},
        statements::withdrawal,
    },
    stock::{
        origins::origin_value,
        puzzle::OriginFilter,
        stock_store::{Cut, PageShelves, Pages, lock_shelves},
        withdrawal::{Matching, Withdrawal, Withdrew},
    },
};
use puzzled_base::ids::PuzzleId;

/// Withdraws or deletes many puzzles.
#[async_trait]
pub trait WithdrawalStore {
    /// Returns up to `limit` puzzles that a withdrawal would change, with ids above `after`, by id.
    async fn withdrawable(
        &self,
        withdrawal: &Withdrawal,
        after: Option<PuzzleId>,
        limit: u32,
    ) -> Result<Vec<PuzzleId>, StoreError>;

    /// Counts the puzzles that a withdrawal would change. Reads all puzzles on the shelves, or of the job or import.
    async fn count_withdrawable(&self, withdrawal: &Withdrawal) -> Result<Matching, StoreError>;

    /// Withdraws or deletes up to `limit` puzzles with ids above `after`, with one entry in the audit trail. Deletes only
    /// puzzles that no delivery names. Leaves out puzzles that another write is delivering; a repeated withdrawal finds
    /// them.
    async fn withdraw_many(
        &self,
        withdrawal: &Withdrawal,
        after: Option<PuzzleId>,
        limit: u32,
        by: &Actor,
    ) -> Result<Withdrew, StoreError>;
}

#[async_trait]
impl<D: Database> WithdrawalStore for D {
    async fn withdrawable(
        &self,
        withdrawal: &Withdrawal,
        after: Option<PuzzleId>,
        limit: u32,
    ) -> Result<Vec<PuzzleId>, StoreError> {
        const IDS: Pages = Pages {
            by_shelf: withdrawal::BY_SHELF,
            by_id: withdrawal::BY_ID,
            of_job: withdrawal::OF_JOB,
            of_import: withdrawal::OF_IMPORT,
        };
        let cut = Cut { after, limit };
        let fitting = PageShelves::known(&self.shelves().await?, &withdrawal.shelves, limit);
        let [from, before] = stored(withdrawal);
        let more: [Value<'_>; 3] = [from.into(), before.into(), withdrawal.forget.into()];
        let values = fitting.values(cut, &more, withdrawal.origin.as_ref());
        let found = self.all(IDS.statement(withdrawal.origin.as_ref(), &fitting), &values, id).await?;
        Ok(found.into_iter().map(PuzzleId).collect())
    }

    async fn count_withdrawable(&self, withdrawal: &Withdrawal) -> Result<Matching, StoreError> {
        let all = self.shelves().await?;
        let shelves: Vec<_> =
            all.iter().filter(|shelf| withdrawal.shelves.fits(&shelf.key)).map(|shelf| shelf.id.0).collect();
        let [from, before] = stored(withdrawal);
        let mut values = values![shelves, from, before, withdrawal.forget].to_vec();
        values.extend(withdrawal.origin.as_ref().map(origin_value));
        let sql = match &withdrawal.origin {
            None => withdrawal::COUNT,
            Some(OriginFilter::Job(_)) => withdrawal::COUNT_OF_JOB,
            Some(OriginFilter::Import(_)) => withdrawal::COUNT_OF_IMPORT,
        };
        let counted = self.all(sql, &values, matching).await?.pop();
        counted.ok_or(StoreError::Refused(sqlx::Error::RowNotFound))
    }

    async fn withdraw_many(
        &self,
        withdrawal: &Withdrawal,
        after: Option<PuzzleId>,
        limit: u32,
        by: &Actor,
    ) -> Result<Withdrew, StoreError> {
        // The search is not part of the write, because it may read many puzzles. The write checks the puzzles again.
        let found = self.withdrawable(withdrawal, after, limit).await?;
        let Some(&last) = found.last() else { return Ok(Withdrew::default()) };
        self.with_retries(|| async {
            let mut write = self.write("withdraw_many.begin").await?;
            let ids: Vec<_> = found.iter().map(|id| id.0).collect();
            lock_shelves(&mut write, "withdraw_many.lock_shelves", &ids).await?;
            let forgotten = if withdrawal.forget { forget(&mut write, &ids).await? } else { Vec::new() };
            let withdrawn = withdraw(&mut write, &ids, withdrawal, &forgotten).await?;
            let mut changed: Vec<_> = forgotten.iter().chain(&withdrawn).collect();
            changed.sort_by_key(|changed| changed.id);
            let changed_ids: Vec<_> = changed.iter().map(|changed| PuzzleId(changed.id)).collect();
            let withdrew = Withdrew { changed: changed_ids, forgotten: forgotten.len() as u64, last: Some(last) };
            if changed.is_empty() {
                return write.roll_back(withdrew).await;
            }
            let live = changed.iter().filter(|changed| !changed.was_held);
            empty_positions(&mut write, live.map(|changed| changed.shelf_id).collect()).await?;
            note_forgotten_jobs(&mut write, &forgotten).await?;
            let subjects = withdrew.changed.iter().map(ToString::to_string).collect();
            let details = of_withdrawal(withdrawal, withdrew.changed.len(), withdrew.forgotten);
            audit_store::insert(&mut write, "withdraw_many.audit", &[NewEntry::of(by, subjects, details)]).await?;
            write.commit("withdraw_many.commit", "withdraw_many.committed").await?;
            Ok(withdrew)
        })
        .await
    }
}

/// The times between which the puzzles were stored, in milliseconds.
fn stored(withdrawal: &Withdrawal) -> [i64; 2] {
    let Withdrawal { stored_from, stored_before, .. } = withdrawal;
    [stored_from.map_or(i64::MIN, |at| at.0), stored_before.map_or(i64::MAX, |at| at.0)]
}

fn matching(row: &impl Columns) -> Result<Matching, StoreError> {
    let count = |column| {
        let count: Option<i64> = row.integer(column)?;
        Ok::<_, StoreError>(u64::try_from(count.unwrap_or(0)).expect("a count is not negative"))
    };
    Ok(Matching { left: number(row)?, forgettable: count("forgettable")?, of_open_jobs: count("of_open_jobs")? })
}

/// A puzzle that was withdrawn or deleted.
#[derive(Debug)]
struct Changed {
    id: i64,
    shelf_id: i64,
    /// `None` if an import brought it.
    job_id: Option<i64>,
    /// Whether the puzzle was held, so that its shelf has no position for it.
    was_held: bool,
}

fn changed(row: &impl Columns) -> Result<Changed, StoreError> {
    let shelf_id = row.integer("shelf_id")?.ok_or(sqlx::Error::RowNotFound)?;
    let was_held = row.integer("position")?.is_none();
    Ok(Changed { id: id(row)?, shelf_id, job_id: row.integer("job_id")?, was_held })
}

/// Deletes those of the puzzles that no delivery names, with their ratings. Leaves out puzzles of open jobs.
async fn forget<W: Write>(write: &mut W, ids: &[i64]) -> Result<Vec<Changed>, StoreError> {
    let locked = write.all("withdraw_many.lock_puzzles", withdrawal::LOCK, values![ids.to_vec()], id).await?;
    let unnamed = write.all("withdraw_many.find_undelivered", withdrawal::UNDELIVERED, values![locked], id).await?;
    if unnamed.is_empty() {
        return Ok(Vec::new());
    }
    write.execute("withdraw_many.delete_ratings", withdrawal::DELETE_RATINGS, values![unnamed.clone()]).await?;
    let wanted = unnamed.len() as u64;
    let deleted = write.all("withdraw_many.delete_puzzles", withdrawal::DELETE, values![unnamed], changed).await?;
    must_touch("deleting puzzles", wanted, deleted.len() as u64)?;
    Ok(deleted)
}

/// Withdraws those of the puzzles that are still in circulation. With `forget`, only those that have a delivery and whose job
/// is not open.
async fn withdraw<W: Write>(
    write: &mut W,
    ids: &[i64],
    Withdrawal { reason, forget, .. }: &Withdrawal,
    forgotten: &[Changed],
) -> Result<Vec<Changed>, StoreError> {
    let gone: BTreeSet<_> = forgotten.iter().map(|gone| gone.id).collect();
    let left: Vec<_> = ids.iter().copied().filter(|id| !gone.contains(id)).collect();
    if left.is_empty() {
        return Ok(Vec::new());
    }
    write.all("withdraw_many.update", withdrawal::WITHDRAW, values![write.now(), reason, left, *forget], changed).await
}

/// Counts positions as empty, one for each of these shelves.
async fn empty_positions<W: Write>(write: &mut W, shelves: Vec<i64>) -> Result<(), StoreError> {
    if shelves.is_empty() {
        return Ok(());
    }
    let wanted = shelves.iter().collect::<BTreeSet<_>>().len() as u64;
    must_touch(
        "counting empty positions",
        wanted,
        write.execute("withdraw_many.count", withdrawal::COUNT_EMPTY, values![shelves]).await?,
    )
}

/// Marks the jobs that have no puzzle left, so that pruning finds them.
async fn note_forgotten_jobs<W: Write>(write: &mut W, forgotten: &[Changed]) -> Result<(), StoreError> {
    let jobs: BTreeSet<_> = forgotten.iter().filter_map(|gone| gone.job_id).collect();
    if jobs.is_empty() {
        return Ok(());
    }
    let jobs: Vec<_> = jobs.into_iter().collect();
    write.execute("withdraw_many.note_jobs", withdrawal::NOTE_JOBS, values![jobs]).await.map(|_| ())
}
