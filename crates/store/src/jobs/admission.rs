//! Rule: decides which jobs are queued, and why others are not: they repeat a request, fill the same shortfall as an open job, or
//! exceed a limit or quota. Pure functions: the store first reads the facts, in the transaction that adds the jobs.

use std::collections::HashMap;

use crate::jobs::{
    growth::Full,
    job::{Job, JobState, NewJob},
    open_quotas::{OpenWork, OverQuota, exceeded},
    repeat::{Difference, Fields, differences},
};
use puzzled_base::{clock::Millis, ids::JobId};
use puzzled_engine::shared::tries::Tally;

/// The result of queueing a job.
#[derive(Debug, Clone, PartialEq)]
pub enum Enqueued {
    /// The job was queued.
    New(Job),
    /// The job that the same request queued before, or the open job that fills the same shortfall.
    Same(Job),
    /// The job was not queued.
    Refused(Refusal),
}

/// The result of queueing several jobs of one caller.
#[derive(Debug, Clone, PartialEq)]
pub enum Batch {
    /// All jobs, in their order. Each was queued now, or before under the same request ID.
    Queued(Vec<Job>),
    /// No job was queued, because one of them cannot be.
    Refused {
        /// The index of the first job that cannot be queued, from 0.
        index: usize,
        /// The reason.
        why: Refusal,
    },
}

/// The reason why a job cannot be queued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Another request was queued under the job's request ID.
    OtherRequest {
        /// The job of that request.
        job: JobId,
        /// The fields that differ; at least one.
        differs: Vec<Difference>,
    },
    /// Another request of the same batch has the same request ID.
    SameName {
        /// The index of that request, from 0.
        first: usize,
        /// The fields that differ; at least one.
        differs: Vec<Difference>,
    },
    /// The stock is full.
    StockFull(Full),
    /// With the earlier jobs of its batch, the job would exceed a quota of its principal.
    OverQuota(OverQuota),
    /// The number of open jobs is at its limit.
    BacklogFull {
        /// The number of jobs queued or running, including the earlier jobs of its batch.
        open: u32,
    },
}

/// What the database knows about the jobs to queue.
#[derive(Debug, Default)]
pub(crate) struct QueueFacts {
    /// Fields and jobs of requests, by request ID.
    pub(crate) requests: HashMap<String, (Fields, Job)>,
    /// Open jobs that fill a shortfall, by shortfall.
    pub(crate) shortfalls: HashMap<String, Job>,
    /// Why the stock is full, if it is.
    pub(crate) full: Option<Full>,
    /// The number of open jobs.
    pub(crate) open: u32,
    /// The open work of the principals that have a quota on open work, by name. Principals without open work are missing.
    pub(crate) open_work: HashMap<String, OpenWork>,
}

/// The decision on a job, before any job is inserted.
#[derive(Debug)]
pub(crate) enum Admission {
    /// The job is queued.
    New,
    /// The job is not queued, for a reason in the database.
    QueueFacts(Box<Enqueued>),
    /// The job repeats the request of the job at this index, or fills the same shortfall. Only that job is
    /// queued.
    SameAs(usize),
    /// The job has the request ID of the job at this index, but differs from it. Only that job is queued.
    OtherThan { first: usize, differs: Vec<Difference> },
}

/// Decides on each job as if the earlier jobs were queued.
pub(crate) fn judge(jobs: &[NewJob], known: &QueueFacts, open_jobs_max: u32) -> Vec<Admission> {
    let mut open = known.open;
    let mut open_work: HashMap<&str, OpenWork> =
        known.open_work.iter().map(|(name, work)| (name.as_str(), *work)).collect();
    let mut new_names: HashMap<&str, usize> = HashMap::new();
    let mut new_shortfalls: HashMap<&str, usize> = HashMap::new();
    let known_refusal = |why| Admission::QueueFacts(Box::new(Enqueued::Refused(why)));
    let mut verdicts = Vec::with_capacity(jobs.len());
    for (index, job) in jobs.iter().enumerate() {
        let name = job.request.as_ref().map(|request| request.request_id.as_str());
        let shortfall = job.shortfall.as_deref();
        let verdict = if let Some((before, known)) = name.and_then(|name| known.requests.get(name)) {
            let differs = differs(job, before);
            let answer = if differs.is_empty() {
                Enqueued::Same(known.clone())
            } else {
                Enqueued::Refused(Refusal::OtherRequest { job: known.id, differs })
            };
            Admission::QueueFacts(Box::new(answer))
        } else if let Some(&first) = name.and_then(|name| new_names.get(name)) {
            let before = jobs[first].request.as_ref().map(|request| &request.fields);
            let differs = before.map_or(Vec::new(), |before| differs(job, before));
            if differs.is_empty() { Admission::SameAs(first) } else { Admission::OtherThan { first, differs } }
        } else if let Some(known) = shortfall.and_then(|shortfall| known.shortfalls.get(shortfall)) {
            Admission::QueueFacts(Box::new(Enqueued::Same(known.clone())))
        } else if let Some(&earlier) = shortfall.and_then(|shortfall| new_shortfalls.get(shortfall)) {
            Admission::SameAs(earlier)
        } else if let Some(full) = known.full {
            // If both are full, the answer names the stock, because the backlog shrinks on its own.
            known_refusal(Refusal::StockFull(full))
        } else if let Some(over) = over_quota(job, &open_work) {
            known_refusal(Refusal::OverQuota(over))
        } else if open >= open_jobs_max {
            known_refusal(Refusal::BacklogFull { open })
        } else {
            open += 1;
            if let Some(by) = &job.by {
                open_work.entry(&by.name).or_default().add(OpenWork::job(job.wanted));
            }
            new_names.extend(name.map(|name| (name, index)));
            new_shortfalls.extend(shortfall.map(|shortfall| (shortfall, index)));
            Admission::New
        };
        verdicts.push(verdict);
    }
    verdicts
}

