//! The job that fills a target, queued only if the target needs it: whoever else has acted since is seen in the same write.

use super::{
    SqliteStore, Write, enqueue,
    queue::is_paused,
    rows,
    same::{end_job, have, last_refill, mark_refill, open_jobs, open_refills},
};
use crate::store::{
    StoreError,
    job::{Job, JobId, JobState},
    refill::{needless, new_job},
    same::REFILLS,
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
        let open = open_jobs(&mut write).await?;
        if open >= refill.open_jobs_max {
            return Ok(Refilled::BacklogFull { open });
        }
        let new = new_job(target, &refill, have);
        let job = enqueue::insert_job(&mut write, &new).await?;
        let job = mark_refill(&mut write, &job, &refill).await?;
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
        let found = sqlx::query(REFILLS).fetch_all(&self.readers).await?;
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
