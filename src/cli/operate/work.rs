//! `puzzled work`: runs workers without the API until a signal ends them. Servers may use the same database.

use clap::Args;
use tokio::runtime::Runtime;

use super::{
    reload::{PollArgs, Source},
    signals,
};
use crate::{
    app,
    cli::{
        CliError, Ended,
        settings::{DEFAULT, WorkerSettings},
    },
    config::Config,
    system::clock::SystemClock,
    telemetry,
};

/// Make the puzzles of jobs without serving the API, until SIGTERM or SIGINT
///
/// Any number of `work` and `serve` processes can share a PostgreSQL database. The first of these sources that has a setting
/// wins: flag, environment variable, configuration file, default. You can use the configuration file of `serve`; `work`
/// ignores the settings that are not listed here.
///
/// On SIGHUP, and when the content of the file changes, the command reads the settings again. A setting marked "needs a
/// restart" keeps its value until the restart.
#[derive(Debug, Args)]
pub(in crate::cli) struct WorkArgs {
    #[command(flatten)]
    settings: WorkerSettings,

    #[command(flatten)]
    poll: PollArgs,

    #[arg(skip)]
    pub(in crate::cli) source: Source,
}

impl WorkArgs {
    /// Builds the configuration from the settings.
    ///
    /// # Errors
    /// [`CliError`] if the database or the log filter cannot be read.
    pub(in crate::cli) fn config(&self) -> Result<Config, CliError> {
        let merged = self.settings.config()?;
        // A shared configuration file may have `workers = 0` for a server.
        let workers = if merged.workers == 0 { DEFAULT.workers } else { merged.workers };
        Ok(Config { workers, ..merged })
    }
}

pub(in crate::cli) fn run(args: WorkArgs) -> Result<Ended, CliError> {
    let runtime = Runtime::new().map_err(CliError::Runtime)?;
    runtime.block_on(async {
        // Begin with the signals, so that a signal during the start is not lost.
        let hangups = signals::hangups().map_err(CliError::Runtime)?;
        let shutdown = signals::shutdown().map_err(CliError::Runtime)?;
        let config = args.config()?;
        telemetry::init(&config.log, config.log_format)?;
        let reloads = args.poll.start(args.source, hangups);
        app::work(config, SystemClock::shared(), shutdown, reloads).await?;
        Ok(Ended::Done)
    })
}
