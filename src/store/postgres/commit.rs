//! The commit of a slice: its puzzles, its rest, and its job's progress, in one write that the lease's token allows.

use super::{PostgresStore, Write, jobs::end_job, must_touch, rows, shelve::shelve};
use crate::store::{
    StoreError,
    job::{Guarded, Job, JobState, Lease, SliceWork, Tally},
    rows::SliceRow,
    verdict::{Again, check_covers, out_of_tries, signed},
};

impl PostgresStore {
    pub(super) async fn commit_slice(&self, lease: Lease, work: &SliceWork) -> Result<Guarded<Job>, StoreError> {
        let mut write = self.write("commit.begin").await?;
        let Some((slice, job)) = guarded_slice(&mut write, "commit.guard", lease).await? else {
            return write.undone(Guarded::LeaseLost).await;
        };
        check_covers(&slice, work)?;
        let shelved = shelve(&mut write, &job, &work.made).await?;
        // One in, one out, where an index takes over: the job then has as many as before.
        let repeats = shelved.again.len() as u64;
        let tally = Tally { repeats: work.tally.repeats + repeats, ..work.tally.clone() };
        let more = work.made.len() as u64 - repeats;
        offer_rest(&mut write, &slice, work).await?;
        offer_again(&mut write, &job, &shelved.again).await?;
        let out_of_tries = out_of_tries(&shelved.again, &slice, work, job.tries_max);
        match progress(&mut write, &job, signed(more), &tally, work.work_ms, out_of_tries).await? {
            Some(job) => {
                write.commit("commit.commit", "commit.committed").await?;
                Ok(Guarded::Done(job))
            }
            // It ended after the slice had been locked.
            None => write.undone(Guarded::LeaseLost).await,
        }
    }
}

/// The slice of a lease, locked, and its job, if the lease stands and the job is open. The job may end until it is locked
/// too, which comes last: so what changes it has to ask for its state again.
pub(super) async fn guarded_slice(
    write: &mut Write<'_>,
    point: &'static str,
    lease: Lease,
) -> Result<Option<(SliceRow, Job)>, StoreError> {
    let slice = sqlx::query("select * from slices where id = $1 and job_id = $2 and token = $3 for update")
        .bind(lease.slice_id)
        .bind(lease.job_id.0)
        .bind(lease.token)
        .fetch_optional(write.at(point).await?)
        .await?;
    let Some(slice) = slice else { return Ok(None) };
    let slice = rows::slice(&slice)?;
    let job = sqlx::query("select * from jobs where id = $1")
        .bind(lease.job_id.0)
        .fetch_optional(write.at(point).await?)
        .await?;
    let job = job.as_ref().map(rows::job).transpose()?;
    Ok(job.filter(|job| job.state.is_open()).map(|job| (slice, job)))
}

/// What is left of the slice is offered at once, with its failed attempts forgotten: it has moved on.
async fn offer_rest(write: &mut Write<'_>, slice: &SliceRow, work: &SliceWork) -> Result<(), StoreError> {
    let ended = if work.next_index < slice.end_index {
        sqlx::query(
            "update slices
             set first_index = $1, first_try = $2, token = null, lease_expires_at = null, available_at = 0,
                 failed_attempts = 0
             where id = $3",
        )
        .bind(i64::from(work.next_index))
        .bind(i64::from(work.next_try))
        .bind(slice.id)
        .execute(write.at("commit.update_slice").await?)
        .await?
    } else {
        sqlx::query("delete from slices where id = $1")
            .bind(slice.id)
            .execute(write.at("commit.delete_slice").await?)
            .await?
    };
    must_touch("the end of a slice", 1, ended.rows_affected())
}

async fn offer_again(write: &mut Write<'_>, job: &Job, again: &[Again]) -> Result<(), StoreError> {
    if again.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "insert into slices (job_id, first_index, end_index, first_try, available_at)
         select $1, index, index + 1, attempt, 0
         from unnest($2::bigint[], $3::bigint[]) as again (index, attempt)",
    )
    .bind(job.id.0)
    .bind(again.iter().map(|again| i64::from(again.index)).collect::<Vec<_>>())
    .bind(again.iter().map(|again| i64::from(again.attempt)).collect::<Vec<_>>())
    .execute(write.at("commit.insert_slices").await?)
    .await?;
    Ok(())
}

/// Moves the job on and returns it; none if it has ended meanwhile.
async fn progress(
    write: &mut Write<'_>,
    job: &Job,
    more: i64,
    tally: &Tally,
    work_ms: i64,
    out_of_tries: Option<u32>,
) -> Result<Option<Job>, StoreError> {
    // Which miss is the nearest is decided here, not by us as on SQLite: others may have moved the job on since we read it.
    let row = sqlx::query(
        "update jobs
         set made = made + $1, tries = tries + $2, repeats = repeats + $3, unrated = unrated + $4,
             off_target = off_target + $5, clues_missed = clues_missed + $6, unproven = unproven + $7,
             nearest = case when nearest_distance <= $8 or $8 is null then nearest else $9 end,
             nearest_distance = least(nearest_distance, $8),
             work_ms = work_ms + $10
         where id = $11 and state in ('queued', 'running')
         returning *",
    )
    .bind(more)
    .bind(signed(tally.tries))
    .bind(signed(tally.repeats))
    .bind(signed(tally.unrated))
    .bind(signed(tally.off_target))
    .bind(signed(tally.clues))
    .bind(signed(tally.unproven))
    .bind(tally.nearest.as_ref().map(|(distance, _)| i64::from(*distance)))
    .bind(tally.nearest.as_ref().map(|(_, what)| what))
    .bind(work_ms)
    .bind(job.id.0)
    .fetch_optional(write.at("commit.update_job").await?)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let job = rows::job(&row)?;
    if job.made == job.wanted {
        return end_job(write, "commit.end_job", job.id, JobState::Succeeded, None).await.map(Some);
    }
    match out_of_tries {
        Some(index) => {
            let error = job.out_of_tries(index);
            end_job(write, "commit.end_job", job.id, JobState::Failed, Some(&error)).await.map(Some)
        }
        None => Ok(Some(job)),
    }
}
