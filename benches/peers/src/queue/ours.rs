//! The queue of the service. A job asks for one puzzle; its worker invents one instead of making it. So the completion of a job also stores a
//! puzzle, which must differ from all others.

use std::{sync::Arc, time::Duration};

use puzzled_base::{
    chance::Chance,
    clock::{Millis, SystemClock},
};
use puzzled_engine::{
    ENGINE_VERSION,
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
    bounds::Bounds,
    fault_points::NoFaults,
    jobs::{
        admission::{Batch, Enqueued},
        growth::Growth,
        job::{JobState, Labels, NewJob},
        queue::Queue,
        slice::{Guarded, MadeAt, Slice, SliceWork},
    },
    postgres::{PostgresSettings, PostgresStore, StoreClock},
    sqlite::{SqliteSettings, SqliteStore},
};
use tokio::task::JoinSet;

use super::{BATCH, CALLERS, Callers, Place, What, timed};

/// Measures with this number of jobs.
pub(super) async fn run(place: Place, jobs: usize, what: What) -> Duration {
    let store: Arc<dyn Store> = match place {
        Place::Sqlite(file) => {
            let settings = SqliteSettings::of(file);
            Arc::new(SqliteStore::open(settings, SystemClock::shared(), Arc::new(NoFaults)).await.expect("a database"))
        }
        Place::Postgres(url) => {
            let settings = PostgresSettings::of(url.parse().expect("a URL"));
            Arc::new(PostgresStore::open(settings, StoreClock::Server, Arc::new(NoFaults)).await.expect("a database"))
        }
    };
    let queue = Arc::new(Queue::new(Arc::clone(&store), Arc::new(Chance::from_seed(1)), Arc::new(bounds(jobs))));
    let ((), mut time) = timed(enqueue(&queue, jobs, what.callers())).await;
    if let What::Complete(workers) = what {
        let (done, completed) = timed(work(&queue, workers)).await;
        assert_eq!(done, jobs, "jobs are lost");
        time = completed;
    }
    store.close().await;
    time
}

fn bounds(jobs: usize) -> Bounds {
    Bounds {
        max_open_jobs: u32::try_from(jobs).unwrap_or(u32::MAX),
        max_count: 10_000,
        max_tries: 100_000,
        max_refills: 100,
        max_targets: 100,
        workers: 100,
        lease_ms: 60_000,
        max_attempts: 8,
        daily_ahead_days: 7,
        growth: Growth::default(),
    }
}

fn job() -> NewJob {
    let spec = Spec {
        kind: "sudoku".to_owned(),
        variant: "9x9".to_owned(),
        symmetry: Symmetry::None,
        difficulty: Difficulty::Any,
        givens: None,
        technique: None,
    };
    NewJob {
        spec,
        wanted: 1,
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
    }
}

async fn enqueue(queue: &Arc<Queue>, jobs: usize, callers: Callers) {
    if callers == Callers::Batches {
        for from in (0..jobs).step_by(BATCH) {
            let batch = vec![job(); BATCH.min(jobs - from)];
            assert!(matches!(queue.enqueue_batch(&batch).await.expect("an answer"), Batch::Queued(_)));
        }
        return;
    }
    let tasks = if callers == Callers::One { 1 } else { CALLERS };
    let mut running = JoinSet::new();
    for task in 0..tasks {
        let queue = Arc::clone(queue);
        running.spawn(async move {
            for _ in (task..jobs).step_by(tasks) {
                assert!(matches!(queue.enqueue(job()).await.expect("an answer"), Enqueued::New(_)));
            }
        });
    }
    running.join_all().await;
}

/// Claims and completes all jobs, and returns their number.
async fn work(queue: &Arc<Queue>, workers: usize) -> usize {
    let mut running = JoinSet::new();
    for worker in 0..workers {
        let queue = Arc::clone(queue);
        running.spawn(async move {
            let (mut done, name) = (0, format!("bench-{worker}"));
            while let Some(slice) = queue.claim(&name).await.expect("an answer") {
                let committed = queue.commit(slice.lease, invented(&slice)).await.expect("an answer");
                assert!(matches!(committed, Guarded::Done(job) if job.state == JobState::Succeeded));
                done += 1;
            }
            done
        });
    }
    running.join_all().await.into_iter().sum()
}

/// A puzzle that no other job has. The store does not read its text.
fn invented(slice: &Slice) -> SliceWork {
    let (rating, canonical) = (Tenths(12), format!("{:0>81}", slice.lease.job_id.0));
    let metrics =
        SudokuMetrics { er: rating, ep: rating, ed: rating, givens: 30, steps: 51, ..SudokuMetrics::default() };
    let made = Made {
        text: canonical.clone(),
        solution: canonical.clone(),
        solved: canonical.clone(),
        canonical,
        givens: 30,
        record: RatingRecord {
            rater: "puzzled-se",
            rater_version: 1,
            rating,
            technique: "Hidden Single",
            predicted_seconds: Some(120),
            techniques: vec![TechniqueCount { technique: "Hidden Single", rating, count: 51 }],
            metrics: Metrics::of("sudoku", &metrics),
            explanation: "Needs 51 singles.".to_owned(),
        },
    };
    let made = vec![MadeAt { index: slice.first_index, try_number: 0, made }];
    SliceWork {
        made,
        tally: Tally { tries: 1, ..Tally::default() },
        next_index: slice.end_index,
        next_try: 0,
        work_ms: 1,
    }
}
