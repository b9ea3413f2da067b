//! A process with a database: what `serve` and `work` share, from the start of its parts to their stop.

use std::{net::SocketAddr, num::NonZeroU32, pin::Pin, sync::Arc};

use futures_util::future::join_all;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{AppError, declare::declare, replaced};
use crate::{
    ops::OpsPort,
    settings::{Config, CurrentSettings, Database},
    telemetry::{Telemetry, traces::Traces},
    work::{Presence, Workers},
};
use puzzled_base::{chance::Chance, clock::Clock};
use puzzled_store::{
    Store, StoreError,
    jobs::{
        process::{Process as ProcessRow, Role},
        queue::Queue,
    },
    postgres::{PostgresSettings, PostgresStore, StoreClock},
    sqlite::{SqliteSettings, SqliteStore},
    stock::draws::Stock,
};

/// A process whose database is open. Its parts stop in the reverse order of their start.
pub(super) struct Process {
    pub(super) config: Config,
    pub(super) settings: Arc<CurrentSettings>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) chance: Arc<Chance>,
    pub(super) telemetry: Arc<Telemetry>,
    pub(super) store: Arc<dyn Store>,
    pub(super) queue: Arc<Queue>,
    /// Random, because process IDs and addresses can repeat across the machines that share a database.
    pub(super) name: String,
    /// Whether this start creates the database.
    pub(super) is_new: bool,
    /// Cancelled to end the process.
    pub(super) shutdown: CancellationToken,
    /// Cancelled at the shutdown too, but also if the API fails. Stops the workers and the parts behind the API.
    stop: CancellationToken,
    workers: Option<Workers>,
    _ops_port: Option<OpsPort>,
}

impl Process {
    /// Opens the ops port, and then the database.
    pub(super) async fn start(
        config: Config,
        clock: Arc<dyn Clock>,
        shutdown: CancellationToken,
    ) -> Result<Self, AppError> {
        let settings = Arc::new(CurrentSettings::new(config.settings.clone()));
        let telemetry = Telemetry::new(&*clock);
        let ops_port = match config.settings.process.ops_listen {
            Some(at) => Some(OpsPort::open(bind(at).await?, Arc::clone(&telemetry))),
            None => None,
        };
        let is_new = config.database.is_new();
        let store = open(&config, &clock).await?;
        let chance = Arc::new(Chance::from_system().map_err(AppError::Chance)?);
        let queue = Arc::new(Queue::new(Arc::clone(&store), Arc::clone(&chance), Arc::clone(&settings)));
        telemetry.show_queue(&queue);
        Ok(Self {
            name: format!("{:08x}", chance.next_u64() >> 32),
            stop: shutdown.child_token(),
            workers: None,
            _ops_port: ops_port,
            config,
            settings,
            clock,
            chance,
            telemetry,
            store,
            queue,
            is_new,
            shutdown,
        })
    }

    /// The stock of a server, with the targets and series that its configuration declares.
    pub(super) async fn stock(&self) -> Result<Arc<Stock>, AppError> {
        let Self { store, chance, clock, settings, .. } = self;
        let stock = Stock::new(Arc::clone(store), Arc::clone(chance), Arc::clone(clock), Arc::clone(settings));
        let stock = Arc::new(stock);
        self.telemetry.show_stock(&stock);
        declare(&stock, &self.config).await?;
        Ok(stock)
    }

    /// Starts the export of spans, if the configuration names a collector, and the workers.
    pub(super) fn start_workers(&mut self) -> Result<(), AppError> {
        let Self { config, name, queue, clock, telemetry, stop, .. } = &*self;
        if let Some(traces) = Traces::start(&config.settings.process, name)? {
            telemetry.trace(traces);
        }
        let workers = NonZeroU32::new(config.settings.process.workers)
            .map(|count| Workers::start(count, name, queue, clock, telemetry, stop));
        self.workers = workers.transpose().map_err(AppError::Workers)?;
        Ok(())
    }

