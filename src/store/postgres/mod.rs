//! The store on PostgreSQL: any number of processes share it, each with a few connections.

/// The server's clock as a statement asks for it, in milliseconds since 1970.
macro_rules! clock {
    () => {
        "(extract(epoch from clock_timestamp()) * 1000)::bigint"
    };
}

mod alike;
mod audit;
mod claim;
mod commit;
mod connection;
mod deliver;
mod deliveries;
mod ear;
mod enqueue;
mod gather;
mod insert;
mod jobs;
mod leases;
mod locks;
mod prune;
mod queue;
mod rates;
mod ratings;
mod refill;
mod same;
pub mod schema;
mod settings;
mod shelve;
mod stock;
mod targets;
mod withdraw;

use std::sync::Arc;

use async_trait::async_trait;
use sqlx::{
    PgConnection, PgPool, Row as _, TypeInfo as _, ValueRef as _,
    postgres::PgRow,
    types::{Json, JsonRawValue},
};

pub use settings::{PostgresSettings, PostgresUrl};

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
use claim::Asked;
use commit::Commit;
use connection::{Borrowed, Connections};
use gather::Gather;

/// The store on a PostgreSQL database.
#[derive(Debug)]
pub struct PostgresStore {
    connections: Connections,
    claims: Gather<Asked, Claimed>,
    commits: Gather<Commit, Guarded<Job>>,
    settings: PostgresSettings,
    clock: StoreClock,
    probe: Arc<dyn Probe>,
}

/// The one clock by which all processes compare times.
#[derive(Debug, Clone)]
pub enum StoreClock {
    /// The server's, which is the same for all of them.
    Server,
    /// A test's.
    Injected(Arc<dyn Clock>),
}

impl PostgresStore {
    /// Connects and runs the migrations that the database lacks.
    ///
    /// # Errors
    /// As for [`schema::migrate`], and [`StoreError::Moved`] if the database is an end of a copy.
    pub async fn open(
        settings: PostgresSettings,
        clock: StoreClock,
        probe: Arc<dyn Probe>,
    ) -> Result<Self, StoreError> {
        schema::migrate(&settings).await?;
        let pool = settings.pool().connect_with(settings.options()).await?;
        moved::refuse(moved::side_of_postgres(&mut *pool.acquire().await?).await?)?;
        Ok(Self::on(pool, settings, clock, probe))
    }

    fn on(pool: PgPool, settings: PostgresSettings, clock: StoreClock, probe: Arc<dyn Probe>) -> Self {
        let connections = Connections::new(pool, settings.connections, settings.patience * 2);
        // Half of the connections are left to those who read and queue.
        let turns = (settings.connections / 4).max(1);
        Self { connections, claims: Gather::new(turns), commits: Gather::new(turns), settings, clock, probe }
    }

    /// Begins a write.
    async fn write(&self, point: &'static str) -> Result<Write<'_>, StoreError> {
        self.probe.at(point).await?;
        let (connection, server_ms) = self.connections.begin().await?;
        let now = match &self.clock {
            StoreClock::Server => Millis(server_ms),
            StoreClock::Injected(clock) => clock.now(),
        };
        Ok(Write { connection, probe: &*self.probe, now })
    }

    /// The time that a test has set; none where the server tells it.
    fn injected_now(&self) -> Option<i64> {
        match &self.clock {
            StoreClock::Server => None,
            StoreClock::Injected(clock) => Some(clock.now().0),
        }
    }
}

/// A write under way, in the isolation "read committed": each statement sees what was committed before it began, and a
/// row that has to stay as it was read is locked. Dropped without [`Write::commit`], nothing of it happens.
struct Write<'a> {
    connection: Borrowed,
    probe: &'a dyn Probe,
    /// The time of all that this write does.
    now: Millis,
}

impl Write<'_> {
    /// The connection, for the statement that stands behind `point`.
    async fn at(&mut self, point: &'static str) -> Result<&mut PgConnection, StoreError> {
        self.probe.at(point).await?;
        Ok(&mut self.connection)
    }

    /// Makes it durable.
    async fn commit(mut self, before: &'static str, after: &'static str) -> Result<(), StoreError> {
        self.probe.at(before).await?;
        sqlx::raw_sql("commit").execute(&mut *self.connection).await?;
        self.connection.release();
        self.probe.at(after).await
    }

    /// Ends it with nothing done, and answers with `value`: the connection goes on, where dropping it would close it.
    async fn undone<T>(mut self, value: T) -> Result<T, StoreError> {
        sqlx::raw_sql("rollback").execute(&mut *self.connection).await?;
        self.connection.release();
        Ok(value)
    }
}

