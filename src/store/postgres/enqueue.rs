//! Queueing jobs: the names of their requests, the bound on open jobs and the jobs themselves, in one write. Many callers
//! share one, so each step is one statement for all of them.

use std::collections::HashMap;

use super::{PostgresStore, Write, ear, locks, must_touch, rows, same::open_jobs};
use crate::store::{
    StoreError,
    admission::{Known, admitted, answers, as_queued, judge, queued, refused},
    job::{Batch, Enqueued, Job, JobId, NewJob},
    same::target_columns,
};

impl PostgresStore {
    pub(super) async fn enqueue_jobs(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Vec<Enqueued>, StoreError> {
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        let mut write = self.write("enqueue.begin").await?;
        let verdicts = judge(jobs, &known(&mut write, jobs).await?, open_jobs_max);
        let inserted = insert_new(&mut write, &admitted(&verdicts, jobs)).await?;
        end(write, !inserted.is_empty(), answers(verdicts, inserted)).await
    }

    pub(super) async fn enqueue_whole_batch(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Batch, StoreError> {
        let mut write = self.write("enqueue.begin").await?;
        let verdicts = judge(jobs, &known(&mut write, jobs).await?, open_jobs_max);
        if let Some(refused) = refused(&verdicts) {
            return write.undone(refused).await;
        }
        let inserted = insert_new(&mut write, &admitted(&verdicts, jobs)).await?;
        end(write, !inserted.is_empty(), queued(answers(verdicts, inserted))).await
    }
}

/// Keeps what was done, if anything was, and answers.
async fn end<T>(write: Write<'_>, has_changed: bool, answer: T) -> Result<T, StoreError> {
    if !has_changed {
        return write.undone(answer).await;
    }
    write.commit("enqueue.commit", "enqueue.committed").await?;
    Ok(answer)
}

/// What decides, read in the transaction that adds the jobs.
async fn known(write: &mut Write<'_>, jobs: &[NewJob]) -> Result<Known, StoreError> {
    // SQLite has one writer anyway; here two processes could count the open jobs, and both take the last place.
    locks::ENQUEUE.take(write.at("enqueue.lock").await?).await?;
    Ok(Known {
        requests: known_requests(write, jobs).await?,
        shortfalls: known_shortfalls(write, jobs).await?,
        open: open_jobs(write).await?,
    })
}

/// Bodies and jobs of the requests whose names are known, by name.
async fn known_requests(write: &mut Write<'_>, jobs: &[NewJob]) -> Result<HashMap<String, (Vec<u8>, Job)>, StoreError> {
    let names: Vec<_> = jobs.iter().filter_map(|job| Some(job.request.as_ref()?.request_id.as_str())).collect();
    if names.is_empty() {
        return Ok(HashMap::new());
    }
    let found = sqlx::query(
        "select requests.body, jobs.*
         from requests join jobs on jobs.id = requests.job_id
         where requests.request_id = any($1)",
    )
    .bind(names)
    .fetch_all(write.at("enqueue.find_requests").await?)
    .await?;
    found.iter().map(rows::named_job).collect()
}

/// Open jobs that make up for what these jobs are to make up for, by what it is.
async fn known_shortfalls(write: &mut Write<'_>, jobs: &[NewJob]) -> Result<HashMap<String, Job>, StoreError> {
    let shortfalls: Vec<_> = jobs.iter().filter_map(|job| job.shortfall.as_deref()).collect();
    if shortfalls.is_empty() {
        return Ok(HashMap::new());
    }
    let found = sqlx::query("select * from jobs where shortfall = any($1) and state in ('queued', 'running')")
        .bind(shortfalls)
        .fetch_all(write.at("enqueue.find_shortfalls").await?)
        .await?;
    found.iter().map(rows::job_for_shortfall).collect()
}

/// Puts those into the queue that are to have a place, tells of them, and returns them in their order.
async fn insert_new(write: &mut Write<'_>, new: &[&NewJob]) -> Result<Vec<Job>, StoreError> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let inserted = insert_jobs(write, new).await?;
    insert_requests(write, new, &inserted).await?;
    ear::tell_queued(write, "enqueue.tell", &inserted).await?;
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
    let columns = Columns::of(jobs);
    // They wait from here on, so all that are open have waited longer for their turn.
    let mut ids: Vec<i64> = sqlx::query_scalar(
        "insert into jobs (state, kind, variant, symmetry, level, rating_min, rating_max, clues, technique, wanted, seed,
                           priority, tries_max, request_id, shortfall, labels, no_extras, not_before_at, created_at, turn)
         select 'queued', kind, variant, symmetry, level, rating_min, rating_max, clues, technique, wanted, seed,
                priority, tries_max, request_id, shortfall, labels::json, no_extras, not_before_at, $18, nextval('turns')
         from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::smallint[], $6::smallint[], $7::integer[],
                     $8::bigint[], $9::bigint[], $10::integer[], $11::bigint[], $12::text[], $13::text[], $14::bigint[],
                     $15::text[], $16::text[], $17::boolean[])
              with ordinality as new (kind, variant, symmetry, level, rating_min, rating_max, clues, wanted, seed, priority,
                                      tries_max, request_id, shortfall, not_before_at, technique, labels, no_extras, rank)
         order by rank
         returning id",
    )
    .bind(columns.kind)
    .bind(columns.variant)
    .bind(columns.symmetry)
    .bind(columns.level)
    .bind(columns.rating_min)
    .bind(columns.rating_max)
    .bind(columns.clues)
    .bind(columns.wanted)
    .bind(columns.seed)
    .bind(columns.priority)
    .bind(columns.tries_max)
    .bind(columns.request_id)
    .bind(columns.shortfall)
    .bind(columns.not_before_at)
    .bind(columns.technique)
    .bind(columns.labels)
    .bind(columns.no_extras)
    .bind(now.0)
    .fetch_all(write.at("enqueue.insert_jobs").await?)
    .await?;
    must_touch("queueing jobs", jobs.len() as u64, ids.len() as u64)?;
    // The order in which rows are returned is not promised; ids rise in the order of insertion.
    ids.sort_unstable();
    Ok(ids.into_iter().zip(jobs).map(|(id, new)| as_queued(JobId(id), new, now)).collect())
}

