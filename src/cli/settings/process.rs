//! The settings of every process, with or without the API: connections to PostgreSQL, workers, health checks, shutdown, logs,
//! the ops port, and traces. Two of them, the drain delay and the log of calls, are only for a server.

use std::{net::SocketAddr, time::Duration};

use clap::{Args, value_parser};
use serde::Serialize;

use super::DEFAULT;
use crate::{
    cli::input::address::to_listen_on,
    rules::jobs::policy::Policy,
    service::{LoggedCalls, ServerSettings},
    telemetry::{
        LogFormat,
        traces::{Collector, TraceSettings},
    },
};

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
}

impl WorkerArgs {
    pub(super) fn policy(&self) -> Policy {
        Policy { lease_ms: self.lease_ms, attempts_max: self.max_attempts, ..Policy::default() }
    }
}

/// Health checks and shutdown of every process.
#[derive(Debug, Args, Serialize)]
pub(super) struct EndArgs {
    /// Number of failed pings in a row after which health is `NOT_SERVING`, 1 to 100
    #[arg(
        long, env = "PUZZLED_HEALTH_FAILURES", value_name = "N", default_value_t = DEFAULT.server.health_failures,
        value_parser = value_parser!(u32).range(1..=100)
    )]
    health_failures: u32,

    /// Maximum time for calls and slices to finish at shutdown, in seconds, 0 to 3600
    #[arg(
        long, env = "PUZZLED_GRACE_SECONDS", value_name = "S", default_value_t = DEFAULT.server.shutdown_grace.as_secs(),
        value_parser = value_parser!(u64).range(0..=3_600)
    )]
    grace_seconds: u64,
}

impl EndArgs {
    pub(super) fn applied_to(&self, settings: ServerSettings) -> ServerSettings {
        ServerSettings {
            health_failures: self.health_failures,
            shutdown_grace: Duration::from_secs(self.grace_seconds),
            ..settings
        }
    }
}

/// The drain delay of a server.
#[derive(Debug, Args, Serialize)]
pub(super) struct DrainArgs {
    /// Time from the first signal to the drain, in seconds, 0 to 3600; meanwhile, calls continue and health is `NOT_SERVING`
    #[arg(
        long, env = "PUZZLED_DRAIN_DELAY_SECONDS", value_name = "S", default_value_t = DEFAULT.server.drain_delay.as_secs(),
        value_parser = value_parser!(u64).range(0..=3_600)
    )]
    drain_delay_seconds: u64,
}

impl DrainArgs {
    pub(super) fn applied_to(&self, settings: ServerSettings) -> ServerSettings {
        ServerSettings { drain_delay: Duration::from_secs(self.drain_delay_seconds), ..settings }
    }
}

/// What is logged, and how.
#[derive(Debug, Args, Serialize)]
pub(super) struct LogArgs {
    /// Filter of the log: error, warn, info, debug, trace, or a filter with modules, such as warn,puzzled=debug
    #[arg(long, env = "PUZZLED_LOG", value_name = "FILTER", default_value_t = DEFAULT.log.clone())]
    pub(super) log: String,

    /// Format of the log, human or json; needs a restart
    #[arg(
        long, env = "PUZZLED_LOG_FORMAT", value_name = "FORMAT", value_enum, default_value_t = DEFAULT.log_format
    )]
    pub(super) log_format: LogFormat,
}

/// What a server logs of its calls.
#[derive(Debug, Args, Serialize)]
pub(super) struct CallLogArgs {
    /// Calls that have a line in the log when they end: all, slow, or off; health checks and reflection have none
    #[arg(
        long, env = "PUZZLED_LOG_CALLS", value_name = "CALLS", value_enum, default_value_t = DEFAULT.server.logged_calls
    )]
    log_calls: LoggedCalls,
}

impl CallLogArgs {
    pub(super) fn applied_to(&self, settings: ServerSettings) -> ServerSettings {
        ServerSettings { logged_calls: self.log_calls, ..settings }
    }
}

/// What a process shows of itself.
#[derive(Debug, Args, Serialize)]
pub(super) struct ObserveArgs {
    /// Address of the ops port, HOST:PORT: probes (`/livez`, `/readyz`) and metrics (`/metrics`) by plain HTTP; needs a restart
    /// [default: none]
    #[arg(long, env = "PUZZLED_OPS_LISTEN", value_name = "ADDRESS", value_parser = to_listen_on)]
    pub(super) ops_listen: Option<SocketAddr>,

    /// Collector of spans, http://HOST:PORT, which accepts OTLP over gRPC; without it, nothing is traced; needs a restart
    /// [default: none]
    #[arg(long, env = "PUZZLED_OTLP_ENDPOINT", value_name = "URL")]
    otlp_endpoint: Option<Collector>,

    /// Share of new traces to sample, 0 to 1; a call with a `traceparent` header follows the decision in that header;
    /// needs a restart
    #[arg(
        long, env = "PUZZLED_TRACE_RATIO", value_name = "RATIO", default_value_t = DEFAULT.traces.ratio,
        value_parser = ratio
    )]
    trace_ratio: f64,
}

impl ObserveArgs {
    pub(super) fn traces(&self) -> TraceSettings {
        TraceSettings { collector: self.otlp_endpoint.clone(), ratio: self.trace_ratio }
    }
}

fn ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio));
    ratio.ok_or_else(|| "not a number from 0 to 1".to_owned())
}
