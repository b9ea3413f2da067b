//! The settings that limit what the database holds: open jobs and their size, stock targets, refills, and puzzles, and the
//! retention of jobs, request IDs, deliveries, and audit entries.

use clap::value_parser;

use super::{Settings, group::settings, values::between};
use puzzled_api::{COUNT, TRIES, TRIES_DEFAULT};
use puzzled_base::clock::Millis;
use puzzled_store::{
    bounds::Bounds,
    jobs::{growth::Growth, policy::PRUNED_AT_ONCE, process::KEPT_MS, queue_state::Prune},
};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

settings! {
    /// Limits on jobs.
    pub struct QueueSettings {
        /// Maximum number of open jobs, 1 to 1000000
        #[arg(value_name = "N", default_value_t = 1_000, value_parser = between(1..=1_000_000))]
        pub max_open_jobs: u32,

        /// Maximum number of puzzles per job, 1 to 10000000
        #[arg(value_name = "N", default_value_t = 100_000, value_parser = between(COUNT))]
        pub max_count: u32,

        /// Maximum number of tries per puzzle, 1 to 1000000; if all tries miss, the job fails
        #[arg(value_name = "N", default_value_t = TRIES_DEFAULT, value_parser = between(TRIES))]
        pub max_tries: u32,
    }
}

settings! {
    /// How long rows are kept.
    pub struct RetentionSettings {
        /// Days to keep a job after it ends, 0 to 36500; 0 keeps jobs forever; puzzles are never deleted
        #[arg(value_name = "DAYS", default_value_t = 30, value_parser = between(0..=36_500))]
        pub retention_jobs_days: u32,

        /// Days to keep a `request_id` after its job is pruned, 0 to 36500; 0 keeps request IDs forever
        #[arg(value_name = "DAYS", default_value_t = 30, value_parser = between(0..=36_500))]
        pub retention_requests_days: u32,

        /// Days to keep a delivery, 0 to 36500; 0 keeps deliveries forever; deliveries of daily puzzles and recorded ones are never deleted
        #[arg(value_name = "DAYS", default_value_t = 0, value_parser = between(0..=36_500))]
        pub retention_deliveries_days: u32,

        /// Days to keep an audit entry, 0 to 36500; 0 keeps entries forever
        #[arg(value_name = "DAYS", default_value_t = 365, value_parser = between(0..=36_500))]
        pub retention_audit_days: u32,
    }
}

impl RetentionSettings {
    /// The rows to prune at a given time.
    #[must_use]
    pub fn prune(&self, now: Millis) -> Prune {
        let before = |days: u32| (days > 0).then(|| now.plus_ms(-i64::from(days) * DAY_MS));
        Prune {
            finished_before: before(self.retention_jobs_days),
            pruned_before: before(self.retention_requests_days),
            delivered_before: before(self.retention_deliveries_days),
            audited_before: before(self.retention_audit_days),
            seen_before: Some(now.plus_ms(-KEPT_MS)),
            rows_max: PRUNED_AT_ONCE,
        }
    }
}

settings! {
    /// How the stock is filled, and how large it and its database may become.
    pub struct StockSettings {
        /// Maximum number of open refills, 1 to 1000
        #[arg(value_name = "N", default_value_t = 4, value_parser = between(1..=1_000))]
        pub max_refills: u32,

        /// Maximum number of puzzles in circulation, 0 to 1000000000000; 0 is no limit; at 95 %, workers stop making puzzles
        #[arg(value_name = "N", default_value_t = 0, value_parser = value_parser!(u64).range(0..=1_000_000_000_000))]
        pub max_puzzles: u64,

        /// Maximum size of the database, in bytes, 0 to 1000000000000000; 0 is no limit; at 95 %, workers stop making puzzles
        #[arg(
            value_name = "BYTES", default_value_t = 0,
            value_parser = value_parser!(u64).range(0..=1_000_000_000_000_000)
        )]
        pub max_database_bytes: u64,
    }
}

impl StockSettings {
    /// The limits on the growth of the stock.
    #[must_use]
    pub fn growth(&self) -> Growth {
        let bounded = |max| (max > 0).then_some(max);
        Growth { puzzles_max: bounded(self.max_puzzles), database_bytes_max: bounded(self.max_database_bytes) }
    }
}

impl From<&Settings> for Bounds {
    fn from(settings: &Settings) -> Self {
        let Settings { process, queue, stock, limits, .. } = settings;
        Self {
            max_open_jobs: queue.max_open_jobs,
            max_count: queue.max_count,
            max_tries: queue.max_tries,
            max_refills: stock.max_refills,
            max_targets: limits.max_targets,
            workers: process.workers,
            lease_ms: process.lease_ms,
            max_attempts: process.max_attempts,
            daily_ahead_days: limits.daily_ahead_days,
            growth: stock.growth(),
        }
    }
}
