//! Health follows the database: a server that cannot reach it, or whose database was moved, says so, and is sent no calls.

use std::{sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;
use tonic_health::{ServingStatus, server::HealthReporter};

use super::settings::CurrentSettings;
use crate::{
    proto::v1::{job_service_server, puzzle_service_server, server_service_server, stock_service_server},
    store::Store,
};

/// Names that a client may ask about.
pub(super) type Names = &'static [&'static str];

/// Those of a process with workers alone: the empty one means the process as a whole.
pub(super) const OF_WORKERS: Names = &[""];

/// Those of a server.
pub(super) const OF_A_SERVER: Names = &[
    "",
    puzzle_service_server::SERVICE_NAME,
    job_service_server::SERVICE_NAME,
    stock_service_server::SERVICE_NAME,
    server_service_server::SERVICE_NAME,
];

/// Time that the database has to answer at the least, however often it is asked.
const PATIENCE_MIN: Duration = Duration::from_secs(1);

/// Says `SERVING` as long as the database answers within the time between two pings, or a second, and `NOT_SERVING` for good when
/// `shutdown` comes; then it returns.
pub(super) async fn follow(
    reporter: HealthReporter,
    names: Names,
    store: Arc<dyn Store>,
    current: Arc<CurrentSettings>,
    shutdown: CancellationToken,
) {
    let pings = async {
        let mut was = ServingStatus::Unknown;
        loop {
            let every = current.server().health_every;
            let is = status(&*store, every.max(PATIENCE_MIN)).await;
            if is != was {
                if store.must_be_here().is_ok() {
                    tracing::info!(status = %is, "health");
                }
                report(&reporter, names, is).await;
            }
            was = is;
            tokio::time::sleep(every).await;
        }
    };
    let _: Option<()> = shutdown.run_until_cancelled(pings).await;
    report(&reporter, names, ServingStatus::NotServing).await;
}

async fn status(store: &dyn Store, patience: Duration) -> ServingStatus {
    match tokio::time::timeout(patience, store.ping()).await {
        Ok(Ok(())) => ServingStatus::Serving,
        // Logged where it was noticed, once.
        Ok(Err(error)) if error.moved().is_some() => ServingStatus::NotServing,
        Ok(Err(error)) => {
            tracing::warn!(%error, "the database does not answer");
            ServingStatus::NotServing
        }
        Err(_) => {
            tracing::warn!(?patience, "the database does not answer in time");
            ServingStatus::NotServing
        }
    }
}

/// Says the same of every name.
pub(super) async fn report(reporter: &HealthReporter, names: Names, status: ServingStatus) {
    for &name in names {
        reporter.set_service_status(name, status).await;
    }
}

/// Ends the streams of those who watch health, which would keep their connections open for ever.
pub(super) async fn end_watches(mut reporter: HealthReporter, names: Names) {
    for name in names {
        reporter.clear_service_status(name).await;
    }
}
