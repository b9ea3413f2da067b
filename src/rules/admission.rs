//! Which of the jobs of many callers get a place in the queue, the same on every database. Pure: what the database knows is
//! read before, in the transaction that adds the jobs.

use std::collections::HashMap;

use super::{
    growth::Full,
    job::{Job, JobId, JobState, NewJob, Tally},
    repeat::{Difference, Fields, differences},
};
use crate::clock::Millis;

/// What came of queueing a job.
#[derive(Debug, Clone, PartialEq)]
pub enum Enqueued {
    /// It is in the queue.
    New(Job),
    /// This very request had been queued before, or an open job makes up for the same; this is that job.
    Same(Job),
    /// Another request had been queued under this name.
    OtherRequest {
        /// Its job.
        job: JobId,
        /// The fields that differ; at least one.
        differs: Vec<Difference>,
    },
    /// The stock is full.
    StockFull(Full),
    /// As many jobs are open as may be.
    BacklogFull {
        /// Jobs queued or running.
        open: u32,
    },
}

/// What came of queueing several jobs of one caller.
#[derive(Debug, Clone, PartialEq)]
pub enum Batch {
    /// Each is in the queue, or was before under its request's name, in their order.
    Queued(Vec<Job>),
    /// None of them is, because of one.
    Refused {
        /// Which one, from 0: the first that stands in the way.
        index: usize,
        /// Why.
        why: Refusal,
    },
}

/// Why a job of a batch cannot be queued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Another request had been queued under its name.
    OtherRequest {
        /// Its job.
        job: JobId,
        /// The fields that differ; at least one.
        differs: Vec<Difference>,
    },
    /// Another request of the batch has its name.
    SameName {
        /// The index of that one.
        first: usize,
        /// The fields that differ; at least one.
        differs: Vec<Difference>,
    },
    /// The stock is full.
    StockFull(Full),
    /// As many jobs are open as may be.
    BacklogFull {
        /// Jobs queued or running, those before it in the batch among them.
        open: u32,
    },
}

/// What the database knows of the jobs that are to be queued.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Fields and jobs of requests, by name.
    pub(crate) requests: HashMap<String, (Fields, Job)>,
    /// Open jobs that make up for something, by what it is.
    pub(crate) shortfalls: HashMap<String, Job>,
    /// Why the stock is full, if it is.
    pub(crate) full: Option<Full>,
    /// Jobs that are open.
    pub(crate) open: u32,
}

/// What is to become of a job, before any is in the queue.
#[derive(Debug)]
pub(crate) enum Admission {
    /// It gets its place.
    New,
    /// It is none that could be queued.
    Known(Box<Enqueued>),
    /// It repeats the request of the job at this index, or makes up for the same; that one gets its place.
    SameAs(usize),
    /// It bears the name of another request, that of the job at this index, which gets its place.
    OtherThan { first: usize, differs: Vec<Difference> },
}

/// Judges each job as if those before it were in the queue.
pub(crate) fn judge(jobs: &[NewJob], known: &Known, open_jobs_max: u32) -> Vec<Admission> {
    let mut open = known.open;
    let mut new_names: HashMap<&str, usize> = HashMap::new();
    let mut new_shortfalls: HashMap<&str, usize> = HashMap::new();
    let mut verdicts = Vec::with_capacity(jobs.len());
    for (index, job) in jobs.iter().enumerate() {
        let name = job.request.as_ref().map(|request| request.request_id.as_str());
        let shortfall = job.shortfall.as_deref();
        let verdict = if let Some((before, known)) = name.and_then(|name| known.requests.get(name)) {
            let differs = differs(job, before);
            let answer = if differs.is_empty() {
                Enqueued::Same(known.clone())
            } else {
                Enqueued::OtherRequest { job: known.id, differs }
            };
            Admission::Known(Box::new(answer))
        } else if let Some(&first) = name.and_then(|name| new_names.get(name)) {
            let before = jobs[first].request.as_ref().map(|request| &request.fields);
            let differs = before.map_or(Vec::new(), |before| differs(job, before));
            if differs.is_empty() { Admission::SameAs(first) } else { Admission::OtherThan { first, differs } }
        } else if let Some(known) = shortfall.and_then(|shortfall| known.shortfalls.get(shortfall)) {
            Admission::Known(Box::new(Enqueued::Same(known.clone())))
        } else if let Some(&earlier) = shortfall.and_then(|shortfall| new_shortfalls.get(shortfall)) {
            Admission::SameAs(earlier)
        } else if let Some(full) = known.full {
            // Before the backlog, which gets shorter by itself.
            Admission::Known(Box::new(Enqueued::StockFull(full)))
        } else if open >= open_jobs_max {
            Admission::Known(Box::new(Enqueued::BacklogFull { open }))
        } else {
            open += 1;
            new_names.extend(name.map(|name| (name, index)));
            new_shortfalls.extend(shortfall.map(|shortfall| (shortfall, index)));
            Admission::New
        };
        verdicts.push(verdict);
    }
    verdicts
}

