//! `puzzled work`: workers alone, beside servers that share their database, until a signal ends them.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, value_parser};
use tokio::runtime::Runtime;

use super::{CliError, Ended, settings::Settings, signals};
use crate::{
    app,
    clock::SystemClock,
    config::{self, Config},
    telemetry::{self, LogFormat},
};

/// Makes the puzzles of jobs without serving the API, until SIGTERM or SIGINT.
///
/// Any number of these share a PostgreSQL database with servers. A setting is taken from its flag, else from its
/// environment variable, else from the configuration file, else it is the default. The file may be that of `serve`; what
/// is not listed here is passed over.
#[derive(Debug, Args)]
pub(super) struct WorkArgs {
    /// Configuration file, TOML [default: none]
    #[arg(long, env = "PUZZLED_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,

    /// Address that answers health checks [default: none]
    #[arg(long, env = "PUZZLED_HEALTH_LISTEN", value_name = "ADDRESS")]
    health_listen: Option<SocketAddr>,

    /// Database, the URL of one on PostgreSQL, or sqlite:PATH on one machine [default: sqlite:puzzled.db]
    #[arg(long, env = "PUZZLED_DATABASE_URL", value_name = "URL")]
    database: Option<String>,

    /// Most connections to a PostgreSQL server, 2 to 1000; one more hears what other processes do [default: 10]
    #[arg(
        long, env = "PUZZLED_CONNECTIONS", value_name = "N", value_parser = value_parser!(u32).range(config::CONNECTIONS)
    )]
    connections: Option<u32>,

    /// Threads that make puzzles, 1 to 1024 [default: the number of cores]
    #[arg(long, env = "PUZZLED_WORKERS", value_name = "N", value_parser = value_parser!(u32).range(1..=1024))]
    workers: Option<u32>,

    /// Time after which a killed worker's slice is offered again, in milliseconds, 1000 to 3600000 [default: 15000]
    #[arg(long, env = "PUZZLED_LEASE_MS", value_name = "MS", value_parser = value_parser!(i64).range(config::LEASE_MS))]
    lease_ms: Option<i64>,

    /// Failed attempts at one slice with which its job fails, 1 to 100 [default: 8]
    #[arg(
        long, env = "PUZZLED_ATTEMPTS_MAX", value_name = "N", value_parser = value_parser!(u32).range(config::ATTEMPTS)
    )]
    attempts_max: Option<u32>,

    /// Rest after a first failed attempt, in milliseconds, 1 to 300000; doubles with each further one [default: 1000]
    #[arg(
        long, env = "PUZZLED_BACKOFF_MS", value_name = "MS", value_parser = value_parser!(i64).range(config::BACKOFF_MS)
    )]
    backoff_ms: Option<i64>,

    /// Time that slices get to end at shutdown, in seconds, 0 to 3600 [default: 10]
    #[arg(
        long, env = "PUZZLED_GRACE_SECONDS", value_name = "S",
        value_parser = value_parser!(u32).range(config::GRACE_SECONDS)
    )]
    grace_seconds: Option<u32>,

    /// What is logged: error, warn, info, debug, trace, or filters such as warn,puzzled=debug [default: info]
    #[arg(long, env = "PUZZLED_LOG", value_name = "FILTER")]
    log: Option<String>,

    /// How logs look [default: human]
    #[arg(long, env = "PUZZLED_LOG_FORMAT", value_name = "FORMAT")]
    log_format: Option<LogFormat>,
}

impl WorkArgs {
    fn settings(self) -> Settings {
        Settings {
            database: self.database,
            connections: self.connections,
            workers: self.workers,
            lease_ms: self.lease_ms,
            attempts_max: self.attempts_max,
            backoff_ms: self.backoff_ms,
            grace_seconds: self.grace_seconds,
            log: self.log,
            log_format: self.log_format,
            ..Settings::default()
        }
    }
}

pub(super) fn run(args: WorkArgs) -> Result<Ended, CliError> {
    let file = Settings::from_file(args.config.as_deref())?;
    let health = args.health_listen;
    let merged = args.settings().merge(file)?;
    // A file that a server without workers shares.
    let workers = if merged.workers == 0 { config::cores() } else { merged.workers };
    let config = Config { workers, ..merged };
    telemetry::init(&config.log, config.log_format)?;
    let runtime = Runtime::new().map_err(CliError::Runtime)?;
    runtime.block_on(async {
        let shutdown = signals::shutdown().map_err(CliError::Runtime)?;
        app::work(config, health, SystemClock::shared(), shutdown).await?;
        Ok(Ended::Done)
    })
}
