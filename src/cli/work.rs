//! `puzzled work`: workers alone, beside servers that share their database, until a signal ends them.

use std::net::SocketAddr;

use clap::Args;
use tokio::runtime::Runtime;

use super::{
    CliError, Ended,
    settings::{DEFAULT, WorkerSettings},
    signals,
};
use crate::{app, clock::SystemClock, config::Config, telemetry};

/// Makes the puzzles of jobs without serving the API, until SIGTERM or SIGINT.
///
/// Any number of these share a PostgreSQL database with servers. A setting is taken from its flag, else from its
/// environment variable, else from the configuration file, else it is the default. The file may be that of `serve`; what
/// is not listed here is passed over.
#[derive(Debug, Args)]
pub(super) struct WorkArgs {
    /// Address that answers health checks [default: none]
    #[arg(long, env = "PUZZLED_HEALTH_LISTEN", value_name = "ADDRESS")]
    health_listen: Option<SocketAddr>,

    #[command(flatten)]
    settings: WorkerSettings,
}

pub(super) fn run(args: &WorkArgs) -> Result<Ended, CliError> {
    let merged = args.settings.config()?;
    // A file that a server without workers shares.
    let workers = if merged.workers == 0 { DEFAULT.workers } else { merged.workers };
    let config = Config { workers, ..merged };
    telemetry::init(&config.log, config.log_format)?;
    let runtime = Runtime::new().map_err(CliError::Runtime)?;
    runtime.block_on(async {
        let shutdown = signals::shutdown().map_err(CliError::Runtime)?;
        app::work(config, args.health_listen, SystemClock::shared(), shutdown, tokio::sync::mpsc::channel(1).1).await?;
        Ok(Ended::Done)
    })
}
