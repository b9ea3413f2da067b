//! A server under test, its clients, and helpers that put puzzles into its stock.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use puzzled::{
    access::Gate,
    calls::Parts,
    door,
    door::ServeError,
    settings::{CurrentSettings, Settings},
    telemetry::Telemetry,
};
use puzzled_api::v1::{
    self as pb, job_service_client::JobServiceClient, puzzle_service_client::PuzzleServiceClient,
    series_service_client::SeriesServiceClient, server_service_client::ServerServiceClient,
    stock_service_client::StockServiceClient,
};
use puzzled_base::{
    chance::Chance,
    clock::{Clock, ManualClock, SystemClock},
};
use puzzled_engine::{
    ENGINE_VERSION, registry,
    shared::{
        level::Tenths,
        metrics::Metrics,
        record::{RatingRecord, TechniqueCount},
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        tries::{Made, Tally},
    },
    sudoku::metrics::SudokuMetrics,
};
use puzzled_store::{
    Store,
    access::actor::Actor,
    fault_points::NoFaults,
    jobs::{
        admission::Enqueued,
        job::{Job, Labels, NewJob},
        queue::Queue,
        slice::{Guarded, MadeAt, Slice, SliceWork},
    },
    stock::draws::Stock,
};
use tokio::{net::TcpListener, task::JoinHandle, time::timeout};
use tokio_util::sync::CancellationToken;
use tonic::transport::{Channel, Endpoint};
use tonic_health::pb::health_client::HealthClient;

use crate::{databases::home::Home, on_postgres, store::GatedStore};

/// A puzzle with one solution, rated 1.2 by hidden singles in boxes.
pub(crate) const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Its solution.
pub(crate) const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// The longest wait for an end. Only a hanging server reaches it.
const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) store: Arc<GatedStore>,
    pub(crate) queue: Arc<Queue>,
    pub(crate) stock: Arc<Stock>,
    pub(crate) shutdown: CancellationToken,
    pub(crate) settings: Arc<CurrentSettings>,
    served: JoinHandle<Result<(), ServeError>>,
    options: Options,
    pub(crate) home: Home,
}

/// How a server under test differs from the usual one.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) settings: Settings,
    /// The machine's clock where there is none.
    pub(crate) clock: Option<Arc<ManualClock>>,
}

impl Options {
    /// Forecasts assume one worker on every machine, and the limit per address does not follow from that on all connections.
    fn usual() -> Self {
        let mut settings = Settings { health_every: Duration::from_millis(5), ..Settings::default() };
        settings.process.workers = 1;
        settings.connections.max_connections_per_address = Some(512);
        Self { settings, clock: None }
    }
}

