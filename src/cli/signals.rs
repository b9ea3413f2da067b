//! The signals of a long-running process: the first SIGTERM or SIGINT starts the shutdown, the second ends the process
//! at once, and SIGHUP reloads the settings.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::service_manager;

/// A token that the first signal raises. From here on signals no longer end the process by themselves.
///
/// # Errors
/// If the operating system does not let signals be caught.
pub(super) fn shutdown() -> std::io::Result<CancellationToken> {
    let shutdown = CancellationToken::new();
    tokio::spawn(Signals::listen()?.steer(shutdown.clone()));
    Ok(shutdown)
}

/// The signals that ask for a reload. From here on they no longer end the process.
///
/// # Errors
/// If the operating system does not let signals be caught.
pub(super) fn hangups() -> std::io::Result<Signal> {
    signal(SignalKind::hangup())
}

/// The signals that end a process.
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
        tracing::info!(signal = name, "shutdown started");
        service_manager::stopping();
        shutdown.cancel();
        let (name, code) = self.next().await;
        tracing::warn!(signal = name, "shutdown interrupted by a second signal");
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
