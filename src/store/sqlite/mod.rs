//! The store on SQLite: one connection writes, others read without ever waiting for it.

mod audit;
mod cards;
mod claim;
mod commit;
mod copy;
mod deliver;
mod deliveries;
mod enqueue;
mod jobs;
mod leases;
mod places;
mod prune;
mod queue;
mod rates;
mod ratings;
mod refill;
mod same;
pub mod schema;
mod shelve;
mod stock;
mod targets;
mod withdraw;

use std::{path::PathBuf, sync::Arc, time::Duration};

use async_trait::async_trait;
use places::Places;
use serde::Serialize;
use sqlx::{
    Connection as _, Row as _, Sqlite, SqliteConnection, Transaction,
    pool::PoolConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow, SqliteSynchronous},
};
use tokio::sync::{Mutex, MutexGuard};

use super::{
    Claim, Claimed, Store, StoreError,
    columns::Columns,
    delivery::{Delivered, Delivery, DeliveryId, NewDelivery},
    error::{must_cover, must_touch},
    job::{Batch, Enqueued, FailedAttempt, Guarded, Job, JobFilter, JobId, Lease, NewJob, SliceWork},
    moved,
    notice::Ear,
    probe::Probe,
    puzzle::{Place, Puzzle, PuzzleId, Shelf, ShelfFilter},
    queue::{Prune, Pruned, QueueState},
    rating::{NewRating, Rater, Rating},
    rows,
    target::{Rate, Refill, Refilled, StockTarget, Stop, TargetId, TargetSet, Wish},
};
use crate::clock::{Clock, Millis};

/// Where the database is and how it is opened.
#[derive(Debug, Clone)]
pub struct SqliteSettings {
    /// The file; it is made if it is not there. Two more stand beside it while it is open, `-wal` and `-shm`.
    pub path: PathBuf,
    /// Connections that read, beside the one that is kept for draws.
    pub readers: u32,
    /// How long a write waits while another process holds the write lock.
    pub busy_timeout: Duration,
}

impl SqliteSettings {
    /// The usual settings for a file: four readers, ten seconds of patience.
    #[must_use]
    pub fn of(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), readers: 4, busy_timeout: Duration::from_secs(10) }
    }

    /// How a connection that writes is opened.
    fn options(&self) -> SqliteConnectOptions {
        SqliteConnectOptions::new()
            .filename(&self.path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A commit is on the disk when it returns: no acknowledged job or puzzle is lost with the power.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(self.busy_timeout)
            // In KiB, for each connection: SQLite's own 2 MiB are read from the file again and again, and with more than what
            // leads to a million puzzles, pages come from the file into memory that no cache of the processor holds any more.
            // The file is not mapped (`mmap_size`): SQLite takes the mapping down after each commit of another connection, and
            // its pages' faults then cost more than reads do; a page that the disk does not give would be a SIGBUS instead of
            // an error.
            .pragma("cache_size", "-12288")
    }
}

/// Connections that are never closed for idleness: opening one again would cost a call its time.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        // Each is tested when it comes back; there is no network in between on which it could be lost.
        .test_before_acquire(false)
        // A full disk ends a transaction inside SQLite, behind the driver's back, which then begins none on this connection
        // any more.
        .before_acquire(|connection, _| Box::pin(async { Ok(!connection.is_in_transaction()) }))
}

/// The store on an SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    /// SQLite has one writer; waiting for it here is fair, waiting inside SQLite is not.
    writer: Mutex<SqlitePool>,
    readers: SqlitePool,
    /// The reader of draws, once there was one. It is kept: to take it from the pool and give it back costs as much as the read.
    draws: Mutex<Option<PoolConnection<Sqlite>>>,
    places: Places,
    clock: Arc<dyn Clock>,
    probe: Arc<dyn Probe>,
}

impl SqliteStore {
    /// Opens the file and runs the migrations that it lacks.
    ///
    /// # Errors
    /// As for [`schema::migrate`], and [`StoreError::Moved`] if the file is an end of a copy.
    pub async fn open(
        settings: SqliteSettings,
        clock: Arc<dyn Clock>,
        probe: Arc<dyn Probe>,
    ) -> Result<Self, StoreError> {
        schema::migrate(&settings).await?;
        let options = settings.options();
        let writer = pool(1).connect_with(options.clone()).await?;
        moved::refuse(moved::side_of_sqlite(&mut *writer.acquire().await?).await?)?;
        // One more, which the draws keep: they leave as many to the others as were asked for.
        let readers = pool(settings.readers + 1).connect_with(options.read_only(true)).await?;
        Ok(Self {
            writer: Mutex::new(writer),
            readers,
            draws: Mutex::default(),
            places: Places::default(),
            clock,
            probe,
        })
    }