impl Server {
    pub(crate) async fn start() -> Self {
        Self::with(|_| {}).await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut Options)) -> Self {
        let mut options = Options::usual();
        change(&mut options);
        Self::on(on_postgres::home(), options).await
    }

    /// Starts one on a PostgreSQL server, wherever the others are.
    pub(crate) async fn on_postgres() -> Self {
        Self::on(Home::on_server(), Options::usual()).await
    }

    async fn on(home: Home, options: Options) -> Self {
        let set = options.clock.clone().map(|clock| clock as Arc<dyn Clock>);
        let clock = set.clone().unwrap_or_else(SystemClock::shared);
        let settings = Arc::new(CurrentSettings::new(options.settings.clone()));
        let chance = Arc::new(Chance::from_seed(1));
        let store = GatedStore::new(home.open(set, Arc::new(NoFaults)).await);
        let shared: Arc<dyn Store> = Arc::clone(&store) as _;
        let queue = Arc::new(Queue::new(Arc::clone(&shared), Arc::clone(&chance), Arc::clone(&settings)));
        let stock = Stock::new(Arc::clone(&shared), Arc::clone(&chance), Arc::clone(&clock), Arc::clone(&settings));
        let stock = Arc::new(stock);
        let telemetry = Telemetry::new(&*clock);
        let gate = Gate::open(Arc::clone(&clock));
        let parts = Parts {
            queue: Arc::clone(&queue),
            stock: Arc::clone(&stock),
            store: shared,
            clock,
            chance,
            telemetry,
            gate,
            tls: None,
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shutdown = CancellationToken::new();
        let served = tokio::spawn(door::serve(parts, Arc::clone(&settings), listener, shutdown.clone()));
        Self { address, store, queue, stock, shutdown, settings, served, options, home }
    }

    /// Stops it, and starts another one on its database.
    pub(crate) async fn restart(self) -> Self {
        self.shutdown.cancel();
        self.served.await.unwrap().unwrap();
        Self::on(self.home, self.options).await
    }

    /// Waits for its end after a shutdown.
    pub(crate) async fn ended(self) -> Result<(), ServeError> {
        timeout(PATIENCE, self.served).await.expect("it does not end").unwrap()
    }

    /// A client's end, whose window is so small that a stream cannot end unless it is read.
    pub(crate) fn endpoint(&self) -> Endpoint {
        Endpoint::from_shared(format!("http://{}", self.address)).unwrap().initial_stream_window_size(65_535)
    }

    pub(crate) async fn channel(&self) -> Channel {
        self.endpoint().connect().await.unwrap()
    }

    pub(crate) async fn puzzles(&self) -> PuzzleServiceClient<Channel> {
        PuzzleServiceClient::new(self.channel().await)
    }

    pub(crate) async fn jobs(&self) -> JobServiceClient<Channel> {
        JobServiceClient::new(self.channel().await)
    }

    pub(crate) async fn stock(&self) -> StockServiceClient<Channel> {
        StockServiceClient::new(self.channel().await)
    }

    pub(crate) async fn series(&self) -> SeriesServiceClient<Channel> {
        SeriesServiceClient::new(self.channel().await)
    }

    /// Creates the series `daily` of all puzzles of a kind's default variant.
    pub(crate) async fn create_daily(&self, kind: pb::Kind) -> pb::DailySeries {
        let name = "daily".to_owned();
        let request = pb::CreateDailySeriesRequest { name, kind: kind.into(), ..Default::default() };
        self.series().await.create_daily_series(request).await.unwrap().into_inner().series.unwrap()
    }

    pub(crate) async fn info(&self) -> ServerServiceClient<Channel> {
        ServerServiceClient::new(self.channel().await)
    }

    pub(crate) async fn health(&self) -> HealthClient<Channel> {
        HealthClient::new(self.channel().await)
    }

    /// Puts `count` puzzles of one rating and symmetry into the stock, by a separate job.
    pub(crate) async fn fill(&self, symmetry: Symmetry, rating: u8, count: u32) -> Job {
        self.queue_job(symmetry, count).await;
        self.work(rating, u32::MAX).await.unwrap()
    }

    /// Queues a job.
    pub(crate) async fn queue_job(&self, symmetry: Symmetry, wanted: u32) -> Job {
        self.queue_target(symmetry, Difficulty::Any, wanted).await
    }

    /// Queues a job of some ratings, whether or not they are generated.
    pub(crate) async fn queue_target(&self, symmetry: Symmetry, difficulty: Difficulty, wanted: u32) -> Job {
        self.queue_spec(Spec { symmetry, difficulty, ..any("sudoku", "9x9") }, wanted).await
    }

    async fn queue_spec(&self, spec: Spec, wanted: u32) -> Job {
        let job = NewJob {
            spec,
            wanted,
            seed: 7,
            priority: 0,
            tries_max: 10,
            not_before_at: puzzled_base::clock::Millis(0),
            labels: Labels::new(),
            work_ms_max: None,
            needed_version: ENGINE_VERSION,
            request: None,
            shortfall: None,
            by: None,
            holder: None,
        };
        match self.queue.enqueue(job).await.unwrap() {
            Enqueued::New(job) => job,
            other => panic!("not queued: {other:?}"),
        }
    }

    /// Stores a puzzle of a kind, a variant, and metrics that may be those of a newer version.
    pub(crate) async fn store_newer(&self, kind: &str, variant: &str, metrics: Metrics) {
        self.queue_spec(any(kind, variant), 1).await;
        self.store_one(|made| made.record.metrics = metrics).await;
    }

    /// Stores a puzzle with its forms, as a worker would.
    pub(crate) async fn store_text(&self, kind: &str, variant: &str, [text, solution]: [&str; 2]) {
        let of = registry::kind(kind).unwrap();
        self.queue_spec(any(kind, variant), 1).await;
        self.store_one(|made| {
            made.canonical = of.canonical(variant, text).unwrap();
            made.solved = of.solved(variant, text, solution).unwrap();
            made.givens = of.pattern(variant, text).unwrap().givens;
            (made.text, made.solution) = (text.to_owned(), solution.to_owned());
        })
        .await;
    }

    /// Commits a slice with one puzzle.
    async fn store_one(&self, change: impl FnOnce(&mut Made)) {
        let slice = self.queue.claim("tester").await.unwrap().unwrap();
        let mut made = made(&slice, 0, 26);
        change(&mut made);
        let made = vec![MadeAt { index: 0, try_number: 0, made }];
        let tally = Tally { tries: 1, ..Tally::default() };
        let work = SliceWork { made, tally, next_index: 1, ..SliceWork::default() };
        assert!(matches!(self.queue.commit(slice.lease, work).await.unwrap(), Guarded::Done(_)));
    }

    /// Works through the queue as a worker would, at most `slices` slices, and returns the last job worked on.
    pub(crate) async fn work(&self, rating: u8, slices: u32) -> Option<Job> {
        work(&self.queue, rating, slices).await
    }

    /// The queue of another process on the same store: this server gets no notice of its changes.
    pub(crate) fn other_process(&self) -> Queue {
        let store: Arc<dyn Store> = Arc::clone(&self.store) as _;
        let settings = Arc::new(CurrentSettings::new(self.options.settings.clone()));
        Queue::new(store, Arc::new(Chance::from_seed(2)), settings)
    }
}

