//! Rule: the data of the audit trail: its entries, what they record of each type of change, denied calls, and the filter of a
//! list.

use serde_json::{Map, Value, json};

use crate::{
    access::{actor::Actor, principal::Role},
    jobs::job::Job,
    stock::withdrawal::Withdrawal,
    targets::target::{Schedule, StockTarget},
};
use puzzled_base::{clock::Millis, ids::JobId};

/// An entry to write, in the transaction of its change.
#[derive(Debug)]
pub(crate) struct NewEntry<'a> {
    /// Who makes the change.
    pub(crate) by: &'a Actor,
    /// The method. It differs from the actor's method only for declared targets.
    pub(crate) method: &'a str,
    /// The IDs of the changed jobs, targets, and puzzles, and the names of the changed series.
    pub(crate) subjects: Vec<String>,
    /// The change, a JSON object.
    pub(crate) details: Value,
}

impl<'a> NewEntry<'a> {
    /// An entry for the method that an actor calls.
    pub(crate) fn of(by: &'a Actor, subjects: Vec<String>, details: Value) -> Self {
        Self { by, method: &by.method, subjects, details }
    }
}

/// An entry of the audit trail.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// Id of the entry, from 1, rising with each entry.
    pub id: i64,
    /// When the change was made. For denied calls, the time of the first call.
    pub at: Millis,
    /// See [`Actor::name`].
    pub principal: String,
    /// See [`Actor::role`].
    pub role: Option<Role>,
    /// See [`Actor::address`].
    pub address: String,
    /// The method, or the name of the command.
    pub method: String,
    /// See [`Actor::call_id`].
    pub call_id: String,
    /// The IDs of the changed jobs, targets, and puzzles, and the names of the changed series.
    pub subjects: Vec<String>,
    /// The change.
    pub details: Map<String, Value>,
    /// Whether the entry counts denied calls, which changed nothing.
    pub is_denied: bool,
    /// The number of calls, from 1. More than 1 only for denied calls.
    pub calls: u32,
}

/// Which entries to list. Every field that is set must match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditFilter {
    /// The name of the principal.
    pub principal: Option<String>,
    /// The method.
    pub method: Option<String>,
    /// The ID of a job, a target, or a puzzle, or the name of a series.
    pub subject: Option<String>,
    /// The earliest time.
    pub since: Option<Millis>,
    /// The time before which an entry was made.
    pub before: Option<Millis>,
}

/// Calls of one principal to one method that were denied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// Who made the first of the calls.
    pub by: Actor,
    /// The number of the calls, from 1.
    pub calls: u32,
}

/// The details of one queued job.
pub(crate) fn of_job(job: &Job) -> Value {
    json!({ "spec": job.spec.words(), "count": job.wanted, "request_id": job.request_id })
}

/// The details of several jobs that one call queued.
pub(crate) fn of_batch(jobs: &[Job]) -> Value {
    let count: u64 = jobs.iter().map(|job| u64::from(job.wanted)).sum();
    json!({ "jobs": jobs.len(), "count": count })
}

/// The details of a cancelled or retried job.
pub(crate) fn of_progress(job: &Job) -> Value {
    json!({ "principal": job.principal, "made": job.made, "count": job.wanted })
}

/// The details of one transaction of a withdrawal of many puzzles.
pub(crate) fn of_withdrawal(withdrawal: &Withdrawal, count: usize, forgotten: u64) -> Value {
    let Withdrawal { criteria, reason, forget, .. } = withdrawal;
    json!({ "criteria": criteria, "reason": reason, "forget": forget, "count": count, "forgotten": forgotten })
}

/// The details of a change to a stock target: the target before and after the change.
pub(crate) fn of_target(before: Option<&StockTarget>, after: Option<&StockTarget>) -> Value {
    json!({ "before": before.map(target), "after": after.map(target) })
}

fn target(target: &StockTarget) -> Value {
    let wish = &target.wish;
    let schedule = wish.schedule.as_ref().map(|Schedule { cron, time_zone, window_minutes }| {
        json!({ "cron": cron, "time_zone": time_zone, "window_minutes": window_minutes })
    });
    json!({
        "spec": wish.spec.words(),
        "target": wish.count,
        "low_water": wish.low_water,
        "priority": wish.priority,
        "schedule": schedule,
        "declared_by": target.declared_by,
    })
}

pub(crate) fn job_ids(jobs: impl IntoIterator<Item = JobId>) -> Vec<String> {
    jobs.into_iter().map(|id| id.to_string()).collect()
}
