//! `puzzled serve`: the API and its workers, until a signal ends them.

use std::{io::Write as _, path::PathBuf};

use clap::Args;
use tokio::{
    runtime::Runtime,
    signal::unix::{Signal, SignalKind, signal},
};
use tokio_util::sync::CancellationToken;

use super::{
    CliError, Ended,
    settings::{Settings, as_toml},
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
        let shutdown = CancellationToken::new();
        // Before anything else, so that a signal during the start is not lost.
        let signals = Signals::listen().map_err(CliError::Runtime)?;
        tokio::spawn(signals.steer(shutdown.clone()));
        app::serve(config, SystemClock::shared(), shutdown).await?;
        Ok(Ended::Done)
    })
}

/// The signals that end a server.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// The first signal begins the shutdown, the second one ends the process on the spot.
    async fn steer(mut self, shutdown: CancellationToken) {
        let name = self.next().await.0;
        tracing::info!("{name}: shutting down");
        shutdown.cancel();
        let (name, code) = self.next().await;
        tracing::warn!("{name} again: ending at once");
        std::process::exit(code);
    }

    /// Name of the next signal, and the exit code that shells give to a process that died of it.
    async fn next(&mut self) -> (&'static str, i32) {
        tokio::select! {
            _ = self.terminate.recv() => ("SIGTERM", 143),
            _ = self.interrupt.recv() => ("SIGINT", 130),
        }
    }
}
