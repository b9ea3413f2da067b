//! The settings that limit what the database holds: open jobs and their size, stock targets, refills, and puzzles, and the
//! retention of jobs, request IDs, deliveries, and audit entries.

use clap::{Args, value_parser};
use serde::Serialize;

use super::DEFAULT;
use crate::{
    config,
    rules::jobs::{
        growth::Growth,
        policy::{Policy, Retention},
    },
};

/// Limits on jobs.
#[expect(clippy::struct_field_names, reason = "the names are the keys of the file")]
#[derive(Debug, Args, Serialize)]
pub(super) struct QueueArgs {
    /// Maximum number of open jobs, 1 to 1000000
    #[arg(
        long, env = "PUZZLED_MAX_OPEN_JOBS", value_name = "N", default_value_t = DEFAULT.policy.open_jobs_max,
        value_parser = value_parser!(u32).range(1..=1_000_000)
    )]
    max_open_jobs: u32,

    /// Maximum number of puzzles per job, 1 to 10000000
    #[arg(
        long, env = "PUZZLED_MAX_COUNT", value_name = "N", default_value_t = DEFAULT.server.limits.count_max,
        value_parser = value_parser!(u32).range(config::COUNT)
    )]
    pub(super) max_count: u32,

    /// Maximum number of tries per puzzle, 1 to 1000000; if all tries miss, the job fails
    #[arg(
        long, env = "PUZZLED_MAX_TRIES", value_name = "N", default_value_t = DEFAULT.policy.tries_max,
        value_parser = value_parser!(u32).range(config::TRIES)
    )]
    max_tries: u32,
}

impl QueueArgs {
    pub(super) fn applied_to(&self, policy: &Policy) -> Policy {
        Policy { open_jobs_max: self.max_open_jobs, tries_max: self.max_tries, ..policy.clone() }
    }
}

/// How long rows are kept.
#[expect(clippy::struct_field_names, reason = "the names are the keys of the file")]
#[derive(Debug, Args, Serialize)]
pub(super) struct RetentionArgs {
    /// Days to keep a job after it ends, 0 to 36500; 0 keeps jobs forever; puzzles are never deleted
    #[arg(
        long, env = "PUZZLED_RETENTION_JOBS_DAYS", value_name = "DAYS",
        default_value_t = DEFAULT.retention.jobs_days.unwrap_or(0), value_parser = value_parser!(u32).range(0..=36_500)
    )]
    retention_jobs_days: u32,

    /// Days to keep a `request_id` after its job is pruned, 0 to 36500; 0 keeps request IDs forever
    #[arg(
        long, env = "PUZZLED_RETENTION_REQUESTS_DAYS", value_name = "DAYS",
        default_value_t = DEFAULT.retention.requests_days.unwrap_or(0),
        value_parser = value_parser!(u32).range(0..=36_500)
    )]
    retention_requests_days: u32,

    /// Days to keep a delivery, 0 to 36500; 0 keeps deliveries forever; deliveries of daily puzzles and recorded ones are never deleted
    #[arg(
        long, env = "PUZZLED_RETENTION_DELIVERIES_DAYS", value_name = "DAYS",
        default_value_t = DEFAULT.retention.deliveries_days.unwrap_or(0),
        value_parser = value_parser!(u32).range(0..=36_500)
    )]
    retention_deliveries_days: u32,

    /// Days to keep an audit entry, 0 to 36500; 0 keeps entries forever
    #[arg(
        long, env = "PUZZLED_RETENTION_AUDIT_DAYS", value_name = "DAYS",
        default_value_t = DEFAULT.retention.audit_days.unwrap_or(0),
        value_parser = value_parser!(u32).range(0..=36_500)
    )]
    retention_audit_days: u32,
}

impl RetentionArgs {
    pub(super) fn retention(&self) -> Retention {
        let kept = |days| (days > 0).then_some(days);
        Retention {
            jobs_days: kept(self.retention_jobs_days),
            requests_days: kept(self.retention_requests_days),
            deliveries_days: kept(self.retention_deliveries_days),
            audit_days: kept(self.retention_audit_days),
        }
    }
}

/// How the stock is filled, and how large it and its database may become.
#[expect(clippy::struct_field_names, reason = "the names are the keys of the file")]
#[derive(Debug, Args, Serialize)]
pub(super) struct StockArgs {
    /// Maximum number of open refills, 1 to 1000
    #[arg(
        long, env = "PUZZLED_MAX_REFILLS", value_name = "N", default_value_t = DEFAULT.refills_max,
        value_parser = value_parser!(u32).range(1..=1_000)
    )]
    pub(super) max_refills: u32,

    /// Maximum number of puzzles in circulation, 0 to 1000000000000; 0 is no limit; at 95 %, workers stop making puzzles
    #[arg(
        long, env = "PUZZLED_MAX_PUZZLES", value_name = "N", default_value_t = DEFAULT.policy.growth.puzzles_max.unwrap_or(0),
        value_parser = value_parser!(u64).range(0..=1_000_000_000_000)
    )]
    max_puzzles: u64,

    /// Maximum size of the database, in bytes, 0 to 1000000000000000; 0 is no limit; at 95 %, workers stop making puzzles
    #[arg(
        long, env = "PUZZLED_MAX_DATABASE_BYTES", value_name = "BYTES",
        default_value_t = DEFAULT.policy.growth.database_bytes_max.unwrap_or(0),
        value_parser = value_parser!(u64).range(0..=1_000_000_000_000_000)
    )]
    max_database_bytes: u64,
}

impl StockArgs {
    pub(super) fn growth(&self) -> Growth {
        let bounded = |max| (max > 0).then_some(max);
        Growth { puzzles_max: bounded(self.max_puzzles), database_bytes_max: bounded(self.max_database_bytes) }
    }
}
