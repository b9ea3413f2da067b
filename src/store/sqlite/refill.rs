//! The job that fills a target, queued only if the target needs it: whoever else has acted since is seen in the same write.

use super::{SqliteStore, Write, enqueue, jobs::end_job, queue::is_paused, rows};
use crate::store::{
    StoreError,
    job::{Job, JobId, JobState},
    puzzle::ShelfFilter,
    shortfall::{needless, new_job, not_after_at},
    target::{Asked, Refill, Refilled, StockTarget, Stop, TargetId},
};

impl SqliteStore {
    pub(super) async fn queue_refill(&self, refill: Refill) -> Result<Refilled, StoreError> {
        let mut write = self.write("refill.begin").await?;
        let Some(target) = target_of(&mut write, refill.target_id).await? else { return Ok(Refilled::NoTarget) };
        let last = last_refill(&mut write, target.id).await?;
        let have = have(&mut write, &refill.shelves).await?;
        if let Some(refused) = needless(&target, &refill, last, have) {
            return Ok(refused);
        }
        if refill.asked != Asked::ByHand && is_paused(&mut write, "refill.read_pause").await? {
            return Ok(Refilled::Paused);
        }
        // Decided in the transaction that adds the job, so that no two planners share the last place.
        let open = open_refills(&mut write).await?;
        if open >= refill.refills_max {
            return Ok(Refilled::RefillsFull { open });
        }
        let open = enqueue::open_jobs(&mut write).await?;
        if open >= refill.open_jobs_max {
            return Ok(Refilled::BacklogFull { open });
        }
        let new = new_job(target, &refill, have);
        let job = enqueue::insert_job(&mut write, &new).await?;
        let job = mark(&mut write, &job, &refill).await?;
        write.commit("refill.commit", "refill.committed").await?;
        Ok(Refilled::Queued(job))
    }

    pub(super) async fn stop_open_refill(&self, id: JobId, stop: Stop) -> Result<Option<Job>, StoreError> {
        let mut write = self.write("stop_refill.begin").await?;
        let now = write.now;
        let marked = sqlx::query(
            "update jobs set not_after_at = min(coalesce(not_after_at, ?1), ?1)
             where id = ?2 and state in ('queued', 'running') and target_id is not null and (?3 or not_after_at <= ?1)",
        )
        .bind(now.0)
        .bind(id.0)
        .bind(stop == Stop::Full)
        .execute(write.at("stop_refill.mark").await?)
        .await?;
        if marked.rows_affected() == 0 {
            return Ok(None);
        }
        let job = end_job(&mut write, "stop_refill.end", id, JobState::Cancelled, Some(stop.reason())).await?;
        write.commit("stop_refill.commit", "stop_refill.committed").await?;
        Ok(Some(job))
    }

    pub(super) async fn read_refills(&self) -> Result<Vec<Job>, StoreError> {
        let found = sqlx::query(
            "select * from jobs
             where id in (select coalesce((select max(id) from jobs
                                           where target_id = targets.id and state in ('queued', 'running')),
                                          (select max(id) from jobs where target_id = targets.id)) from targets)
             order by id",
        )
        .fetch_all(&self.readers)
        .await?;
        found.iter().map(rows::job).collect()
    }
}

async fn target_of(write: &mut Write<'_>, id: TargetId) -> Result<Option<StockTarget>, StoreError> {
    let row = sqlx::query("select * from targets where id = ?")
        .bind(id.0)
        .fetch_optional(write.at("refill.find_target").await?)
        .await?;
    row.as_ref().map(rows::target).transpose()
}

/// The target's open job, which may be an earlier one that was retried, else its last.
async fn last_refill(write: &mut Write<'_>, id: TargetId) -> Result<Option<Job>, StoreError> {
    let row = sqlx::query(
        "select * from jobs where target_id = ? order by state in ('queued', 'running') desc, id desc limit 1",
    )
    .bind(id.0)
    .fetch_optional(write.at("refill.find_last").await?)
    .await?;
    row.as_ref().map(rows::job).transpose()
}

async fn have(write: &mut Write<'_>, shelves: &ShelfFilter) -> Result<u64, StoreError> {
    let have: i64 = sqlx::query_scalar(
        "select coalesce(sum(positions - withdrawn), 0) from shelves
         where (?1 is null or kind = ?1)
           and (?2 is null or variant = ?2)
           and (?3 is null or symmetry = ?3)
           and rating between ?4 and ?5",
    )
    .bind(&shelves.kind)
    .bind(&shelves.variant)
    .bind(shelves.symmetry.map(crate::engine::symmetry::Symmetry::name))
    .bind(shelves.rating_min.0)
    .bind(shelves.rating_max.0)
    .fetch_one(write.at("refill.count_stock").await?)
    .await?;
    Ok(u64::try_from(have).unwrap_or(0))
}

async fn open_refills(write: &mut Write<'_>) -> Result<u32, StoreError> {
    let open =
        sqlx::query_scalar("select count(*) from jobs where target_id is not null and state in ('queued', 'running')")
            .fetch_one(write.at("refill.count_open").await?)
            .await?;
    Ok(open)
}

async fn mark(write: &mut Write<'_>, job: &Job, refill: &Refill) -> Result<Job, StoreError> {
    let row = sqlx::query("update jobs set target_id = ?, not_after_at = ? where id = ? returning *")
        .bind(refill.target_id.0)
        .bind(not_after_at(refill).map(|at| at.0))
        .bind(job.id.0)
        .fetch_one(write.at("refill.mark_job").await?)
        .await?;
    rows::job(&row)
}
