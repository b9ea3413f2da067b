//! The settings of servers and workers. Each stands here once, with its flag, variable, bounds and help; its default stands
//! in [`Config`]. `settings_file` puts the configuration file between them.

use std::{net::SocketAddr, sync::LazyLock, time::Duration};

use clap::{Args, value_parser};
use serde::Serialize;

use super::{CliError, database::DatabaseArgs, host, target::TargetTable};
use crate::{
    config::{self, Config},
    queue::policy::{Policy, Retention},
    store::declaration::{Declaration, NAME_LEN_MAX},
    telemetry::{self, LogFormat},
};

pub(super) static DEFAULT: LazyLock<Config> = LazyLock::new(Config::default);

/// Settings of every process that makes puzzles. The names of the fields are the file's keys.
#[derive(Debug, Args, Serialize)]
pub(super) struct WorkerSettings {
    #[command(flatten)]
    #[serde(flatten)]
    database: DatabaseArgs,

    /// Most connections to a PostgreSQL server, 2 to 1000; one more hears what other processes do
    #[arg(
        long, env = "PUZZLED_CONNECTIONS", value_name = "N", default_value_t = DEFAULT.connections,
        value_parser = value_parser!(u32).range(2..=1_000)
    )]
    connections: u32,

    /// Threads that make puzzles, 0 to 1024; with 0 `serve` only answers calls, and `work` takes the default [default: the
    /// number of cores]
    #[arg(
        long, env = "PUZZLED_WORKERS", value_name = "N", default_value_t = DEFAULT.workers, hide_default_value = true,
        value_parser = value_parser!(u32).range(0..=1_024)
    )]
    workers: u32,

    /// Time after which a killed worker's slice is offered again, in milliseconds, 1000 to 3600000
    #[arg(
        long, env = "PUZZLED_LEASE_MS", value_name = "MS", default_value_t = DEFAULT.policy.lease_ms,
        value_parser = value_parser!(i64).range(1_000..=3_600_000)
    )]
    lease_ms: i64,

    /// Failed attempts at one slice with which its job fails, 1 to 100
    #[arg(
        long, env = "PUZZLED_ATTEMPTS_MAX", value_name = "N", default_value_t = DEFAULT.policy.attempts_max,
        value_parser = value_parser!(u32).range(1..=100)
    )]
    attempts_max: u32,

    /// Rest after a first failed attempt, in milliseconds, 1 to 300000; doubles with each further one
    #[arg(
        long, env = "PUZZLED_BACKOFF_MS", value_name = "MS", default_value_t = DEFAULT.policy.backoff_ms,
        value_parser = value_parser!(i64).range(1..=300_000)
    )]
    backoff_ms: i64,

    /// Time that calls and slices get to end at shutdown, in seconds, 0 to 3600
    #[arg(
        long, env = "PUZZLED_GRACE_SECONDS", value_name = "S", default_value_t = DEFAULT.grace.as_secs(),
        value_parser = value_parser!(u64).range(0..=3_600)
    )]
    grace_seconds: u64,

    /// What is logged: error, warn, info, debug, trace, or filters such as warn,puzzled=debug
    #[arg(long, env = "PUZZLED_LOG", value_name = "FILTER", default_value_t = DEFAULT.log.clone())]
    log: String,

    /// How logs look
    #[arg(
        long, env = "PUZZLED_LOG_FORMAT", value_name = "FORMAT", value_enum, default_value_t = DEFAULT.log_format
    )]
    log_format: LogFormat,
}

/// Settings of a process that serves the API.
#[derive(Debug, Args, Serialize)]
pub(super) struct ServeSettings {
    #[command(flatten)]
    #[serde(flatten)]
    worker: WorkerSettings,

    /// Address that the API listens on
    #[arg(long, env = "PUZZLED_LISTEN", value_name = "ADDRESS", default_value_t = DEFAULT.listen)]
    listen: SocketAddr,

