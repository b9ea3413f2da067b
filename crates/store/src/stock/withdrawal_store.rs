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
        statement::{Sql, Value, in_list, values},
    },
    stock::{
        origins::origin_value,
        puzzle::OriginFilter,
        stock_store::{Cut, Fitting, Pages, lock_shelves, pages},
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
        const IDS: Pages = pages!(
            select_ids,
            " and created_at >= $5 and created_at < $6
              and not ($7 and exists (select 1 from jobs where jobs.id = job_id and jobs.state in ('queued', 'running')))",
            "$8"
        );
        let cut = Cut { after, limit };
        let fitting = Fitting::known(&self.shelves().await?, &withdrawal.shelves, limit);
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
            None => COUNT,
            Some(OriginFilter::Job(_)) => COUNT_OF_JOB,
            Some(OriginFilter::Import(_)) => COUNT_OF_IMPORT,
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
        self.repeated(|| async {
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
                return write.undone(withdrew).await;
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

/// Selects the ids of puzzles.
macro_rules! select_ids {
    ($clauses:expr) => {
        concat!("select puzzles.id from puzzles ", $clauses)
    };
}
use select_ids;

/// The times between which the puzzles were stored, in milliseconds.
fn stored(withdrawal: &Withdrawal) -> [i64; 2] {
    let Withdrawal { stored_from, stored_before, .. } = withdrawal;
    [stored_from.map_or(i64::MIN, |at| at.0), stored_before.map_or(i64::MAX, |at| at.0)]
}

/// Counts the puzzles that meet the criteria. With `forget`, those of open jobs stay and count apart.
macro_rules! count {
    ($origin:literal) => {
        Sql {
            sqlite: concat!(
                "select count(*) filter (where not is_open) as number, count(*) filter (where is_open) as of_open_jobs,
                        count(*) filter (where $4 and not is_open and not is_delivered) as forgettable
                 from (select $4 and exists (select 1 from jobs
                                             where jobs.id = job_id and jobs.state in ('queued', 'running')) as is_open,
                              $4 and exists (select 1 from deliveries where puzzle_id = puzzles.id
                                             union all select 1 from days where puzzle_id = puzzles.id) as is_delivered
                       from puzzles
                       where withdrawn_at is null and shelf_id in (select value from json_each($1))
                         and created_at >= $2 and created_at < $3",
                $origin,
                ")"
            ),
            postgres: concat!(
                "select count(*) filter (where not is_open) as number, count(*) filter (where is_open) as of_open_jobs,
                        count(*) filter (where $4 and not is_open and not is_delivered) as forgettable
                 from (select $4 and exists (select from jobs
                                             where jobs.id = job_id and jobs.state in ('queued', 'running')) as is_open,
                              $4 and exists (select from deliveries where puzzle_id = puzzles.id
                                             union all select from days where puzzle_id = puzzles.id) as is_delivered
                       from puzzles
                       where withdrawn_at is null and shelf_id = any($1) and created_at >= $2 and created_at < $3",
                $origin,
                ") as matching"
            ),
        }
    };
}

const COUNT: Sql = count!("");
const COUNT_OF_JOB: Sql = count!(" and job_id = $5");
const COUNT_OF_IMPORT: Sql = count!(" and import_id = $5");

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
    // A delivery in progress holds a lock on its puzzle. If this write waited for it, each could wait for the other.
    let lock = Sql {
        sqlite: "select id from puzzles
                 where id in (select value from json_each($1)) and withdrawn_at is null
                   and not exists (select 1 from jobs where jobs.id = job_id and jobs.state in ('queued', 'running'))",
        postgres: "select id from puzzles
                   where id = any($1) and withdrawn_at is null
                     and not exists (select from jobs where jobs.id = job_id and jobs.state in ('queued', 'running'))
                   order by id
                   for update of puzzles skip locked",
    };
    let locked = write.all("withdraw_many.lock_puzzles", lock, values![ids.to_vec()], id).await?;
    // This statement comes after the locks, so that it sees all deliveries of the locked puzzles.
    let find = in_list!(
        "select id from puzzles
         where not exists (select 1 from deliveries where puzzle_id = puzzles.id)
           and not exists (select 1 from days where puzzle_id = puzzles.id) and id",
        "$1"
    );
    let unnamed = write.all("withdraw_many.find_undelivered", find, values![locked], id).await?;
    if unnamed.is_empty() {
        return Ok(Vec::new());
    }
    let ratings = in_list!("delete from ratings where puzzle_id", "$1");
    write.execute("withdraw_many.delete_ratings", ratings, values![unnamed.clone()]).await?;
    let puzzles = in_list!("delete from puzzles where id", "$1", " returning id, shelf_id, job_id, position");
    let wanted = unnamed.len() as u64;
    let deleted = write.all("withdraw_many.delete_puzzles", puzzles, values![unnamed], changed).await?;
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
    let sql = Sql {
        sqlite: "update puzzles set withdrawn_at = $1, withdrawn_reason = $2, barred = 1
                 where id in (select value from json_each($3)) and withdrawn_at is null
                   and not ($4 and (exists (select 1 from jobs
                                            where jobs.id = job_id and jobs.state in ('queued', 'running'))
                                    or not exists (select 1 from deliveries where puzzle_id = puzzles.id
                                                   union all select 1 from days where puzzle_id = puzzles.id)))
                 returning id, shelf_id, job_id, position",
        postgres: "update puzzles set withdrawn_at = $1, withdrawn_reason = $2, barred = true
                   where id = any($3) and withdrawn_at is null
                     and not ($4 and (exists (select from jobs
                                              where jobs.id = job_id and jobs.state in ('queued', 'running'))
                                      or not exists (select from deliveries where puzzle_id = puzzles.id
                                                     union all select from days where puzzle_id = puzzles.id)))
                   returning id, shelf_id, job_id, position",
    };
    write.all("withdraw_many.update", sql, values![write.now(), reason, left, *forget], changed).await
}

/// Counts positions as empty, one for each of these shelves.
async fn empty_positions<W: Write>(write: &mut W, shelves: Vec<i64>) -> Result<(), StoreError> {
    if shelves.is_empty() {
        return Ok(());
    }
    let wanted = shelves.iter().collect::<BTreeSet<_>>().len() as u64;
    let sql = Sql {
        sqlite: "update shelves set empty = empty + gone.more
                 from (select value as shelf_id, count(*) as more from json_each($1) group by value) as gone
                 where shelves.id = gone.shelf_id",
        postgres: "update shelves set empty = empty + gone.more
                   from (select shelf_id, count(*) as more from unnest($1::bigint[]) as shelf_id group by shelf_id) as gone
                   where shelves.id = gone.shelf_id",
    };
    must_touch("counting empty positions", wanted, write.execute("withdraw_many.count", sql, values![shelves]).await?)
}

/// Marks the jobs that have no puzzle left, so that pruning finds them.
async fn note_forgotten_jobs<W: Write>(write: &mut W, forgotten: &[Changed]) -> Result<(), StoreError> {
    let jobs: BTreeSet<_> = forgotten.iter().filter_map(|gone| gone.job_id).collect();
    if jobs.is_empty() {
        return Ok(());
    }
    let sql = Sql {
        sqlite: "update jobs set forgotten = 1
                 where id in (select value from json_each($1))
                   and not exists (select 1 from puzzles where puzzles.job_id = jobs.id)",
        postgres: "update jobs set forgotten = true
                   from (select id from jobs where id = any($1) order by id for no key update) as emptied
                   where jobs.id = emptied.id and not exists (select from puzzles where puzzles.job_id = jobs.id)",
    };
    let jobs: Vec<_> = jobs.into_iter().collect();
    write.execute("withdraw_many.note_jobs", sql, values![jobs]).await.map(|_| ())
}
