//! Queueing a job: the request's name, the bound on open jobs and the job itself, in one write.

use super::{SqliteStore, Write, rows};
use crate::{
    engine::spec::Target,
    store::{
        StoreError,
        job::{Enqueued, Job, JobId, NamedRequest, NewJob},
    },
};

impl SqliteStore {
    pub(super) async fn enqueue_job(&self, new: NewJob, open_jobs_max: u32) -> Result<Enqueued, StoreError> {
        let mut write = self.write("enqueue.begin").await?;
        if let Some(request) = &new.request
            && let Some(known) = known_request(&mut write, request).await?
        {
            return Ok(known);
        }
        if let Some(shortfall) = &new.shortfall
            && let Some(open) = open_job_for(&mut write, shortfall).await?
        {
            return Ok(Enqueued::Same(open));
        }
        // Decided in the transaction that adds the job, so that no two callers share the last place.
        let open = open_jobs(&mut write).await?;
        if open >= open_jobs_max {
            return Ok(Enqueued::BacklogFull { open });
        }
        let job = insert_job(&mut write, &new).await?;
        if let Some(request) = &new.request {
            insert_request(&mut write, request, job.id).await?;
        }
        write.commit("enqueue.commit", "enqueue.committed").await?;
        Ok(Enqueued::New(job))
    }
}

async fn known_request(write: &mut Write<'_>, request: &NamedRequest) -> Result<Option<Enqueued>, StoreError> {
    let known: Option<(Vec<u8>, i64)> = sqlx::query_as("select body, job_id from requests where request_id = ?")
        .bind(&request.request_id)
        .fetch_optional(write.at("enqueue.find_request").await?)
        .await?;
    let Some((body, job_id)) = known else { return Ok(None) };
    if body != request.body {
        return Ok(Some(Enqueued::OtherRequest(JobId(job_id))));
    }
    let row = sqlx::query("select * from jobs where id = ?")
        .bind(job_id)
        .fetch_one(write.at("enqueue.find_job").await?)
        .await?;
    Ok(Some(Enqueued::Same(rows::job(&row)?)))
}

async fn open_job_for(write: &mut Write<'_>, shortfall: &str) -> Result<Option<Job>, StoreError> {
    let row = sqlx::query("select * from jobs where shortfall = ? and state in ('queued', 'running')")
        .bind(shortfall)
        .fetch_optional(write.at("enqueue.find_shortfall").await?)
        .await?;
    row.as_ref().map(rows::job).transpose()
}

pub(super) async fn open_jobs(write: &mut Write<'_>) -> Result<u32, StoreError> {
    let open = sqlx::query_scalar("select count(*) from jobs where state in ('queued', 'running')")
        .fetch_one(write.at("enqueue.count_open").await?)
        .await?;
    Ok(open)
}

pub(super) async fn insert_job(write: &mut Write<'_>, new: &NewJob) -> Result<Job, StoreError> {
    let (level, range) = match new.spec.target {
        Target::Any => (None, None),
        Target::Level(level) => (Some(level.name()), None),
        Target::Range { min, max } => (None, Some((min.0, max.0))),
    };
    let now = write.now;
    // It waits from here on, so all that are open have waited longer for their turn.
    let row = sqlx::query(
        "insert into jobs (state, kind, variant, symmetry, level, rating_min, rating_max, clues, technique, wanted, seed,
                           priority, tries_max, request_id, shortfall, not_before_at, created_at, turn)
         values ('queued', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                 (select coalesce(max(turn), 0) + 1 from jobs where state in ('queued', 'running')))
         returning *",
    )
    .bind(&new.spec.kind)
    .bind(&new.spec.variant)
    .bind(new.spec.symmetry.name())
    .bind(level)
    .bind(range.map(|(min, _)| min))
    .bind(range.map(|(_, max)| max))
    .bind(new.spec.clues)
    .bind(&new.spec.technique)
    .bind(new.wanted)
    .bind(i64::from_le_bytes(new.seed.to_le_bytes()))
    .bind(new.priority)
    .bind(new.tries_max)
    .bind(new.request.as_ref().map(|request| &request.request_id))
    .bind(&new.shortfall)
    .bind(new.not_before_at.0)
    .bind(now.0)
    .fetch_one(write.at("enqueue.insert_job").await?)
    .await?;
    rows::job(&row)
}

async fn insert_request(write: &mut Write<'_>, request: &NamedRequest, job_id: JobId) -> Result<(), StoreError> {
    let now = write.now;
    sqlx::query("insert into requests (request_id, body, job_id, created_at) values (?, ?, ?, ?)")
        .bind(&request.request_id)
        .bind(&request.body)
        .bind(job_id.0)
        .bind(now.0)
        .execute(write.at("enqueue.insert_request").await?)
        .await?;
    Ok(())
}
