//! The server of the API: the handlers of all methods, which parse requests, call the queue and the stock, and render
//! responses, and the layers and connections around the handlers. It contains no policy and no SQL.

mod parse;
mod render;

mod errors;

mod handlers;
mod http;
mod layers;
mod limits;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::{
    access::Gate,
    settings::{CurrentSettings, Settings},
    telemetry::Telemetry,
    tls::ListenerTls,
};
use errors::ServiceError;
use handlers::caller_puzzle;
use layers::denials::Denials;
use limits::{
    compute::{Class, Compute},
    meter::Meter,
    shares::ShareKey,
    streams::Places,
};
use puzzled_api::v1 as pb;
use puzzled_base::{chance::Chance, clock::Clock};
use puzzled_store::{Store, jobs::queue::Queue, series::daily_series::SeriesWish, stock::draws::Stock};

pub use http::connect::Methods;
pub use http::health::follow_database;
pub use http::serve::{ServeError, serve};
// Commands print what the service would send.
pub(crate) use render::puzzle::{later_rating, puzzle_message};

/// The daily series of a request, or its faults in words. A configuration declares series with the same rules.
///
/// # Errors
/// The faults, each with its field.
pub(crate) fn series_wish(request: &pb::CreateDailySeriesRequest) -> Result<SeriesWish, String> {
    parse::new_series(request).map(|(wish, _)| wish).map_err(|error| error.to_string())
}

/// The parts of the process that the service uses.
#[derive(Debug, Clone)]
pub struct Parts {
    /// The queue that `Generate` fills.
    pub queue: Arc<Queue>,
    /// The stock that `GetPuzzle` draws from.
    pub stock: Arc<Stock>,
    /// The store, used only for pings and denied calls.
    pub store: Arc<dyn Store>,
    /// The clock that limits how far ahead a job may start, and measures calls.
    pub clock: Arc<dyn Clock>,
    /// Draws the seeds of requests that contain none.
    pub chance: Arc<Chance>,
    /// Identifies the callers.
    pub gate: Arc<Gate>,
    /// Counts the calls, and receives the health.
    pub telemetry: Arc<Telemetry>,
    /// The TLS of the listener, if it is encrypted.
    pub tls: Option<Arc<ListenerTls>>,
}

/// The handlers of all services of the API, and their shared state.
#[derive(Debug)]
struct Service {
    queue: Arc<Queue>,
    stock: Arc<Stock>,
    clock: Arc<dyn Clock>,
    chance: Arc<Chance>,
    compute: Compute,
    watchers: Places,
    waiters: Places,
    exporters: Places,
    denials: Arc<Denials>,
    shutdown: CancellationToken,
    settings: Arc<CurrentSettings>,
    telemetry: Arc<Telemetry>,
}

impl Service {
    fn new(parts: Parts, settings: Arc<CurrentSettings>, shutdown: CancellationToken) -> Self {
        let compute = Compute::new(settings.get().limits.compute_threads);
        parts.telemetry.show_compute(compute.waiting());
        Self {
            queue: parts.queue,
            stock: parts.stock,
            clock: parts.clock,
            chance: parts.chance,
            compute,
            watchers: Places::new("jobs and stocks being watched"),
            waiters: Places::new("calls that wait for a puzzle"),
            exporters: Places::new("exports under way"),
            denials: Denials::start(parts.store, shutdown.clone()),
            shutdown,
            settings,
            telemetry: parts.telemetry,
        }
    }

    /// The settings in force, which a reload may replace.
    fn settings(&self) -> Arc<Settings> {
        self.settings.get()
    }

    /// The key by which a request shares limits with others.
    fn share_key<T>(&self, request: &tonic::Request<T>) -> ShareKey {
        ShareKey::of(request.extensions(), self.settings().connections.max_per_address())
    }

    /// Measures the work of a request.
    fn meter<T>(&self, request: &tonic::Request<T>) -> Meter {
        Meter::of(request.extensions(), &self.clock)
    }

    /// Runs the work of a request on a compute thread, and charges it to the caller.
    ///
    /// # Errors
    /// Those of [`Meter::may_compute`] and of [`Compute::run`].
    async fn compute<R, T: Send + 'static>(
        &self,
        class: Class,
        request: &tonic::Request<R>,
        work: impl FnOnce(&caller_puzzle::Cancel) -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        let meter = self.meter(request);
        meter.may_compute()?;
        self.compute.run(class, &self.share_key(request), &self.settings().limits, meter.timed(work)).await
    }
}
