//! `puzzled serve`: runs the API and its workers until a signal ends them.

use clap::{Args, builder::Resettable};
use tokio::runtime::Runtime;

use super::{
    reload::{PollArgs, Source},
    signals,
};
use crate::{
    app,
    cli::{CliError, Ended, output, settings::ServeSettings},
    store::fault_points::HaltAt,
    system::clock::SystemClock,
    telemetry,
};

/// Serve the API and make the puzzles of its jobs, until SIGTERM or SIGINT
///
/// The first of these sources that has a setting wins: flag, environment variable, configuration file, default. A key of the
/// file is the name of the flag with `_` instead of `-`: `lease_ms = 15000`.
///
/// On SIGHUP, and when the content of the file changes, the command reads the settings again. A setting marked "needs a
/// restart" keeps its value until the restart.
#[derive(Debug, Args)]
pub(in crate::cli) struct ServeArgs {
    #[command(flatten)]
    pub(in crate::cli) settings: ServeSettings,

    /// Print the merged settings as a configuration file, and exit
    #[arg(long, help_heading = Resettable::Reset)]
    show_config: bool,

    /// Halt for ever when the named point of a write is reached for the n-th time
    #[arg(long, value_name = "POINT:N", hide = true)]
    halt_at: Option<String>,

    #[command(flatten)]
    poll: PollArgs,

    #[arg(skip)]
    pub(in crate::cli) source: Source,
}

pub(in crate::cli) fn run(args: ServeArgs) -> Result<Ended, CliError> {
    if args.show_config {
        let config = args.settings.config()?;
        output::print(&args.settings.into_toml(&config)?)?;
        return Ok(Ended::Done);
    }
    let runtime = Runtime::new().map_err(CliError::Runtime)?;
    runtime.block_on(async {
        // Begin with the signals, so that a signal during the start is not lost.
        let hangups = signals::hangups().map_err(CliError::Runtime)?;
        let shutdown = signals::shutdown().map_err(CliError::Runtime)?;
        let mut config = args.settings.config()?;
        if let Some(point) = &args.halt_at {
            config.fault_points = HaltAt::parse(point).map_err(CliError::HaltAt)?;
        }
        telemetry::init(&config.log, config.log_format)?;
        let reloads = args.poll.start(args.source, hangups);
        // The future is on the heap, because it contains all parts of the server.
        Box::pin(app::serve(config, SystemClock::shared(), shutdown, reloads)).await?;
        Ok(Ended::Done)
    })
}
