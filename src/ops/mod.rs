//! Serves the ops port over plain HTTP: the probes `/livez` and `/readyz` for orchestrators, and `/metrics` for
//! Prometheus. Reads no database.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::get,
};
use http::{HeaderMap, StatusCode, Uri, header};
use tokio::{net::TcpListener, task::JoinHandle};

use crate::telemetry::{MetricFormat, Telemetry};

/// The answer to an unknown path, which lists the known ones.
const PATHS: &str = "not found; the paths are /livez, /readyz, /readyz?verbose, /readyz?writes, and /metrics\n";

/// The content type of OpenMetrics, and the part of it that a scraper's `Accept` header contains.
const OPEN_METRICS: (&str, &str) =
    ("application/openmetrics-text; version=1.0.0; charset=utf-8", "application/openmetrics-text");

/// The content type of the older format.
const PROMETHEUS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The ops port, which answers requests in a task until this is dropped.
#[derive(Debug)]
pub struct OpsPort(JoinHandle<()>);

impl OpsPort {
    /// Opens the port on this listener.
    #[must_use]
    pub fn open(listener: TcpListener, telemetry: Arc<Telemetry>) -> Self {
        if let Ok(address) = listener.local_addr() {
            tracing::info!(%address, "ops port opened");
        }
        Self(tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router(telemetry)).await {
                tracing::error!(%error, "ops port failed; restart the process to open it again; calls continue without it");
            }
        }))
    }
}

impl Drop for OpsPort {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn router(telemetry: Arc<Telemetry>) -> Router {
    Router::new()
        .route("/livez", get(async || "ok\n"))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
        .fallback(async || (StatusCode::NOT_FOUND, PATHS))
        .with_state(telemetry)
}

async fn readyz(State(telemetry): State<Arc<Telemetry>>, uri: Uri) -> Response {
    let ready = telemetry.readiness.now();
    let asks = |word| uri.query().is_some_and(|query| query.split('&').any(|asked| asked == word));
    let is_ready = if asks("writes") { ready.writes } else { ready.is_ready };
    let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    // A failure shows its reason even without `verbose`.
    let is_verbose = !is_ready || asks("verbose");
    let body = if is_verbose { ready.checks } else { "ok\n".to_owned() };
    (status, body).into_response()
}

async fn metrics(State(telemetry): State<Arc<Telemetry>>, headers: HeaderMap) -> Response {
    let mut accepted = headers.get_all(header::ACCEPT).iter().filter_map(|accept| accept.to_str().ok());
    let (content_type, name) = OPEN_METRICS;
    let (content_type, format) = if accepted.any(|accept| accept.contains(name)) {
        (content_type, MetricFormat::OpenMetrics)
    } else {
        (PROMETHEUS, MetricFormat::Prometheus)
    };
    ([(header::CONTENT_TYPE, content_type)], telemetry.scrape(format)).into_response()
}
