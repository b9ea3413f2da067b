//! Runs `puzzled serve` and `puzzled work`: starts the parts of the process in order, declares the stock targets and daily
//! series of the configuration, and at a shutdown stops the parts in order.

mod access;
mod reload;
mod replaced;

use std::{net::SocketAddr, num::NonZeroU32, sync::Arc};

use opentelemetry_otlp::ExporterBuildError;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::{
    calls::Parts,
    door,
    door::ServeError,
    ops::OpsPort,
    settings::{Config, CurrentSettings, Database, Exposed},
    system::this_process,
    telemetry::{Telemetry, follow_shared_gauges, traces::Traces},
    tls::{TlsError, TlsWatch},
    work::{self, GrowthWatch, Presence, Workers},
};
use puzzled_base::{chance::Chance, clock::Clock};
use puzzled_store::{
    Rescue, Store, StoreError,
    access::actor::Actor,
    jobs::{
        process::{Process, Role},
        queue::Queue,
    },
    postgres::{PostgresSettings, PostgresStore, StoreClock},
    sqlite::{SqliteSettings, SqliteStore},
    stock::draws::Stock,
    targets::declaration::{Act, Clash, Declared},
};
use reload::Running;

pub use access::{UnusableAccess, read_access_file};
pub use reload::Reloads;