/// Jobs to be inserted, column by column.
#[derive(Default)]
struct Columns<'a> {
    kind: Vec<&'a str>,
    variant: Vec<&'a str>,
    symmetry: Vec<&'a str>,
    level: Vec<Option<&'a str>>,
    rating_min: Vec<Option<i16>>,
    rating_max: Vec<Option<i16>>,
    clues: Vec<Option<i32>>,
    wanted: Vec<i64>,
    seed: Vec<i64>,
    priority: Vec<i32>,
    tries_max: Vec<i64>,
    request_id: Vec<Option<&'a str>>,
    shortfall: Vec<Option<&'a str>>,
    not_before_at: Vec<i64>,
    technique: Vec<Option<&'a str>>,
    labels: Vec<String>,
    no_extras: Vec<bool>,
}

impl<'a> Columns<'a> {
    fn of(jobs: &[&'a NewJob]) -> Self {
        let mut columns = Self::default();
        for new in jobs {
            let (level, range) = target_columns(new.spec.target);
            columns.kind.push(&new.spec.kind);
            columns.variant.push(&new.spec.variant);
            columns.symmetry.push(new.spec.symmetry.name());
            columns.level.push(level);
            columns.rating_min.push(range.map(|(min, _)| min));
            columns.rating_max.push(range.map(|(_, max)| max));
            columns.clues.push(new.spec.clues.map(i32::from));
            columns.wanted.push(i64::from(new.wanted));
            columns.seed.push(i64::from_le_bytes(new.seed.to_le_bytes()));
            columns.priority.push(new.priority);
            columns.tries_max.push(i64::from(new.tries_max));
            columns.request_id.push(new.request.as_ref().map(|request| request.request_id.as_str()));
            columns.shortfall.push(new.shortfall.as_deref());
            columns.not_before_at.push(new.not_before_at.0);
            columns.technique.push(new.spec.technique.as_deref());
            columns.no_extras.push(new.no_extras);
            columns.labels.push(serde_json::json!(new.labels).to_string());
        }
        columns
    }
}

async fn insert_requests(write: &mut Write<'_>, jobs: &[&NewJob], inserted: &[Job]) -> Result<(), StoreError> {
    let now = write.now;
    let named: Vec<_> =
        jobs.iter().zip(inserted).filter_map(|(new, job)| Some((new.request.as_ref()?, job.id.0))).collect();
    if named.is_empty() {
        return Ok(());
    }
    let inserted = sqlx::query(
        "insert into requests (request_id, body, job_id, created_at)
         select request_id, body, job_id, $4
         from unnest($1::text[], $2::bytea[], $3::bigint[]) as named (request_id, body, job_id)",
    )
    .bind(named.iter().map(|(request, _)| request.request_id.as_str()).collect::<Vec<_>>())
    .bind(named.iter().map(|(request, _)| request.body.as_slice()).collect::<Vec<_>>())
    .bind(named.iter().map(|(_, id)| *id).collect::<Vec<_>>())
    .bind(now.0)
    .execute(write.at("enqueue.insert_requests").await?)
    .await?;
    must_touch("naming requests", named.len() as u64, inserted.rows_affected())
}
