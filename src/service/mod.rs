//! The gRPC service: handlers, which parse, call and render, and the server around them. No policy, no SQL.

mod puzzles;

mod batch_get_puzzles;
mod export_puzzles;
mod generate;
mod get_puzzle;

mod jobs;
mod server;
mod stock;
mod watch;

mod parse;
mod render;

mod brought;
mod compute;
mod errors;
mod page_token;
mod quoted;
mod ratings;
mod scramble;

mod connection;
mod deadline;
mod edge;
mod health;
mod serve;
mod settings;
mod streams;

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tonic::Request;

use crate::{chance::Chance, clock::Clock, queue::Queue, stock::Stock, store::Store};
use compute::Compute;
use deadline::Deadline;
use errors::ServiceError;
use watch::Watcher;

// Commands print what the service would send.
pub(crate) use render::puzzle::{later_rating, puzzle_message, rated_message};
pub use serve::{ServeError, serve, serve_health};
pub use settings::{Limits, ServerSettings};

/// What the service works on.
#[derive(Debug, Clone)]
pub struct Parts {
    /// The queue that `Generate` fills.
    pub queue: Arc<Queue>,
    /// The stock that `GetPuzzle` draws from.
    pub stock: Arc<Stock>,
    /// The store, asked for nothing but whether it answers.
    pub store: Arc<dyn Store>,
    /// Tells how far ahead a job is put off.
    pub clock: Arc<dyn Clock>,
    /// Draws the seeds that callers leave open.
    pub chance: Arc<Chance>,
}

/// The handlers of all services of the contract, and what they share.
#[derive(Debug)]
struct Service {
    queue: Arc<Queue>,
    stock: Arc<Stock>,
    clock: Arc<dyn Clock>,
    chance: Arc<Chance>,
    compute: Compute,
    watchers: Arc<Semaphore>,
    waiters: Semaphore,
    exporters: Arc<Semaphore>,
    shutdown: CancellationToken,
    limits: Limits,
}

impl Service {
    fn new(parts: Parts, limits: Limits, shutdown: CancellationToken) -> Self {
        Self {
            queue: parts.queue,
            stock: parts.stock,
            clock: parts.clock,
            chance: parts.chance,
            compute: Compute::new(limits.solve_threads, limits.solve_waiting_max),
            watchers: Arc::new(Semaphore::new(limits.watchers_max as usize)),
            waiters: Semaphore::new(limits.waiters_max as usize),
            exporters: Arc::new(Semaphore::new(limits.exports_max as usize)),
            shutdown,
            limits,
        }
    }

    /// Whoever sends this request to watch something, if there is a place left.
    fn watcher<T>(&self, request: &Request<T>, subject: &'static str) -> Result<Watcher, ServiceError> {
        let place = Arc::clone(&self.watchers)
            .try_acquire_owned()
            .map_err(|_| ServiceError::Busy { subject, max: self.limits.watchers_max })?;
        let deadline = request.extensions().get::<Deadline>().copied();
        Ok(Watcher { deadline, shutdown: self.shutdown.clone(), place })
    }
}
