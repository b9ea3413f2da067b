//! Runs `puzzled serve` and `puzzled work`: starts the parts of the process in order, and at a shutdown stops them in the reverse order.
//!
//! | part, in the order of the start | stops |
//! |---|---|
//! | access file, TLS files, listener | with the API; the files are followed until the shutdown |
//! | ops port | last |
//! | database, queue, stock, declared targets and series | after all parts that use it |
//! | growth of the stock, spans, workers | at the shutdown: workers commit their work |
//! | pruning, reloads, planner, shared metrics | at the shutdown |
//! | row of the process | after the API and the workers |
//! | API | at the shutdown, after the drain delay |

mod access;
mod declare;
mod process;
mod reload;
mod replaced;

use std::{net::SocketAddr, sync::Arc};

use opentelemetry_otlp::ExporterBuildError;
use tokio_util::sync::CancellationToken;

use crate::{
    calls::Parts,
    door::{self, ServeError},
    settings::{Config, Exposed},
    system::this_process,
    telemetry::follow_shared_gauges,
    tls::TlsWatch,
    work::{self, GrowthWatch},
};
use process::{Process, bind};
use puzzled_base::{clock::Clock, tls::TlsError};
use puzzled_store::{Rescue, StoreError, jobs::process::Role, targets::declaration::Clash};

pub use access::{UnusableAccess, read_access_file};
pub use reload::Reloads;

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
    let (gate, access) = access::begin(config.settings.access.access.as_deref(), &clock, &reloads.rereads).await?;
    let tls = TlsWatch::begin(&config.settings.tls, reloads.rereads, Arc::clone(&clock)).await?;
    // Bound first: a second server on the same address must not touch the first one's database.
    let listener = bind(config.settings.server.listen).await?;
    let mut process = Process::start(config, clock, shutdown).await?;
    let stock = process.stock().await?;
    let mut growth = GrowthWatch::of_a_server(Arc::clone(&process.queue));
    // The limits must apply before workers and callers start. If this check fails, the next one applies them.
    growth.look().await;
    process.start_workers()?;
    let parts = Parts {
        queue: Arc::clone(&process.queue),
        stock: Arc::clone(&stock),
        store: Arc::clone(&process.store),
        clock: Arc::clone(&process.clock),
        chance: Arc::clone(&process.chance),
        telemetry: Arc::clone(&process.telemetry),
        gate,
        tls: tls.as_ref().map(TlsWatch::tls),
    };
    let mut behind = process.behind();
    behind.add(work::keep_up(Arc::clone(&process.queue), Arc::clone(&process.settings)));
    behind.add(growth.run());
    behind.add(work::plan_refills(Arc::clone(&stock), Arc::clone(&process.queue), Arc::clone(&process.telemetry)));
    behind.add(follow_shared_gauges(Arc::clone(&process.telemetry), Arc::clone(&stock)));
    behind.add(reload::follow(process.config.clone(), Arc::clone(&process.settings), Some(stock), reloads.configs));
    behind.add(TlsWatch::run(tls));
    behind.add(access);
    let presence = process.appear(Role::Serve).await;
    if let Ok(address) = listener.local_addr() {
        tracing::info!("{}", process.config.listens(address, process.is_new));
        tracing::debug!(process = process.name, "process name chosen");
    }
    this_process::ready();
    let api = door::serve(parts, Arc::clone(&process.settings), listener, process.shutdown.clone());
    Ok(process.run(presence, behind, Box::pin(api)).await??)
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
    let mut process = Process::start(config, clock, shutdown).await?;
    process.start_workers()?;
    let mut behind = process.behind();
    behind.add(work::keep_up(Arc::clone(&process.queue), Arc::clone(&process.settings)));
    behind.add(GrowthWatch::of_workers(Arc::clone(&process.queue)).run());
    behind.add(reload::follow(process.config.clone(), Arc::clone(&process.settings), None, reloads.configs));
    let presence = process.appear(Role::Work).await;
    tracing::info!("{}", process.config.works(process.is_new));
    tracing::debug!(process = process.name, "process name chosen");
    this_process::ready();
    let (telemetry, store) = (Arc::clone(&process.telemetry), Arc::clone(&process.store));
    let (settings, shutdown) = (Arc::clone(&process.settings), process.shutdown.clone());
    process.run(presence, behind, door::follow_database(None, telemetry, store, settings, shutdown)).await
}

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
