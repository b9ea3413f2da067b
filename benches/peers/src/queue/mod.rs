//! Compares the queue with the crate `riverqueue`: `peers queue [JOBS]` enqueues, claims, and completes jobs with empty work on new databases,
//! of SQLite and of PostgreSQL, which sync each commit to disk. The two take turns in one run.

mod ours;
mod river;
#[path = "../../../../tests/support"]
#[expect(clippy::unwrap_used, reason = "shared with the tests, which may unwrap")]
mod support {
    pub(crate) mod binaries;
    pub(crate) mod cluster;
}

use std::{
    io,
    time::{Duration, Instant},
};

use support::{binaries::binaries, cluster::Cluster};

pub(crate) const USAGE: &str = "peers queue [JOBS]";

/// The number of jobs, unless the command states another.
const JOBS: usize = 10_000;

/// The number of callers that enqueue at the same time.
const CALLERS: usize = 64;

/// The number of jobs of a call that enqueues several.
const BATCH: usize = 100;

/// Where the jobs are.
#[derive(Debug, Clone)]
enum Place {
    /// A file.
    Sqlite(std::path::PathBuf),
    /// A database by its URL.
    Postgres(String),
}

/// How the jobs are enqueued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Callers {
    /// One caller, one job a call.
    One,
    /// [`CALLERS`] callers, one job a call.
    Many,
    /// One caller, [`BATCH`] jobs a call.
    Batches,
}

/// What a row of the table measures.
#[derive(Debug, Clone, Copy)]
enum What {
    Enqueue(Callers),
    /// Jobs that were enqueued before, with this number of workers.
    Complete(usize),
}

impl What {
    /// The rows by their names.
    const ALL: [(&str, Self); 5] = [
        ("enqueue, one caller", Self::Enqueue(Callers::One)),
        ("enqueue, 64 callers", Self::Enqueue(Callers::Many)),
        ("enqueue, 100 jobs a call", Self::Enqueue(Callers::Batches)),
        ("claim and complete, 10 workers", Self::Complete(10)),
        ("claim and complete, 100 workers", Self::Complete(100)),
    ];

    fn callers(self) -> Callers {
        if let Self::Enqueue(callers) = self { callers } else { Callers::Batches }
    }
}

pub(crate) fn run(arguments: &[String]) -> io::Result<()> {
    let jobs = match arguments {
        [] => JOBS,
        [jobs] => jobs.parse().map_err(|_| io::Error::other(format!("usage: {USAGE}")))?,
        _ => return Err(io::Error::other(format!("usage: {USAGE}"))),
    };
    tokio::runtime::Runtime::new()?.block_on(compare(jobs));
    Ok(())
}

async fn compare(jobs: usize) {
    let cluster = binaries().map(|_| Cluster::start(true));
    println!("| database | what | ours, jobs a second | riverqueue | ratio |");
    println!("|---|---|---|---|---|");
    for database in ["SQLite", "PostgreSQL"] {
        for (name, what) in What::ALL {
            let Some([here, there]) = places(database, cluster.as_ref()).await else { break };
            let ours = ours::run(here.place(), jobs, what).await;
            let theirs = river::run(there.place(), jobs, what).await;
            row(database, name, jobs, ours, theirs);
        }
    }
}

fn row(database: &str, what: &str, jobs: usize, ours: Duration, theirs: Duration) {
    #[expect(clippy::cast_precision_loss, reason = "a number of jobs is small")]
    let a_second = |time: Duration| jobs as f64 / time.as_secs_f64();
    let (ours, theirs) = (a_second(ours), a_second(theirs));
    println!("| {database} | {what} | {ours:.0} | {theirs:.0} | {:.2} |", ours / theirs);
}

/// A new database, which goes with its folder.
struct New {
    place: Place,
    _folder: tempfile::TempDir,
}

impl New {
    fn place(&self) -> Place {
        self.place.clone()
    }
}

/// Two new databases of a kind; `None` if this machine has no PostgreSQL.
async fn places(database: &str, cluster: Option<&Cluster>) -> Option<[New; 2]> {
    let mut made = Vec::new();
    for _ in 0..2 {
        let folder = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).expect("a folder on the disk");
        let place = if database == "SQLite" {
            Place::Sqlite(folder.path().join("jobs.db"))
        } else {
            Place::Postgres(created(cluster?).await)
        };
        made.push(New { place, _folder: folder });
    }
    made.try_into().ok()
}

/// The URL of a new database of a cluster.
async fn created(cluster: &Cluster) -> String {
    use riverqueue::sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};

    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let name = format!("queue_{}", COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
    let mut db = PgConnection::connect(&cluster.url("postgres")).await.expect("a server");
    db.execute(AssertSqlSafe(format!("create database {name}"))).await.expect("a new database");
    cluster.url(&name)
}

/// Measures a future.
async fn timed<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let from = Instant::now();
    let done = work.await;
    (done, from.elapsed())
}
