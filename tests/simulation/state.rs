//! All that stands in the file, read past the store.

use std::{path::Path, sync::Arc};

use puzzled::{
    clock::Clock,
    store::{
        Store,
        job::{Job, JobFilter, JobId},
        probe::Pass,
        puzzle::Shelf,
        sqlite::{SqliteSettings, SqliteStore},
        target::Wish,
    },
};
use sqlx::{ConnectOptions as _, FromRow, SqliteConnection, sqlite::SqliteConnectOptions};

/// A row of `slices`.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct SliceRow {
    pub(crate) job_id: i64,
    pub(crate) first_index: u32,
    pub(crate) end_index: u32,
    pub(crate) first_try: u32,
    pub(crate) failed_attempts: u32,
}

/// A row of `puzzles`.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct PuzzleRow {
    pub(crate) id: i64,
    pub(crate) shelf_id: i64,
    pub(crate) position: i64,
    pub(crate) job_id: i64,
    pub(crate) job_index: u32,
    pub(crate) job_try: u32,
    pub(crate) canonical: String,
    pub(crate) is_live: bool,
    pub(crate) is_extra: bool,
}

/// A row of `rates`.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct RateRow {
    pub(crate) spec: String,
    pub(crate) tries: i64,
    pub(crate) hits: i64,
    pub(crate) work_ms: i64,
}

/// Everything at one moment.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) jobs: Vec<Job>,
    pub(crate) slices: Vec<SliceRow>,
    pub(crate) puzzles: Vec<PuzzleRow>,
    pub(crate) shelves: Vec<Shelf>,
    pub(crate) rates: Vec<RateRow>,
}

/// Connections of their own, which meet no faults.
#[derive(Debug)]
pub(crate) struct Eyes {
    db: SqliteConnection,
    pub(crate) store: SqliteStore,
}

impl Eyes {
    pub(crate) async fn open(path: &Path, clock: Arc<dyn Clock>) -> Self {
        let settings = SqliteSettings { readers: 1, ..SqliteSettings::of(path) };
        let store = SqliteStore::open(settings, clock, Arc::new(Pass)).await.unwrap();
        Self { db: SqliteConnectOptions::new().filename(path).read_only(true).connect().await.unwrap(), store }
    }

    /// Sets a target, without meeting faults.
    pub(crate) async fn set_target(&self, wish: Wish) {
        self.store.set_target(wish, u32::MAX).await.unwrap();
    }

    pub(crate) async fn look(&mut self) -> State {
        let slices = sqlx::query_as("select * from slices").fetch_all(&mut self.db).await.unwrap();
        let puzzles = sqlx::query_as("select *, withdrawn_at is null as is_live from puzzles order by id")
            .fetch_all(&mut self.db)
            .await
            .unwrap();
        let rates = sqlx::query_as("select * from rates").fetch_all(&mut self.db).await.unwrap();
        let store = &self.store;
        let mut jobs = store.jobs(&JobFilter::default(), None, u32::MAX).await.unwrap();
        jobs.reverse();
        State { jobs, slices, puzzles, shelves: store.shelves().await.unwrap(), rates }
    }
}

impl State {
    pub(crate) fn slices_of(&self, id: JobId) -> impl Iterator<Item = &SliceRow> {
        self.slices.iter().filter(move |slice| slice.job_id == id.0)
    }

    /// A job's puzzles in circulation that are as it wanted.
    pub(crate) fn puzzles_of(&self, id: JobId) -> impl Iterator<Item = &PuzzleRow> {
        self.live_of(id).filter(|puzzle| !puzzle.is_extra)
    }

    /// A job's extra puzzles in circulation.
    pub(crate) fn extras_of(&self, id: JobId) -> impl Iterator<Item = &PuzzleRow> {
        self.live_of(id).filter(|puzzle| puzzle.is_extra)
    }

    fn live_of(&self, id: JobId) -> impl Iterator<Item = &PuzzleRow> {
        self.puzzles.iter().filter(move |puzzle| puzzle.is_live && puzzle.job_id == id.0)
    }
}