impl Columns for PgRow {
    fn integer(&self, column: &'static str) -> Result<Option<i64>, sqlx::Error> {
        let value = self.try_get_raw(column)?;
        match value.type_info().name() {
            // The driver widens them once it is not asked to compare the types.
            "INT2" | "INT4" | "INT8" => self.try_get_unchecked(column),
            _ => self.try_get(column),
        }
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
        let value: Option<Json<&JsonRawValue>> = self.try_get(column)?;
        Ok(value.map(|Json(raw)| raw.get()))
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn close(&self) {
        self.connections.close().await;
    }

    async fn listen(&self) -> Result<Option<Box<dyn Ear>>, StoreError> {
        Ok(Some(Box::new(ear::PostgresEar::open(&self.settings).await?)))
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.connections.all(|| sqlx::query("select from jobs limit 1")).await?;
        Ok(())
    }

    async fn now(&self) -> Result<Millis, StoreError> {
        self.read_clock().await
    }

    async fn enqueue_all(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Vec<Enqueued>, StoreError> {
        self.connections.repeated(|| self.enqueue_jobs(jobs, open_jobs_max)).await
    }

    async fn enqueue_batch(&self, jobs: &[NewJob], open_jobs_max: u32) -> Result<Batch, StoreError> {
        self.connections.repeated(|| self.enqueue_whole_batch(jobs, open_jobs_max)).await
    }

    async fn job(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        self.read_job(id).await
    }

    async fn jobs(&self, filter: &JobFilter, before: Option<JobId>, limit: u32) -> Result<Vec<Job>, StoreError> {
        self.read_jobs(filter, before, limit).await
    }

    async fn cancel(&self, id: JobId) -> Result<Option<Job>, StoreError> {
        self.connections.repeated(|| self.cancel_job(id)).await
    }

    async fn retry(&self, id: JobId, tries_more: u32) -> Result<Option<Job>, StoreError> {
        self.connections.repeated(|| self.retry_job(id, tries_more)).await
    }

    async fn claim(&self, claim: Claim<'_>) -> Result<Claimed, StoreError> {
        self.claims.make(claim.into(), |claims| self.claim_slices(claims)).await
    }

    async fn renew(&self, leases: &[Lease], lease_ms: i64) -> Result<Vec<Lease>, StoreError> {
        self.connections.repeated(|| self.renew_leases(leases, lease_ms)).await
    }

    async fn commit(&self, lease: Lease, work: SliceWork) -> Result<Guarded<Job>, StoreError> {
        let commit = Commit { lease, work: Arc::new(work) };
        let all =
            |commits: Vec<Commit>| async move { self.connections.repeated(|| self.commit_slices(&commits)).await };
        self.commits.make(commit, all).await
    }

    async fn fail_attempt(&self, lease: Lease, failed: FailedAttempt) -> Result<Guarded<Job>, StoreError> {
        self.connections.repeated(|| self.fail_slice(lease, &failed)).await
    }

    async fn give_back(&self, lease: Lease) -> Result<Guarded<()>, StoreError> {
        self.connections.repeated(|| self.give_slice_back(lease)).await
    }

    async fn next_due(&self) -> Result<Option<Millis>, StoreError> {
        Ok(self.read_due().await?.at)
    }

    async fn queue_state(&self) -> Result<QueueState, StoreError> {
        self.read_queue_state().await
    }

    async fn set_pause(&self, pause: Option<&str>) -> Result<(), StoreError> {
        self.connections.repeated(|| self.pause_or_resume(pause)).await
    }

    async fn prune(&self, prune: Prune) -> Result<Pruned, StoreError> {
        self.connections.repeated(|| self.prune_old(prune)).await
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
        self.connections.repeated(|| self.insert_ratings(ratings)).await
    }

    async fn ratings(&self, ids: &[PuzzleId]) -> Result<Vec<Rating>, StoreError> {
        self.read_ratings(ids).await
    }

    async fn deliver(&self, wanted: &[NewDelivery]) -> Result<Vec<Delivered>, StoreError> {
        self.connections.repeated(|| self.deliver_puzzles(wanted)).await
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
        self.connections.repeated(|| self.forget(audience)).await
    }

    async fn withdraw(&self, id: PuzzleId, reason: &str) -> Result<Option<Puzzle>, StoreError> {
        self.connections.repeated(|| self.withdraw_puzzle(id, reason)).await
    }

    async fn set_target(&self, wish: Wish, targets_max: u32) -> Result<TargetSet, StoreError> {
        self.connections.repeated(|| self.upsert_target(&wish, targets_max)).await
    }

    async fn targets(&self) -> Result<Vec<StockTarget>, StoreError> {
        self.read_targets().await
    }

    async fn delete_target(&self, id: TargetId) -> Result<Option<StockTarget>, StoreError> {
        self.connections.repeated(|| self.remove_target(id)).await
    }

    async fn declare_targets(&self, wishes: &[Wish]) -> Result<(), StoreError> {
        self.connections.repeated(|| self.take_over_declared(wishes)).await
    }

    async fn refill(&self, refill: Refill) -> Result<Refilled, StoreError> {
        self.connections.repeated(|| self.queue_refill(&refill)).await
    }

    async fn stop_refill(&self, id: JobId, stop: Stop) -> Result<Option<Job>, StoreError> {
        self.connections.repeated(|| self.stop_open_refill(id, stop)).await
    }

    async fn refills(&self) -> Result<Vec<Job>, StoreError> {
        self.read_refills().await
    }

    async fn rates(&self, specs: &[String]) -> Result<Vec<Rate>, StoreError> {
        self.read_rates(specs).await
    }
}
