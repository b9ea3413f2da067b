//! `puzzled serve` and `puzzled work`: run the API and its workers, or workers alone, until a signal ends them. The first SIGTERM
//! or SIGINT starts the shutdown, the second ends the process at once, and SIGHUP reloads the settings.

use std::io;

use clap::{Args, builder::Resettable};
use tokio::{
    runtime::Runtime,
    signal::unix::{Signal, SignalKind, signal},
};
use tokio_util::sync::CancellationToken;

use super::reload::{PollArgs, Source};
use crate::{
    app::{self, Reloads},
    operate::{
        CommandError,
        database::HaltArgs,
        tables::{ServeSettings, WorkSettings},
    },
    settings::Config,
    system::this_process,
    telemetry,
};
use puzzled_base::clock::SystemClock;
use puzzled_cli::CliError;
use puzzled_cli::{Ended, output};

/// Serve the API and make the puzzles of its jobs, until SIGTERM or SIGINT
///
/// The first of these sources that has a setting wins: flag, environment variable, configuration file, default. A key of the
/// file is the name of the flag with `_` instead of `-`: `lease_ms = 15000`.
///
/// On SIGHUP, and when the content of the file changes, the command reads the settings again. A setting marked "needs a
/// restart" keeps its value until the restart.
///
/// Exit code: 0 stopped by a signal, 1 refused or failed, 3 the database was deleted or replaced.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    pub(crate) settings: ServeSettings,

    /// Print the merged settings as a configuration file, and exit
    #[arg(long, help_heading = Resettable::Reset)]
    show_config: bool,

    #[command(flatten)]
    halt: HaltArgs,

    #[command(flatten)]
    poll: PollArgs,

    #[arg(skip)]
    pub(crate) source: Source,
}

/// Make the puzzles of jobs without serving the API, until SIGTERM or SIGINT
///
/// Any number of `work` and `serve` processes can share a PostgreSQL database. The first of these sources that has a setting
/// wins: flag, environment variable, configuration file, default. You can use the configuration file of `serve`; `work`
/// ignores the settings that are not listed here.
///
/// On SIGHUP, and when the content of the file changes, the command reads the settings again. A setting marked "needs a
/// restart" keeps its value until the restart.
///
/// Exit code: 0 stopped by a signal, 1 refused or failed, 3 the database was deleted or replaced.
#[derive(Debug, Args)]
pub(crate) struct WorkArgs {
    #[command(flatten)]
    pub(crate) settings: WorkSettings,

    #[command(flatten)]
    poll: PollArgs,

    #[arg(skip)]
    pub(crate) source: Source,
}

pub(crate) fn serve(args: ServeArgs) -> Result<Ended, CommandError> {
    if args.show_config {
        let config = args.settings.config()?;
        return Ok(output::print_result(&args.settings.into_toml(&config)?)?);
    }
    let ServeArgs { settings, halt, poll, source, .. } = args;
    let config = || Ok(Config { fault_points: halt.fault_points()?, ..settings.config()? });
    Runtime::new().map_err(CliError::Runtime)?.block_on(async {
        let (config, shutdown, reloads) = begin(config, &poll, source)?;
        // The future is on the heap, because it contains all parts of the server.
        Box::pin(app::serve(config, SystemClock::shared(), shutdown, reloads)).await?;
        Ok(Ended::Done)
    })
}

pub(crate) fn work(args: &WorkArgs) -> Result<Ended, CommandError> {
    Runtime::new().map_err(CliError::Runtime)?.block_on(async {
        let (config, shutdown, reloads) = begin(|| args.settings.config(), &args.poll, args.source.clone())?;
        app::work(config, SystemClock::shared(), shutdown, reloads).await?;
        Ok(Ended::Done)
    })
}

/// Reads the configuration of a process and sets up its log. Returns the configuration, the token that the first signal
/// cancels, and later configurations.
///
/// # Errors
/// [`CommandError`] if signals cannot be caught, or the configuration or the log filter is wrong.
fn begin(
    config: impl FnOnce() -> Result<Config, CommandError>,
    poll: &PollArgs,
    source: Source,
) -> Result<(Config, CancellationToken, Reloads), CommandError> {
    // Begin with the signals, so that a signal during the start is not lost.
    let hangups = signal(SignalKind::hangup()).map_err(CliError::Runtime)?;
    let shutdown = shutdown().map_err(CliError::Runtime)?;
    let config = config()?;
    telemetry::init(&config.settings.process.log, config.settings.process.log_format)?;
    if !source.ignored.is_empty() {
        tracing::warn!(
            settings = source.ignored.join(", "),
            "settings ignored: this version no longer has them; remove them"
        );
    }
    Ok((config, shutdown, poll.start(source, hangups)))
}

/// Returns a token that the first SIGTERM or SIGINT cancels. The second one ends the process. From this call on, the default
/// actions of these signals are off.
///
/// # Errors
/// The error of the operating system, if it refuses to catch signals.
fn shutdown() -> io::Result<CancellationToken> {
    let mut signals = [signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?];
    let shutdown = CancellationToken::new();
    let started = shutdown.clone();
    tokio::spawn(async move {
        let (name, _) = next(&mut signals).await;
        tracing::info!(signal = name, "shutdown started");
        this_process::stopping();
        started.cancel();
        let (name, code) = next(&mut signals).await;
        tracing::warn!(signal = name, "shutdown interrupted by a second signal");
        telemetry::end_log("");
        std::process::exit(code);
    });
    Ok(shutdown)
}

/// Returns the name of the next signal, and the exit code that shells report for a process that died of this signal.
async fn next([terminate, interrupt]: &mut [Signal; 2]) -> (&'static str, i32) {
    tokio::select! {
        _ = terminate.recv() => ("SIGTERM", 143),
        _ = interrupt.recv() => ("SIGINT", 130),
    }
}
