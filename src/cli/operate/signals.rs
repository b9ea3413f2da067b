//! The signals of a long-running process: the first SIGTERM or SIGINT starts the shutdown, the second ends the process
//! at once, and SIGHUP reloads the settings.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::system::this_process;

/// Returns a token that the first signal cancels. From this call on, the default actions of these signals are off.
///
/// # Errors
/// The error of the operating system, if it refuses to catch signals.
pub(in crate::cli) fn shutdown() -> std::io::Result<CancellationToken> {
    let shutdown = CancellationToken::new();
    tokio::spawn(Signals::listen()?.steer(shutdown.clone()));
    Ok(shutdown)
}

/// Returns the SIGHUP signals. From this call on, they no longer end the process.
///
/// # Errors
/// The error of the operating system, if it refuses to catch signals.
pub(in crate::cli) fn hangups() -> std::io::Result<Signal> {
    signal(SignalKind::hangup())
}

/// The signals that shut a process down.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Begins the shutdown at the first signal, and ends the process at the second one.
    async fn steer(mut self, shutdown: CancellationToken) {
        let name = self.next().await.0;
        tracing::info!(signal = name, "shutdown started");
        this_process::stopping();
        shutdown.cancel();
        let (name, code) = self.next().await;
        tracing::warn!(signal = name, "shutdown interrupted by a second signal");
        std::process::exit(code);
    }

    /// Returns the name of the next signal, and the exit code that shells report for a process that died of this signal.
    async fn next(&mut self) -> (&'static str, i32) {
        tokio::select! {
            _ = self.terminate.recv() => ("SIGTERM", 143),
            _ = self.interrupt.recv() => ("SIGINT", 130),
        }
    }
}
