//! Health from pings of the database. A server without a database, or with a moved one, is `NOT_SERVING`.

use std::{sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;
use tonic_health::{ServingStatus, server::HealthReporter};

use super::settings::CurrentSettings;
use crate::{
    proto::v1::{job_service_server, puzzle_service_server, server_service_server, stock_service_server},
    store::Store,
};

/// The service names that a health check can ask for.
pub(super) type Names = &'static [&'static str];

/// The names in a process that only runs workers. The empty name means the whole process.
pub(super) const OF_WORKERS: Names = &[""];

/// The names in a server.
pub(super) const OF_A_SERVER: Names = &[
    "",
    puzzle_service_server::SERVICE_NAME,
    job_service_server::SERVICE_NAME,
    stock_service_server::SERVICE_NAME,
    server_service_server::SERVICE_NAME,
];

/// The minimum time that the database has to answer a ping, however short the interval is.
const PATIENCE_MIN: Duration = Duration::from_secs(1);

/// Reports `SERVING` after a ping that the database answers within the interval, or within a second if that is longer.
/// Reports `NOT_SERVING` after `failures_max` failed pings in a row, or if the database was moved. When `shutdown` is
/// raised, reports `NOT_SERVING` and returns.
pub(super) async fn follow(
    reporter: HealthReporter,
    names: Names,
    store: Arc<dyn Store>,
    current: Arc<CurrentSettings>,
    shutdown: CancellationToken,
) {
    let follows = async {
        let mut health = Health::default();
        loop {
            let settings = current.server();
            let (every, failures_max) = (settings.health_every, settings.health_failures);
            let was = health.status;
            match ping(&*store, every.max(PATIENCE_MIN)).await {
                Ping::Answered => {
                    if let Some(failures) = health.succeeded() {
                        tracing::warn!(failures, "database ping succeeded again");
                    }
                }
                Ping::Failed(error) => {
                    if health.failed(failures_max) {
                        tracing::warn!(error, "database ping failed");
                    }
                }
                // The move was logged where it was noticed.
                Ping::Moved => health.status = ServingStatus::NotServing,
            }
            if health.status != was {
                if store.must_be_here().is_ok() {
                    tracing::info!(status = %health.status, "health changed");
                }
                report(&reporter, names, health.status).await;
            }
            tokio::time::sleep(every).await;
        }
    };
    let _: Option<()> = shutdown.run_until_cancelled(follows).await;
    report(&reporter, names, ServingStatus::NotServing).await;
}

/// The result of a ping.
enum Ping {
    Answered,
    Failed(String),
    Moved,
}

async fn ping(store: &dyn Store, patience: Duration) -> Ping {
    match tokio::time::timeout(patience, store.ping()).await {
        Ok(Ok(())) => Ping::Answered,
        Ok(Err(error)) if error.moved().is_some() => Ping::Moved,
        Ok(Err(error)) => Ping::Failed(error.to_string()),
        Err(_) => Ping::Failed(format!("no answer within {patience:?}")),
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

    /// Counts a failed ping. One or two failures may be a lock or a lost connection, which a client would also meet on
    /// another server. Returns whether this is the first in a row.
    fn failed(&mut self, failures_max: u32) -> bool {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= failures_max || self.status == ServingStatus::Unknown {
            self.status = ServingStatus::NotServing;
        }
        self.failures == 1
    }
}

/// Sets the same status for every name.
pub(super) async fn report(reporter: &HealthReporter, names: Names, status: ServingStatus) {
    for &name in names {
        reporter.set_service_status(name, status).await;
    }
}

/// Ends the health streams, which would otherwise keep their connections open.
pub(super) async fn end_watches(mut reporter: HealthReporter, names: Names) {
    for name in names {
        reporter.clear_service_status(name).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statuses after these pings, `+` answered and `-` failed: `S`erving or `N`ot serving.
    fn told(pings: &str) -> String {
        let mut health = Health::default();
        let told = pings.chars().map(|ping| {
            match ping {
                '+' => drop(health.succeeded()),
                _ => drop(health.failed(3)),
            }
            if health.status == ServingStatus::Serving { 'S' } else { 'N' }
        });
        told.collect()
    }

    #[test]
    fn three_failures_in_a_row_are_not_serving_and_one_success_recovers() {
        for (pings, wanted) in [
            ("+++", "SSS"),
            ("+-+--+", "SSSSSS"),
            ("+---+", "SSSNS"),
            ("+-----+-+", "SSSNNNSSS"),
            // The status was not `SERVING` before.
            ("-+", "NS"),
            ("--+-", "NNSS"),
        ] {
            assert_eq!(told(pings), wanted, "{pings}");
        }
    }

    #[test]
    fn streak_of_failures_is_reported_at_its_start_and_end() {
        let mut health = Health::default();
        assert_eq!(health.succeeded(), None);
        assert_eq!([(); 4].map(|()| health.failed(3)), [true, false, false, false]);
        assert_eq!((health.succeeded(), health.succeeded()), (Some(4), None));
        assert!(health.failed(3));
    }
}
