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

use super::traffic::Traffic;

/// What ends connections. Clones share it.
#[derive(Debug, Clone)]
pub(in crate::service) struct Ending {
    /// Cancelled when clients are asked to disconnect.
    told: CancellationToken,
    /// Cancelled when the remaining connections are closed.
    cut: CancellationToken,
    calls: Arc<AtomicU32>,
}

impl Ending {
    /// The end that begins when `told` is cancelled.
    pub(in crate::service) fn new(told: CancellationToken) -> Self {
        Self { told, cut: CancellationToken::new(), calls: Arc::default() }
    }

    /// Calls under way on all connections.
    pub(in crate::service) fn calls(&self) -> u32 {
        self.calls.load(Relaxed)
    }

    /// Cuts all connections.
    pub(in crate::service) fn cut(&self) {
        self.cut.cancel();
    }

    pub(super) fn traffic(&self) -> Arc<Traffic> {
        Traffic::new(Arc::clone(&self.calls))
    }

    /// Ends when a connection is to be cut: after `age_max`, or at a shutdown if it is quiet or too late to leave.
    pub(super) async fn of(self, traffic: Arc<Traffic>, age_max: Duration) {
        let shutdown = async {
            self.told.cancelled().await;
            tokio::select! {
                () = self.cut.cancelled() => {}
                () = traffic.quiet() => {}
            }
        };
        let _ = tokio::time::timeout(age_max, shutdown).await;
    }
}
