//! The row of this process in the table of processes: renewed while the process runs, and removed when it stops. The renewals show whether
//! the database can be written.

use std::{sync::Arc, time::Duration};

use tokio::time::{sleep, timeout};

use crate::{
    rules::jobs::process::{Process, RENEW_EVERY},
    store::{Store, StoreError},
    telemetry::Telemetry,
};

/// The maximum time for removing the row. A row that remains is pruned after a day.
const REMOVAL_PATIENCE: Duration = Duration::from_secs(5);

/// A process with a row in the table.
#[derive(Debug)]
pub struct Presence {
    store: Arc<dyn Store>,
    process: Process,
    telemetry: Arc<Telemetry>,
    /// Whether the last renewal failed. Consecutive failures are logged once.
    is_failing: bool,
}

impl Presence {
    /// Adds the row of this process. If the store fails, the next renewal adds it.
    pub async fn begin(store: Arc<dyn Store>, process: Process, telemetry: Arc<Telemetry>) -> Self {
        let mut presence = Self { store, process, telemetry, is_failing: false };
        presence.renew().await;
        presence
    }

    /// Renews the row until `running` ends, then removes it. A failure of the store ends neither `running` nor the
    /// renewals.
    pub async fn during<T>(mut self, running: impl Future<Output = T>) -> T {
        let renewals = async {
            loop {
                sleep(RENEW_EVERY).await;
                self.renew().await;
            }
        };
        // Dropping a store call halfway changes nothing.
        let ended = tokio::select! {
            biased;
            ended = running => ended,
            never = renewals => never,
        };
        self.remove().await;
        ended
    }

    async fn renew(&mut self) {
        let renewed = self.store.keep_process(&self.process).await;
        self.report(&renewed);
        match &renewed {
            Ok(()) if self.is_failing => tracing::info!(process = self.process.name, "process row renewed again"),
            Err(error) if !self.is_failing => {
                tracing::warn!(process = self.process.name, %error, "process row not renewed");
            }
            Ok(()) | Err(_) => {}
        }
        self.is_failing = renewed.is_err();
    }

    /// Reports whether the database can be written. A failure for another reason says nothing about that.
    fn report(&self, renewed: &Result<(), StoreError>) {
        let readiness = &self.telemetry.readiness;
        match renewed {
            Ok(()) if !readiness.can_write() => {
                tracing::info!("database can be written again");
                readiness.set_writes(Ok(()));
            }
            Err(error) if error.forbids_writes() && readiness.can_write() => {
                tracing::warn!(%error, "database cannot be written; calls that only read go on");
                readiness.set_writes(Err(error.to_string()));
            }
            Ok(()) | Err(_) => {}
        }
    }

    async fn remove(&self) {
        let process = &self.process.name;
        match timeout(REMOVAL_PATIENCE, self.store.remove_process(process)).await {
            Ok(Err(error)) => tracing::warn!(process, %error, "process row not removed"),
            Err(_) => tracing::warn!(process, patience = ?REMOVAL_PATIENCE, "process row not removed in time"),
            Ok(Ok(_)) => {}
        }
    }
}