/// Works through the queue as a worker would.
pub(crate) async fn work(queue: &Queue, rating: u8, slices: u32) -> Option<Job> {
    let mut last = None;
    for _ in 0..slices {
        let Some(slice) = queue.claim("tester").await.unwrap() else { break };
        last = Some(store_slice(queue, slice, rating).await);
    }
    last
}

async fn store_slice(queue: &Queue, slice: Slice, rating: u8) -> Job {
    let made = (slice.first_index..slice.end_index).map(|index| MadeAt {
        index,
        try_number: 0,
        made: made(&slice, index, rating),
    });
    let made: Vec<_> = made.collect();
    let tally = Tally { tries: made.len() as u64, ..Tally::default() };
    let work = SliceWork { made, tally, next_index: slice.end_index, next_try: 0, work_ms: 1 };
    match queue.commit(slice.lease, work).await.unwrap() {
        Guarded::Done(job) => job,
        Guarded::LeaseLost => panic!("lease lost"),
    }
}

/// [`PUZZLE`] under another name: no two are alike to the store. It has the wanted technique, and 30 givens if those are wanted,
/// otherwise the smallest wanted number.
fn made(slice: &Slice, index: u32, rating: u8) -> Made {
    let job = slice.lease.job_id.0;
    let givens = slice.spec.givens.filter(|wanted| !wanted.contains(30)).map_or(30, |wanted| wanted.min);
    let technique = slice.spec.technique.as_deref().map_or("Hidden Single", technique);
    let metrics = SudokuMetrics {
        er: Tenths(rating),
        ep: Tenths(12),
        ed: Tenths(12),
        givens: givens.into(),
        freedom: 171,
        branching_factor: 3.35,
        backtracks: 4,
        steps: 51,
        ..SudokuMetrics::default()
    };
    Made {
        text: PUZZLE.to_owned(),
        solution: SOLUTION.to_owned(),
        canonical: format!("{job}-{index}"),
        solved: format!("{job}-{index}"),
        givens,
        record: RatingRecord {
            rater: "puzzled-se",
            rater_version: 1,
            rating: Tenths(rating),
            technique,
            techniques: vec![TechniqueCount { technique: "Hidden Single", rating: Tenths(12), count: 51 }],
            predicted_seconds: Some(120),
            metrics: Metrics::of("sudoku", &metrics),
            explanation: "hidden singles in boxes".to_owned(),
        },
    }
}

/// A technique of Sudoku.
fn technique(name: &str) -> &'static str {
    let variant = registry::kind("sudoku").unwrap().variant("9x9").unwrap();
    variant.technique(name).unwrap().name
}

/// All puzzles without symmetry of a kind and a variant.
pub(crate) fn any(kind: &str, variant: &str) -> Spec {
    let (kind, variant) = (kind.to_owned(), variant.to_owned());
    Spec { kind, variant, symmetry: Symmetry::None, difficulty: Difficulty::Any, givens: None, technique: None }
}

/// Who makes a change without a call.
pub(crate) fn someone() -> Actor {
    Actor::command("tester", "localhost", "test")
}
