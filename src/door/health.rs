//! Pings the database, and sets the gRPC health of the server and the readiness of the process. After several failed
//! pings, the server is `NOT_SERVING`. While the database can only be read, only `JobService` is
//! `NOT_SERVING`.

use std::{sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;
use tonic_health::{ServingStatus, server::HealthReporter};

use crate::{settings::CurrentSettings, telemetry::Telemetry};
use puzzled_api::v1::{
    job_service_server, puzzle_service_server, series_service_server, server_service_server, stock_service_server,
};
use puzzled_store::Store;

/// The names that a health check can ask for. The empty one means the whole server.
const NAMES: [&str; 6] = [
    "",
    puzzle_service_server::SERVICE_NAME,
    job_service_server::SERVICE_NAME,
    stock_service_server::SERVICE_NAME,
    series_service_server::SERVICE_NAME,
    server_service_server::SERVICE_NAME,
];

/// The minimum timeout of a ping, even if the interval is shorter.
const PATIENCE_MIN: Duration = Duration::from_secs(1);

/// Pings the database until `shutdown` is cancelled. The health becomes `SERVING` when the database answers a ping in time: within the
/// interval of the pings, or within a second if the interval is shorter. It becomes `NOT_SERVING` after `health_failures` consecutive
/// failures, and permanently at the shutdown. Without a reporter, in a process without an API, only the readiness of the process is set.
pub async fn follow_database(
    reporter: Option<HealthReporter>,
    telemetry: Arc<Telemetry>,
    store: Arc<dyn Store>,
    current: Arc<CurrentSettings>,
    shutdown: CancellationToken,
) {
    let follows = async {
        let (mut health, mut reason, mut could_write) = (Health::default(), String::new(), true);
        loop {
            let settings = current.get();
            let (every, failures_max) = (settings.health_every, settings.process.health_failures);
            let was = health.status;
            match ping(&*store, every.max(PATIENCE_MIN)).await {
                Ok(()) => {
                    if let Some(failures) = health.succeeded() {
                        tracing::info!(failures, "database ping succeeded again");
                    }
                }
                Err(error) => {
                    if health.failed(failures_max) {
                        tracing::warn!(error, "database ping failed");
                    }
                    reason = error;
                }
            }
            let can_write = telemetry.readiness.can_write();
            if health.status != was {
                tracing::info!(status = on_wire(health.status), "health changed");
                let is_serving = health.status == ServingStatus::Serving;
                telemetry.readiness.set_database(if is_serving { Ok(()) } else { Err(std::mem::take(&mut reason)) });
            }
            if let Some(reporter) = &reporter
                && (health.status, can_write) != (was, could_write)
            {
                report(reporter, health.status).await;
                if !can_write {
                    reporter.set_service_status(job_service_server::SERVICE_NAME, ServingStatus::NotServing).await;
                }
            }
            could_write = can_write;
            tokio::time::sleep(every).await;
        }
    };
    let _: Option<()> = shutdown.run_until_cancelled(follows).await;
    telemetry.readiness.end();
    if let Some(reporter) = &reporter {
        report(reporter, ServingStatus::NotServing).await;
    }
}

/// The name of a status as the health protocol writes it.
const fn on_wire(status: ServingStatus) -> &'static str {
    match status {
        ServingStatus::Serving => "SERVING",
        ServingStatus::NotServing => "NOT_SERVING",
        ServingStatus::Unknown => "UNKNOWN",
    }
}

/// Pings the database. Returns why it failed, for the log.
async fn ping(store: &dyn Store, patience: Duration) -> Result<(), String> {
    match tokio::time::timeout(patience, store.ping()).await {
        Ok(answered) => answered.map_err(|error| error.to_string()),
        Err(_) => Err(format!("no answer within {patience:?}")),
    }
}

/// The status, and the number of failures since the last answered ping.
#[derive(Debug)]
struct Health {
    status: ServingStatus,
    failures: u32,
}

impl Default for Health {
    /// The state before the first answered ping.
    fn default() -> Self {
        Self { status: ServingStatus::Unknown, failures: 0 }
    }
}

impl Health {
    /// Counts an answered ping, after which the status is `SERVING`. Returns the number of failures before it, if any.
    fn succeeded(&mut self) -> Option<u32> {
        self.status = ServingStatus::Serving;
        Some(std::mem::take(&mut self.failures)).filter(|&failures| failures > 0)
    }

    /// Counts a failed ping. `SERVING` ends only after `failures_max` consecutive failures, because one or two may be a
    /// lock or a lost connection, which a client would find on other servers too. Returns whether this is the first in
    /// a row.
    fn failed(&mut self, failures_max: u32) -> bool {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= failures_max || self.status == ServingStatus::Unknown {
            self.status = ServingStatus::NotServing;
        }
        self.failures == 1
    }
}

/// Sets the same status for every name.
pub(super) async fn report(reporter: &HealthReporter, status: ServingStatus) {
    for name in NAMES {
        reporter.set_service_status(name, status).await;
    }
}

/// Ends the health streams, which would otherwise keep their connections open.
pub(super) async fn end_watches(mut reporter: HealthReporter) {
    for name in NAMES {
        reporter.clear_service_status(name).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statuses after these pings, `+` answered and `-` failed: `S`erving or `N`ot serving.
    fn statuses(pings: &str) -> String {
        let mut health = Health::default();
        let statuses = pings.chars().map(|ping| {
            match ping {
                '+' => drop(health.succeeded()),
                _ => drop(health.failed(3)),
            }
            if health.status == ServingStatus::Serving { 'S' } else { 'N' }
        });
        statuses.collect()
    }

    #[test]
    fn three_failures_in_a_row_are_not_serving_and_one_success_recovers() {
        for (pings, expected) in [
            ("+++", "SSS"),
            ("+-+--+", "SSSSSS"),
            ("+---+", "SSSNS"),
            ("+-----+-+", "SSSNNNSSS"),
            // The status was not `SERVING` before.
            ("-+", "NS"),
            ("--+-", "NNSS"),
        ] {
            assert_eq!(statuses(pings), expected, "{pings}");
        }
    }

    #[test]
    fn streak_of_failures_is_reported_at_its_beginning_and_at_its_end() {
        let mut health = Health::default();
        assert_eq!(health.succeeded(), None);
        assert_eq!([(); 4].map(|()| health.failed(3)), [true, false, false, false]);
        assert_eq!((health.succeeded(), health.succeeded()), (Some(4), None));
        assert!(health.failed(3));
    }
}
