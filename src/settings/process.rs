//! The settings of every process, with or without the API: its database, connections to PostgreSQL, workers, health checks, shutdown, logs,
//! the ops port, and traces.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{builder::Resettable, value_parser};

use super::{
    collector::Collector,
    group::settings,
    values::{LogFormat, as_seconds, between, ratio, seconds},
};
use puzzled_base::{address::to_listen_on, cores};

settings! {
    /// Names a database. The keys of the configuration file are flags of `serve`; a command ignores the keys that it has no
    /// flag for.
    pub struct DatabaseSettings {
        /// Configuration file, TOML [default: none]
        #[arg(value_name = "FILE", help_heading = Resettable::Reset)]
        #[serde(skip)]
        pub config: Option<PathBuf>,

        /// Database, sqlite:PATH or a URL postgres://…; `serve`, `work`, and `migrate` create a missing file
        #[arg(env = "PUZZLED_DATABASE_URL", value_name = "URL", default_value = "sqlite:puzzled.db")]
        pub database: String,

        /// File with the password of the PostgreSQL user, which replaces the password in the URL; needs a restart [default: none]
        #[arg(value_name = "FILE")]
        pub database_password_file: Option<PathBuf>,
    }
}

settings! {
    /// What every process does.
    pub struct ProcessSettings {
        /// Maximum number of connections to PostgreSQL, 2 to 1000; one more connection receives notices; needs a restart
        #[arg(value_name = "N", default_value_t = 10, value_parser = between(2..=1_000))]
        pub database_connections: u32,

        /// Number of threads that make puzzles, 0 to 1024; 0: `serve` makes no puzzles, and `work` uses the default; needs a restart
        /// [default: the number of cores]
        #[arg(
            help_heading = WORKERS, value_name = "N", default_value_t = cores(), hide_default_value = true,
            value_parser = between(0..=1_024)
        )]
        pub workers: u32,

        /// Duration of a lease, in milliseconds, 1000 to 3600000; when the lease of a dead worker expires, other workers reclaim
        /// the slice; needs a restart
        // Needs a restart: a shorter lease would expire before its worker renews it.
        #[arg(
            help_heading = WORKERS, value_name = "MS", default_value_t = 15_000,
            value_parser = value_parser!(i64).range(1_000..=3_600_000)
        )]
        pub lease_ms: i64,

        /// Number of failed attempts at one slice after which its job fails, 1 to 100
        #[arg(help_heading = WORKERS, value_name = "N", default_value_t = 8, value_parser = between(1..=100))]
        pub max_attempts: u32,

        /// Number of failed pings in a row after which health is `NOT_SERVING`, 1 to 100
        #[arg(help_heading = SHUTDOWN, value_name = "N", default_value_t = 3, value_parser = between(1..=100))]
        pub health_failures: u32,

        /// Maximum time for calls and slices to finish at shutdown, in seconds, 0 to 3600
        #[arg(
            help_heading = SHUTDOWN, value_name = "S", default_value = "10",
            value_parser = seconds(0..=3_600)
        )]
        #[serde(serialize_with = "as_seconds")]
        pub grace_seconds: Duration,

        /// Filter of the log: error, warn, info, debug, trace, or a filter with modules, such as warn,puzzled=debug
        #[arg(help_heading = LOGS, value_name = "FILTER", default_value = "info")]
        pub log: String,

        /// Format of the log, human or json; needs a restart
        #[arg(help_heading = LOGS, value_name = "FORMAT", value_enum, default_value_t = LogFormat::Human)]
        pub log_format: LogFormat,

        /// Address of the ops port, HOST:PORT: probes (`/livez`, `/readyz`) and metrics (`/metrics`) by plain HTTP; needs a restart
        /// [default: none]
        #[arg(help_heading = OBSERVABILITY, value_name = "ADDRESS", value_parser = to_listen_on)]
        pub ops_listen: Option<SocketAddr>,

        /// Collector of spans, http://HOST:PORT, which accepts OTLP over gRPC; without it, nothing is traced; needs a restart
        /// [default: none]
        #[arg(help_heading = OBSERVABILITY, value_name = "URL")]
        pub otlp_endpoint: Option<Collector>,

        /// Share of new traces to sample, 0 to 1; a call with a `traceparent` header follows the decision in that header;
        /// needs a restart
        #[arg(help_heading = OBSERVABILITY, value_name = "RATIO", default_value_t = 0.01, value_parser = ratio)]
        pub trace_ratio: f64,
    }
}

const WORKERS: &str = "Workers";
const OBSERVABILITY: &str = "Observability";

/// The headings that settings of the server share.
pub(super) const SHUTDOWN: &str = "Health and shutdown";
pub(super) const LOGS: &str = "Logs";
