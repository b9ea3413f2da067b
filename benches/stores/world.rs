//! Creates the SQLite and PostgreSQL databases of the bench `stores`, and the jobs, claims, and invented puzzles for
//! them.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use puzzled_base::clock::{Millis, SystemClock};
use puzzled_engine::{
    ENGINE_VERSION,
    shared::{
        givens::Givens,
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
    Claim, Store,
    fault_points::NoFaults,
    jobs::{
        job::{ClaimOrder, Labels, NewJob},
        policy::SliceSize,
        slice::{MadeAt, Slice, SliceWork},
    },
    postgres::{PostgresSettings, PostgresStore, StoreClock},
    sqlite::{SqliteSettings, SqliteStore},
};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _};
use tempfile::TempDir;

use crate::support::cluster::Cluster;

/// The kind of database: SQLite or PostgreSQL.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Make<'a> {
    Sqlite,
    Postgres(&'a Cluster),
}

impl Make<'_> {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres(_) => "PostgreSQL",
        }
    }
}

/// A new database.
pub(crate) struct World {
    pub(crate) store: Arc<dyn Store>,
    /// The URL of the PostgreSQL database; `None` for SQLite.
    pub(crate) url: Option<String>,
    _directory: TempDir,
}

impl World {
    /// Creates a database of this kind. On PostgreSQL, the pool has `connections` connections.
    pub(crate) async fn new(make: Make<'_>, connections: u32) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let directory = TempDir::new().expect("a directory");
        let (store, url): (Arc<dyn Store>, _) = match make {
            Make::Sqlite => {
                let file = SqliteSettings::of(directory.path().join("stock.db"));
                (
                    Arc::new(
                        SqliteStore::open(file, SystemClock::shared(), Arc::new(NoFaults)).await.expect("a store"),
                    ),
                    None,
                )
            }
            Make::Postgres(cluster) => {
                let name = format!("bench_{}", COUNT.fetch_add(1, Ordering::Relaxed));
                let url = |database| cluster.url(database);
                let mut db = options(&url("postgres")).connect().await.expect("a server");
                db.execute(AssertSqlSafe(format!("create database {name}"))).await.expect("a new database");
                let settings =
                    PostgresSettings { connections, ..PostgresSettings::of(url(&name).parse().expect("a URL")) };
                let store =
                    PostgresStore::open(settings, StoreClock::Server, Arc::new(NoFaults)).await.expect("a store");
                (Arc::new(store), Some(url(&name)))
            }
        };
        Self { store, url, _directory: directory }
    }

    pub(crate) async fn queue(&self, wanted: u32) {
        self.queue_with(wanted, None).await;
    }

    /// Queues a job for `wanted` puzzles with this number of givens. Each number of givens has separate shelves.
    pub(crate) async fn queue_with(&self, wanted: u32, givens: Option<u16>) {
        let spec = Spec {
            kind: "sudoku".to_owned(),
            variant: "9x9".to_owned(),
            symmetry: Symmetry::None,
            difficulty: Difficulty::Any,
            givens: givens.map(|givens| Givens::new(givens, givens)),
            technique: None,
        };
        let job = NewJob {
            spec,
            wanted,
            seed: 7,
            priority: 0,
            tries_max: u32::MAX,
            work_ms_max: None,
            not_before_at: Millis(0),
            labels: Labels::new(),
            needed_version: ENGINE_VERSION,
            request: None,
            shortfall: None,
            by: None,
            holder: None,
        };
        self.store.enqueue(job, 1_000).await.expect("a queued job");
    }
}

pub(crate) fn options(url: &str) -> sqlx::postgres::PgConnectOptions {
    url.parse().expect("a URL")
}

pub(crate) fn claim(token: i64, indices: u32) -> Claim {
    let size = SliceSize { first: indices, work_ms: i64::MAX, max: indices };
    Claim { worker: "bench".into(), order: ClaimOrder::Priority, token, lease_ms: 600_000, attempts_max: 8, size }
}

/// A puzzle for each index of a slice, spread over `shelves` shelves. The store sees distinct puzzles.
pub(crate) fn puzzles(slice: &Slice, shelves: u8) -> SliceWork {
    let made: Vec<_> = (slice.first_index..slice.end_index)
        .map(|index| {
            let rating = Tenths(10 + u8::try_from(index % u32::from(shelves)).expect("few shelves"));
            let givens = slice.spec.givens.map_or(30, |givens| givens.min);
            MadeAt { index, try_number: 0, made: puzzle(&format!("{}-{index}", slice.lease.job_id), rating, givens) }
        })
        .collect();
    let tally = Tally { tries: made.len() as u64, ..Tally::default() };
    SliceWork { made, tally, next_index: slice.end_index, next_try: 0, work_ms: 1_000 }
}

fn puzzle(canonical: &str, rating: Tenths, givens: u16) -> Made {
    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let metrics =
        SudokuMetrics { er: rating, ep: rating, ed: rating, givens: 30, steps: 51, ..SudokuMetrics::default() };
    Made {
        text: PUZZLE.to_owned(),
        solution: SOLUTION.to_owned(),
        canonical: format!("{canonical:0>81}"),
        solved: format!("{canonical:0>81}"),
        givens,
        record: RatingRecord {
            rater: "puzzled-se",
            rater_version: 1,
            rating,
            technique: "Hidden Single",
            predicted_seconds: Some(120),
            techniques: vec![TechniqueCount { technique: "Hidden Single", rating: Tenths(12), count: 51 }],
            metrics: Metrics::of("sudoku", &metrics),
            explanation: "Needs Pointing (2.6) once, besides Direct Hidden Pair twice and 55 singles.".to_owned(),
        },
    }
}
