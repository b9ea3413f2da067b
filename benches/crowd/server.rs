//! Runs a complete server in the process of the bench `crowd`, with some puzzles in stock or without. Measures how long
//! its shutdown takes.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use puzzled::{
    app::{self, AppError},
    settings::Config,
};
use puzzled_api::v1::{
    GenerateRequest, JobState, Kind, WatchJobRequest, job_service_client::JobServiceClient,
    puzzle_service_client::PuzzleServiceClient,
};
use puzzled_base::clock::SystemClock;
use tempfile::TempDir;
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;
use tonic::transport::{Channel, Endpoint};

/// Puzzles in stock.
const PUZZLES: u32 = 200;

/// The maximum number of attempts to connect before the bench gives up.
const DIALS_MAX: u32 = 1_000;

/// A server on a free port with its own database.
#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    shutdown: CancellationToken,
    ended: JoinHandle<Result<(), AppError>>,
    _directory: TempDir,
}

impl Server {
    /// Starts a server whose own workers fill the stock.
    pub(crate) async fn start() -> Self {
        let server = Self::started(1).await;
        server.fill().await;
        server
    }

    /// Starts a server without workers or stock.
    pub(crate) async fn start_empty() -> Self {
        Self::started(0).await
    }

    async fn started(workers: u32) -> Self {
        let directory = TempDir::new().expect("a directory");
        // The port is free now. If another program takes it before the server does, the bench fails.
        let listen = TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("an address");
        let mut config = Config {
            database: format!("sqlite:{}/stock.db", directory.path().display()).parse().expect("a database"),
            ..Config::default()
        };
        config.settings.server.listen = listen;
        config.settings.process.workers = workers;
        let shutdown = CancellationToken::new();
        let ended = tokio::spawn(app::serve(config, SystemClock::shared(), shutdown.clone(), app::Reloads::none()));
        let server = Self { address: listen, shutdown, ended, _directory: directory };
        server.channel(None).await;
        server
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// A connection from the default address, or from another loopback address to simulate another machine.
    pub(crate) async fn channel(&self, from: Option<[u8; 4]>) -> Channel {
        let endpoint = Endpoint::from_shared(format!("http://{}", self.address)).expect("an address");
        let endpoint = endpoint.local_address(from.map(Into::into));
        for _ in 0..DIALS_MAX {
            if let Ok(channel) = endpoint.connect().await {
                return channel;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("no server at {}", self.address);
    }

    /// Stops the server, and returns how long that took.
    #[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
    pub(crate) async fn stop(self) -> Duration {
        let begun = Instant::now();
        self.shutdown.cancel();
        self.ended.await.expect("no panic").expect("an end in order");
        begun.elapsed()
    }

    async fn fill(&self) {
        let channel = self.channel(None).await;
        let request = GenerateRequest {
            kind: Kind::Sudoku.into(),
            count: Some(PUZZLES),
            seed: Some(1),
            ..GenerateRequest::default()
        };
        let queued = PuzzleServiceClient::new(channel.clone()).generate(request).await.expect("a job");
        let id = queued.into_inner().job.expect("a job").id;
        let watched = JobServiceClient::new(channel).watch_job(WatchJobRequest { id }).await.expect("a stream");
        let (mut progress, mut state) = (watched.into_inner(), JobState::Unspecified);
        while let Some(seen) = progress.message().await.expect("progress") {
            state = seen.job.expect("a job").state();
        }
        assert_eq!(state, JobState::Succeeded, "the stock could not be filled");
    }
}
