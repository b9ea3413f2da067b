//! Queues jobs in one write: checks request IDs, shortfalls, quotas, the limit on open jobs, and whether the stock is full,
//! then inserts the jobs. Many callers share a write, with one statement per step, and so share the wait for the disk.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use serde_json::{Value, json};

use crate::{
    Notice, StoreError,
    access::{
        actor::Actor,
        audit_entry::{NewEntry, job_ids, of_batch, of_job},
        audit_store,
    },
    error::must_touch,
    jobs::{
        admission::{Batch, Enqueued, QueueFacts, admitted, answers, as_queued, judge, queued, refused},
        job::{Job, NewJob},
        open_quotas::{OpenWork, is_bounded},
        queue_store::full,
        repeat::{Fields, as_json},
    },
    sql::{
        database::{Database, Lock, Write, id, number},
        rows, spec_columns,
        statement::values,
        statements::enqueue,
    },
};
use puzzled_base::ids::JobId;

/// Queues jobs.
#[async_trait]
pub trait EnqueueStore {
    /// Queues a job, unless its request is known, its shortfall has an open job, the stock is full, the job would
    /// exceed a quota of its principal, or `open_jobs_max` jobs are open. The job is durable when the call returns.
    async fn enqueue(&self, job: NewJob, open_jobs_max: u32) -> Result<Enqueued, StoreError> {
        let enqueued = self.enqueue_all(&[job], open_jobs_max).await?.pop();
        enqueued.ok_or(StoreError::RowCount { statement: "queueing a job", wanted: 1, found: 0 })
    }

    /// Queues jobs of independent callers, and returns a result for each. The results are the same as if the jobs were
    /// queued one after the other. Each new job has an entry in the audit trail. The jobs are durable when the call
    /// returns, after one wait for the disk.
    async fn enqueue_all(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Vec<Enqueued>, StoreError>;

    /// Queues all jobs of one caller in their order, or none. It queues none if a request ID is in use for another
    /// request, or if the stock is full. It also queues none if the jobs would exceed a quota of the principal, or if
    /// more than `open_jobs_max` jobs would be open. A repeated request returns the job that it queued first. The new
    /// jobs share one entry in the audit trail. The jobs are durable when the call returns.
    async fn enqueue_batch(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Batch, StoreError>;
}

#[async_trait]
impl<D: Database> EnqueueStore for D {
    async fn enqueue_all(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Vec<Enqueued>, StoreError> {
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        self.with_retries(|| async {
            let mut write = self.write("enqueue.begin").await?;
            let verdicts = judge(jobs, &known(&mut write, jobs).await?, open_jobs_max);
            let new = admitted(&verdicts, jobs);
            let inserted = insert_new(&mut write, &new).await?;
            let entries = new
                .iter()
                .zip(&inserted)
                .filter_map(|(new, job)| Some(NewEntry::of(new.by.as_ref()?, job_ids([job.id]), of_job(job))));
            audit_store::insert(&mut write, "enqueue.audit", &entries.collect::<Vec<_>>()).await?;
            end(write, !inserted.is_empty(), answers(verdicts, inserted)).await
        })
        .await
    }

    async fn enqueue_batch(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Batch, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("enqueue.begin").await?;
            let verdicts = judge(jobs, &known(&mut write, jobs).await?, open_jobs_max);
            if let Some(refused) = refused(&verdicts) {
                return write.roll_back(refused).await;
            }
            let new = admitted(&verdicts, jobs);
            let inserted = insert_new(&mut write, &new).await?;
            if let Some(by) = new.iter().find_map(|new| new.by.as_ref()) {
                let entry = NewEntry::of(by, job_ids(inserted.iter().map(|job| job.id)), of_batch(&inserted));
                audit_store::insert(&mut write, "enqueue.audit_batch", &[entry]).await?;
            }
            end(write, !inserted.is_empty(), queued(answers(verdicts, inserted))).await
        })
        .await
    }
}

/// Commits the write if it changed anything, and returns the answer.
async fn end<W: Write, T: Send>(write: W, has_changed: bool, answer: T) -> Result<T, StoreError> {
    if !has_changed {
        return write.roll_back(answer).await;
    }
    write.commit("enqueue.commit", "enqueue.committed").await?;
    Ok(answer)
}

/// Reads the facts that decide whether jobs are queued, in the transaction that adds the jobs. So two callers together
/// cannot exceed a limit.
async fn known<W: Write>(write: &mut W, jobs: &[NewJob]) -> Result<QueueFacts, StoreError> {
    write.lock("enqueue.lock", Lock::Enqueue).await?;
    Ok(QueueFacts {
        requests: known_requests(write, jobs).await?,
        shortfalls: known_shortfalls(write, jobs).await?,
        full: full(write, "enqueue.read_full").await?,
        open: open_jobs(write).await?,
        open_work: open_work(write, jobs.iter().filter_map(|job| job.by.as_deref())).await?,
    })
}

/// Returns the open work of the actors that have a quota on open work, by name.
pub(crate) async fn open_work<'a, W: Write>(
    write: &mut W,
    actors: impl Iterator<Item = &'a Actor>,
) -> Result<HashMap<String, OpenWork>, StoreError> {
    let names: BTreeSet<_> = actors.filter(|by| is_bounded(&by.quotas)).map(|by| &*by.name).collect();
    if names.is_empty() {
        return Ok(HashMap::new());
    }
    let names: Vec<_> = names.into_iter().collect();
    let found = write.all("enqueue.count_open_work", enqueue::OPEN_WORK, values![names], rows::open_work).await?;
    Ok(found.into_iter().collect())
}

