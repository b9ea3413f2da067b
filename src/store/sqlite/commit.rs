//! The commit of a slice: its puzzles, its rest, and its job's progress, in one write that the lease's token allows.

use super::{
    SqliteStore, Write,
    claim::guarded,
    must_cover, must_touch, rates, rows,
    rows::SliceRow,
    shelve::{Extra, Shelved, shelve, shelve_extra},
};
use crate::store::{
    StoreError,
    commit::{Again, out_of_tries, signed},
    job::{Guarded, Job, JobState, Lease, SliceWork, Tally},
};

/// How many puzzles more the stock holds by a commit.
#[derive(Debug, Default)]
struct Stored {
    made: i64,
    extra: i64,
}

impl SqliteStore {
    pub(super) async fn commit_slice(&self, lease: Lease, work: SliceWork) -> Result<Guarded<Job>, StoreError> {
        let mut write = self.write("commit.begin").await?;
        let Some((slice, job)) = guarded(&mut write, "commit.guard", lease).await? else {
            return Ok(Guarded::LeaseLost);
        };
        must_cover(&slice.indices(), &work)?;
        let mut tally = work.tally.clone();
        let mut stored = Stored::default();
        let mut again = Vec::new();
        for made in &work.made {
            match shelve(&mut write, &job, made).await? {
                Shelved::InsteadOf(old) => {
                    stored.made += 1;
                    let (extras, wanted): (Vec<_>, Vec<_>) = old.iter().partition(|old| old.is_extra);
                    stored.extra -= signed(extras.len() as u64);
                    // One in, one out: the job has as many as before.
                    stored.made -= signed(wanted.len() as u64);
                    tally.repeats += wanted.len() as u64;
                    again.extend(wanted.iter().map(|old| Again { index: old.index, attempt: old.attempt + 1 }));
                }
                Shelved::Repeat => {
                    tally.repeats += 1;
                    again.push(Again { index: made.index, attempt: made.attempt + 1 });
                }
            }
        }
        for extra in &work.extra {
            match shelve_extra(&mut write, &job, extra).await? {
                Extra::Stored => stored.extra += 1,
                Extra::Repeat => {}
            }
        }
        offer_rest(&mut write, &slice, &work).await?;
        for again in &again {
            offer_index(&mut write, &job, again).await?;
        }
        let out_of_tries = out_of_tries(&again, &slice.indices(), &work, job.tries_max);
        rates::count(&mut write, &job.spec, tally.tries, stored.made, work.work_ms).await?;
        let job = progress(&mut write, &job, &stored, &tally, work.work_ms, out_of_tries).await?;
        write.commit("commit.commit", "commit.committed").await?;
        Ok(Guarded::Done(job))
    }
}

/// What is left of the slice is offered at once, with its failed attempts forgotten: it has moved on.
async fn offer_rest(write: &mut Write<'_>, slice: &SliceRow, work: &SliceWork) -> Result<(), StoreError> {
    let ended = if work.next_index < slice.end_index {
        sqlx::query(
            "update slices
             set first_index = ?, first_try = ?, token = null, lease_expires_at = null, available_at = 0,
                 failed_attempts = 0
             where id = ?",
        )
        .bind(work.next_index)
        .bind(work.next_try)
        .bind(slice.id)
        .execute(write.at("commit.update_slice").await?)
        .await?
    } else {
        sqlx::query("delete from slices where id = ?")
            .bind(slice.id)
            .execute(write.at("commit.delete_slice").await?)
            .await?
    };
    must_touch("the end of a slice", 1, ended.rows_affected())
}

async fn offer_index(write: &mut Write<'_>, job: &Job, again: &Again) -> Result<(), StoreError> {
    sqlx::query(
        "insert into slices (job_id, first_index, end_index, first_try, available_at)
         values (?1, ?2, ?2 + 1, ?3, 0)",
    )
    .bind(job.id.0)
    .bind(again.index)
    .bind(again.attempt)
    .execute(write.at("commit.insert_slice").await?)
    .await?;
    Ok(())
}

async fn progress(
    write: &mut Write<'_>,
    job: &Job,
    stored: &Stored,
    tally: &Tally,
    work_ms: i64,
    out_of_tries: Option<u32>,
) -> Result<Job, StoreError> {
    let mut total = job.tally.clone();
    total.nearer(tally.nearest.clone());
    let row = sqlx::query(
        "update jobs
         set made = made + ?, extra = extra + ?, tries = tries + ?, repeats = repeats + ?, unrated = unrated + ?,
             off_target = off_target + ?, clues_missed = clues_missed + ?, unproven = unproven + ?,
             solvers_disagreed = solvers_disagreed + ?, nearest_distance = ?, nearest = ?, work_ms = work_ms + ?
         where id = ?
         returning *",
    )
    .bind(stored.made)
    .bind(stored.extra)
    .bind(signed(tally.tries))
    .bind(signed(tally.repeats))
    .bind(signed(tally.unrated))
    .bind(signed(tally.off_target))
    .bind(signed(tally.clues))
    .bind(signed(tally.unproven))
    .bind(signed(tally.solvers_disagreed))
    .bind(total.nearest.as_ref().map(|(distance, _)| *distance))
    .bind(total.nearest.as_ref().map(|(_, what)| what))
    .bind(work_ms)
    .bind(job.id.0)
    .fetch_one(write.at("commit.update_job").await?)
    .await?;
    let job = rows::job(&row)?;
    if job.made == job.wanted {
        return super::same::end_job(write, "commit.end_job", job.id, JobState::Succeeded, None).await;
    }
    match out_of_tries {
        Some(index) => {
            let error = job.out_of_tries(index);
            super::same::end_job(write, "commit.end_job", job.id, JobState::Failed, Some(&error)).await
        }
        None => Ok(job),
    }
}
