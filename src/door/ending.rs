//! Ends connections at a shutdown: asks clients to disconnect, and later closes the remaining connections. Also closes
//! a connection at its maximum age.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio_util::sync::CancellationToken;

use crate::calls::Traffic;

/// The signals that end connections. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Ending {
    /// Cancelled when clients are asked to disconnect.
    drain: CancellationToken,
    /// Cancelled when the remaining connections are closed.
    cut: CancellationToken,
    calls: Arc<AtomicU32>,
}

impl Ending {
    /// The end that begins when `drain` is cancelled.
    pub(crate) fn new(drain: CancellationToken) -> Self {
        Self { drain, cut: CancellationToken::new(), calls: Arc::default() }
    }

    /// The number of calls in flight on all connections.
    pub(crate) fn calls(&self) -> u32 {
        self.calls.load(Relaxed)
    }

    /// Closes all connections.
    pub(crate) fn cut(&self) {
        self.cut.cancel();
    }

    /// Waits until clients are asked to disconnect.
    pub(super) async fn drain_started(&self) {
        self.drain.cancelled().await;
    }

    pub(super) fn traffic(&self) -> Arc<Traffic> {
        Traffic::new(Arc::clone(&self.calls))
    }

    /// Completes when a connection must be closed: after `age_max`, or at a shutdown once it is quiet or [`Self::cut`]
    /// was called.
    pub(super) async fn of(self, traffic: Arc<Traffic>, age_max: Duration) {
        let shutdown = async {
            self.drain.cancelled().await;
            tokio::select! {
                () = self.cut.cancelled() => {}
                () = traffic.quiet() => {}
            }
        };
        let _ = tokio::time::timeout(age_max, shutdown).await;
    }
}
