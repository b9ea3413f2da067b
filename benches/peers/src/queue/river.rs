//! The queue of the crate `riverqueue`, with its own drivers and defaults, and a worker that does nothing.

use std::{str::FromStr as _, sync::Arc, time::Duration};

use riverqueue::{
    Client, Job, JobArgs, QueueConfig, WorkContext, WorkOutcome, Workers,
    migrate::{PostgresMigrator, SqliteMigrator},
    sqlx::{
        self, PgPool, SqlitePool,
        sqlite::{SqliteConnectOptions, SqliteJournalMode},
    },
};
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

use super::{BATCH, CALLERS, Callers, Place, What, timed};

/// The time between two looks at the number of completed jobs.
const LOOK_EVERY: Duration = Duration::from_millis(5);

#[derive(Clone, Debug, Deserialize, JobArgs, Serialize)]
#[river(kind = "empty")]
struct Empty {
    number: usize,
}

async fn nothing(_: WorkContext, _: Job<Empty>) -> Result<WorkOutcome, std::io::Error> {
    Ok(WorkOutcome::Complete)
}

/// The pool of one of the databases.
#[derive(Debug, Clone)]
enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// Measures with this number of jobs.
pub(super) async fn run(place: Place, jobs: usize, what: What) -> Duration {
    let pool = opened(place).await;
    let at_once = if let What::Complete(workers) = what { workers } else { 1 };
    let mut workers = Workers::new();
    workers.add_fn(nothing).expect("a worker");
    let builder = match pool.clone() {
        Pool::Sqlite(pool) => Client::builder(pool),
        Pool::Postgres(pool) => Client::builder(pool),
    };
    let client = builder.workers(workers).queue("default", QueueConfig::new(at_once)).build().expect("a client");
    let ((), time) = timed(enqueue(&client, jobs, what.callers())).await;
    if !matches!(what, What::Complete(_)) {
        return time;
    }
    let (mut running, completed) = timed(async {
        let running = client.start().expect("a client that runs");
        while pool.completed().await < jobs {
            tokio::time::sleep(LOOK_EVERY).await;
        }
        running
    })
    .await;
    running.stop().await.expect("a client that stops");
    completed
}

async fn opened(place: Place) -> Pool {
    match place {
        Place::Sqlite(file) => {
            let options = SqliteConnectOptions::from_str(&format!("sqlite://{}", file.display())).expect("a path");
            let options = options.create_if_missing(true).journal_mode(SqliteJournalMode::Wal);
            let pool = SqlitePool::connect_with(options).await.expect("a database");
            SqliteMigrator::new(pool.clone()).migrate_up().await.expect("tables");
            Pool::Sqlite(pool)
        }
        Place::Postgres(url) => {
            let pool = PgPool::connect(&url).await.expect("a database");
            PostgresMigrator::new(pool.clone()).migrate_up().await.expect("tables");
            Pool::Postgres(pool)
        }
    }
}

impl Pool {
    /// The number of completed jobs.
    async fn completed(&self) -> usize {
        const COUNT: &str = "select count(*) from river_job where state = 'completed'";
        let count: i64 = match self {
            Self::Sqlite(pool) => sqlx::query_scalar(COUNT).fetch_one(pool).await.expect("an answer"),
            Self::Postgres(pool) => sqlx::query_scalar(COUNT).fetch_one(pool).await.expect("an answer"),
        };
        usize::try_from(count).expect("a number of jobs")
    }
}

async fn enqueue(client: &Client, jobs: usize, callers: Callers) {
    if callers == Callers::Batches {
        for from in (0..jobs).step_by(BATCH) {
            let batch = (from..jobs.min(from + BATCH)).map(|number| Empty { number });
            client.insert_many(batch).await.expect("an answer");
        }
        return;
    }
    let (client, tasks) = (Arc::new(client.clone()), if callers == Callers::One { 1 } else { CALLERS });
    let mut running = JoinSet::new();
    for task in 0..tasks {
        let client = Arc::clone(&client);
        running.spawn(async move {
            for number in (task..jobs).step_by(tasks) {
                client.insert(Empty { number }).await.expect("an answer");
            }
        });
    }
    running.join_all().await;
}