    /// Begins a write. The lock is taken at once: a transaction that began by reading could not be let write later.
    async fn write(&self, point: &'static str) -> Result<Write<'_>, StoreError> {
        let pool = self.writer.lock().await;
        self.probe.at(point).await?;
        let transaction = pool.begin_with("begin immediate").await?;
        Ok(Write { transaction, places: &self.places, probe: &*self.probe, now: self.clock.now(), _turn: pool })
    }
}

/// A write under way. Dropped without [`Write::commit`], nothing of it happens.
struct Write<'a> {
    transaction: Transaction<'static, Sqlite>,
    places: &'a Places,
    probe: &'a dyn Probe,
    /// The time of all that this write does.
    now: Millis,
    /// Declared last, so that the transaction has ended before the next writer gets its turn.
    _turn: MutexGuard<'a, SqlitePool>,
}

impl Write<'_> {
    /// The connection, for the statement that stands behind `point`.
    async fn at(&mut self, point: &'static str) -> Result<&mut SqliteConnection, StoreError> {
        self.probe.at(point).await?;
        Ok(&mut self.transaction)
    }

    /// Makes it durable.
    async fn commit(self, before: &'static str, after: &'static str) -> Result<(), StoreError> {
        self.probe.at(before).await?;
        self.transaction.commit().await?;
        self.probe.at(after).await
    }
}

/// Many values as one parameter: SQLite has no arrays, and one statement stays prepared. Arrays of arrays are best unfolded
/// by `jsonb_each`: `json_each` has each inner one read again for every value that is taken from it.
fn json(values: &impl Serialize) -> Result<String, sqlx::Error> {
    serde_json::to_string(values).map_err(|error| sqlx::Error::Encode(error.into()))
}

impl Columns for SqliteRow {
    fn integer(&self, column: &'static str) -> Result<Option<i64>, sqlx::Error> {
        self.try_get(column)
    }

    fn text(&self, column: &'static str) -> Result<Option<&str>, sqlx::Error> {
        self.try_get(column)
    }

    fn bytes(&self, column: &'static str) -> Result<Option<&[u8]>, sqlx::Error> {
        self.try_get(column)
    }

    fn flag(&self, column: &'static str) -> Result<Option<bool>, sqlx::Error> {
        self.try_get(column)
    }

    fn json(&self, column: &'static str) -> Result<Option<&str>, sqlx::Error> {
        // SQLite has no type for it.
        self.text(column)
    }
}

#[async_trait]
impl Store for SqliteStore {
    /// Nothing of the file is left in the `-wal` beside it then.
    async fn close(&self) {
        // The readers first: the last connection to go cleans up, and has to be one that may write.
        self.draws.lock().await.take();
        self.readers.close().await;
        self.writer.lock().await.close().await;
    }

    async fn listen(&self) -> Result<Option<Box<dyn Ear>>, StoreError> {
        // A file tells nobody that it has changed.
        Ok(None)
    }