/// The fields in which the request of a job differs from one under its name.
fn differs(job: &NewJob, before: &Fields) -> Vec<Difference> {
    job.request.as_ref().map_or(Vec::new(), |request| differences(&request.fields, before))
}

/// The jobs that get their place, in this order.
pub(crate) fn admitted<'a>(verdicts: &[Admission], jobs: &'a [NewJob]) -> Vec<&'a NewJob> {
    let new = verdicts.iter().zip(jobs).filter(|(verdict, _)| matches!(verdict, Admission::New));
    new.map(|(_, job)| job).collect()
}

/// Why a batch with these jobs in it is refused as a whole, if it is: by the first that stands in the way.
pub(crate) fn refused(verdicts: &[Admission]) -> Option<Batch> {
    let first = verdicts.iter().enumerate().find_map(|(index, verdict)| Some((index, refusal(verdict)?)));
    first.map(|(index, why)| Batch::Refused { index, why })
}

fn refusal(verdict: &Admission) -> Option<Refusal> {
    match verdict {
        Admission::New | Admission::SameAs(_) => None,
        Admission::OtherThan { first, differs } => Some(Refusal::SameName { first: *first, differs: differs.clone() }),
        Admission::Known(known) => match &**known {
            Enqueued::New(_) | Enqueued::Same(_) => None,
            Enqueued::OtherRequest { job, differs } => {
                Some(Refusal::OtherRequest { job: *job, differs: differs.clone() })
            }
            Enqueued::StockFull(full) => Some(Refusal::StockFull(*full)),
            Enqueued::BacklogFull { open } => Some(Refusal::BacklogFull { open: *open }),
        },
    }
}

/// The jobs of a batch that was not refused.
pub(crate) fn queued(answers: Vec<Enqueued>) -> Batch {
    let queued = answers.into_iter().filter_map(|answer| match answer {
        Enqueued::New(job) | Enqueued::Same(job) => Some(job),
        Enqueued::OtherRequest { .. } | Enqueued::StockFull(_) | Enqueued::BacklogFull { .. } => None,
    });
    Batch::Queued(queued.collect())
}

/// The answers, once the new jobs are in the queue; these come in the order of their verdicts.
pub(crate) fn answers(verdicts: Vec<Admission>, inserted: Vec<Job>) -> Vec<Enqueued> {
    let places = verdicts.iter().enumerate().filter(|(_, verdict)| matches!(verdict, Admission::New));
    let new: HashMap<usize, Job> = places.map(|(index, _)| index).zip(inserted).collect();
    let answer = |(index, verdict)| match verdict {
        Admission::New => Enqueued::New(new[&index].clone()),
        Admission::Known(answer) => *answer,
        Admission::SameAs(earlier) => Enqueued::Same(new[&earlier].clone()),
        Admission::OtherThan { first, differs } => Enqueued::OtherRequest { job: new[&first].id, differs },
    };
    verdicts.into_iter().enumerate().map(answer).collect()
}

/// The job that such a row is. To read whole rows back would cost more than all the rest of a shared write.
pub(crate) fn as_queued(id: JobId, new: &NewJob, now: Millis) -> Job {
    Job {
        id,
        state: JobState::Queued,
        spec: new.spec.clone(),
        wanted: new.wanted,
        made: 0,
        surplus: 0,
        next_index: 0,
        seed: new.seed,
        priority: new.priority,
        tries_max: new.tries_max,
        tally: Tally::default(),
        work_ms: 0,
        failed_attempts: 0,
        reclaimed_slices: 0,
        error: None,
        request_id: new.request.as_ref().map(|request| request.request_id.clone()),
        labels: new.labels.clone(),
        no_surplus: new.no_surplus,
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
