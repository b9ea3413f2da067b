//! The state that all methods share. Each method of the API is a method of [`Service`], in the file with its name: `get_puzzle` in
//! `puzzles/get/get_puzzle.rs`.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::{
    denials::Denials,
    errors::ServiceError,
    limits::{
        compute::{Cancel, Class, Compute},
        meter::Meter,
        places::ShareKey,
        streams::{Opened, Places},
    },
};
use crate::{
    access::Gate,
    settings::{CurrentSettings, Settings},
    telemetry::Telemetry,
    tls::ListenerTls,
};
use puzzled_base::{chance::Chance, clock::Clock};
use puzzled_store::{Store, jobs::queue::Queue, stock::draws::Stock};

/// A request as a method gets it: the message, with what the layers around the call noted in its extensions.
pub(crate) type Asked<T> = tonic::Request<T>;

/// What a method answers.
pub(crate) type Reply<T> = Result<T, ServiceError>;

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

/// The state that the methods of all services share.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) queue: Arc<Queue>,
    pub(crate) stock: Arc<Stock>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) chance: Arc<Chance>,
    pub(crate) compute: Compute,
    pub(crate) watchers: Places,
    pub(crate) waiters: Places,
    pub(crate) exporters: Places,
    pub(crate) denials: Arc<Denials>,
    pub(crate) shutdown: CancellationToken,
    pub(crate) settings: Arc<CurrentSettings>,
    pub(crate) telemetry: Arc<Telemetry>,
}

impl Service {
    pub(crate) fn new(parts: Parts, settings: Arc<CurrentSettings>, shutdown: CancellationToken) -> Self {
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
    pub(crate) fn settings(&self) -> Arc<Settings> {
        self.settings.get()
    }

    /// The key by which a request shares limits with others.
    pub(crate) fn share_key<T>(&self, request: &Asked<T>) -> ShareKey {
        ShareKey::of(request.extensions(), self.settings().connections.max_per_address())
    }

    /// Opens a stream for a request, in one of at most `places_max` places.
    ///
    /// # Errors
    /// [`ServiceError::Busy`] and [`ServiceError::CallerBusy`] if there is no place for the stream.
    pub(crate) fn open<T>(&self, places: &Places, places_max: u32, request: &Asked<T>) -> Result<Opened, ServiceError> {
        let place = places.take(&self.share_key(request), places_max)?;
        let deadline = request.extensions().get().copied();
        Ok(Opened { deadline, shutdown: self.shutdown.clone(), place })
    }

    /// Measures the work of a request.
    pub(crate) fn meter<T>(&self, request: &Asked<T>) -> Meter {
        Meter::of(request.extensions(), &self.clock)
    }

    /// Runs the work of a request on a compute thread, and charges it to the caller.
    ///
    /// # Errors
    /// Those of [`Meter::may_compute`] and of [`Compute::run`].
    pub(crate) async fn compute<R, T: Send + 'static>(
        &self,
        class: Class,
        request: &Asked<R>,
        work: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        let meter = self.meter(request);
        meter.may_compute()?;
        self.compute.run(class, &self.share_key(request), &self.settings().limits, meter.timed(work)).await
    }
}
