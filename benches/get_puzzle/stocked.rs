//! Runs a complete server in the process of the bench `get_puzzle`. Its workers fill the stock, and a job can keep them
//! busy. Also connects clients that call `GetPuzzle`.

use std::{path::PathBuf, thread::available_parallelism};

use puzzled::settings::Config;
use puzzled_api::v1::{
    CancelJobRequest, GenerateRequest, GetPuzzleRequest, JobState, Kind, Level, WatchJobRequest,
    job_service_client::JobServiceClient, puzzle_service_client::PuzzleServiceClient,
};
use puzzled_base::clock::SystemClock;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::transport::{Channel, Endpoint};

use super::load::Caller;

/// A running server with a full stock, and a connection to it.
#[derive(Debug)]
pub(crate) struct Stocked {
    channel: Channel,
    address: Endpoint,
    workers: u32,
    directory: TempDir,
}

impl Stocked {
    /// Starts a server whose own workers fill the stock.
    pub(crate) async fn start(puzzles: u32) -> Self {
        let directory = TempDir::new().expect("a directory");
        // The port is free now. If another program takes it before the server does, the bench fails.
        let listen = TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("an address");
        let workers = available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).expect("few cores"));
        let mut config = Config {
            database: format!("sqlite:{}/stock.db", directory.path().display()).parse().expect("a database"),
            ..Config::default()
        };
        config.settings.server.listen = listen;
        config.settings.process.workers = workers;
        tokio::spawn(puzzled::app::serve(
            config,
            SystemClock::shared(),
            CancellationToken::new(),
            puzzled::app::Reloads::none(),
        ));
        let address = Endpoint::from_shared(format!("http://{listen}")).expect("an address");
        let channel = connect(&address).await;
        let stocked = Self { channel, address, workers, directory };
        stocked.fill(puzzles).await;
        stocked
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.directory.path().join("stock.db")
    }

    pub(crate) fn workers(&self) -> u32 {
        self.workers
    }

    /// A client with a separate connection that draws puzzles of any level.
    pub(crate) async fn client(&self) -> Drawer {
        Drawer(PuzzleServiceClient::new(connect(&self.address).await))
    }

    /// Queues a job that the workers cannot finish during the bench, and returns its ID.
    pub(crate) async fn keep_workers_busy(&self) -> String {
        self.generate(100_000).await
    }

    pub(crate) async fn cancel(&self, job: &str) {
        let request = CancelJobRequest { id: job.to_owned() };
        JobServiceClient::new(self.channel.clone()).cancel_job(request).await.expect("a cancelled job");
    }

    async fn fill(&self, puzzles: u32) {
        let id = self.generate(puzzles).await;
        let mut jobs = JobServiceClient::new(self.channel.clone());
        let mut progress = jobs.watch_job(WatchJobRequest { id }).await.expect("a stream").into_inner();
        let mut state = JobState::Unspecified;
        while let Some(seen) = progress.message().await.expect("progress") {
            state = seen.job.expect("a job").state();
        }
        assert_eq!(state, JobState::Succeeded, "the stock could not be filled");
    }

    async fn generate(&self, count: u32) -> String {
        let request = GenerateRequest {
            kind: Kind::Sudoku.into(),
            level: Level::Unspecified.into(),
            count: Some(count),
            seed: Some(1),
            ..GenerateRequest::default()
        };
        let queued = PuzzleServiceClient::new(self.channel.clone()).generate(request).await.expect("a job");
        queued.into_inner().job.expect("a job").id
    }
}

/// Tries to connect until the server listens.
pub(crate) async fn connect(address: &Endpoint) -> Channel {
    for _ in 0..1_000 {
        if let Ok(channel) = address.connect().await {
            return channel;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("no server at {}", address.uri());
}

/// A client that draws puzzles.
#[derive(Debug, Clone)]
pub(crate) struct Drawer(PuzzleServiceClient<Channel>);

impl Caller for Drawer {
    async fn call(&mut self) {
        let request = GetPuzzleRequest { kind: Kind::Sudoku.into(), ..GetPuzzleRequest::default() };
        let drawn = self.0.get_puzzle(request).await.expect("a puzzle").into_inner();
        assert!(drawn.puzzle.is_some_and(|puzzle| puzzle.text.len() == 81));
    }
}