    /// The list of the parts behind the API, still empty.
    pub(super) fn behind(&self) -> Behind {
        Behind { stop: self.stop.clone(), parts: Vec::new() }
    }

    /// Adds the row of this process to the table of processes.
    pub(super) async fn appear(&self, role: Role) -> Presence {
        let row = ProcessRow {
            name: self.name.clone(),
            host: self.config.host.clone(),
            pid: std::process::id(),
            role,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            workers: self.config.settings.process.workers,
        };
        Presence::begin(Arc::clone(&self.store), row, Arc::clone(&self.telemetry)).await
    }

    /// Runs the API to its end, and then stops all other parts: those behind the API, the workers, which commit their work, the notices of
    /// the queue, the row of the process, the export of spans, and the database.
    ///
    /// # Errors
    /// [`AppError::Replaced`] if the database was replaced.
    pub(super) async fn run<T>(
        self,
        presence: Presence,
        behind: Behind,
        api: impl Future<Output = T>,
    ) -> Result<T, AppError> {
        let Self { settings, telemetry, store, queue, shutdown, stop, workers, .. } = self;
        // The queue listens until the last call has ended, because calls wait for notices of other processes.
        let answered = CancellationToken::new();
        let api = async {
            let ended = api.await;
            stop.cancel();
            answered.cancel();
            ended
        };
        let stopped = stopped(workers, &stop, &settings);
        let watched = replaced::watch(&*store, &stop, &shutdown);
        let all = async { tokio::join!(api, watched, stopped, queue.listen(&answered), join_all(behind.parts)) };
        let (ended, rescue, (), (), _) = presence.during(Box::pin(all)).await;
        if let Some(traces) = telemetry.traces() {
            traces.end().await;
        }
        let replaced = replaced::end(&*store, rescue).await;
        store.close().await;
        tracing::info!("stopped");
        replaced.map(|()| ended)
    }
}

/// The parts behind the API.
pub(super) struct Behind {
    stop: CancellationToken,
    parts: Vec<Pin<Box<dyn Future<Output = Option<()>> + Send>>>,
}

impl Behind {
    /// Adds a part, which begins with the API, and is dropped when the process stops. Dropping a store call halfway changes nothing.
    pub(super) fn add(&mut self, part: impl Future<Output = ()> + Send + 'static) {
        self.parts.push(Box::pin(self.stop.clone().run_until_cancelled_owned(part)));
    }
}

pub(super) async fn bind(address: SocketAddr) -> Result<TcpListener, AppError> {
    TcpListener::bind(address).await.map_err(|error| AppError::Listen(address, error))
}

async fn open(config: &Config, clock: &Arc<dyn Clock>) -> Result<Arc<dyn Store>, AppError> {
    let fault_points = Arc::clone(&config.fault_points);
    let opened: Result<Arc<dyn Store>, StoreError> = match &config.database {
        Database::Sqlite(path) => SqliteStore::open(SqliteSettings::of(path), Arc::clone(clock), fault_points)
            .await
            .map(|store| Arc::new(store) as _),
        Database::Postgres(url) => {
            let connections = config.settings.process.database_connections;
            let settings = PostgresSettings { connections, ..PostgresSettings::of(url.clone()) };
            PostgresStore::open(settings, StoreClock::Server, fault_points).await.map(|store| Arc::new(store) as _)
        }
    };
    opened.map_err(|error| AppError::Open(config.database.to_string(), error))
}

/// Waits until the workers have stopped, but at most the grace time after `stop` is cancelled. The leases of the
/// remaining workers then expire.
async fn stopped(workers: Option<Workers>, stop: &CancellationToken, settings: &CurrentSettings) {
    let Some(workers) = workers else { return };
    let late = async {
        stop.cancelled().await;
        let grace = settings.get().process.grace_seconds;
        tokio::time::sleep(grace).await;
        grace
    };
    tokio::select! {
        () = workers.stopped() => {}
        grace = late => tracing::warn!(?grace, "workers left after the grace time; their leases will expire"),
    }
}