/// Returns the quota that a job would exceed.
fn over_quota(job: &NewJob, open_work: &HashMap<&str, OpenWork>) -> Option<OverQuota> {
    let by = job.by.as_ref()?;
    exceeded(&by.quotas, open_work.get(&*by.name).copied().unwrap_or_default(), OpenWork::job(job.wanted))
}

/// Returns the fields in which a job's request differs from the earlier request under its ID.
fn differs(job: &NewJob, before: &Fields) -> Vec<Difference> {
    job.request.as_ref().map_or(Vec::new(), |request| differences(&request.fields, before))
}

/// Returns the jobs to queue, in this order.
pub(crate) fn admitted<'a>(verdicts: &[Admission], jobs: &'a [NewJob]) -> Vec<&'a NewJob> {
    let new = verdicts.iter().zip(jobs).filter(|(verdict, _)| matches!(verdict, Admission::New));
    new.map(|(_, job)| job).collect()
}

/// Returns the refusal of a whole batch, for the first job that cannot be queued; `None` if all jobs can be queued.
pub(crate) fn refused(verdicts: &[Admission]) -> Option<Batch> {
    let first = verdicts.iter().enumerate().find_map(|(index, verdict)| Some((index, refusal(verdict)?)));
    first.map(|(index, why)| Batch::Refused { index, why })
}

fn refusal(verdict: &Admission) -> Option<Refusal> {
    match verdict {
        Admission::New | Admission::SameAs(_) => None,
        Admission::OtherThan { first, differs } => Some(Refusal::SameName { first: *first, differs: differs.clone() }),
        Admission::QueueFacts(known) => match &**known {
            Enqueued::New(_) | Enqueued::Same(_) => None,
            Enqueued::Refused(why) => Some(why.clone()),
        },
    }
}

/// Returns the jobs of a batch that was not refused.
pub(crate) fn queued(answers: Vec<Enqueued>) -> Batch {
    let queued = answers.into_iter().filter_map(|answer| match answer {
        Enqueued::New(job) | Enqueued::Same(job) => Some(job),
        Enqueued::Refused(_) => None,
    });
    Batch::Queued(queued.collect())
}

/// Returns the results after the new jobs are inserted, in the order of the decisions.
pub(crate) fn answers(verdicts: Vec<Admission>, inserted: Vec<Job>) -> Vec<Enqueued> {
    let places = verdicts.iter().enumerate().filter(|(_, verdict)| matches!(verdict, Admission::New));
    let new: HashMap<usize, Job> = places.map(|(index, _)| index).zip(inserted).collect();
    let answer = |(index, verdict)| match verdict {
        Admission::New => Enqueued::New(new[&index].clone()),
        Admission::QueueFacts(answer) => *answer,
        Admission::SameAs(earlier) => Enqueued::Same(new[&earlier].clone()),
        Admission::OtherThan { first, differs } => {
            Enqueued::Refused(Refusal::OtherRequest { job: new[&first].id, differs })
        }
    };
    verdicts.into_iter().enumerate().map(answer).collect()
}

/// Builds the job of a new row. It is not read back, because that would take longer than all other steps of the
/// batch.
pub(crate) fn as_queued(id: JobId, new: &NewJob, now: Millis) -> Job {
    Job {
        id,
        state: JobState::Queued,
        spec: new.spec.clone(),
        wanted: new.wanted,
        made: 0,
        next_index: 0,
        seed: new.seed,
        priority: new.priority,
        tries_max: new.tries_max,
        tally: Tally::default(),
        work_ms: 0,
        work_ms_max: new.work_ms_max,
        failed_attempts: 0,
        reclaimed_slices: 0,
        error: None,
        error_reason: None,
        request_id: new.request.as_ref().map(|request| request.request_id.clone()),
        principal: new.by.as_ref().map(|by| by.name.to_string()),
        holder: new.holder.clone(),
        traceparent: new.by.as_ref().and_then(|by| by.traceparent.as_deref()).map(str::to_owned),
        labels: new.labels.clone(),
        needed_version: new.needed_version,
        not_before_at: new.not_before_at,
        target_id: None,
        not_after_at: None,
        created_at: now,
        started_at: None,
        ended_at: None,
        pruned_at: None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::jobs::job::Labels;
    use puzzled_engine::shared::spec::Spec;

    /// A queued job for 100 puzzles of a spec.
    pub(crate) fn queued(spec: Spec) -> Job {
        let new = NewJob {
            spec,
            wanted: 100,
            seed: 0,
            priority: 0,
            tries_max: 1,
            work_ms_max: None,
            needed_version: 1,
            not_before_at: Millis(0),
            labels: Labels::new(),
            request: None,
            shortfall: None,
            by: None,
            holder: None,
        };
        as_queued(JobId(1), &new, Millis(0))
    }
}