pub(crate) async fn open_jobs<W: Write>(write: &mut W) -> Result<u32, StoreError> {
    let open = write.one("enqueue.count_open", enqueue::OPEN_JOBS, &[], number).await?;
    Ok(u32::try_from(open).expect("a u32 bounds the open jobs"))
}

/// Returns the fields and jobs of the requests whose IDs are known, by request ID.
async fn known_requests<W: Write>(
    write: &mut W,
    jobs: &[NewJob],
) -> Result<HashMap<String, (Fields, Job)>, StoreError> {
    let names: Vec<_> = jobs.iter().filter_map(|job| Some(job.request.as_ref()?.request_id.as_str())).collect();
    if names.is_empty() {
        return Ok(HashMap::new());
    }
    let found = write.all("enqueue.find_requests", enqueue::REQUESTS, values![names], rows::named_job).await?;
    Ok(found.into_iter().collect())
}

/// Returns the open jobs for the shortfalls of these jobs, by shortfall.
async fn known_shortfalls<W: Write>(write: &mut W, jobs: &[NewJob]) -> Result<HashMap<String, Job>, StoreError> {
    let shortfalls: Vec<_> = jobs.iter().filter_map(|job| job.shortfall.as_deref()).collect();
    if shortfalls.is_empty() {
        return Ok(HashMap::new());
    }
    let found =
        write.all("enqueue.find_shortfalls", enqueue::SHORTFALLS, values![shortfalls], rows::job_for_shortfall).await?;
    Ok(found.into_iter().collect())
}

/// Inserts the admitted jobs, notifies listeners, and returns the jobs in their order.
async fn insert_new<W: Write>(write: &mut W, new: &[&NewJob]) -> Result<Vec<Job>, StoreError> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let inserted = insert_jobs(write, new).await?;
    insert_requests(write, new, &inserted).await?;
    let notices: Vec<_> = inserted.iter().map(|job| Notice::Queued(job.id)).collect();
    write.notify("enqueue.notify", &notices).await?;
    Ok(inserted)
}

/// Inserts a job and returns it.
pub(crate) async fn insert_job<W: Write>(write: &mut W, new: &NewJob) -> Result<Job, StoreError> {
    let inserted = insert_jobs(write, &[new]).await?.pop();
    inserted.ok_or(StoreError::RowCount { statement: "queueing a job", wanted: 1, found: 0 })
}

/// Inserts jobs in this order and returns them.
async fn insert_jobs<W: Write>(write: &mut W, jobs: &[&NewJob]) -> Result<Vec<Job>, StoreError> {
    let now = write.now();
    let columns = jobs.iter().map(|job| columns(job)).collect::<Value>().to_string();
    let mut ids = write.all("enqueue.insert_jobs", enqueue::INSERT_JOBS, values![&columns, now], id).await?;
    must_touch("queueing jobs", jobs.len() as u64, ids.len() as u64)?;
    // The database does not promise an order of returned rows, but ids rise in the order of insertion.
    ids.sort_unstable();
    Ok(ids.into_iter().zip(jobs).map(|(id, new)| as_queued(JobId(id), new, now)).collect())
}

fn columns(new: &NewJob) -> Value {
    let (level, range) = spec_columns::difficulty(new.spec.difficulty);
    json!({
        "kind": new.spec.kind,
        "variant": new.spec.variant,
        "symmetry": new.spec.symmetry.name(),
        "level": level,
        "rating_min": range.map(|(min, _)| min),
        "rating_max": range.map(|(_, max)| max),
        "givens_min": new.spec.givens.map(|givens| givens.min),
        "givens_max": new.spec.givens.map(|givens| givens.max),
        "technique": new.spec.technique,
        "wanted": new.wanted,
        "seed": new.seed.cast_signed(),
        "priority": new.priority,
        "tries_max": new.tries_max,
        "work_ms_max": new.work_ms_max,
        "needed_version": new.needed_version,
        "request_id": new.request.as_ref().map(|request| &request.request_id),
        "principal": new.by.as_ref().map(|by| &*by.name),
        "traceparent": new.by.as_ref().and_then(|by| by.traceparent.as_deref()),
        "shortfall": new.shortfall,
        "holder": new.holder.as_ref().map(ToString::to_string),
        "labels": new.labels,
        "not_before_at": new.not_before_at.0,
    })
}

async fn insert_requests<W: Write>(write: &mut W, jobs: &[&NewJob], inserted: &[Job]) -> Result<(), StoreError> {
    let named = jobs.iter().zip(inserted).filter_map(|(new, job)| Some((new.request.as_ref()?, job.id)));
    let rows: Vec<_> = named.map(|(request, id)| json!([request.request_id, as_json(&request.fields), id.0])).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let (wanted, rows) = (rows.len() as u64, Value::from(rows).to_string());
    let now = write.now();
    must_touch(
        "naming requests",
        wanted,
        write.execute("enqueue.insert_requests", enqueue::INSERT_REQUESTS, values![&rows, now]).await?,
    )
}
