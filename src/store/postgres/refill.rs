//! The job that fills a target, queued only if the target needs it: whoever else has acted since is seen in the same write.

use super::{
    PostgresStore, Write, ear, enqueue,
    jobs::end_job,
    locks,
    queue::is_paused,
    rows,
    same::{have, last_refill, mark_refill, open_jobs, open_refills},
};
use crate::store::{
    StoreError,
    job::{Job, JobId, JobState},
    notice::Notice,
    refill::{needless, new_job},
    same::REFILLS,
    target::{Asked, Refill, Refilled, StockTarget, Stop, TargetId},
};

impl PostgresStore {
    pub(super) async fn queue_refill(&self, refill: &Refill) -> Result<Refilled, StoreError> {
        let mut write = self.write("refill.begin").await?;
        // One planner at a time, and nobody else who queues: each then sees what the one before it has done.
        locks::ENQUEUE.take(write.at("refill.lock").await?).await?;
        let Some(target) = target_of(&mut write, refill.target_id).await? else {
            return write.undone(Refilled::NoTarget).await;
        };
        let last = last_refill(&mut write, target.id).await?;
        // After its last job: what that has stored by then is counted, so that an ended one is not missed twice.
        let have = have(&mut write, &refill.shelves).await?;
        if let Some(refused) = needless(&target, refill, last, have) {
            return write.undone(refused).await;
        }
        if refill.asked != Asked::ByHand && is_paused(&mut write, "refill.read_pause").await? {
            return write.undone(Refilled::Paused).await;
        }
        let open = open_refills(&mut write).await?;
        if open >= refill.refills_max {
            return write.undone(Refilled::RefillsFull { open }).await;
        }
        let open = open_jobs(&mut write).await?;
        if open >= refill.open_jobs_max {
            return write.undone(Refilled::BacklogFull { open }).await;
        }
        let new = new_job(target, refill, have);
        let job = enqueue::insert_job(&mut write, &new).await?;
        let job = mark_refill(&mut write, &job, refill).await?;
        ear::tell(&mut write, "refill.tell", Notice::Queued(job.id)).await?;
        write.commit("refill.commit", "refill.committed").await?;
        Ok(Refilled::Queued(job))
    }

    pub(super) async fn stop_open_refill(&self, id: JobId, stop: Stop) -> Result<Option<Job>, StoreError> {
        let mut write = self.write("stop_refill.begin").await?;
        let now = write.now;
        let marked = sqlx::query(
            "update jobs set not_after_at = least(not_after_at, $1)
             where id = $2 and state in ('queued', 'running') and target_id is not null and ($3 or not_after_at <= $1)",
        )
        .bind(now.0)
        .bind(id.0)
        .bind(stop == Stop::Full)
        .execute(write.at("stop_refill.mark").await?)
        .await?;
        if marked.rows_affected() == 0 {
            return write.undone(None).await;
        }
        let job = end_job(&mut write, "stop_refill.end", id, JobState::Cancelled, Some(stop.reason())).await?;
        write.commit("stop_refill.commit", "stop_refill.committed").await?;
        Ok(Some(job))
    }

    pub(super) async fn read_refills(&self) -> Result<Vec<Job>, StoreError> {
        let found = self.connections.all(|| sqlx::query(REFILLS)).await?;
        found.iter().map(rows::job).collect()
    }
}

/// The target, which nobody deletes until this write ends.
async fn target_of(write: &mut Write<'_>, id: TargetId) -> Result<Option<StockTarget>, StoreError> {
    let row = sqlx::query("select * from targets where id = $1 for key share")
        .bind(id.0)
        .fetch_optional(write.at("refill.find_target").await?)
        .await?;
    row.as_ref().map(rows::target).transpose()
}
