//! The rows of the database, read by SQL and not through the store, so that checks do not depend on what they check.

use std::{collections::BTreeSet, sync::Arc};

use puzzled_base::{clock::Clock, ids::JobId};
use puzzled_store::{
    access::audit_entry::{AuditEntry, AuditFilter},
    check_store::CheckStore,
    fault_points::NoFaults,
    jobs::job::{Job, JobFilter},
    stock::puzzle::Shelf,
    targets::target::StockTarget,
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
    pub(crate) id: i64,
    pub(crate) shelf_id: i64,
    /// `None` for a held puzzle.
    pub(crate) position: Option<i64>,
    pub(crate) job_id: i64,
    pub(crate) job_index: u32,
    pub(crate) job_try: u32,
    pub(crate) canonical: String,
    pub(crate) repeat_hash: Vec<u8>,
    pub(crate) is_live: bool,
    /// Whether a person withdrew it.
    pub(crate) is_barred: bool,
    /// Whether a day has taken it from its shelf, and so a series holds it.
    pub(crate) is_of_series: bool,
}

/// The columns of a [`PuzzleRow`], in the order of its fields.
type PuzzleTuple = (i64, i64, Option<i64>, i64, i64, i64, String, Vec<u8>, bool, bool, bool);

/// A row of `rates`.
#[derive(Debug, Clone)]
pub(crate) struct RateRow {
    pub(crate) spec: String,
    pub(crate) tries: i64,
    pub(crate) hits: i64,
    pub(crate) work_ms: i64,
}

/// All rows at one moment.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) jobs: Vec<Job>,
    pub(crate) slices: Vec<SliceRow>,
    pub(crate) puzzles: Vec<PuzzleRow>,
    /// The puzzles that were deleted since the start of the simulation, as they were last.
    pub(crate) forgotten: Vec<PuzzleRow>,
    pub(crate) shelves: Vec<Shelf>,
    pub(crate) rates: Vec<RateRow>,
    pub(crate) targets: Vec<StockTarget>,
    /// The bound on puzzles, and whether the stock is full.
    pub(crate) growth: (Option<u64>, bool),
    pub(crate) is_paused: bool,
    /// The audit trail, newest entry first.
    pub(crate) audit: Vec<AuditEntry>,
}

/// Connections of the checks, into which the simulation injects no faults.
#[derive(Debug)]
pub(crate) struct Eyes {
    db: Connection,
    pub(crate) store: Arc<dyn CheckStore>,
}

#[derive(Debug)]
enum Connection {
    File(SqliteConnection),
    Server(PgConnection),
}

/// Reads the rows of a statement that both databases understand, as tuples.
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
        let store = home.open(Some(clock), Arc::new(NoFaults)).await;
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
        let puzzles: Vec<PuzzleTuple> = rows!(
            &mut self.db,
            "select id, shelf_id, position, job_id, job_index, job_try, canonical, repeat_hash, withdrawn_at is null,
                    barred, coalesce(holder, '') like 'series %'
             from puzzles order by id"
        );
        let puzzles = puzzles.into_iter().map(|row| PuzzleRow {
            id: row.0,
            shelf_id: row.1,
            position: row.2,
            job_id: row.3,
            job_index: small(row.4),
            job_try: small(row.5),
            canonical: row.6,
            repeat_hash: row.7,
            is_live: row.8,
            is_barred: row.9,
            is_of_series: row.10,
        });
        let rates: Vec<(String, i64, i64, i64)> =
            rows!(&mut self.db, "select spec, tries, hits, work_ms from rates order by spec");
        let rates = rates.into_iter().map(|(spec, tries, hits, work_ms)| RateRow { spec, tries, hits, work_ms });
        let store = &self.store;
        let mut jobs = store.jobs(&JobFilter::default(), None, u32::MAX).await.unwrap();
        jobs.reverse();
        let shelves = store.shelves().await.unwrap();
        let targets = store.targets().await.unwrap();
        let growth: Vec<(Option<i64>, Option<i64>)> =
            rows!(&mut self.db, "select puzzles_max, puzzles_full_at from queue");
        let (max, full_at) = growth[0];
        let growth = (max.map(|max| u64::try_from(max).unwrap()), full_at.is_some());
        let (slices, puzzles, rates) = (slices.collect(), puzzles.collect(), rates.collect());
        let is_paused = store.stops().await.unwrap().pause.is_some();
        let audit = store.audit_entries(&AuditFilter::default(), None, u32::MAX).await.unwrap();
        State { jobs, slices, puzzles, forgotten: Vec::new(), shelves, rates, targets, growth, is_paused, audit }
    }
}

impl State {
    pub(crate) fn slices_of(&self, id: JobId) -> impl Iterator<Item = &SliceRow> {
        self.slices.iter().filter(move |slice| slice.job_id == id.0)
    }

    /// Adds the puzzles that were deleted before, and the puzzles of the state before that this one lacks.
    pub(crate) fn remember(&mut self, before: &Self) {
        let here: BTreeSet<_> = self.puzzles.iter().map(|puzzle| puzzle.id).collect();
        let gone = before.puzzles.iter().filter(|puzzle| !here.contains(&puzzle.id));
        self.forgotten = before.forgotten.iter().chain(gone).cloned().collect();
    }

    /// The puzzles that a job made for its indices, including puzzles that a person withdrew or deleted.
    pub(crate) fn puzzles_of(&self, id: JobId) -> impl Iterator<Item = &PuzzleRow> {
        let kept = self.puzzles.iter().filter(|puzzle| puzzle.is_live || puzzle.is_barred);
        kept.chain(&self.forgotten).filter(move |puzzle| puzzle.job_id == id.0)
    }

    /// Whether a person withdrew or deleted a puzzle of a job.
    pub(crate) fn lost_some(&self, id: JobId) -> bool {
        self.puzzles_of(id).any(|puzzle| puzzle.is_barred) || self.forgotten.iter().any(|gone| gone.job_id == id.0)
    }
}