    /// Name of this configuration, as `declared_by` of its stock targets has it; at most 64 letters, digits, `-`, `_` and `.`
    #[arg(
        long, env = "PUZZLED_CONFIG_NAME", value_name = "NAME",
        default_value_t = DEFAULT.declaration.name().to_owned(), value_parser = config_name
    )]
    config_name: String,

    /// Most jobs queued or running at a time, 1 to 1000000
    #[arg(
        long, env = "PUZZLED_MAX_OPEN_JOBS", value_name = "N", default_value_t = DEFAULT.policy.open_jobs_max,
        value_parser = value_parser!(u32).range(1..=1_000_000)
    )]
    max_open_jobs: u32,

    /// Most puzzles of one job, 1 to 10000000
    #[arg(
        long, env = "PUZZLED_MAX_COUNT", value_name = "N", default_value_t = DEFAULT.count_max,
        value_parser = value_parser!(u32).range(config::COUNT)
    )]
    max_count: u32,

    /// Most tries at one puzzle of a job before the job fails, 1 to 1000000
    #[arg(
        long, env = "PUZZLED_MAX_TRIES", value_name = "N", default_value_t = DEFAULT.policy.tries_max,
        value_parser = value_parser!(u32).range(config::TRIES)
    )]
    max_tries: u32,

    /// Most refills of stock targets queued or running at a time, 1 to 1000
    #[arg(
        long, env = "PUZZLED_MAX_REFILLS", value_name = "N", default_value_t = DEFAULT.refills_max,
        value_parser = value_parser!(u32).range(1..=1_000)
    )]
    max_refills: u32,

    /// Days from its end for which a job is kept, 0 to 36500; 0 keeps all, and puzzles always stay
    #[arg(
        long, env = "PUZZLED_RETENTION_JOBS_DAYS", value_name = "DAYS",
        default_value_t = DEFAULT.retention.jobs_days.unwrap_or(0), value_parser = value_parser!(u32).range(0..=36_500)
    )]
    retention_jobs_days: u32,

    /// Days beyond its job for which the name of a request is known, 0 to 36500; 0 keeps all
    #[arg(
        long, env = "PUZZLED_RETENTION_REQUESTS_DAYS", value_name = "DAYS",
        default_value_t = DEFAULT.retention.requests_days.unwrap_or(0),
        value_parser = value_parser!(u32).range(0..=36_500)
    )]
    retention_requests_days: u32,

    /// Days for which a delivery is kept, 0 to 36500; 0 keeps all, and those of daily puzzles always stay
    #[arg(
        long, env = "PUZZLED_RETENTION_DELIVERIES_DAYS", value_name = "DAYS",
        default_value_t = DEFAULT.retention.deliveries_days.unwrap_or(0),
        value_parser = value_parser!(u32).range(0..=36_500)
    )]
    retention_deliveries_days: u32,

    /// Largest request message, in bytes, 1024 to 16777216
    #[arg(
        long, env = "PUZZLED_MAX_REQUEST_BYTES", value_name = "BYTES", default_value_t = DEFAULT.request_bytes_max,
        value_parser = value_parser!(u32).range(1_024..=16_777_216)
    )]
    max_request_bytes: u32,

    /// Most calls at a time on one connection, 1 to 65535
    #[arg(
        long, env = "PUZZLED_MAX_STREAMS", value_name = "N", default_value_t = DEFAULT.streams_max,
        value_parser = value_parser!(u32).range(1..=65_535)
    )]
    max_streams: u32,

    /// Days ahead of today (UTC) for which there is a daily puzzle, 0 to 3650
    #[arg(
        long, env = "PUZZLED_DAILY_AHEAD_DAYS", value_name = "N", default_value_t = DEFAULT.daily_ahead_days,
        value_parser = value_parser!(u32).range(0..=3_650)
    )]
    daily_ahead_days: u32,

    /// Days back from today (UTC) for which a daily puzzle is chosen, 0 to 36500; earlier days keep the one that they have
    #[arg(
        long, env = "PUZZLED_DAILY_PAST_DAYS", value_name = "N", default_value_t = DEFAULT.daily_past_days,
        value_parser = value_parser!(u32).range(0..=36_500)
    )]
    daily_past_days: u32,

    /// Stock targets, which only the file has.
    #[arg(skip)]
    pub(super) target: Vec<TargetTable>,
}

fn config_name(name: &str) -> Result<String, String> {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if !(1..=NAME_LEN_MAX).contains(&name.len()) {
        return Err(format!("{} characters are outside 1 to {NAME_LEN_MAX}", name.len()));
    }
    if !name.chars().all(is_allowed) {
        return Err("only letters, digits, `-`, `_` and `.` are allowed".to_owned());
    }
    Ok(name.to_owned())
}

impl WorkerSettings {
    /// What they come to.
    ///
    /// # Errors
    /// [`CliError`] if the database or the log filter cannot be read.
    pub(super) fn config(&self) -> Result<Config, CliError> {
        telemetry::filter(&self.log)?;
        let (lease_ms, attempts_max, backoff_ms) = (self.lease_ms, self.attempts_max, self.backoff_ms);
        Ok(Config {
            host: host::name().unwrap_or_else(|| DEFAULT.host.clone()),
            database: self.database.database()?,
            connections: self.connections,
            workers: self.workers,
            policy: Policy { lease_ms, attempts_max, backoff_ms, ..Policy::default() },
            grace: Duration::from_secs(self.grace_seconds),
            log: self.log.clone(),
            log_format: self.log_format,
            ..Config::default()
        })
    }
}

impl ServeSettings {
    /// What they come to.
    ///
    /// # Errors
    /// [`CliError`] if the database, the log filter or a stock target cannot be read.
    pub(super) fn config(&self) -> Result<Config, CliError> {
        let shared = self.worker.config()?;
        let targets = self.target.iter().zip(1..).map(|(target, number)| target.wish(number));
        let targets = targets.collect::<Result<_, _>>()?;
        let kept = |days| (days > 0).then_some(days);
        Ok(Config {
            listen: self.listen,
            policy: Policy { open_jobs_max: self.max_open_jobs, tries_max: self.max_tries, ..shared.policy },
            count_max: self.max_count,
            refills_max: self.max_refills,
            retention: Retention {
                jobs_days: kept(self.retention_jobs_days),
                requests_days: kept(self.retention_requests_days),
                deliveries_days: kept(self.retention_deliveries_days),
            },
            declaration: Declaration::new(self.config_name.clone(), targets).map_err(CliError::Targets)?,
            request_bytes_max: self.max_request_bytes,
            streams_max: self.max_streams,
            daily_ahead_days: self.daily_ahead_days,
            daily_past_days: self.daily_past_days,
            ..shared
        })
    }

    /// A configuration file that would set every one of them to what they came to, without a password.
    ///
    /// # Errors
    /// [`CliError::Toml`], which no value brings about.
    pub(super) fn into_toml(mut self, config: &Config) -> Result<String, CliError> {
        self.worker.database.database = config.database.to_string();
        self.target = config.declaration.wishes().iter().map(TargetTable::from).collect();
        toml::to_string(&self).map_err(CliError::Toml)
    }
}
