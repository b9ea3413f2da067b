//! The row of this process in the table of processes: renewed while the process runs, and removed when it stops. The renewals show whether
//! the database can be written.

use std::{sync::Arc, time::Duration};

use tokio::time::{sleep, timeout};

use crate::telemetry::Telemetry;
use puzzled_store::{
    Store, StoreError,
    jobs::process::{Process, RENEW_EVERY},
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
        if self.reports_writes(&renewed) {
            return;
        }
        match &renewed {
            Ok(()) if self.is_failing => tracing::info!(process = self.process.name, "process row renewed again"),
            Err(error) if !self.is_failing => {
                tracing::warn!(process = self.process.name, %error, "process row not renewed");
            }
            Ok(()) | Err(_) => {}
        }
        self.is_failing = renewed.is_err();
    }

    /// Logs and sets whether the database can be written, if that has changed. Returns whether the log needs no other line about this
    /// renewal: after such a change, and while the database cannot be written.
    fn reports_writes(&self, renewed: &Result<(), StoreError>) -> bool {
        let readiness = &self.telemetry.readiness;
        let reason = renewed.as_ref().err().and_then(StoreError::forbids_writes);
        match (reason, readiness.can_write()) {
            (Some(reason), true) => {
                // No call goes on then; `app/replaced.rs` logs the fault.
                if !renewed.as_ref().is_err_and(StoreError::is_replaced) {
                    tracing::warn!(error = reason, "database cannot be written; calls that only read go on");
                }
                readiness.set_writes(Err(reason));
                true
            }
            (None, false) if renewed.is_ok() => {
                tracing::info!("database can be written again");
                readiness.set_writes(Ok(()));
                true
            }
            (reason, _) => reason.is_some(),
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