    async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("select 1 from jobs limit 1").execute(&self.readers).await?;
        Ok(())
    }

    async fn now(&self) -> Result<Millis, StoreError> {
        Ok(self.clock.now())
    }

    async fn enqueue_all(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Vec<Enqueued>, StoreError> {
        self.enqueue_jobs(jobs, open_jobs_max).await
    }

    async fn enqueue_batch(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Batch, StoreError> {
        self.enqueue_whole_batch(jobs, open_jobs_max).await
    }

    async fn job(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        self.read_job(id).await
    }

    async fn jobs(&self, filter: &JobFilter, before: Option<JobId>, limit: u32) -> Result<Vec<Job>, StoreError> {
        self.read_jobs(filter, before, limit).await
    }

    async fn cancel(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        self.cancel_job(id).await
    }

    async fn retry(&self, id: JobId, tries_more: u32) -> Result<Option<Job>, StoreError> {
        self.retry_job(id, tries_more).await
    }

    async fn claim(&self, claim: Claim<'_>) -> Result<Claimed, StoreError> {
        self.claim_slice(claim).await
    }

    async fn renew(&self, leases: &[Lease], lease_ms: i64) -> Result<Vec<Lease>, StoreError> {
        self.renew_leases(leases, lease_ms).await
    }

    async fn commit(&self, lease: Lease, work: SliceWork) -> Result<Guarded<Job>, StoreError> {
        self.commit_slice(lease, work).await
    }

    async fn fail_attempt(&self, lease: Lease, failed: FailedAttempt) -> Result<Guarded<Job>, StoreError> {
        self.fail_slice(lease, failed).await
    }

    async fn give_back(&self, lease: Lease) -> Result<Guarded<()>, StoreError> {
        self.give_slice_back(lease).await
    }

    async fn next_due(&self) -> Result<Option<Millis>, StoreError> {
        self.read_next_due().await
    }

    async fn queue_state(&self) -> Result<QueueState, StoreError> {
        self.read_queue_state().await
    }

    async fn set_pause(&self, pause: Option<&str>) -> Result<(), StoreError> {
        self.pause_or_resume(pause).await
    }

    async fn prune(&self, prune: Prune) -> Result<Pruned, StoreError> {
        self.prune_old(prune).await
    }

    async fn shelves(&self) -> Result<Vec<Shelf>, StoreError> {
        self.read_shelves().await
    }

    async fn puzzles_at(&self, places: &[Place]) -> Result<Vec<Option<Puzzle>>, StoreError> {
        self.read_puzzles_at(places).await
    }

    async fn puzzle(&self, id: PuzzleId) -> Result<Option<Puzzle>, StoreError> {
        self.read_puzzle(id).await
    }

    async fn puzzles(
        &self,
        filter: &ShelfFilter,
        after: Option<PuzzleId>,
        limit: u32,
    ) -> Result<Vec<Puzzle>, StoreError> {
        self.read_puzzles(filter, after, limit).await
    }

    async fn unrated(&self, by: &Rater, after: Option<PuzzleId>, limit: u32) -> Result<Vec<Puzzle>, StoreError> {
        self.read_unrated(by, after, limit).await
    }

    async fn add_ratings(&self, ratings: &[NewRating]) -> Result<u64, StoreError> {
        self.insert_ratings(ratings).await
    }

    async fn ratings(&self, ids: &[PuzzleId]) -> Result<Vec<Rating>, StoreError> {
        self.read_ratings(ids).await
    }

    async fn set_target(&self, wish: Wish, targets_max: u32) -> Result<TargetSet, StoreError> {
        self.upsert_target(wish, targets_max).await
    }

    async fn targets(&self) -> Result<Vec<StockTarget>, StoreError> {
        self.read_targets().await
    }

    async fn delete_target(&self, id: TargetId) -> Result<Option<StockTarget>, StoreError> {
        self.remove_target(id).await
    }

    async fn declare_targets(&self, wishes: &[Wish]) -> Result<(), StoreError> {
        self.take_over_declared(wishes).await
    }

    async fn refill(&self, refill: Refill) -> Result<Refilled, StoreError> {
        self.queue_refill(refill).await
    }

    async fn stop_refill(&self, id: JobId, stop: Stop) -> Result<Option<Job>, StoreError> {
        self.stop_open_refill(id, stop).await
    }

    async fn refills(&self) -> Result<Vec<Job>, StoreError> {
        self.read_refills().await
    }

    async fn rates(&self, specs: &[String]) -> Result<Vec<Rate>, StoreError> {
        self.read_rates(specs).await
    }

    async fn deliver(&self, wanted: &[NewDelivery]) -> Result<Vec<Delivered>, StoreError> {
        self.deliver_puzzles(wanted).await
    }

    async fn deliveries(
        &self,
        audience: &str,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        self.read_deliveries(audience, before, limit).await
    }

    async fn forget_audience(&self, audience: &str) -> Result<u64, StoreError> {
        self.forget(audience).await
    }

    async fn withdraw(&self, id: PuzzleId, reason: &str) -> Result<Option<Puzzle>, StoreError> {
        self.withdraw_puzzle(id, reason).await
    }
}
