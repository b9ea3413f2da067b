//! `puzzled serve`: the API and its workers, until a signal ends them.

use std::{io::Write as _, path::PathBuf};

use clap::Args;
use tokio::runtime::Runtime;

use super::{
    CliError, Ended,
    settings::{Settings, as_toml},
    signals,
};
use crate::{app, clock::SystemClock, store::probe::HaltAt, telemetry};

/// Serves the API and makes the puzzles of its jobs, until SIGTERM or SIGINT.
///
/// A setting is taken from its flag, else from its environment variable, else from the configuration file, else it is
/// the default. Keys of the file are the flags' names with `_` for `-`: `lease_ms = 15000`.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// Configuration file, TOML [default: none]
    #[arg(long, env = "PUZZLED_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,

    #[command(flatten)]
    settings: Settings,

    /// Print the merged settings as a configuration file, and do nothing else
    #[arg(long)]
    show_config: bool,

    /// Halt for ever when the named point of a write is reached for the n-th time
    #[arg(long, value_name = "POINT:N", hide = true)]
    halt_at: Option<String>,
}

pub(super) fn run(args: ServeArgs) -> Result<Ended, CliError> {
    let mut config = args.settings.merge(Settings::from_file(args.config.as_deref())?)?;
    if args.show_config {
        std::io::stdout().write_all(as_toml(&config).as_bytes()).map_err(CliError::Output)?;
        return Ok(Ended::Done);
    }
    if let Some(point) = args.halt_at {
        config.probe = HaltAt::parse(&point).map_err(CliError::HaltAt)?;
    }
    telemetry::init(&config.log, config.log_format)?;
    let runtime = Runtime::new().map_err(CliError::Runtime)?;
    runtime.block_on(async {
        // Before anything else, so that a signal during the start is not lost.
        let shutdown = signals::shutdown().map_err(CliError::Runtime)?;
        app::serve(config, SystemClock::shared(), shutdown).await?;
        Ok(Ended::Done)
    })
}
