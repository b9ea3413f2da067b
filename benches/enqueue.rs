//! Measures how many jobs per second the queue stores durably in SQLite: for one caller, and for 64 concurrent callers,
//! whose jobs share commits. In both cases, the same jobs go to a new database on disk. `cargo bench --bench enqueue`.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use puzzled::settings::CurrentSettings;
use puzzled_base::{
    chance::Chance,
    clock::{Millis, SystemClock},
};
use puzzled_engine::{
    ENGINE_VERSION,
    shared::{
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
    },
};
use puzzled_store::{
    Store as _,
    access::{actor::Actor, principal::Principal},
    fault_points::NoFaults,
    jobs::{
        admission::Enqueued,
        job::{Labels, NamedRequest, NewJob},
        queue::Queue,
    },
    sqlite::{SqliteSettings, SqliteStore},
};
use tokio::task::JoinSet;

/// Number of concurrent callers.
const CALLERS: u32 = 64;

/// Jobs of each caller in a round. The jobs of all callers together stay below the default limit of open jobs.
const JOBS_EACH: u32 = 15;

/// Rounds of each measurement. The two measurements alternate, so that other load on the machine affects both.
const ROUNDS: u32 = 8;

/// The wanted ratio of concurrent to sequential enqueues per second.
const WANTED: f64 = 20.0;

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let (mut alone, mut together) = (Duration::ZERO, Duration::ZERO);
        for _ in 0..ROUNDS {
            alone += timed(1, CALLERS * JOBS_EACH).await;
            together += timed(CALLERS, JOBS_EACH).await;
        }
        let jobs = f64::from(ROUNDS * CALLERS * JOBS_EACH);
        println!("one caller:  {:>8.0} durable enqueues a second", jobs / alone.as_secs_f64());
        println!("64 callers:  {:>8.0} durable enqueues a second", jobs / together.as_secs_f64());
        println!("ratio:       {:>8.1} (wanted: {WANTED})", alone.as_secs_f64() / together.as_secs_f64());
    });
}

/// The time in which `callers` callers queue `jobs_each` jobs each, in a new database.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures the machine's time")]
async fn timed(callers: u32, jobs_each: u32) -> Duration {
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder for the database");
    let file = SqliteSettings::of(directory.path().join("puzzled.db"));
    let store = Arc::new(SqliteStore::open(file, SystemClock::shared(), Arc::new(NoFaults)).await.expect("a database"));
    let queue = Arc::new(Queue::new(store.clone(), Arc::new(Chance::from_seed(1)), Arc::<CurrentSettings>::default()));
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for caller in 0..callers {
        tasks.spawn(queue_some(Arc::clone(&queue), caller, jobs_each));
    }
    tasks.join_all().await;
    let time = start.elapsed();
    store.close().await;
    time
}

async fn queue_some(queue: Arc<Queue>, caller: u32, jobs: u32) {
    for number in 0..jobs {
        let queued = queue.enqueue(job(format!("{caller} {number}"))).await.expect("an answer");
        assert!(matches!(queued, Enqueued::New(_)), "{queued:?}");
    }
}

/// The caller of the jobs, so that each has its entry in the audit trail.
fn actor() -> Actor {
    Actor::of_call(&Principal::anonymous(), "192.0.2.1:7".to_owned(), "Generate", "2f1d".into())
}

fn job(request_id: String) -> NewJob {
    NewJob {
        spec: Spec {
            kind: "sudoku".to_owned(),
            variant: "9x9".to_owned(),
            symmetry: Symmetry::None,
            difficulty: Difficulty::Any,
            givens: None,
            technique: None,
        },
        wanted: 1,
        seed: 7,
        priority: 0,
        tries_max: 10,
        work_ms_max: None,
        not_before_at: Millis(0),
        labels: Labels::new(),
        needed_version: ENGINE_VERSION,
        request: Some(NamedRequest { request_id, fields: [("kind".to_owned(), "KIND_SUDOKU".to_owned())].into() }),
        shortfall: None,
        by: Some(Arc::new(actor())),
        holder: None,
    }
}
