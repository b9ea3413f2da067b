//! The settings of the workers: threads, leases, and failed attempts. Also the limit on connections to PostgreSQL.

use clap::{Args, value_parser};
use serde::Serialize;

use super::DEFAULT;
use crate::rules::jobs::policy::Policy;

/// The pool of connections to the database.
#[derive(Debug, Args, Serialize)]
pub(super) struct PoolArgs {
    /// Maximum number of connections to PostgreSQL, 2 to 1000; one more connection receives notices; needs a restart
    #[arg(
        long, env = "PUZZLED_DATABASE_CONNECTIONS", value_name = "N", default_value_t = DEFAULT.database_connections,
        value_parser = value_parser!(u32).range(2..=1_000)
    )]
    pub(super) database_connections: u32,
}

/// Threads and leases of the workers of this process.
#[derive(Debug, Args, Serialize)]
pub(super) struct WorkerArgs {
    /// Number of threads that make puzzles, 0 to 1024; 0: `serve` makes no puzzles, and `work` uses the default; needs a restart
    /// [default: the number of cores]
    #[arg(
        long, env = "PUZZLED_WORKERS", value_name = "N", default_value_t = DEFAULT.workers, hide_default_value = true,
        value_parser = value_parser!(u32).range(0..=1_024)
    )]
    pub(super) workers: u32,

    /// Duration of a lease, in milliseconds, 1000 to 3600000; when the lease of a dead worker expires, other workers reclaim
    /// the slice; needs a restart
    #[arg(
        long, env = "PUZZLED_LEASE_MS", value_name = "MS", default_value_t = DEFAULT.policy.lease_ms,
        value_parser = value_parser!(i64).range(1_000..=3_600_000)
    )]
    lease_ms: i64,

    /// Number of failed attempts at one slice after which its job fails, 1 to 100
    #[arg(
        long, env = "PUZZLED_MAX_ATTEMPTS", value_name = "N", default_value_t = DEFAULT.policy.attempts_max,
        value_parser = value_parser!(u32).range(1..=100)
    )]
    max_attempts: u32,

    /// Backoff after the first failed attempt, in milliseconds, 1 to 300000; doubles after each further attempt
    #[arg(
        long, env = "PUZZLED_BACKOFF_MS", value_name = "MS", default_value_t = DEFAULT.policy.backoff_ms,
        value_parser = value_parser!(i64).range(1..=300_000)
    )]
    backoff_ms: i64,
}

impl WorkerArgs {
    pub(super) fn policy(&self) -> Policy {
        let (lease_ms, attempts_max, backoff_ms) = (self.lease_ms, self.max_attempts, self.backoff_ms);
        Policy { lease_ms, attempts_max, backoff_ms, ..Policy::default() }
    }
}