/// Why a server did not start, or ended early.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The address cannot be listened on.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, std::io::Error),
    /// Other machines could reach the address without an access file or TLS.
    #[error(transparent)]
    Exposed(#[from] Exposed),
    /// The access file cannot be read.
    #[error(transparent)]
    Access(#[from] UnusableAccess),
    /// The files of TLS cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The database cannot be opened.
    #[error("cannot open {0}: {1}")]
    Open(String, StoreError),
    /// The operating system has no random numbers to give.
    #[error("the operating system gave no random numbers: {0}; allow getrandom in the sandbox of the process")]
    Chance(rand::rngs::SysError),
    /// The operating system cannot start a thread for a worker.
    #[error("cannot start a worker: {0}")]
    Workers(std::io::Error),
    /// Spans cannot be sent to the collector.
    #[error("otlp_endpoint: {0}")]
    Traces(#[from] ExporterBuildError),
    /// The stock targets or the daily series of the configuration could not be written.
    #[error("the stock targets and daily series of the configuration could not be declared: {0}")]
    Declare(StoreError),
    /// The stock targets or the daily series of the configuration conflict with those of the database.
    #[error(transparent)]
    Clash(Clash),
    /// The database file was deleted or replaced while it was open.
    #[error("{}", rescue_in_words(.0))]
    Replaced(Rescue),
    /// The server could not be set up, or failed.
    #[error(transparent)]
    Serve(#[from] ServeError),
}

fn rescue_in_words(Rescue { path, saved }: &Rescue) -> String {
    let what = format!("{path}: the database was deleted or replaced while it was open");
    match saved {
        Ok(saved) => {
            let saved = saved.display();
            format!(
                "{what}; all that was stored is in {saved}; to go on with it, run `puzzled restore --database sqlite:{path} {saved}`"
            )
        }
        Err(error) => format!("{what}, and what it held could not be saved: {error}"),
    }
}

/// Serves until `shutdown` is cancelled, and applies each configuration of `reloads`, except settings that need a restart. At the
/// shutdown, workers commit their work, calls continue for the drain delay and then drain, and the database closes last.
///
/// # Errors
/// [`AppError`]. A shutdown is not an error.
pub async fn serve(
    config: Config,
    clock: Arc<dyn Clock>,
    shutdown: CancellationToken,
    reloads: Reloads,
) -> Result<(), AppError> {
    this_process::raise_file_limit();
    config.may_listen()?;
    let settings = Arc::new(CurrentSettings::new(config.settings.clone()));
    let (gate, followed) = access::begin(config.settings.access.access.as_deref(), &clock, &reloads.rereads).await?;
    let tls = TlsWatch::begin(&config.settings.tls, reloads.rereads, Arc::clone(&clock)).await?;
    // Bound first: a second server on the same address must not touch the first one's database.
    let listener = bind(config.settings.server.listen).await?;
    let telemetry = Telemetry::new(&*clock);
    let _ops_port = ops_port(config.settings.process.ops_listen, &telemetry).await?;
    let is_new = config.database.is_new();
    let store = open(&config, &clock).await?;
    let chance = Arc::new(Chance::from_system().map_err(AppError::Chance)?);
    let queue = Arc::new(Queue::new(Arc::clone(&store), Arc::clone(&chance), Arc::clone(&settings)));
    telemetry.show_queue(&queue);
    let stock = Stock::new(Arc::clone(&store), Arc::clone(&chance), Arc::clone(&clock), Arc::clone(&settings));
    let stock = Arc::new(stock);
    telemetry.show_stock(&stock);
    declare(&stock, &config).await?;
    let mut growth = GrowthWatch::of_a_server(Arc::clone(&queue));
    // The limits must apply before workers and callers start. If this check fails, the next one applies them.
    growth.look().await;
    // This token is separate, so that the workers also stop if the API fails.
    let (stop, ends) = (shutdown.child_token(), shutdown.clone());
    // The queue listens until the last call has ended, because calls wait for notices of other processes.
    let answered = CancellationToken::new();
    let process = name_of_process(&chance);
    start_traces(&telemetry, &config, &process)?;
    let workers = NonZeroU32::new(config.settings.process.workers)
        .map(|count| Workers::start(count, &process, &queue, &clock, &telemetry, &stop))
        .transpose()
        .map_err(AppError::Workers)?;
    let upkeep = work::keep_up(Arc::clone(&queue), Arc::clone(&settings), stop.clone());
    let planner = work::plan_refills(Arc::clone(&stock), Arc::clone(&queue), Arc::clone(&telemetry), stop.clone());
    let gauges = follow_shared_gauges(Arc::clone(&telemetry), Arc::clone(&stock), stop.clone());
    let presence =
        Presence::begin(Arc::clone(&store), this_process(&config, &process, Role::Serve), Arc::clone(&telemetry)).await;
    if let Ok(address) = listener.local_addr() {
        tracing::info!("{}", config.listens(address, is_new));
        tracing::debug!(process, "process name chosen");
    }
    this_process::ready();
    let running = Running { config, settings: Arc::clone(&settings), stock: Some(Arc::clone(&stock)) };
    let parts = Parts {
        queue: Arc::clone(&queue),
        stock,
        store: Arc::clone(&store),
        clock,
        chance,
        telemetry: Arc::clone(&telemetry),
        gate,
        tls: tls.as_ref().map(TlsWatch::tls),
    };
    let api = async {
        let ended = Box::pin(door::serve(parts, Arc::clone(&settings), listener, shutdown)).await;
        stop.cancel();
        answered.cancel();
        ended
    };
    let reloads = running.follow(reloads.configs, &stop);
    let tls = TlsWatch::run(tls, &stop);
    let access = stop.run_until_cancelled(followed);
    let growth = growth.run(stop.clone());
    let stopped = stopped(workers, &stop, &settings);
    let watched = replaced::watch(&*store, &stop, &ends);
    let behind = async { tokio::join!(planner, upkeep, growth, reloads, tls, access, gauges) };
    let all = async { tokio::join!(api, watched, stopped, queue.listen(&answered), behind) };
    let (ended, rescue, (), (), _) = presence.during(Box::pin(all)).await;
    end(&telemetry, &*store, rescue).await?;
    Ok(ended?)
}

/// Works on jobs, without an API, until `shutdown` is cancelled. Then workers commit their work, and the database
/// closes. Applies the configurations of `reloads` as [`serve`] does.
///
/// # Errors
/// [`AppError`]. A shutdown is not an error.
pub async fn work(
    config: Config,
    clock: Arc<dyn Clock>,
    shutdown: CancellationToken,
    reloads: Reloads,
) -> Result<(), AppError> {
    this_process::raise_file_limit();
    let settings = Arc::new(CurrentSettings::new(config.settings.clone()));
    let telemetry = Telemetry::new(&*clock);
    let _ops_port = ops_port(config.settings.process.ops_listen, &telemetry).await?;
    let is_new = config.database.is_new();
    let store = open(&config, &clock).await?;
    let chance = Arc::new(Chance::from_system().map_err(AppError::Chance)?);
    let process = name_of_process(&chance);
    start_traces(&telemetry, &config, &process)?;
    let queue = Arc::new(Queue::new(Arc::clone(&store), Arc::clone(&chance), Arc::clone(&settings)));
    telemetry.show_queue(&queue);
    let (stop, ends) = (shutdown.child_token(), shutdown.clone());
    let workers = NonZeroU32::new(config.settings.process.workers)
        .map(|count| Workers::start(count, &process, &queue, &clock, &telemetry, &stop))
        .transpose()
        .map_err(AppError::Workers)?;
    let presence =
        Presence::begin(Arc::clone(&store), this_process(&config, &process, Role::Work), Arc::clone(&telemetry)).await;
    tracing::info!("{}", config.works(is_new));
    tracing::debug!(process, "process name chosen");
    this_process::ready();
    let upkeep = work::keep_up(Arc::clone(&queue), Arc::clone(&settings), stop.clone());
    let running = Running { config, settings: Arc::clone(&settings), stock: None };
    let health = door::follow_database(Arc::clone(&telemetry), Arc::clone(&store), Arc::clone(&settings), shutdown);
    let reloads = running.follow(reloads.configs, &stop);
    let growth = GrowthWatch::of_workers(Arc::clone(&queue)).run(stop.clone());
    let stopped = stopped(workers, &stop, &settings);
    let watched = replaced::watch(&*store, &stop, &ends);
    let all = async { tokio::join!(watched, health, stopped, upkeep, growth, queue.listen(&stop), reloads) };
    let (rescue, (), (), (), (), (), ()) = presence.during(Box::pin(all)).await;
    end(&telemetry, &*store, rescue).await
}

/// Starts the export of spans, if the configuration names a collector.
fn start_traces(telemetry: &Telemetry, config: &Config, process: &str) -> Result<(), AppError> {
    if let Some(traces) = Traces::start(&config.settings.process, process)? {
        telemetry.trace(traces);
    }
    Ok(())
}

/// Exports the remaining spans, and closes the database.
///
/// # Errors
/// [`AppError::Replaced`] if the database was replaced.
async fn end(telemetry: &Telemetry, store: &dyn Store, rescue: Option<Rescue>) -> Result<(), AppError> {
    if let Some(traces) = telemetry.traces() {
        traces.end().await;
    }
    let ended = replaced::end(store, rescue).await;
    store.close().await;
    tracing::info!("stopped");
    ended
}

/// Declares the daily series and the stock targets of the configuration, and logs each one that changes.
async fn declare(stock: &Stock, config: &Config) -> Result<(), AppError> {
    declare_series(stock, config).await?;
    declare_targets(stock, config).await?.iter().for_each(|declared| log_target(declared, config));
    Ok(())
}

async fn declare_targets(stock: &Stock, config: &Config) -> Result<Vec<Declared>, AppError> {
    let (store, by) = (stock.store(), Actor::configuration(&config.host));
    let declared = store.declare_targets(&config.declaration, config.settings.limits.max_targets, &by).await;
    declared.map_err(AppError::Declare)?.map_err(AppError::Clash)
}

fn log_target(Declared { act, of: target }: &Declared, config: &Config) {
    let (stock_target, spec, configuration) = (target.id, target.wish.spec.words(), config.declaration.name());
    match act {
        Act::Added => tracing::info!(%stock_target, spec, configuration, "stock target added"),
        Act::Changed => tracing::info!(%stock_target, spec, configuration, "stock target changed"),
        Act::Declared => tracing::info!(%stock_target, spec, configuration, "stock target declared"),
        Act::Removed => tracing::info!(%stock_target, spec, configuration, "stock target removed"),
        Act::Kept => {
            tracing::info!(%stock_target, spec, configuration, "stock target kept until older processes have stopped");
        }
    }
}

async fn declare_series(stock: &Stock, config: &Config) -> Result<(), AppError> {
    let by = Actor::configuration(&config.host);
    let declared = stock.store().declare_series(&config.series, &by).await.map_err(AppError::Declare)?;
    for Declared { act, of } in declared.map_err(AppError::Clash)? {
        let (series, configuration) = (of.name, config.series.name());
        match act {
            Act::Added => tracing::info!(series, configuration, "daily series added"),
            Act::Changed | Act::Kept => tracing::info!(series, configuration, "daily series changed"),
            Act::Declared => tracing::info!(series, configuration, "daily series declared"),
            Act::Removed => tracing::info!(series, configuration, "daily series ended"),
        }
    }
    Ok(())
}

/// The name is random, because process IDs and addresses can repeat across the machines that share a database.
fn name_of_process(chance: &Chance) -> String {
    format!("{:08x}", chance.next_u64() >> 32)
}

/// The row of this process in the table of processes.
fn this_process(config: &Config, name: &str, role: Role) -> Process {
    Process {
        name: name.to_owned(),
        host: config.host.clone(),
        pid: std::process::id(),
        role,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        workers: config.settings.process.workers,
    }
}

/// Opens the ops port, if there is an address for it. The port opens before the database, and closes after all other parts
/// have stopped.
async fn ops_port(at: Option<SocketAddr>, telemetry: &Arc<Telemetry>) -> Result<Option<OpsPort>, AppError> {
    let Some(at) = at else { return Ok(None) };
    Ok(Some(OpsPort::open(bind(at).await?, Arc::clone(telemetry))))
}

async fn bind(address: SocketAddr) -> Result<TcpListener, AppError> {
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
