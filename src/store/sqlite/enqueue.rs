//! Queueing jobs: the names of their requests, the bound on open jobs and the jobs themselves, in one write. Many callers
//! share one, so each step is one statement for all of them: what a commit waits for the disk, they wait for together.

use std::collections::HashMap;

use serde_json::Value;

use super::{SqliteStore, Write, json, must_touch, rows, same::open_jobs};
use crate::store::{
    StoreError,
    admission::{Known, admitted, answers, as_queued, judge, queued, refused},
    job::{Batch, Enqueued, Job, JobId, NewJob},
    same::target_columns,
};

impl SqliteStore {
    pub(super) async fn enqueue_jobs(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Vec<Enqueued>, StoreError> {
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        let mut write = self.write("enqueue.begin").await?;
        let verdicts = judge(jobs, &known(&mut write, jobs).await?, open_jobs_max);
        let inserted = insert_new(&mut write, &admitted(&verdicts, jobs)).await?;
        if !inserted.is_empty() {
            write.commit("enqueue.commit", "enqueue.committed").await?;
        }
        Ok(answers(verdicts, inserted))
    }

    pub(super) async fn enqueue_whole_batch(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Batch, StoreError> {
        let mut write = self.write("enqueue.begin").await?;
        let verdicts = judge(jobs, &known(&mut write, jobs).await?, open_jobs_max);
        if let Some(refused) = refused(&verdicts) {
            return Ok(refused);
        }
        let inserted = insert_new(&mut write, &admitted(&verdicts, jobs)).await?;
        if !inserted.is_empty() {
            write.commit("enqueue.commit", "enqueue.committed").await?;
        }
        Ok(queued(answers(verdicts, inserted)))
    }
}

/// What decides, read in the transaction that adds the jobs, so that no two callers share the last place.
async fn known(write: &mut Write<'_>, jobs: &[NewJob]) -> Result<Known, StoreError> {
    Ok(Known {
        requests: known_requests(write, jobs).await?,
        shortfalls: known_shortfalls(write, jobs).await?,
        open: open_jobs(write).await?,
    })
}

/// Bodies and jobs of the requests whose names are known, by name.
async fn known_requests(write: &mut Write<'_>, jobs: &[NewJob]) -> Result<HashMap<String, (Vec<u8>, Job)>, StoreError> {
    let names: Vec<_> = jobs.iter().filter_map(|job| Some(&job.request.as_ref()?.request_id)).collect();
    if names.is_empty() {
        return Ok(HashMap::new());
    }
    let found = sqlx::query(
        "select requests.body, jobs.*
         from json_each(?) as wanted
         join requests on requests.request_id = wanted.value
         join jobs on jobs.id = requests.job_id",
    )
    .bind(json(&names)?)
    .fetch_all(write.at("enqueue.find_requests").await?)
    .await?;
    found.iter().map(rows::named_job).collect()
}

/// Open jobs that make up for what these jobs are to make up for, by what it is.
async fn known_shortfalls(write: &mut Write<'_>, jobs: &[NewJob]) -> Result<HashMap<String, Job>, StoreError> {
    let shortfalls: Vec<_> = jobs.iter().filter_map(|job| job.shortfall.as_ref()).collect();
    if shortfalls.is_empty() {
        return Ok(HashMap::new());
    }
    let found = sqlx::query(
        "select jobs.* from json_each(?) as wanted
         join jobs on jobs.shortfall = wanted.value and jobs.state in ('queued', 'running')",
    )
    .bind(json(&shortfalls)?)
    .fetch_all(write.at("enqueue.find_shortfalls").await?)
    .await?;
    found.iter().map(rows::job_for_shortfall).collect()
}

/// Puts those into the queue that are to have a place, and returns them in their order.
async fn insert_new(write: &mut Write<'_>, new: &[&NewJob]) -> Result<Vec<Job>, StoreError> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let inserted = insert_jobs(write, new).await?;
    insert_requests(write, new, &inserted).await?;
    Ok(inserted)
}

/// Puts a job into the queue, and returns it.
pub(super) async fn insert_job(write: &mut Write<'_>, new: &NewJob) -> Result<Job, StoreError> {
    let inserted = insert_jobs(write, &[new]).await?.pop();
    inserted.ok_or(StoreError::RowCount { statement: "queueing a job", wanted: 1, found: 0 })
}

/// Puts jobs into the queue, in this order, and returns them.
async fn insert_jobs(write: &mut Write<'_>, jobs: &[&NewJob]) -> Result<Vec<Job>, StoreError> {
    let now = write.now;
    let columns: Vec<_> = jobs.iter().map(|job| columns(job)).collect();
    // They wait from here on, so all that are open have waited longer for their turn.
    let mut ids: Vec<i64> = sqlx::query_scalar(
        "insert into jobs (state, kind, variant, symmetry, level, rating_min, rating_max, clues, technique, wanted, seed,
                           priority, tries_max, request_id, shortfall, labels, no_extras, not_before_at, created_at, turn)
         select 'queued', value ->> 'kind', value ->> 'variant', value ->> 'symmetry', value ->> 'level',
                value ->> 'rating_min', value ->> 'rating_max', value ->> 'clues', value ->> 'technique', value ->> 'wanted',
                value ->> 'seed', value ->> 'priority', value ->> 'tries_max', value ->> 'request_id', value ->> 'shortfall',
                value -> 'labels', value ->> 'no_extras', value ->> 'not_before_at', ?2,
                (select coalesce(max(turn), 0) from jobs where state in ('queued', 'running')) + 1 + key
         from jsonb_each(?1)
         order by key
         returning id",
    )
    .bind(json(&columns)?)
    .bind(now.0)
    .fetch_all(write.at("enqueue.insert_jobs").await?)
    .await?;
    must_touch("queueing jobs", jobs.len() as u64, ids.len() as u64)?;
    // The order in which rows are returned is not promised; ids rise in the order of insertion.
    ids.sort_unstable();
    Ok(ids.into_iter().zip(jobs).map(|(id, new)| as_queued(JobId(id), new, now)).collect())
}

fn columns(new: &NewJob) -> Value {
    let (level, range) = target_columns(new.spec.target);
    serde_json::json!({
        "kind": new.spec.kind,
        "variant": new.spec.variant,
        "symmetry": new.spec.symmetry.name(),
        "level": level,
        "rating_min": range.map(|(min, _)| min),
        "rating_max": range.map(|(_, max)| max),
        "clues": new.spec.clues,
        "technique": new.spec.technique,
        "wanted": new.wanted,
        "seed": i64::from_le_bytes(new.seed.to_le_bytes()),
        "priority": new.priority,
        "tries_max": new.tries_max,
        "request_id": new.request.as_ref().map(|request| &request.request_id),
        "shortfall": new.shortfall,
        "labels": new.labels,
        "no_extras": u8::from(new.no_extras),
        "not_before_at": new.not_before_at.0,
    })
}

async fn insert_requests(write: &mut Write<'_>, jobs: &[&NewJob], inserted: &[Job]) -> Result<(), StoreError> {
    let now = write.now;
    let named = jobs.iter().zip(inserted).filter_map(|(new, job)| Some((new.request.as_ref()?, job.id)));
    let rows: Vec<(&str, String, i64)> =
        named.map(|(request, JobId(id))| (request.request_id.as_str(), hex(&request.body), id)).collect();
    if rows.is_empty() {
        return Ok(());
    }
    // Bytes travel as hexadecimal digits: json has none.
    let inserted = sqlx::query(
        "insert into requests (request_id, body, job_id, created_at)
         select value ->> 0, unhex(value ->> 1), value ->> 2, ?2 from jsonb_each(?1)",
    )
    .bind(json(&rows)?)
    .bind(now.0)
    .execute(write.at("enqueue.insert_requests").await?)
    .await?;
    must_touch("naming requests", rows.len() as u64, inserted.rows_affected())
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}
