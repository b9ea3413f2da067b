//! All that stands in the database, read past the store.

use std::sync::Arc;

use puzzled::{
    clock::Clock,
    store::{
        Store,
        job::{Job, JobFilter, JobId},
        probe::Pass,
        puzzle::Shelf,
    },
};
use sqlx::{ConnectOptions as _, PgConnection, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::databases::home::Home;

/// A row of `slices`.
#[derive(Debug, Clone)]
pub(crate) struct SliceRow {
    pub(crate) job_id: i64,
    pub(crate) first_index: u32,
    pub(crate) end_index: u32,
    pub(crate) first_try: u32,
    pub(crate) failed_attempts: u32,
}

/// A row of `puzzles`.
#[derive(Debug, Clone)]
pub(crate) struct PuzzleRow {
    pub(crate) shelf_id: i64,
    pub(crate) position: i64,
    pub(crate) job_id: i64,
    pub(crate) job_index: u32,
    pub(crate) job_try: u32,
    pub(crate) canonical: String,
    pub(crate) is_live: bool,
}

/// Everything at one moment.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) jobs: Vec<Job>,
    pub(crate) slices: Vec<SliceRow>,
    pub(crate) puzzles: Vec<PuzzleRow>,
    pub(crate) shelves: Vec<Shelf>,
}

/// Connections of their own, which meet no faults.
#[derive(Debug)]
pub(crate) struct Eyes {
    db: Connection,
    store: Arc<dyn Store>,
}

#[derive(Debug)]
enum Connection {
    File(SqliteConnection),
    Server(PgConnection),
}

/// The rows of a statement that both databases understand, as tuples.
macro_rules! rows {
    ($db:expr, $statement:literal) => {
        match $db {
            Connection::File(db) => sqlx::query_as($statement).fetch_all(db).await.unwrap(),
            Connection::Server(db) => sqlx::query_as($statement).fetch_all(db).await.unwrap(),
        }
    };
}

impl Eyes {
    pub(crate) async fn open(home: &Home, clock: Arc<dyn Clock>) -> Self {
        let store = home.open(Some(clock), Arc::new(Pass)).await;
        let db = match home {
            Home::File(directory) => {
                let file = SqliteConnectOptions::new().filename(Home::sqlite(directory).path).read_only(true);
                Connection::File(file.connect().await.unwrap())
            }
            Home::Server(database) => Connection::Server(database.settings().url.options().connect().await.unwrap()),
        };
        Self { db, store }
    }

    pub(crate) async fn look(&mut self) -> State {
        let small = |number: i64| u32::try_from(number).unwrap();
        let slices: Vec<(i64, i64, i64, i64, i64)> = rows!(
            &mut self.db,
            "select job_id, first_index, end_index, first_try, failed_attempts from slices order by id"
        );
        let slices = slices.into_iter().map(|(job_id, first_index, end_index, first_try, failed_attempts)| SliceRow {
            job_id,
            first_index: small(first_index),
            end_index: small(end_index),
            first_try: small(first_try),
            failed_attempts: small(failed_attempts),
        });
        let puzzles: Vec<(i64, i64, i64, i64, i64, String, bool)> = rows!(
            &mut self.db,
            "select shelf_id, position, job_id, job_index, job_try, canonical, withdrawn_at is null
             from puzzles order by id"
        );
        let puzzles =
            puzzles.into_iter().map(|(shelf_id, position, job_id, job_index, job_try, canonical, is_live)| {
                let (job_index, job_try) = (small(job_index), small(job_try));
                PuzzleRow { shelf_id, position, job_id, job_index, job_try, canonical, is_live }
            });
        let mut jobs = self.store.jobs(&JobFilter::default(), None, u32::MAX).await.unwrap();
        jobs.reverse();
        let shelves = self.store.shelves().await.unwrap();
        State { jobs, slices: slices.collect(), puzzles: puzzles.collect(), shelves }
    }
}

impl State {
    pub(crate) fn slices_of(&self, id: JobId) -> impl Iterator<Item = &SliceRow> {
        self.slices.iter().filter(move |slice| slice.job_id == id.0)
    }

    /// A job's puzzles in circulation.
    pub(crate) fn puzzles_of(&self, id: JobId) -> impl Iterator<Item = &PuzzleRow> {
        self.puzzles.iter().filter(move |puzzle| puzzle.is_live && puzzle.job_id == id.0)
    }
}
